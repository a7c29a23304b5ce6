//! Warranty claims, as the workbench shows them.

use cofferdam_runtime::Date;

/// What a claim waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClaimState {
    /// Somebody to look at the article.
    Open,
    /// A decision.
    Inspected,
    /// The buyer, who gets what is due.
    Approved,
    /// The buyer, who gets nothing.
    Refused,
    /// A state that is newer than this program. The workbench shows its word: a list with one odd line is more use than
    /// none.
    Other(String),
}

/// A claim of a buyer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Its number.
    pub id: String,
    /// The article.
    pub sku: String,
    /// What it waits for.
    pub state: ClaimState,
    /// Since when.
    pub since: Date,
}

/// There is no such store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoSuchStore;
