//! Charges as the order service speaks of them.

use cofferdam_runtime::Delivery;

use crate::money::Money;

/// A charge to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCharge {
    /// The order it pays.
    pub order: String,
    /// The stored card.
    pub card: String,
    /// How much.
    pub amount: Money,
}

/// Where a charge is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChargeState {
    /// The money was taken.
    Captured,
    /// The card's bank has not answered yet.
    Pending,
}

/// A charge that the payment service has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charge {
    /// Its number.
    pub id: String,
    /// The order it pays.
    pub order: String,
    /// Where it is.
    pub state: ChargeState,
    /// How much.
    pub amount: Money,
}

/// What is known of a charge after it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "an unconfirmed charge is no payment"]
pub enum ChargeResult {
    /// The payment service answered.
    Made(Charge),
    /// It gave no answer. That is not "paid" and not "not paid": `find` says which, later.
    Unconfirmed {
        /// The order.
        order: String,
        /// Whether the charge may have been made.
        delivery: Delivery,
        /// The number of the error for one's own clients.
        code: u32,
    },
}

/// The payment service's no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChargeRefused {
    /// The card's bank said no, and its word for why.
    Declined(String),
    /// There is no charge for the order.
    Unknown,
    /// The request was wrong, or the service failed and said so.
    Other,
}
