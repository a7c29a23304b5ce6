//! Fiscal receipts as the shop speaks of them.

use cofferdam_runtime::{DateTime, Uuid};

use crate::money::Money;

/// The tax on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vat {
    /// None applies.
    None,
    /// A rate of nothing.
    Zero,
    /// The lower rate.
    Ten,
    /// The usual rate.
    Twenty,
}

/// A line of a receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What was sold.
    pub name: String,
    /// The price of one.
    pub price: Money,
    /// How many.
    pub quantity: u32,
    /// The tax on it.
    pub vat: Vat,
}

/// A receipt to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The group of cash registers that is to write it.
    pub group: String,
    /// The shop's own number: a number is written once, however often it is handed in.
    pub number: String,
    /// Where it is sent.
    pub email: String,
    /// What stands on it. All in roubles: a cash register knows no other money.
    pub lines: Vec<Line>,
}

impl Receipt {
    /// What the lines come to; none if that is more than fits, or they are in different money.
    pub fn total(&self) -> Option<Money> {
        self.lines.iter().try_fold(Money::rub(0), |sum, line| sum.plus(line.price.times(line.quantity)?))
    }
}

/// A receipt that was handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandedIn {
    /// The service's number: by it the receipt is asked about.
    pub uuid: Uuid,
    /// Whether it was handed in before: then this is the number of the first time.
    pub before: bool,
}

/// Which receipt is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptQuery {
    /// The group of cash registers.
    pub group: String,
    /// The service's number.
    pub uuid: Uuid,
}

/// What became of a receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// Not written yet: ask again.
    Waiting,
    /// Written.
    Written(FiscalMark),
    /// It cannot be written; the number is the service's.
    Failed(i32),
}

/// What the cash register wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FiscalMark {
    /// Number of the document.
    pub document: i64,
    /// Its sign.
    pub sign: String,
    /// The register.
    pub register: String,
    /// When.
    pub written_at: DateTime,
}

/// What the shop signs in with.
#[derive(Clone, PartialEq, Eq)]
pub struct Login {
    /// Who.
    pub name: String,
    /// And how it is proved.
    pub password: String,
}

/// Never shows the password.
impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Login").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The service's no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReceiptRefused {
    /// A receipt of this number was handed in before; its number is in the answer of
    /// [`Receipts::hand_in`](super::Receipts::hand_in), which makes an outcome of it.
    Duplicate(Uuid),
    /// It does not know the receipt.
    Unknown,
    /// Something else, by its number.
    Other(i32),
}
