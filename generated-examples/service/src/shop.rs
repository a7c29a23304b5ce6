//! What else the shop asks of its systems.

use cofferdam_example_committed::integrations::f6::Supplier;
use cofferdam_example_committed::integrations::f6::domain::ListProcurementsCommand;
use cofferdam_example_committed::integrations::odnakassa::TicketOffice;
use cofferdam_example_committed::integrations::odnakassa::domain::OrderState;
use cofferdam_example_committed::integrations::payment_service::Charging;
use cofferdam_example_committed::integrations::payment_service::domain::{ChargeResult, ChargeState, NewCharge};
use cofferdam_example_committed::money::{Currency, Money};
use cofferdam_runtime::fallback::Served;
use cofferdam_runtime::{Delivery, IdempotencyKey};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::problem::Problem;

/// What a store may buy of the supplier. A list that the supplier gave earlier says how old it is.
///
/// # Errors
/// When there is neither a list nor an earlier one.
pub async fn procurements(supplier: &Supplier, store: &str) -> Result<Value, Problem> {
    let command = ListProcurementsCommand { store_id: store.to_owned(), status: None, limit: Some(50) };
    let served = supplier.procurements(command).await;
    // What the supplier said of it is in the log already.
    let served = served.map_err(|error| Problem {
        status: error.status,
        code: error.code,
        title: error.message,
        retry_after: None,
    })?;
    let as_of = match &served {
        Served::Fresh(_) => None,
        Served::Degraded(old) => old.age.map(|age| age.as_secs()),
    };
    let list = served.into_value();
    let items: Vec<_> = list.items.iter().map(|item| json!({ "id": item.id, "lines": item.lines.len() })).collect();
    Ok(json!({ "items": items, "total": list.total, "staleSeconds": as_of }))
}

/// A card to charge.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CardCharge {
    /// The order, which is the charge's key, too.
    pub order: String,
    /// The stored card.
    pub card: String,
    /// How much, in cents.
    pub amount: i64,
}

/// Charges a card: `captured`, `pending`, or `unconfirmed`, which is neither paid nor not paid.
///
/// # Errors
/// When the card is declined, or what was asked makes no sense.
pub async fn charge(payments: &impl Charging, charge: CardCharge) -> Result<Value, Problem> {
    let CardCharge { order, card, amount } = charge;
    let key = IdempotencyKey::new(order.clone());
    let new_charge = NewCharge { order, card, amount: Money::minor(amount, Currency::Eur) };
    Ok(match payments.charge(new_charge, key).await? {
        ChargeResult::Made(charge) => json!({
            "order": charge.order, "charge": charge.id,
            "state": match charge.state { ChargeState::Captured => "captured", ChargeState::Pending => "pending" },
        }),
        ChargeResult::Unconfirmed { order, delivery, code } => json!({
            "order": order, "state": "unconfirmed", "mayHaveBeenMade": delivery != Delivery::NotSent, "error": code,
        }),
    })
}

/// How far an order of tickets is.
///
/// # Errors
/// When the box office does not say.
pub async fn tickets(office: &impl TicketOffice, order: &str) -> Result<Value, Problem> {
    let progress = office.progress(order.to_owned()).await?;
    let state = match progress.state {
        OrderState::Held => "held",
        OrderState::Paid => "paid",
        OrderState::Cancelled => "cancelled",
        OrderState::Expired => "expired",
    };
    Ok(json!({ "order": order, "state": state, "tickets": progress.tickets }))
}
