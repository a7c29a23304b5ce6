//! Every fault, in every kind of call, in both orders of retry and breaker: what arrived, what the caller heard, what
//! the breaker recorded, and whether everything that was held came back.
//!
//! [`rows`] is the table: a line a fault, with what must come of it. [`expected`] says what follows for a kind and an
//! order, [`cell`] makes it happen.

mod cell;
mod expected;
mod page;
mod rows;

use std::fmt::Write as _;
use std::sync::Arc;

use cofferdam_runtime::OperationKind;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use self::cell::Seen;
use self::expected::Order;
use self::rows::Row;

/// Cells at work at once: most of them wait.
const AT_ONCE: usize = 24;

const KINDS: [OperationKind; 3] = [OperationKind::Read, OperationKind::Keyed, OperationKind::Once];
const ORDERS: [Order; 2] = [Order::RetryOutside, Order::BreakerOutside];

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_fault_in_every_kind_and_order() {
    let (turns, mut cells) = (Arc::new(Semaphore::new(AT_ONCE)), JoinSet::new());
    let rows = rows::all();
    for (number, row) in rows.iter().enumerate() {
        for (place, (kind, order)) in KINDS.into_iter().flat_map(|kind| ORDERS.map(|order| (kind, order))).enumerate() {
            let (turns, row) = (Arc::clone(&turns), row.clone());
            cells.spawn(async move {
                let _turn = turns.acquire().await.unwrap();
                ((number, place), kind, order, cell::run(&row, kind, order).await)
            });
        }
    }
    let mut cells = cells.join_all().await;
    cells.sort_by_key(|(place, ..)| *place);
    assert!(cells.len() >= 20 * 3 * 2, "{} cells", cells.len());
    let mut wrong = String::new();
    for ((number, _), kind, order, seen) in cells {
        let row = &rows[number];
        let expected = expected::of(row, kind, order);
        if expected != seen {
            tell(&mut wrong, row, kind, order, &expected, &seen);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

fn tell(out: &mut String, row: &Row, kind: OperationKind, order: Order, expected: &Seen, seen: &Seen) {
    let cell = format!("{} | {kind:?} | {order:?}", row.name);
    writeln!(out, "{cell:<70} expected {expected}\n{:<70}     seen {seen}", "").unwrap();
}
