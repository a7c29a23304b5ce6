//! The orders the service knows. They are kept in memory, the latest ten thousand of them: a shop keeps them in its
//! database, and nothing here would change for its callers.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cofferdam_example_committed::integrations::insurance::domain::Offer;
use cofferdam_example_committed::integrations::sber::domain::RegisteredOrder;
use cofferdam_example_committed::money;
use cofferdam_runtime::Uuid;

use super::shape::NewOrder;

/// Orders that are kept.
const MOST: usize = 10_000;

/// An order and how far it is.
#[derive(Debug, Clone)]
pub struct Order {
    /// What was asked for.
    pub wish: NewOrder,
    /// What it costs, the premium included.
    pub total: money::Money,
    /// What of that is the premium, if it is insured.
    pub premium: Option<money::Money>,
    /// What the gateway gave for it.
    pub registered: Option<RegisteredOrder>,
    /// Where its money is.
    pub money: Money,
    /// Its policy.
    pub policy: Part,
    /// Why the policy is no further.
    pub policy_error: Option<u32>,
    /// Its receipt.
    pub receipt: Document,
    /// Why the receipt is no further.
    pub receipt_error: Option<u32>,
}

/// Where an order's money is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Money {
    /// The buyer has not paid yet.
    Waiting,
    /// It is ours.
    Paid,
    /// It was told to go back, and whether it did is not known.
    Refunding,
    /// It went back.
    Refunded,
    /// The payment was declined or cancelled.
    Lost,
}

/// The policy of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Nobody wants one.
    None,
    /// The insurer could not make an offer: the order went on without.
    Unavailable,
    /// An offer, for which a policy is issued when the order is paid.
    Offered(Offer),
    /// A policy, by its number.
    Issued(String),
}

/// The receipt of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Document {
    /// None yet.
    None,
    /// Handed in, by its number.
    HandedIn(Uuid),
    /// Written, by the number of the document.
    Written(i64),
    /// It cannot be written.
    Failed(i32),
}

/// An order that only one task works on at a time.
pub(super) type Entry = Arc<tokio::sync::Mutex<Order>>;

#[derive(Default)]
pub(super) struct Book {
    pages: Mutex<Pages>,
}

#[derive(Default)]
struct Pages {
    orders: HashMap<String, Entry>,
    oldest_first: VecDeque<String>,
}

impl Book {
    pub(super) fn find(&self, number: &str) -> Option<Entry> {
        self.pages().orders.get(number).cloned()
    }

    /// The order of this number: the one that is there, or this one.
    pub(super) fn enter(&self, order: Order) -> Entry {
        let number = order.wish.number.clone();
        let mut pages = self.pages();
        if let Some(entry) = pages.orders.get(&number) {
            return Arc::clone(entry);
        }
        let entry = Arc::new(tokio::sync::Mutex::new(order));
        pages.orders.insert(number.clone(), Arc::clone(&entry));
        pages.oldest_first.push_back(number);
        if pages.oldest_first.len() > MOST
            && let Some(oldest) = pages.oldest_first.pop_front()
        {
            pages.orders.remove(&oldest);
        }
        entry
    }

    pub(super) fn count(&self) -> usize {
        self.pages().orders.len()
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
