//! A system gets so many calls at once and no more, and a call waits only briefly for its place (R-RES-BH-1..3).

mod adaptive;
mod places;

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

pub(crate) use self::adaptive::{AdaptiveLimit, Sample};
use self::places::Places;

/// The places of one system.
#[derive(Debug)]
pub(crate) struct Bulkhead {
    places: Places,
}

/// A place; dropping it gives it back.
#[derive(Debug)]
pub(crate) struct Place<'a> {
    bulkhead: &'a Bulkhead,
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
        Self { places: Places::new(max_concurrent.max(1)) }
    }

    /// A place at once, or none: while others wait for theirs there is none.
    #[inline]
    pub(crate) fn try_enter(&self) -> Option<Place<'_>> {
        self.places.try_take().then(|| Place { bulkhead: self })
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
        match timeout_at(last, self.places.take()).await {
            Ok(()) => Ok(Place { bulkhead: self }),
            Err(_) => Err(reason),
        }
    }

    /// Changes the number of places. Calls under way keep theirs; of those that are too many each is given up when its
    /// call ends.
    pub(crate) fn resize(&self, max_concurrent: u32) {
        self.places.resize(max_concurrent.max(1));
    }

    /// Gives back a place that outlived its call.
    pub(crate) fn give_back(&self) {
        self.places.give_back();
    }

    /// All places, taken or free.
    pub(crate) fn limit(&self) -> usize {
        self.places.limit() as usize
    }

    /// Places free now.
    pub(crate) fn available(&self) -> usize {
        usize::try_from(self.places.available()).unwrap_or(usize::MAX)
    }
}

impl Place<'_> {
    /// Keeps the place taken until [`Bulkhead::give_back`] is called for it.
    pub(crate) fn outlive(self) {
        std::mem::forget(self);
    }
}

impl Drop for Place<'_> {
    #[inline]
    fn drop(&mut self) {
        self.bulkhead.places.give_back();
    }
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
    async fn places_go_to_those_who_wait_in_the_order_of_coming_and_nobody_overtakes() {
        let bulkhead = Bulkhead::new(1);
        let place = bulkhead.try_enter().unwrap();
        let came = std::sync::Mutex::new(Vec::new());
        let wait = async |name: u32| {
            let _place = bulkhead.wait(Duration::from_secs(5), soon()).await.unwrap();
            came.lock().unwrap().push(name);
            tokio::time::sleep(Duration::from_millis(1)).await;
        };
        let first = async {
            // The others stand in the queue by now.
            tokio::task::yield_now().await;
            drop(place);
            assert!(bulkhead.try_enter().is_none(), "somebody waits");
        };
        tokio::join!(biased; wait(1), wait(2), wait(3), first);
        assert_eq!(*came.lock().unwrap(), [1, 2, 3]);
        assert_eq!(bulkhead.available(), 1);
        assert!(bulkhead.try_enter().is_some(), "the last who waited has left no trace");
    }

    #[tokio::test(start_paused = true)]
    async fn new_places_go_to_all_who_wait_for_one() {
        let bulkhead = Bulkhead::new(1);
        let place = bulkhead.try_enter().unwrap();
        let wait = async || bulkhead.wait(Duration::from_secs(5), soon()).await.unwrap().outlive();
        let start = Instant::now();
        let more = async {
            tokio::task::yield_now().await;
            bulkhead.resize(4);
        };
        tokio::join!(biased; wait(), wait(), more);
        assert_eq!((start.elapsed(), bulkhead.available()), (Duration::ZERO, 1));
        drop(place);
        assert_eq!(bulkhead.available(), 2);
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
