//! How a call is told: one aligned line, in words for people who see this for the first time.

use std::time::Duration;

use cofferdam_runtime::{CallError, Delivery};

/// What is printed at the beginning.
pub(crate) fn opening() {
    println!(
        "\
A shop takes payments through `sber` and buys from the supplier `f6`. Both are servers on this machine, called
through adapters that Cofferdam generated. `sber` is about to have a bad day.

Settings: at most 3 calls at once, 3 attempts for what may be repeated, 800 ms until a silent server is given up,
the circuit opens when half of the last 8 calls failed and stays open for 1.5 s."
    );
}

/// The title of a scene.
pub(crate) fn scene(title: &str) {
    println!("\n{title}");
    println!("  {:<29} {:<66} {:>7}  server got", "the shop asks", "the shop sees", "after");
}

/// A line about one call, or about several made at once.
pub(crate) fn line(asked: &str, seen: &str, took: Duration, arrived: usize) {
    let arrived = match arrived {
        0 => "nothing".to_owned(),
        1 => "1 request".to_owned(),
        several => format!("{several} requests"),
    };
    println!("  {asked:<29} {seen:<66} {:>7}  {arrived}", after(took));
}

/// What there is to notice.
pub(crate) fn moral(text: &str) {
    println!("  -> {text}");
}

/// What an answer means to the caller.
pub(crate) fn seen<T, R>(answer: &Result<T, CallError<R>>, fine: impl FnOnce(&T) -> String) -> String {
    match answer {
        Ok(outcome) => fine(outcome),
        Err(error) => format!("{}{}", trouble(error), consequence(error)),
    }
}

fn trouble<R>(error: &CallError<R>) -> String {
    match error {
        CallError::CircuitOpen { at, .. } if at.attempts > 0 => "tried, then the circuit opened".to_owned(),
        CallError::CircuitOpen { retry_after, .. } => {
            format!("refused here, circuit open, try in {}", after(*retry_after))
        }
        CallError::BulkheadFull { .. } => "refused here, 3 calls are waiting already".to_owned(),
        CallError::TimedOut { limit, phase, .. } => format!("gave up after {} {phase}", after(*limit)),
        CallError::ServerError { status, .. } => format!("the system failed with {}", status.as_u16()),
        other => other.to_string(),
    }
}

/// What the caller must know to decide what to do now.
fn consequence<R>(error: &CallError<R>) -> String {
    let known = match error.delivery() {
        Delivery::NotSent => return String::new(),
        Delivery::MaybeSent => ", it may have arrived",
        Delivery::Answered => "",
    };
    match error.attempts() {
        0 | 1 => known.to_owned(),
        attempts => format!("{known}, {attempts} attempts"),
    }
}

/// A time as people read it.
pub(crate) fn after(time: Duration) -> String {
    match time.as_millis() {
        0 => "0 ms".to_owned(),
        millis @ 1..1000 => format!("{millis} ms"),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}
