//! `cargo run --release -p cofferdam-tests --bin soak -- --calls 1000000`

use std::alloc::System;
use std::process::ExitCode;

use cap::Cap;
use cofferdam_tests::soak::{self, Plan};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

fn main() -> ExitCode {
    let plan = match plan(std::env::args().skip(1)) {
        Ok(plan) => plan,
        Err(word) => {
            eprintln!("usage: soak [--calls N] [--callers N] [--seed N]: not understood: {word}");
            return ExitCode::from(2);
        }
    };
    match run(plan) {
        Ok(report) => {
            println!("{report}");
            let is_well = report.violations.is_empty() && report.memory.is_flat() != Some(false);
            if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(plan: Plan) -> Result<soak::Report, Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(soak::run(plan))
}

fn plan(mut words: impl Iterator<Item = String>) -> Result<Plan, String> {
    let mut plan = Plan { calls: 1_000_000, callers: 64, seed: 1, allocated: Some(|| ALLOCATOR.allocated()) };
    while let Some(word) = words.next() {
        let number = words.next().ok_or_else(|| word.clone())?;
        let value: u64 = number.parse().map_err(|_| number.clone())?;
        match word.as_str() {
            "--calls" => plan.calls = value,
            "--callers" => plan.callers = usize::try_from(value).map_err(|_| number)?,
            "--seed" => plan.seed = value,
            _ => return Err(word),
        }
    }
    Ok(plan)
}
