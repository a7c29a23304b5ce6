//! What the load asked for and what came of it.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::systems::Service;

/// Answers by what was asked, and errors by their number.
#[derive(Default)]
pub(super) struct Tally {
    answers: Mutex<Answers>,
}

#[derive(Default)]
struct Answers {
    by_status: BTreeMap<(&'static str, u16), u64>,
    by_code: BTreeMap<u64, u64>,
    degraded: BTreeMap<&'static str, u64>,
}

impl Tally {
    pub(super) fn count(&self, what: &'static str, status: u16, body: &Value) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        *answers.by_status.entry((what, status)).or_default() += 1;
        if let Some(code) = body["code"].as_u64() {
            *answers.by_code.entry(code).or_default() += 1;
        }
        let degraded = body["degraded"] == true || body["state"] == "unconfirmed" || body["staleSeconds"].is_u64();
        if degraded {
            *answers.degraded.entry(what).or_default() += 1;
        }
    }

    pub(super) fn tell(&self, service: &Service) {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        println!("\nanswers of the service, by status");
        for ((what, status), count) in &answers.by_status {
            println!("  {what:<14} {status}  {count:>7}");
        }
        println!("answers that were degraded, and said so");
        answers.degraded.iter().for_each(|(what, count)| println!("  {what:<14}      {count:>7}"));
        println!("errors by number");
        answers.by_code.iter().for_each(|(code, count)| println!("  {code:<14}      {count:>7}"));
        println!("attempts at the systems     succeeded   failed  refused  no place  over quota");
        for system in service.watch.moment(service).systems {
            println!(
                "  {:<24} {:>10} {:>8} {:>8} {:>9} {:>11}",
                system.name, system.succeeded, system.failed, system.refused, system.no_place, system.over_quota
            );
        }
        if let Some(resident) = resident_kib() {
            println!("resident memory            {:.1} MiB", resident as f64 / 1024.0);
        }
    }
}

/// Memory of this process that is in RAM, where the system tells it.
fn resident_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim().split(' ').next()?.parse().ok()
}
