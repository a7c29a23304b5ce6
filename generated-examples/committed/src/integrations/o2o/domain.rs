//! Orders made online, as the workbench shows them.

use cofferdam_runtime::DateTime;

/// A store's orders, counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderSummary {
    /// To be picked from the shelves.
    pub to_pick: u32,
    /// Ready to be fetched.
    pub ready: u32,
    /// Ready for longer than promised.
    pub late: u32,
    /// When they were counted.
    pub counted_at: DateTime,
}

/// There is no such store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoSuchStore;
