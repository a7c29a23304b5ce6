//! Orders as they travel between the service and its callers.

use cofferdam_example_committed::money::Money;
use serde::{Deserialize, Serialize};

use super::book::{Document, Money as Where, Order, Part};

/// An order that is placed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct NewOrder {
    /// The caller's own number: an order sent again under its number is placed once.
    pub number: String,
    /// Where receipt and policy go.
    pub email: String,
    /// Whose policy it is.
    pub name: String,
    /// What is bought.
    pub lines: Vec<NewLine>,
    /// Whether the buyer wants it insured, if that can be had.
    #[serde(default)]
    pub insure: bool,
}

/// A line of an order.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct NewLine {
    /// What it is.
    pub name: String,
    /// The price of one, in kopecks.
    pub price: i64,
    /// How many.
    pub quantity: u32,
}

impl NewOrder {
    /// What the lines come to; none if there is nothing to pay, or more than fits.
    pub(super) fn total(&self) -> Option<Money> {
        let fits = |text: &str, most: usize| !text.is_empty() && text.len() <= most;
        if !fits(&self.number, 32) || !fits(&self.email, 254) || !fits(&self.name, 200) {
            return None;
        }
        let line = |line: &NewLine| (line.price >= 0).then(|| Money::rub(line.price).times(line.quantity))?;
        let total = self.lines.iter().try_fold(Money::rub(0), |sum, one| sum.plus(line(one)?))?;
        total.is_positive().then_some(total)
    }
}

/// An order, as its caller sees it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OrderView {
    /// Its number.
    pub number: String,
    /// What it costs, in words.
    pub total: String,
    /// In kopecks.
    pub total_minor: i64,
    /// Where the buyer pays.
    pub payment_page: Option<String>,
    /// `waiting`, `paid`, `refunding`, `refunded`, `lost`.
    pub payment: &'static str,
    /// Seconds since the gateway said so, when it cannot say anything now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_as_of_seconds: Option<u64>,
    /// `none`, `unavailable`, `offered`, `due`, `issued`.
    pub policy: PartView,
    /// `none`, `due`, `handed_in`, `written`, `failed`.
    pub receipt: PartView,
}

/// A part of an order that another system does.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartView {
    /// How far it is.
    pub state: &'static str,
    /// The system's number of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Why it is no further: the number of the last error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<u32>,
}

impl OrderView {
    /// The order as it is, with the age of what is known of its payment.
    pub(super) fn of(order: &Order, as_of: Option<std::time::Duration>) -> Self {
        Self {
            number: order.wish.number.clone(),
            total: order.total.to_string(),
            total_minor: order.total.in_minor(),
            payment_page: order.registered.as_ref().map(|registered| registered.payment_page.clone()),
            payment: match order.money {
                Where::Waiting => "waiting",
                Where::Paid => "paid",
                Where::Refunding => "refunding",
                Where::Refunded => "refunded",
                Where::Lost => "lost",
            },
            payment_as_of_seconds: as_of.map(|age| age.as_secs()),
            policy: policy(&order.policy, order.policy_error),
            receipt: receipt(&order.receipt, order.receipt_error),
        }
    }
}

fn policy(part: &Part, error: Option<u32>) -> PartView {
    let (state, id) = match part {
        Part::None => ("none", None),
        Part::Unavailable => ("unavailable", None),
        Part::Offered(_) => ("offered", None),
        Part::Issued(id) => ("issued", Some(id.clone())),
    };
    PartView { state, id, error }
}

fn receipt(document: &Document, error: Option<u32>) -> PartView {
    let (state, id) = match document {
        Document::None => ("none", None),
        Document::HandedIn(uuid) => ("handed_in", Some(uuid.to_string())),
        Document::Written(number) => ("written", Some(number.to_string())),
        Document::Failed(code) => ("failed", Some(code.to_string())),
    };
    PartView { state, id, error }
}
