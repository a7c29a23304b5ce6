//! The interleavings of a few threads on the bulkhead's places, and on what calls read of the settings, tried out by a
//! model checker (loom).
//!
//! Their own sources are compiled here a second time, against the model checker's locks and atomics: they name theirs in
//! `crate::sync` only.
#![allow(dead_code, unreachable_pub, reason = "a part of the library, compiled for a test")]

#[path = "../src/bulkhead/places.rs"]
mod places;
#[path = "../src/guard/terms.rs"]
mod terms;
mod sync {
    pub(crate) use loom::sync::{
        Mutex, MutexGuard,
        atomic::{AtomicU64, Ordering, fence},
    };
    pub(crate) use std::sync::PoisonError;
}

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use loom::sync::Notify;
use loom::thread;

use places::Places;
use terms::{Flag, SharedTerms, Terms};

/// All interleavings in which threads are interrupted at most this often. More find nothing that these do not, and take
/// minutes.
const INTERRUPTIONS: usize = 3;

fn model(run: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(INTERRUPTIONS);
    builder.check(run);
}

struct Bell(Notify);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.notify();
    }
}

/// Waits as a runtime would: a wake-up that is lost leaves the model with nothing to do, which it calls a deadlock.
fn take(places: &Places) {
    let bell = Arc::new(Bell(Notify::new()));
    let waker = Waker::from(Arc::clone(&bell));
    let mut take = pin!(places.take());
    while take.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
        bell.0.wait();
    }
}

/// Asks once and goes away.
fn give_up(places: &Places) {
    let take = pin!(places.take());
    if take.poll(&mut Context::from_waker(Waker::noop())) == Poll::Ready(()) {
        places.give_back();
    }
}

/// As a call does it.
fn enter(places: &Places) {
    if !places.try_take() {
        take(places);
    }
}

#[test]
fn one_place_is_never_had_by_two_and_nobody_waits_for_ever() {
    loom::model(|| {
        let (places, inside) = (Arc::new(Places::new(1)), Arc::new(AtomicU32::new(0)));
        let call = |places: &Places, inside: &AtomicU32| {
            enter(places);
            assert_eq!(inside.fetch_add(1, Ordering::Relaxed), 0, "two on one place");
            thread::yield_now();
            inside.fetch_sub(1, Ordering::Relaxed);
            places.give_back();
        };
        let other = thread::spawn({
            let (places, inside) = (Arc::clone(&places), Arc::clone(&inside));
            move || call(&places, &inside)
        });
        call(&places, &inside);
        other.join().expect("no panic");
        assert_eq!(places.available(), 1);
        assert!(places.try_take(), "no queue is left behind");
    });
}

#[test]
fn one_who_gives_up_loses_no_place_and_stops_nobody() {
    model(|| {
        let places = Arc::new(Places::new(1));
        enter(&places);
        let gives_up = thread::spawn({
            let places = Arc::clone(&places);
            move || give_up(&places)
        });
        let waits = thread::spawn({
            let places = Arc::clone(&places);
            move || {
                take(&places);
                places.give_back();
            }
        });
        places.give_back();
        gives_up.join().expect("no panic");
        waits.join().expect("no panic");
        assert_eq!(places.available(), 1);
        assert!(places.try_take(), "no queue is left behind");
    });
}

#[test]
fn a_new_number_of_places_holds_whatever_goes_on() {
    for (before, after) in [(1, 2), (2, 1)] {
        model(move || {
            let places = Arc::new(Places::new(before));
            enter(&places);
            let waits = thread::spawn({
                let places = Arc::clone(&places);
                move || {
                    enter(&places);
                    places.give_back();
                }
            });
            let resizes = thread::spawn({
                let places = Arc::clone(&places);
                move || places.resize(after)
            });
            places.give_back();
            waits.join().expect("no panic");
            resizes.join().expect("no panic");
            assert_eq!((places.available(), places.limit()), (u64::from(after), after));
        });
    }
}

fn terms(number: u64) -> Terms {
    Terms::new(number, number, Some(number), number as u32, &[(Flag::Bulkhead, number == 2)])
}

fn read(shared: &SharedTerms, edition: u64) -> Option<Terms> {
    let mut terms = Terms::UNREAD;
    shared.read(edition, &mut terms).then_some(terms)
}

#[test]
fn terms_are_those_of_one_edition_or_none() {
    model(|| {
        let shared = Arc::new(SharedTerms::new(0, terms(1)));
        let writer = thread::spawn({
            let shared = Arc::clone(&shared);
            move || shared.write(1, terms(2))
        });
        assert!(read(&shared, 0).is_none_or(|read| read == terms(1)));
        assert!(read(&shared, 1).is_none_or(|read| read == terms(2)));
        writer.join().expect("no panic");
        assert_eq!((read(&shared, 0), read(&shared, 1)), (None, Some(terms(2))));
        assert!(shared.is(1) && !shared.is(0));
    });
}

#[test]
fn terms_keep_all_of_what_they_are_made_of() {
    loom::model(|| {
        let flags = [Flag::BreakerOutside, Flag::Bulkhead, Flag::Adaptive, Flag::Own];
        for quota_wait in [None, Some(0), Some(7)] {
            for one in flags {
                let terms = Terms::new(u64::MAX, 5, quota_wait, u32::MAX, &flags.map(|flag| (flag, flag == one)));
                assert_eq!(read(&SharedTerms::new(3, terms), 3), Some(terms));
                assert_eq!((terms.quota_wait(), terms.code_base()), (quota_wait, u32::MAX));
                assert_eq!(flags.map(|flag| terms.has(flag)), flags.map(|flag| flag == one));
            }
        }
    });
}
