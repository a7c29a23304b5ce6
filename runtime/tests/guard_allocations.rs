//! The guard around a call that goes well costs no allocation.

#![allow(clippy::unwrap_used, reason = "a panic is a failure here")]

use std::future::{Future, ready};

use cofferdam_runtime::settings::{SystemHandle, SystemSettings};
use cofferdam_runtime::{ClientError, Guard, IdempotencyKey, NoRejection, within};

use self::ping::{Ping, Plain};

mod ping;

async fn call_each_way(guard: &Guard, key: &IdempotencyKey) {
    let seven = || ready(Ok::<u64, ClientError<NoRejection>>(7));
    guard.map_request(Ping, &Plain, &()).unwrap();
    assert_eq!(guard.read(Ping, &Plain, seven).await.unwrap(), 7);
    assert_eq!(guard.keyed(Ping, key, &Plain, seven).await.unwrap(), 7);
    assert_eq!(guard.once(Ping, &Plain, seven).await.unwrap(), 7);
}

fn allocations(guard: &Guard) -> u64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let key = IdempotencyKey::new("K-1");
    runtime.block_on(async {
        // The first call of a thread sets up what belongs to the thread.
        call_each_way(guard, &key).await;
        let mut calls = std::pin::pin!(within(std::time::Duration::from_secs(5), async {
            for _ in 0..1000 {
                call_each_way(guard, &key).await;
            }
            guard.publish();
        }));
        let counted = std::future::poll_fn(|context| {
            let mut polled = std::task::Poll::Pending;
            let counted = allocation_counter::measure(|| polled = calls.as_mut().poll(context));
            polled.map(|()| counted.count_total)
        });
        counted.await
    })
}

fn guard() -> Guard {
    let settings = SystemSettings::external("http://127.0.0.1:9/".parse().unwrap());
    Guard::new(&SystemHandle::new("acme", settings)).unwrap()
}

#[test]
fn a_call_that_goes_well_allocates_nothing() {
    assert_eq!(allocations(&guard()), 0);
}

/// A recorder whose own handles allocate nothing, so that what is counted is ours.
#[cfg(feature = "metrics")]
#[derive(Default)]
struct Bare {
    sum: std::sync::Arc<std::sync::atomic::AtomicU64>,
}

#[cfg(feature = "metrics")]
mod bare {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use metrics::{Counter, Gauge, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder, SharedString, Unit};

    struct Counting(Arc<AtomicU64>);

    impl HistogramFn for Counting {
        fn record(&self, _: f64) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    impl Recorder for super::Bare {
        fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
        fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
        fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
        fn register_counter(&self, _: &Key, _: &Metadata<'_>) -> Counter {
            Counter::from_arc(Arc::clone(&self.sum))
        }
        fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
            Gauge::from_arc(Arc::new(AtomicU64::new(0)))
        }
        fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
            Histogram::from_arc(Arc::new(Counting(Arc::clone(&self.sum))))
        }
    }
}

#[cfg(feature = "metrics")]
#[test]
fn counting_it_allocates_nothing_either() {
    let recorder = Bare::default();
    let guard = metrics::with_local_recorder(&recorder, guard);
    assert_eq!(allocations(&guard), 0);
    // A duration for each of the three calls of a round, and a count for the two that may be repeated.
    assert_eq!(recorder.sum.load(std::sync::atomic::Ordering::Relaxed), 1001 * 5);
}
