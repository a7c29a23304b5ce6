//! `cargo run --release -p cofferdam-queue-tests --bin queue-load -- --database postgres --tasks 5000 --kills 100`: workers
//! under load, killed one after another. With `--kills 0` and `--smooth 1` it measures.

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use cofferdam_queue_tests::database::Database;
use cofferdam_queue_tests::killing::{self, Plan, Report};

const USAGE: &str =
    "usage: queue-load [--database sqlite|postgres] [--tasks N] [--workers N] [--kills N] [--smooth 0|1]";

fn main() -> ExitCode {
    let (plan, database) = match plan(std::env::args().skip(1)) {
        Ok(plan) => plan,
        Err(error) => {
            eprintln!("{USAGE}\n{error}");
            return ExitCode::from(2);
        }
    };
    match run(&plan, &database) {
        Ok(report) => {
            println!("{report}");
            if report.violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(plan: &Plan, database: &str) -> Result<Report, Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let database = match database {
            "postgres" => Database::postgres().await?.ok_or("there is no PostgreSQL")?,
            _ => Database::sqlite()?,
        };
        killing::run(plan, &database).await
    })
}

fn plan(mut words: impl Iterator<Item = String>) -> Result<(Plan, String), Box<dyn Error>> {
    let worker = std::env::current_exe()?.with_file_name("queue-worker");
    if !worker.is_file() {
        return Err(format!("build it first: {}", worker.display()).into());
    }
    let mut plan =
        Plan { worker, workers: 4, tasks: 2000, kills: 50, between: Duration::from_millis(400), rough: true };
    let mut database = "sqlite".to_owned();
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        match word.as_str() {
            "--database" if ["sqlite", "postgres"].contains(&value.as_str()) => database = value,
            "--tasks" => plan.tasks = value.parse()?,
            "--workers" => plan.workers = value.parse::<usize>()?.max(1),
            "--kills" => plan.kills = value.parse()?,
            "--smooth" => plan.rough = value == "0",
            _ => return Err(format!("not understood: {word} {value}").into()),
        }
    }
    Ok((plan, database))
}
