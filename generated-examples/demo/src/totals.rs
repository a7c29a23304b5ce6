//! What the shop asked for, and what the servers received: counted on both sides.

use std::collections::BTreeMap;

use cofferdam_tests::{Arrival, Recorder};

use crate::stage::{DEPOSIT, LIST, ORDERS, REGISTER, STATUS, Stage};

/// Prints the totals. `false` when a deposit arrived twice, or a repetition under another number or key.
pub(crate) fn tell(stage: &Stage) -> bool {
    let (sber, f6) = (stage.sber_server.recorder(), stage.f6_server.recorder());
    println!("\nTOTAL");
    let asked = |path| stage.asked(path);
    let deposits = most(sber, DEPOSIT, |arrival| arrival.form_field("orderId"));
    row(
        "deposit (sent once)",
        asked(DEPOSIT),
        sber.count(DEPOSIT),
        if deposits <= 1 { "never twice" } else { "TWICE" },
    );
    let registered = distinct(sber, REGISTER, |arrival| arrival.form_field("orderNumber"));
    let numbers = format!("under {registered} order numbers");
    row("register (keyed)", asked(REGISTER), sber.count(REGISTER), &numbers);
    row("status (read)", asked(STATUS), sber.count(STATUS), "");
    let keys = distinct(f6, ORDERS, |arrival| arrival.header("idempotency-key").map(str::to_owned));
    row("order from f6 (keyed)", asked(ORDERS), f6.count(ORDERS), &format!("under {keys} key"));
    row("what f6 offers (read)", asked(LIST), f6.count(LIST), "");
    deposits <= 1 && registered <= asked(REGISTER) && keys <= asked(ORDERS)
}

fn row(operation: &str, asked: usize, arrived: usize, remark: &str) {
    let comma = if remark.is_empty() { "" } else { ", " };
    println!("  {operation:<24} asked {asked:>2}, arrived {arrived:>2}{comma}{remark}");
}

type Identity = fn(&Arrival) -> Option<String>;

fn counts(recorder: &Recorder, path: &str, identity: Identity) -> BTreeMap<Option<String>, usize> {
    let mut counts = BTreeMap::new();
    for arrival in recorder.arrivals(path) {
        *counts.entry(identity(&arrival)).or_default() += 1;
    }
    counts
}

/// How many different ones arrived.
fn distinct(recorder: &Recorder, path: &str, identity: Identity) -> usize {
    counts(recorder, path, identity).len()
}

/// How often the one that arrived most often did.
fn most(recorder: &Recorder, path: &str, identity: Identity) -> usize {
    counts(recorder, path, identity).into_values().max().unwrap_or_default()
}
