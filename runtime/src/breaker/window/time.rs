//! The calls that ended in the last so many whole clock seconds.

use super::tally::{Tally, Vote};

/// One sum for each of the last seconds, the current one (however young) included, and the sum of them all.
///
/// The window is whole clock seconds, not a moving span: what ended in one second leaves together.
#[derive(Debug)]
pub(super) struct TimeWindow {
    /// The sum of a second stands at that second modulo the size.
    seconds: Box<[Tally]>,
    current: u64,
    total: Tally,
}

impl TimeWindow {
    pub(super) fn new(size: u32, now: u64) -> Self {
        Self {
            seconds: vec![Tally::default(); size as usize].into_boxed_slice(),
            current: now,
            total: Tally::default(),
        }
    }

    pub(super) fn record(&mut self, vote: Vote, now: u64) {
        self.move_to(now);
        if let Some(second) = slot(&mut self.seconds, self.current) {
            second.add(vote);
            self.total.add(vote);
        }
    }

    pub(super) fn tally(&mut self, now: u64) -> Tally {
        self.move_to(now);
        self.total
    }

    /// Changes the size. The latest seconds are kept, as many as fit.
    pub(super) fn resize(&mut self, size: u32, now: u64) {
        self.move_to(now);
        let kept = (self.seconds.len() as u64).min(u64::from(size));
        let mut resized = Self::new(size, self.current);
        for second in (0..kept).filter_map(|age| self.current.checked_sub(age)) {
            if let (Some(from), Some(to)) = (slot(&mut self.seconds, second), slot(&mut resized.seconds, second)) {
                *to = *from;
                resized.total = resized.total.plus(*from);
            }
        }
        *self = resized;
    }

    /// Forgets what the window has left behind. A clock that stands, or was read a moment earlier, moves nothing.
    fn move_to(&mut self, now: u64) {
        let entered = now.saturating_sub(self.current).min(self.seconds.len() as u64);
        for second in (0..entered).map(|age| now - age) {
            if let Some(gone) = slot(&mut self.seconds, second) {
                self.total.subtract(std::mem::take(gone));
            }
        }
        self.current = self.current.max(now);
    }
}

fn slot(seconds: &mut [Tally], second: u64) -> Option<&mut Tally> {
    let index = second.checked_rem(seconds.len() as u64)?;
    seconds.get_mut(index as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAILED: Vote = Vote { failed: true, slow: false };
    const SLOW: Vote = Vote { failed: false, slow: true };

    #[test]
    fn a_second_leaves_as_a_whole_when_the_window_has_moved_past_it() {
        let mut window = TimeWindow::new(3, 10);
        window.record(FAILED, 10);
        window.record(SLOW, 10);
        window.record(SLOW, 12);
        assert_eq!(window.tally(12), Tally { calls: 3, failed: 1, slow: 2, slow_failed: 0 });
        assert_eq!(window.tally(13), Tally { calls: 1, failed: 0, slow: 1, slow_failed: 0 });
        assert_eq!(window.tally(15), Tally::default());
        assert_eq!(window.tally(u64::MAX), Tally::default());
    }

    #[test]
    fn time_read_late_counts_in_the_second_the_window_stands_in() {
        let mut window = TimeWindow::new(2, 5);
        window.record(FAILED, 6);
        window.record(FAILED, 4);
        assert_eq!(window.tally(6).calls, 2);
        assert_eq!(window.tally(7).calls, 2);
        assert_eq!(window.tally(8).calls, 0);
    }

    #[test]
    fn a_new_size_keeps_the_latest_seconds_that_fit() {
        for (to, calls) in [(1, 1), (2, 3), (3, 6), (9, 6)] {
            let mut window = TimeWindow::new(3, 1);
            for (second, count) in [(1, 4), (2, 3), (3, 2), (4, 1)] {
                (0..count).for_each(|_| window.record(FAILED, second));
            }
            window.resize(to, 4);
            assert_eq!(window.tally(4).calls, calls, "to {to} seconds");
            assert_eq!(window.tally(4 + u64::from(to)).calls, 0, "to {to} seconds");
        }
    }
}
