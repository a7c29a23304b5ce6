//! How many calls are let in at once, and what one leaves behind that its caller drops.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::timeout;

use super::stage::{Stage, run};
use super::{Broken, Checked, Subject, not_tried};
use crate::Fault;

/// Places of the bulkhead in these checks; fewer where the settings say so.
const FEW: u32 = 3;

/// A call that is not refused by then was let in.
const PATIENCE: Duration = Duration::from_secs(5);

/// When every place is taken by calls that hang, every operation is refused and arrives nowhere (R-RES-BH-1).
///
/// # Errors
/// What happened otherwise.
pub fn a_full_bulkhead_refuses<S: Subject>() -> Checked {
    run(async {
        let stage = Stage::<S>::new(|settings| {
            settings.bulkhead.max_concurrent = settings.bulkhead.max_concurrent.min(FEW);
            settings.timeouts.read = super::stage::ms(20_000);
            settings.timeouts.call = super::stage::ms(30_000);
        })?;
        if !stage.settings.bulkhead.enabled {
            not_tried("the settings turn the bulkhead off");
            return Ok(());
        }
        let cases = S::cases();
        let Some(holder) = cases.first().copied() else { return Ok(()) };
        let places = stage.guard().places();
        stage.fails(&holder, Fault::Hang);
        let mut hanging = JoinSet::new();
        for _ in 0..places {
            let adapter = Arc::clone(&stage.adapter);
            hanging.spawn(async move { (holder.call)(&adapter).await });
        }
        stage.until_arrived(places).await?;
        for case in &cases {
            let Ok(ended) = timeout(PATIENCE, stage.call(case)).await else {
                let operation = case.operation;
                return Err(Broken::new(format!(
                    "{places} calls are let in at once, and `{operation}` is let in beside them"
                )));
            };
            let arrived = stage.arrivals().len();
            if ended.kind != "bulkhead_full" || arrived != places {
                let (operation, how) = (case.operation, ended.kind);
                return Err(Broken::new(format!(
                    "{places} calls are let in at once, and `{operation}` ended as {how} beside them; {arrived} arrived"
                )));
            }
        }
        hanging.shutdown().await;
        all_places_are_free(&stage, holder.operation)
    })
}

/// A call that is dropped while the system hangs is over at once: the connection ends, its place is free, and nothing of
/// it is sent again.
///
/// # Errors
/// What happened otherwise.
pub fn a_dropped_call_holds_nothing<S: Subject>() -> Checked {
    run(async {
        let stage = Stage::<S>::new(|settings| {
            settings.timeouts.read = super::stage::ms(20_000);
            settings.timeouts.call = super::stage::ms(30_000);
        })?;
        for (abandoned, case) in (1..).zip(S::cases()) {
            stage.guard().breaker().reset();
            stage.server.recorder().clear();
            stage.fails(&case, Fault::Hang);
            let adapter = Arc::clone(&stage.adapter);
            let call = tokio::spawn(async move { (case.call)(&adapter).await });
            stage.until_arrived(1).await?;
            call.abort();
            if call.await.is_ok() {
                return Err(Broken::new(format!("`{}` ended though the system hangs", case.operation)));
            }
            let left = stage.server.recorder().until_abandoned(abandoned).await;
            left.map_err(|_| Broken::new(format!("`{}` was dropped, and goes on", case.operation)))?;
            let arrived = stage.arrivals().len();
            if arrived != 1 {
                return Err(Broken::new(format!("`{}` was dropped, and arrived {arrived} times", case.operation)));
            }
            all_places_are_free(&stage, case.operation)?;
        }
        Ok(())
    })
}

fn all_places_are_free<S: Subject>(stage: &Stage<S>, operation: &str) -> Checked {
    let (free, all) = (stage.guard().available_places(), stage.guard().places());
    if free == all {
        Ok(())
    } else {
        Err(Broken::new(format!("`{operation}` was dropped; {free} of {all} places are free")))
    }
}
