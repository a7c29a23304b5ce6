//! Payments as the shop speaks of them.

pub use crate::money::{Currency, Money};

/// An order to be paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOrder {
    /// The shop's own number: a number is registered once, however often it is sent.
    pub number: String,
    /// What it costs.
    pub amount: Money,
    /// Where the buyer goes after the payment.
    pub return_url: String,
    /// What the buyer reads on the payment page.
    pub description: Option<String>,
}

/// An order the gateway knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisteredOrder {
    /// The gateway's number; all later operations name it.
    pub id: String,
    /// Where the buyer pays.
    pub payment_page: String,
}

/// Which order is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderQuery {
    /// By the gateway's number.
    Id(String),
    /// By the shop's number: the way to find out what became of a registration whose answer was lost.
    Number(String),
}

/// Where an order's money is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaymentState {
    /// Nothing was paid yet.
    Waiting,
    /// The amount is held.
    Held,
    /// The amount was taken.
    Paid,
    /// The payment was cancelled.
    Cancelled,
    /// The amount was given back.
    Refunded,
    /// The buyer's bank said no.
    Declined,
}

/// What the gateway tells about an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    /// The shop's number of the order.
    pub number: String,
    /// The gateway's number, where it tells it: how a registration whose answer was lost gets its number.
    pub gateway_order: Option<String>,
    /// Where its money is.
    pub state: PaymentState,
    /// What it costs.
    pub amount: Money,
}

/// Money to take from, or give back to, the buyer of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// The gateway's number of the order.
    pub order_id: String,
    /// How much.
    pub amount: Money,
}

/// A payment to cancel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cancellation {
    /// The gateway's number of the order.
    pub order_id: String,
}

/// The gateway's no, in the shop's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaymentRefused {
    /// The order number was registered before.
    AlreadyRegistered,
    /// A value of the request is wrong, or not allowed in the order's state.
    WrongValue,
    /// The gateway does not know the order.
    UnknownOrder,
    /// The gateway failed on its side, and said so in a reply.
    GatewayFailed,
    /// A code this shop does not know.
    Other(String),
}
