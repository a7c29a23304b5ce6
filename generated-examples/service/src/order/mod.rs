//! Orders: placed with the gateway, insured if the buyer wants it and the insurer can, and brought on a step whenever
//! somebody asks how they are.
//!
//! Every step is one that may be taken again: registering, issuing and the receipt carry the order's number as their key,
//! so a step whose answer was lost is taken again with the same key. Giving money back has none: it is sent once, and what
//! became of it when its answer was lost is found out from the payment's state.

mod advance;
mod book;
mod place;
mod refund;
mod shape;

use cofferdam_example_committed::integrations::sber::domain::Payment;
use cofferdam_example_committed::integrations::sber::generated::operations::GetOrderStatus;
use cofferdam_runtime::fallback::Stale;

use self::book::Book;
pub use self::book::{Document, Money, Order, Part};
pub use self::shape::{NewLine, NewOrder, OrderView};
use crate::systems::Systems;

/// The group of cash registers that writes the shop's receipts.
const REGISTERS: &str = "shop";

/// The orders, and what is remembered of their payments.
pub struct Orders {
    book: Book,
    payments: Stale<GetOrderStatus, String, Payment>,
}

impl Orders {
    /// None yet.
    pub fn new(systems: &Systems) -> Self {
        Self { book: Book::default(), payments: systems.sber.guard().stale(GetOrderStatus) }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.book.count()
    }
}
