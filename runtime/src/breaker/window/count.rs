//! The last so many calls.

use super::tally::{Tally, Vote};

const FAILED: u64 = 0b01;
const SLOW: u64 = 0b10;
/// Two bits a call.
const CALLS_A_WORD: u32 = 32;

/// A ring of the last calls' outcomes, two bits each, with their sums kept along.
#[derive(Debug)]
pub(super) struct CountWindow {
    words: Box<[u64]>,
    size: u32,
    held: u32,
    /// Where the next outcome goes; when the ring is full, the oldest stands there.
    next: u32,
    tally: Tally,
}

impl CountWindow {
    pub(super) fn new(size: u32) -> Self {
        let words = vec![0; size.div_ceil(CALLS_A_WORD) as usize].into_boxed_slice();
        Self { words, size, held: 0, next: 0, tally: Tally::default() }
    }

    pub(super) fn record(&mut self, vote: Vote) {
        let shift = place(self.next).1;
        let Some(word) = self.words.get_mut(place(self.next).0) else { return };
        if self.held == self.size {
            self.tally.remove(read(*word >> shift));
        } else {
            self.held += 1;
        }
        *word = (*word & !((FAILED | SLOW) << shift)) | (bits(vote) << shift);
        self.tally.add(vote);
        self.next = if self.next + 1 == self.size { 0 } else { self.next + 1 };
    }

    pub(super) fn tally(&self) -> Tally {
        self.tally
    }

    pub(super) fn is_full_of_quick_successes(&self) -> bool {
        self.held == self.size && self.tally.failed == 0 && self.tally.slow == 0
    }

    /// Changes the size. The latest calls are kept, as many as fit.
    pub(super) fn resize(&mut self, size: u32) {
        if size == self.size {
            return;
        }
        let mut resized = Self::new(size);
        self.oldest_first().for_each(|vote| resized.record(vote));
        *self = resized;
    }

    fn oldest_first(&self) -> impl Iterator<Item = Vote> {
        let oldest = if self.held == self.size { self.next } else { 0 };
        let indices = (oldest..self.held).chain(0..oldest);
        indices.filter_map(|index| {
            let (word, shift) = place(index);
            self.words.get(word).map(|word| read(word >> shift))
        })
    }
}

/// The word an index stands in, and how far up.
fn place(index: u32) -> (usize, u32) {
    ((index / CALLS_A_WORD) as usize, index % CALLS_A_WORD * 2)
}

fn bits(vote: Vote) -> u64 {
    (if vote.failed { FAILED } else { 0 }) | (if vote.slow { SLOW } else { 0 })
}

fn read(bits: u64) -> Vote {
    Vote { failed: bits & FAILED != 0, slow: bits & SLOW != 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn votes(count: u32) -> Vec<Vote> {
        (0..count).map(|n| Vote { failed: n % 3 == 0, slow: n % 5 == 0 }).collect()
    }

    #[test]
    fn keeps_the_latest_calls_over_word_borders() {
        for size in [1, 2, 31, 32, 33, 64, 100] {
            let mut window = CountWindow::new(size);
            for (seen, vote) in votes(250).iter().enumerate() {
                window.record(*vote);
                let from = (seen + 1).saturating_sub(size as usize);
                assert_eq!(window.oldest_first().collect::<Vec<_>>(), votes(250)[from..=seen], "size {size}");
                let mut expected = Tally::default();
                votes(250)[from..=seen].iter().for_each(|vote| expected.add(*vote));
                assert_eq!(window.tally(), expected, "size {size}");
            }
        }
    }

    #[test]
    fn a_new_size_keeps_the_latest_calls_that_fit() {
        for (held, size, to) in [(7, 10, 4), (25, 10, 4), (25, 10, 40), (3, 10, 40)] {
            let mut window = CountWindow::new(size);
            votes(held).iter().for_each(|vote| window.record(*vote));
            window.resize(to);
            let kept = held.min(size).min(to);
            assert_eq!(window.oldest_first().collect::<Vec<_>>(), votes(held)[(held - kept) as usize..]);
            assert_eq!(window.tally().calls, u64::from(kept));
        }
    }
}
