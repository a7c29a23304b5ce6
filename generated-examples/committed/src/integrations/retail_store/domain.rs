//! Stores, as the workbench shows them.

/// A store, as it is today.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    /// Its name.
    pub name: String,
    /// Whether it is open now.
    pub open: bool,
    /// People at work now.
    pub on_shift: u32,
    /// From when to when it is open today: two times of the day.
    pub hours: (String, String),
}

/// There is no such store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoSuchStore;
