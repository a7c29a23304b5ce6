//! Tickets as the shop speaks of them.

use std::collections::BTreeSet;

use cofferdam_runtime::DateTime;

use crate::money::{Currency, Money};

/// A place in the hall.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Part of the hall.
    pub sector: String,
    /// Row in it.
    pub row: String,
    /// Seat in the row.
    pub seat: String,
}

/// Places to hold for a buyer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// The session they are for.
    pub session: String,
    /// Each place once.
    pub places: BTreeSet<Place>,
    /// Where the tickets go.
    pub email: String,
    /// Whom to call when the session is cancelled.
    pub phone: Option<String>,
    /// What is paid in.
    pub currency: Currency,
}

/// How far an order is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OrderState {
    /// The places wait for the payment.
    Held,
    /// There are tickets.
    Paid,
    /// Somebody cancelled it.
    Cancelled,
    /// Nobody paid in time.
    Expired,
}

/// A ticket.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket {
    /// What the door reads.
    pub code: String,
    /// Its place.
    pub place: Place,
    /// What it cost.
    pub price: Money,
}

/// An order with its tickets, which have no order among themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The box office's number.
    pub id: String,
    /// How far it is.
    pub state: OrderState,
    /// What it costs.
    pub total: Money,
    /// Until when its places are held, while they are.
    pub held_until: Option<DateTime>,
    /// Each ticket once, however the reply has them.
    pub tickets: BTreeSet<Ticket>,
}

/// Which orders are looked for; all that is not said holds for any.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OrderSearch {
    /// Of this buyer.
    pub email: Option<String>,
    /// Of this session.
    pub session: Option<String>,
    /// In one of these states.
    pub states: BTreeSet<OrderState>,
    /// Orders a page; the box office's own number when not said.
    pub page_size: Option<i32>,
}

/// A page of orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderPage {
    /// Newest first.
    pub orders: Vec<Order>,
    /// How many there are on all pages.
    pub total: u64,
}

/// How far an order is, without its tickets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// How far.
    pub state: OrderState,
    /// Since when.
    pub since: DateTime,
    /// Tickets that were made.
    pub tickets: u32,
}

/// A payment that pays for an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    /// The order.
    pub order: String,
    /// The gateway that took the money.
    pub gateway: String,
    /// The gateway's number.
    pub gateway_order: String,
    /// How much.
    pub amount: Money,
}

/// Why an order is cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelReason {
    /// The buyer wants it.
    Buyer,
    /// The organiser wants it.
    Organiser,
    /// Somebody cheats.
    Fraud,
    /// The payment did not come.
    Timeout,
}

/// An order to cancel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cancellation {
    /// The order.
    pub order: String,
    /// Why.
    pub reason: CancelReason,
}

/// The box office's no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TicketsRefused {
    /// It does not know the order.
    UnknownOrder,
    /// The places, or the order's state, do not allow it. The word is the box office's, for the log.
    Conflict(String),
    /// A value is not accepted.
    WrongValue(String),
    /// Something else.
    Other(String),
}
