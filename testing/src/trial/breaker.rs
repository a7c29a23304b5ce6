//! When the breaker opens, and that it closes again.

use cofferdam_runtime::breaker::BreakerState;

use super::stage::{Stage, ms, run};
use super::{Broken, Case, Checked, Subject, not_tried};
use crate::Answer;

/// More calls than any window needs before it judges.
const MANY: usize = 2000;

/// Each operation's failures are recorded; when enough have failed no operation is sent any more; when the system is well
/// again, calls are (R-RES-CB-1, CB-4).
///
/// # Errors
/// What happened otherwise.
pub fn the_breaker_opens_and_recovers<S: Subject>() -> Checked {
    run(async {
        let stage = Stage::<S>::new(|_| ())?;
        let cases = S::cases();
        if !stage.settings.breaker.enabled {
            not_tried("the settings turn the breaker off");
            return Ok(());
        }
        for case in &cases {
            stage.fails(case, Answer::status(503));
            let ended = stage.fresh_call(case).await;
            if stage.guard().breaker().metrics().failed == 0 {
                let (operation, words) = (case.operation, ended.words);
                return Err(Broken::new(format!("`{operation}` failed, and the breaker did not hear of it ({words})")));
            }
        }
        let Some(probe) = healthy(&stage, &cases).await else {
            return Err(Broken::new(
                "your mapping takes no reply of the document for a success: give one that it does in `trial::reply`",
            ));
        };
        open(&stage, &probe).await?;
        nothing_is_sent(&stage, &cases).await?;
        stage.is_well(&probe);
        close(&stage, &probe).await
    })
}

/// The first case that the mapping takes for a success when the system is well.
async fn healthy<S: Subject>(stage: &Stage<S>, cases: &[Case<S::Adapter>]) -> Option<Case<S::Adapter>> {
    for case in cases {
        stage.is_well(case);
        stage.fresh_call(case).await;
        let metrics = stage.guard().breaker().metrics();
        if metrics.buffered == 1 && metrics.failed == 0 {
            return Some(*case);
        }
    }
    None
}

async fn open<S: Subject>(stage: &Stage<S>, case: &Case<S::Adapter>) -> Checked {
    stage.guard().breaker().reset();
    stage.fails(case, Answer::status(503));
    for _ in 0..MANY {
        if stage.guard().breaker().state() == BreakerState::Open {
            return Ok(());
        }
        stage.call(case).await;
    }
    Err(Broken::new(format!("{MANY} failures of `{}` do not open the breaker", case.operation)))
}

/// While the breaker is open no operation arrives. The wait is short here, so it is opened for each.
async fn nothing_is_sent<S: Subject>(stage: &Stage<S>, cases: &[Case<S::Adapter>]) -> Checked {
    for case in cases {
        stage.guard().breaker().transition_to_open_for(ms(60_000)).map_err(|error| Broken::new(error.to_string()))?;
        stage.server.recorder().clear();
        let ended = stage.call(case).await;
        let arrived = stage.arrivals().len();
        if ended.kind != "circuit_open" || arrived > 0 {
            let (operation, how) = (case.operation, ended.kind);
            return Err(Broken::new(format!(
                "the breaker is open, and `{operation}` ended as {how}, having arrived {arrived} times"
            )));
        }
    }
    Ok(())
}

async fn close<S: Subject>(stage: &Stage<S>, case: &Case<S::Adapter>) -> Checked {
    let breaker = stage.guard().breaker();
    // As if the wait were over.
    breaker.transition_to_half_open().map_err(|error| Broken::new(error.to_string()))?;
    for _ in 0..MANY {
        if breaker.state() == BreakerState::Closed {
            return Ok(());
        }
        stage.call(case).await;
    }
    Err(Broken::new(format!("`{}` is well again, and the breaker stays {:?}", case.operation, breaker.state())))
}
