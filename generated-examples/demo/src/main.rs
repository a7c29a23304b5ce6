//! What Cofferdam does, seen in half a minute: `cargo run -p cofferdam-demo`.
//!
//! A shop takes payments through `sber` and buys from the supplier `f6`. Both are servers on this machine that
//! misbehave on cue. Each line tells what the shop asked for, what it saw, and how many requests really arrived.

mod asking;
mod scenes;
mod stage;
mod tell;
mod totals;

use std::process::ExitCode;
use std::sync::Arc;

use crate::stage::Stage;

#[tokio::main]
async fn main() -> ExitCode {
    match play().await {
        Ok(true) => ExitCode::SUCCESS,
        // A write that arrived twice: the one thing that must not happen. The totals say which.
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("the demo cannot be shown: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn play() -> Result<bool, Box<dyn std::error::Error>> {
    let stage = Arc::new(Stage::set()?);
    tell::opening();
    scenes::fine(&stage).await;
    scenes::slow(&stage).await;
    scenes::failing(&stage).await;
    scenes::hanging(&stage).await;
    scenes::fine_again(&stage).await;
    Ok(totals::tell(&stage))
}
