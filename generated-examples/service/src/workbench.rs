//! The workbench as it travels: tiles that are filled, and tiles that are not, with the number of the reason.

use std::time::Duration;

use cofferdam_example_committed::integrations::warranty::domain::ClaimState;
use cofferdam_example_committed::workbench::{Page, Tile, Workbench};
use serde_json::{Value, json};

/// A page is there after this, whatever the four systems do.
pub const BUDGET: Duration = Duration::from_millis(1200);

/// The page of a store.
pub async fn page(mini: &Workbench, store: &str) -> Value {
    let page = mini.page(store, BUDGET).await;
    let empty_tiles = page.empty_tiles();
    let Page { store, orders, claims, shortages } = page;
    json!({
        "degraded": empty_tiles > 0,
        "store": tile(store, |store| json!({
            "name": store.name, "open": store.open, "onShift": store.on_shift,
            "hours": { "opens": store.hours.0, "closes": store.hours.1 },
        })),
        "orders": tile(orders, |orders| json!({
            "toPick": orders.to_pick, "ready": orders.ready, "late": orders.late,
            "countedAt": orders.counted_at.to_rfc3339(),
        })),
        "claims": tile(claims, |claims| claims.into_iter().map(|claim| json!({
            "id": claim.id, "sku": claim.sku, "state": word(&claim.state), "since": claim.since.to_string(),
        })).collect()),
        "shortages": tile(shortages, |shortages| shortages.into_iter().map(|shortage| json!({
            "sku": shortage.sku, "left": shortage.left, "perDay": shortage.per_day,
            "arrivesOn": shortage.arrives_on.map(|day| day.to_string()),
        })).collect()),
    })
}

fn tile<T>(tile: Tile<T>, filled: impl FnOnce(T) -> Value) -> Value {
    match tile {
        Tile::Filled(value) => json!({ "value": filled(value) }),
        Tile::Empty { code } => json!({ "value": null, "error": code }),
    }
}

fn word(state: &ClaimState) -> &str {
    match state {
        ClaimState::Open => "open",
        ClaimState::Inspected => "inspected",
        ClaimState::Approved => "approved",
        ClaimState::Refused => "refused",
        ClaimState::Other(word) => word,
    }
}
