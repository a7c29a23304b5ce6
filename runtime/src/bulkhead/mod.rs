//! A system gets so many calls at once and no more, and a call waits only briefly for its place (R-RES-BH-1..3).

mod adaptive;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

pub(crate) use self::adaptive::{AdaptiveLimit, Sample};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, timeout_at};

/// The places of one system.
#[derive(Debug)]
pub(crate) struct Bulkhead {
    semaphore: Semaphore,
    /// Places as they should be.
    limit: Mutex<usize>,
    /// Places taken away while calls stood on them; each is given up when its call ends.
    surplus: AtomicUsize,
}

/// A place; dropping it gives it back.
#[derive(Debug)]
pub(crate) struct Place<'a> {
    bulkhead: &'a Bulkhead,
    permit: Option<SemaphorePermit<'a>>,
}

/// Why there was no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoPlace {
    /// None came free within the wait the settings allow.
    Full,
    /// The attempt's time ran out first.
    TimedOut,
}

impl Bulkhead {
    pub(crate) fn new(max_concurrent: u32) -> Self {
        let limit = places(max_concurrent);
        Self { semaphore: Semaphore::new(limit), limit: Mutex::new(limit), surplus: AtomicUsize::new(0) }
    }

    /// A place at once, or none.
    #[inline]
    pub(crate) fn try_enter(&self) -> Option<Place<'_>> {
        self.semaphore.try_acquire().ok().map(|permit| Place { bulkhead: self, permit: Some(permit) })
    }

    /// A place within `max_wait`, but not after `end`.
    #[cold]
    pub(crate) async fn wait(&self, max_wait: Duration, end: Instant) -> Result<Place<'_>, NoPlace> {
        if max_wait.is_zero() {
            return Err(NoPlace::Full);
        }
        let (last, reason) = match Instant::now().checked_add(max_wait) {
            Some(last) if last <= end => (last, NoPlace::Full),
            _ => (end, NoPlace::TimedOut),
        };
        match timeout_at(last, self.semaphore.acquire()).await {
            Ok(Ok(permit)) => Ok(Place { bulkhead: self, permit: Some(permit) }),
            // The semaphore is never closed; were it, refusing would be right.
            Ok(Err(_)) => Err(NoPlace::Full),
            Err(_) => Err(reason),
        }
    }

    /// Changes the number of places. Calls under way keep theirs.
    pub(crate) fn resize(&self, max_concurrent: u32) {
        let wanted = places(max_concurrent);
        let mut limit = self.limit.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if wanted > *limit {
            let reclaimed = self.reclaim(wanted - *limit);
            self.semaphore.add_permits(wanted - *limit - reclaimed);
        } else {
            let excess = *limit - wanted;
            let forgotten = self.semaphore.forget_permits(excess);
            self.surplus.fetch_add(excess - forgotten, Ordering::AcqRel);
        }
        *limit = wanted;
    }

    /// Lets up to `wanted` places live on that were to be given up. How many.
    fn reclaim(&self, wanted: usize) -> usize {
        let mut reclaimed = 0;
        while reclaimed < wanted && self.take_surplus() {
            reclaimed += 1;
        }
        reclaimed
    }

    /// Gives back a place that outlived its call.
    pub(crate) fn give_back(&self) {
        if !self.take_surplus() {
            self.semaphore.add_permits(1);
        }
    }

    #[inline]
    fn take_surplus(&self) -> bool {
        self.surplus.load(Ordering::Acquire) > 0
            && self.surplus.fetch_update(Ordering::AcqRel, Ordering::Acquire, |surplus| surplus.checked_sub(1)).is_ok()
    }

    /// All places, taken or free.
    pub(crate) fn limit(&self) -> usize {
        *self.limit.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Places free now.
    pub(crate) fn available(&self) -> usize {
        self.semaphore.available_permits()
    }
}

impl Place<'_> {
    /// Keeps the place taken until [`Bulkhead::give_back`] is called for it.
    pub(crate) fn outlive(mut self) {
        if let Some(permit) = self.permit.take() {
            permit.forget();
        }
    }
}

impl Drop for Place<'_> {
    #[inline]
    fn drop(&mut self) {
        // Without a permit it was handed on: whoever has it gives it back.
        if let Some(permit) = self.permit.take()
            && self.bulkhead.take_surplus()
        {
            permit.forget();
        }
    }
}

fn places(max_concurrent: u32) -> usize {
    (max_concurrent as usize).clamp(1, Semaphore::MAX_PERMITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    impl Bulkhead {
        async fn enter(&self, max_wait: Duration, end: Instant) -> Result<Place<'_>, NoPlace> {
            match self.try_enter() {
                Some(place) => Ok(place),
                None => self.wait(max_wait, end).await,
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_bulkhead_refuses_after_the_wait_and_not_before() {
        let bulkhead = Bulkhead::new(1);
        let place = bulkhead.enter(Duration::ZERO, soon()).await.unwrap();
        let start = Instant::now();
        assert_eq!(bulkhead.enter(Duration::ZERO, soon()).await.unwrap_err(), NoPlace::Full);
        assert_eq!(start.elapsed(), Duration::ZERO);
        assert_eq!(bulkhead.enter(Duration::from_millis(100), soon()).await.unwrap_err(), NoPlace::Full);
        assert_eq!(start.elapsed(), Duration::from_millis(100));
        drop(place);
        assert!(bulkhead.enter(Duration::ZERO, soon()).await.is_ok());
        assert_eq!(bulkhead.available(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn the_end_of_the_attempt_cuts_the_wait_short() {
        let bulkhead = Bulkhead::new(1);
        let _place = bulkhead.enter(Duration::ZERO, soon()).await.unwrap();
        let start = Instant::now();
        let end = start + Duration::from_millis(30);
        assert_eq!(bulkhead.enter(Duration::from_millis(100), end).await.unwrap_err(), NoPlace::TimedOut);
        assert_eq!(start.elapsed(), Duration::from_millis(30));
    }

    #[tokio::test(start_paused = true)]
    async fn dropping_a_waiter_leaks_nothing() {
        let bulkhead = Bulkhead::new(1);
        let place = bulkhead.enter(Duration::ZERO, soon()).await.unwrap();
        let waiter = bulkhead.enter(Duration::from_secs(5), soon());
        assert!(tokio::time::timeout(Duration::from_millis(1), waiter).await.is_err());
        drop(place);
        assert_eq!(bulkhead.available(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_place_that_outlives_its_call_is_given_back_once_and_under_the_limit_of_then() {
        let bulkhead = Bulkhead::new(2);
        for _ in 0..2 {
            bulkhead.enter(Duration::ZERO, soon()).await.unwrap().outlive();
        }
        assert_eq!(bulkhead.available(), 0);
        bulkhead.resize(1);
        bulkhead.give_back();
        assert_eq!(bulkhead.available(), 0, "one place is too many");
        bulkhead.give_back();
        assert_eq!(bulkhead.available(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn resizing_under_load_ends_at_the_new_limit() {
        let bulkhead = Bulkhead::new(3);
        let mut places = Vec::new();
        for _ in 0..3 {
            places.push(bulkhead.enter(Duration::ZERO, soon()).await.unwrap());
        }
        bulkhead.resize(1);
        places.pop();
        assert_eq!(bulkhead.available(), 0, "two calls are still under way, one place is too many");
        bulkhead.resize(2);
        assert_eq!(bulkhead.available(), 0);
        places.clear();
        assert_eq!(bulkhead.available(), 2);
        bulkhead.resize(5);
        assert_eq!(bulkhead.available(), 5);
    }
}
