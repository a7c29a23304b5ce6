//! Places that are taken one by one and waited for in the order of coming.
//!
//! As long as nobody waits, taking a place and giving it back is one write of one word each. From the first who waits to
//! the last, everything goes through the queue and its lock, so that nobody overtakes.

use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use crate::sync::{AtomicU64, Mutex, MutexGuard, Ordering, PoisonError};

/// Somebody waits: the word is only written under the queue's lock.
const QUEUED: u64 = 1;
/// One place.
const PLACE: u64 = 2;

/// So many places.
pub(crate) struct Places {
    /// Free places as a signed number, and [`QUEUED`] below it. Less than zero while calls stand on places that were
    /// taken away from under them.
    word: AtomicU64,
    queue: Mutex<Queue>,
}

#[derive(Debug)]
struct Queue {
    /// Who waits, by ticket, in the order of coming. One who is not in it any more has got a place.
    waiting: VecDeque<(u64, Waker)>,
    next_ticket: u64,
    /// Places in all, taken or free.
    limit: u32,
}

impl Places {
    pub(crate) fn new(limit: u32) -> Self {
        let queue = Queue { waiting: VecDeque::new(), next_ticket: 0, limit };
        Self { word: AtomicU64::new(u64::from(limit) * PLACE), queue: Mutex::new(queue) }
    }

    /// Takes a place if one is free and nobody waits for it.
    #[inline]
    pub(crate) fn try_take(&self) -> bool {
        let mut word = self.word.load(Ordering::Relaxed);
        while word & QUEUED == 0 && free(word) > 0 {
            let taken = word.wrapping_sub(PLACE);
            match self.word.compare_exchange_weak(word, taken, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(now) => word = now,
            }
        }
        false
    }

    /// Takes a place as soon as it is this caller's turn. One that is given up before leaves nothing behind.
    pub(crate) fn take(&self) -> Take<'_> {
        Take { places: self, ticket: None }
    }

    /// Gives a place back: to who has waited longest.
    #[inline]
    pub(crate) fn give_back(&self) {
        let mut word = self.word.load(Ordering::Relaxed);
        while word & QUEUED == 0 {
            let given = word.wrapping_add(PLACE);
            match self.word.compare_exchange_weak(word, given, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => word = now,
            }
        }
        self.add(self.lock(), PLACE);
    }

    /// Changes the number of places. Calls under way keep theirs.
    pub(crate) fn resize(&self, limit: u32) {
        let mut queue = self.lock();
        let more = u64::from(limit).wrapping_sub(u64::from(queue.limit));
        queue.limit = limit;
        self.add(queue, more.wrapping_mul(PLACE));
    }

    /// All places, taken or free.
    pub(crate) fn limit(&self) -> u32 {
        self.lock().limit
    }

    /// Places free now.
    pub(crate) fn available(&self) -> u64 {
        u64::try_from(free(self.word.load(Ordering::Relaxed))).unwrap_or(0)
    }

    /// Has so many places more, and gives those that are free to who waits.
    #[cold]
    fn add(&self, mut queue: MutexGuard<'_, Queue>, more: u64) {
        let mut word = self.word.fetch_or(QUEUED, Ordering::AcqRel);
        word = (word | QUEUED).wrapping_add(more);
        let mut served = Vec::new();
        while free(word) > 0
            && let Some((_, waker)) = queue.waiting.pop_front()
        {
            word = word.wrapping_sub(PLACE);
            served.push(waker);
        }
        self.settle(&queue, word);
        drop(queue);
        served.into_iter().for_each(Waker::wake);
    }

    /// Writes the word back, whose flag kept everybody else from writing it. Call it under the lock.
    fn settle(&self, queue: &Queue, word: u64) {
        let word = if queue.waiting.is_empty() { word & !QUEUED } else { word };
        self.word.store(word, Ordering::Release);
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Places").field("available", &self.available()).field("limit", &self.limit()).finish()
    }
}

fn free(word: u64) -> i64 {
    // An arithmetic shift: the number keeps its sign.
    word.cast_signed() >> 1
}

/// Waits for a place; whoever it answers has it, and gives it back.
#[must_use = "it takes nothing unless awaited"]
pub(crate) struct Take<'p> {
    places: &'p Places,
    /// None before it stands in the queue, and after it got its place.
    ticket: Option<u64>,
}

impl Queue {
    fn position(&self, ticket: u64) -> Result<usize, usize> {
        self.waiting.binary_search_by_key(&ticket, |(ticket, _)| *ticket)
    }
}

impl Future for Take<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let places = self.places;
        let mut queue = places.lock();
        if let Some(ticket) = self.ticket {
            let Ok(position) = queue.position(ticket) else {
                self.ticket = None;
                return Poll::Ready(());
            };
            if let Some((_, waker)) = queue.waiting.get_mut(position) {
                waker.clone_from(context.waker());
            }
            return Poll::Pending;
        }
        let word = places.word.fetch_or(QUEUED, Ordering::AcqRel) | QUEUED;
        if queue.waiting.is_empty() && free(word) > 0 {
            places.settle(&queue, word.wrapping_sub(PLACE));
            return Poll::Ready(());
        }
        let ticket = queue.next_ticket;
        queue.next_ticket += 1;
        queue.waiting.push_back((ticket, context.waker().clone()));
        self.ticket = Some(ticket);
        Poll::Pending
    }
}

impl Drop for Take<'_> {
    fn drop(&mut self) {
        let Some(ticket) = self.ticket else { return };
        let mut queue = self.places.lock();
        match queue.position(ticket) {
            Ok(position) => {
                let left = queue.waiting.remove(position);
                let word = self.places.word.load(Ordering::Acquire);
                self.places.settle(&queue, word);
                // A waker is somebody else's code: none of it runs under the lock when it is dropped.
                drop(queue);
                drop(left);
            }
            // It was given its place, but nobody came for it.
            Err(_) => self.places.add(queue, PLACE),
        }
    }
}
