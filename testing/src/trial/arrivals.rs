//! How often a call arrives at a system that fails.

use cofferdam_runtime::breaker::SlidingWindow;
use cofferdam_runtime::settings::SystemSettings;

use super::stage::{Stage, run};
use super::{Broken, Case, Checked, Kind, Subject, not_tried};
use crate::{Answer, Arrival, Fault, Step};

/// Calls after which the breaker may judge in these checks: no call makes as many attempts.
const NEVER: u32 = 100;

fn without_judgement(settings: &mut SystemSettings) {
    settings.breaker.config.window = SlidingWindow::Calls(NEVER);
    settings.breaker.config.minimum_calls = NEVER;
}

/// A write without an idempotency key arrives once, however the exchange breaks (R-RES-RE-1).
///
/// # Errors
/// What arrived otherwise.
pub fn writes_arrive_once<S: Subject>() -> Checked {
    run(async {
        let stage = Stage::<S>::new(without_judgement)?;
        let cases: Vec<_> = S::cases().into_iter().filter(|case| case.kind == Kind::Once).collect();
        if cases.is_empty() {
            not_tried("there is no write without a key");
        }
        for case in &cases {
            for (name, step) in failures() {
                stage.fails(case, step);
                let ended = stage.fresh_call(case).await;
                let arrived = stage.arrivals().len();
                if arrived != 1 {
                    let Case { operation, .. } = case;
                    let words = &ended.words;
                    return Err(Broken::new(format!(
                        "`{operation}` has no idempotency key, and arrived {arrived} times when the system {name} ({words})"
                    )));
                }
            }
        }
        Ok(())
    })
}

fn failures() -> [(&'static str, Step); 6] {
    [
        ("was well", Step::fine()),
        ("answered 503", Answer::status(503).into()),
        ("closed the connection", Fault::Close.into()),
        ("reset the connection", Fault::Reset.into()),
        ("broke off within its reply", Fault::CutHead { after: 20 }.into()),
        ("answered no HTTP", Fault::NotHttp.into()),
    ]
}

/// A read, and a write with a key, arrive as often as the settings allow; all attempts of a write are the same, its key
/// too (R-RES-RE-1, RE-2).
///
/// # Errors
/// What arrived otherwise.
pub fn reads_and_keyed_writes_arrive_as_the_settings_say<S: Subject>() -> Checked {
    run(async {
        let stage = Stage::<S>::new(without_judgement)?;
        let cases: Vec<_> = S::cases().into_iter().filter(|case| case.kind != Kind::Once).collect();
        if cases.is_empty() {
            not_tried("there is no read and no write with a key");
        }
        for case in &cases {
            stage.fails(case, Answer::status(503));
            let ended = stage.fresh_call(case).await;
            let arrivals = stage.arrivals();
            let allowed = stage.settings.policy(case.operation).retry.max_attempts as usize;
            if arrivals.len() != allowed {
                let (operation, arrived, words) = (case.operation, arrivals.len(), &ended.words);
                return Err(Broken::new(format!(
                    "`{operation}` arrived {arrived} times at a system that always fails; the settings say {allowed} ({words})"
                )));
            }
            if let Some(what) = arrivals.iter().find_map(|arrival| difference(&stage.settings, &arrivals[0], arrival)) {
                return Err(Broken::new(format!("`{}`: {what} is not the same in all attempts", case.operation)));
            }
        }
        Ok(())
    })
}

/// What two attempts of one call differ in, but for what each has of its own.
fn difference(settings: &SystemSettings, first: &Arrival, other: &Arrival) -> Option<String> {
    let own = [Some("traceparent"), settings.headers.deadline.as_ref().map(|name| name.as_str())];
    if first.body != other.body {
        return Some("the body".to_owned());
    }
    if (&first.path, &first.query) != (&other.path, &other.query) {
        return Some("the address".to_owned());
    }
    let shared = first.headers.keys().chain(other.headers.keys()).filter(|name| !own.contains(&Some(name.as_str())));
    let mut differing =
        shared.filter(|name| !first.headers.get_all(*name).iter().eq(other.headers.get_all(*name).iter()));
    differing.next().map(|name| format!("the header `{name}`"))
}
