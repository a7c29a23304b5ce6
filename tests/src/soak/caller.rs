//! Somebody who calls, one call after the other.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cofferdam_runtime::within;
use fastrand::Rng;

use super::Plan;
use super::chaos::drop_after;
use super::system::{Deed, System};

pub(super) struct Caller {
    rng: Rng,
    calls: u64,
    systems: Vec<Arc<System>>,
    next: Arc<AtomicU64>,
    endings: BTreeMap<&'static str, u64>,
}

impl Caller {
    pub(super) fn new(number: usize, plan: Plan, systems: &[Arc<System>], next: &Arc<AtomicU64>) -> Self {
        Self {
            rng: Rng::with_seed(plan.seed.wrapping_add(1000 + number as u64)),
            calls: plan.calls,
            systems: systems.to_vec(),
            next: Arc::clone(next),
            endings: BTreeMap::new(),
        }
    }

    /// Calls until all calls of the plan have been made. How they ended.
    pub(super) async fn run(mut self) -> BTreeMap<&'static str, u64> {
        loop {
            let id = self.next.fetch_add(1, Ordering::Relaxed);
            if id >= self.calls {
                return self.endings;
            }
            let ending = self.call(id).await;
            *self.endings.entry(ending).or_default() += 1;
        }
    }

    async fn call(&mut self, id: u64) -> &'static str {
        let Some(system) = self.rng.choice(&self.systems).map(Arc::clone) else { return "nobody to call" };
        let deed = [Deed::Read, Deed::Keyed, Deed::Once][self.rng.usize(..3)];
        let budget = (self.rng.u8(..8) == 0).then(|| Duration::from_millis(self.rng.u64(1..700)));
        let polls = if self.rng.u8(..12) == 0 { self.rng.u32(..12) } else { u32::MAX };
        // A task of its own, so that a panic ends the call and nobody else.
        let call = tokio::spawn(async move {
            let call = drop_after(polls, system.call(deed, id));
            match budget {
                Some(budget) => within(budget, call).await,
                None => call.await,
            }
        });
        match call.await {
            Ok(Some(ending)) => ending,
            Ok(None) => "dropped by the caller",
            Err(_) => "the mapper panicked",
        }
    }
}
