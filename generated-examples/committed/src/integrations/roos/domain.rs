//! What runs out, as the workbench shows it.

use cofferdam_runtime::Date;

/// An article that runs out.
#[derive(Debug, Clone, PartialEq)]
pub struct Shortage {
    /// The article.
    pub sku: String,
    /// How many are left.
    pub left: u32,
    /// How many are sold a day.
    pub per_day: f64,
    /// When more arrive, if any are under way.
    pub arrives_on: Option<Date>,
}

/// There is no such store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoSuchStore;
