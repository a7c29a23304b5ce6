//! Insurance as the shop sells it.

use cofferdam_runtime::{Date, DateTime};

use crate::money::Money;

/// Kind of insurance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Product {
    /// The price of tickets, when the buyer cannot come.
    TicketRefund,
    /// Accidents at the session.
    Accident,
}

/// What is to be insured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    /// Against what.
    pub product: Product,
    /// Up to how much.
    pub amount: Money,
    /// The first day.
    pub from: Date,
    /// Years in which the insured were born.
    pub birth_years: Vec<i32>,
}

/// An offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// Its number: a policy is issued for it.
    pub id: String,
    /// What it costs.
    pub premium: Money,
    /// Until when it stands.
    pub valid_until: DateTime,
}

/// An offer that the buyer takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acceptance {
    /// The offer.
    pub offer: String,
    /// The shop's order it goes with.
    pub order: String,
    /// The buyer's name.
    pub name: String,
    /// Where the policy goes.
    pub email: String,
}

/// What a policy is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolicyState {
    /// It holds.
    Active,
    /// It was taken back.
    Annulled,
    /// Its time is over.
    Expired,
}

/// A policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// The insurer's number.
    pub id: String,
    /// The number printed on it.
    pub number: String,
    /// What it is worth.
    pub state: PolicyState,
    /// What it cost.
    pub premium: Money,
}

/// The insurer's no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InsuranceRefused {
    /// It does not know the policy.
    UnknownPolicy,
    /// The offer has lapsed, or is another order's.
    OfferNotValid(String),
    /// A value is not accepted.
    WrongValue(String),
    /// The insurer's system failed, and said so.
    Failed(String),
}
