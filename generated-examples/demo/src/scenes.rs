//! The day of `sber`, scene by scene.

use std::sync::Arc;
use std::time::Duration;

use cofferdam_tests::{Answer, Fault, Script};
use tokio::time::sleep;

use crate::asking::{deposit, deposits_at_once, order, procurements, register, status, status_within};
use crate::stage::Stage;
use crate::tell::{moral, scene};

/// Everything works.
pub(crate) async fn fine(stage: &Stage) {
    scene("FINE: both answer at once");
    register(stage, "A-1").await;
    status(stage, "A-1").await;
    deposit(stage, "A-1").await;
    procurements(stage).await;
    order(stage, "K-1").await;
}

/// Answers come, but late.
pub(crate) async fn slow(stage: &Stage) {
    stage.sber_server.script_everywhere(Script::always(Fault::SlowFirstByte(Duration::from_millis(600))));
    scene("SLOW: `sber` answers after 600 ms");
    status(stage, "A-1").await;
    status_within(stage, "A-1", Duration::from_millis(400)).await;
    procurements(stage).await;
    moral("A caller may bring a time budget: no attempt and no wait goes beyond it.");
}

/// Every answer is a 503.
pub(crate) async fn failing(stage: &Stage) {
    stage.sber_server.script_everywhere(Script::always(Answer::status(503)));
    scene("FAILING: `sber` answers 503 to everything");
    deposit(stage, "A-2").await;
    moral("Nothing tells `sber` that a deposit is a repetition, so it is sent once. No setting can change that.");
    register(stage, "A-2").await;
    moral("The order number does: a registration is tried again, under the same number each time.");
    status(stage, "A-1").await;
    status(stage, "A-1").await;
    procurements(stage).await;
    moral("The circuit of `sber` is open: nobody waits and nothing is sent. `f6` has a circuit of its own.");
    until_half_open(stage).await;
    stage.sber_server.behave();
    scene("FINE for a moment: 1.5 s later the circuit lets two calls through, to see");
    status(stage, "A-1").await;
    status(stage, "A-1").await;
    moral("Both went well, so it is closed again.");
}

/// Requests are taken and never answered.
pub(crate) async fn hanging(stage: &Arc<Stage>) {
    stage.sber_server.script_everywhere(Script::always(Fault::Hang));
    scene("HANGING: `sber` takes every request and never answers");
    let numbers: Vec<String> = (1..=8).map(|number| format!("B-{number}")).collect();
    deposits_at_once(stage, &numbers, async {
        sleep(Duration::from_millis(200)).await;
        procurements(stage).await;
    })
    .await;
    moral("Three calls wait for `sber`, the other callers are told at once, and `f6` does not notice.");
    status(stage, "B-1").await;
    status(stage, "B-1").await;
    moral("Four silent calls of four: the circuit is open again.");
}

/// Everything works again.
pub(crate) async fn fine_again(stage: &Stage) {
    stage.sber_server.behave();
    scene("FINE again: nobody tells the shop, it finds out");
    status(stage, "B-1").await;
    until_half_open(stage).await;
    status(stage, "B-1").await;
    register(stage, "A-2").await;
    deposit(stage, "A-3").await;
    procurements(stage).await;
}

/// Waits as long as the open circuit says.
async fn until_half_open(stage: &Stage) {
    if let Err(refused) = stage.sber.guard().breaker().try_acquire() {
        sleep(refused.retry_after.unwrap_or_default()).await;
    }
}
