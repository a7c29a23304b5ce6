//! What asking for health sends.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::stage::{Stage, run};
use super::{Broken, Checked, Subject};
use crate::Answer;

/// Who asks at once.
const MANY: usize = 50;

/// However many ask, at most one request goes out, and none that could do anything; without a declared probe, none at all
/// (R-RES-HC-X1, HC-X2).
///
/// # Errors
/// What was sent otherwise.
pub fn health_is_asked_lightly<S: Subject>() -> Checked {
    run(async {
        let stage = Stage::<S>::new(|_| ())?;
        stage.server.answers("*", Answer::status(200));
        let health = Arc::new(S::health(&stage.adapter)?);
        let mut asking = JoinSet::new();
        for _ in 0..MANY {
            let health = Arc::clone(&health);
            asking.spawn(async move { health.check().await });
        }
        let told = asking.join_all().await.len();
        let arrivals = stage.arrivals();
        let allowed = usize::from(stage.settings.health.probe.is_some());
        if arrivals.len() != allowed {
            let sent = arrivals.len();
            return Err(Broken::new(format!(
                "{told} asked for health at once, and {sent} requests arrived instead of {allowed}"
            )));
        }
        let is_light = |method: &str| matches!(method, "GET" | "HEAD" | "OPTIONS");
        match arrivals.iter().find(|arrival| !is_light(&arrival.method)) {
            Some(arrival) => Err(Broken::new(format!("health is asked by {} {}", arrival.method, arrival.path))),
            None => Ok(()),
        }
    })
}
