//! Memory over the time of a run.

use std::fmt;

/// Pages of Linux on the machines this runs on.
const PAGE: usize = 4096;
/// What may be added to the middle of the run by its end.
const SLACK: usize = 8 * 1024 * 1024;

/// Samples of the process's memory, by the part of the run that was done.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    samples: Vec<Sample>,
}

#[derive(Debug, Clone, Copy)]
struct Sample {
    done: f64,
    /// In the machine's memory; `None` where the system does not tell.
    resident: Option<usize>,
    /// Allocated and not given back; `None` where nobody counts.
    allocated: Option<usize>,
}

impl Memory {
    pub(super) fn sample(&mut self, done: f64, allocated: Option<fn() -> usize>) {
        self.samples.push(Sample { done, resident: resident(), allocated: allocated.map(|count| count()) });
    }

    /// The largest that was resident.
    #[must_use]
    pub fn peak(&self) -> Option<usize> {
        self.samples.iter().filter_map(|sample| sample.resident).max()
    }

    /// Whether what is allocated in the last quarter is no more than in the second, but for a tenth and 8 MiB. `None`
    /// where nobody counted.
    #[must_use]
    pub fn is_flat(&self) -> Option<bool> {
        let (second, last) = (self.middle(0.25, 0.5)?, self.middle(0.75, 1.0)?);
        Some(last <= second + second / 10 + SLACK)
    }

    /// The median of what was allocated in a part of the run.
    fn middle(&self, from: f64, to: f64) -> Option<usize> {
        let within = |sample: &&Sample| sample.done > from && sample.done <= to;
        let mut values: Vec<usize> = self.samples.iter().filter(within).filter_map(|sample| sample.allocated).collect();
        values.sort_unstable();
        values.get(values.len() / 2).copied()
    }
}

fn resident() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    text.split(' ').nth(1)?.parse().ok().map(|pages: usize| pages * PAGE)
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib =
            |bytes: Option<usize>| bytes.map_or("-".to_owned(), |bytes| format!("{:.1}", bytes as f64 / 1048576.0));
        writeln!(f, "memory, MiB: done, resident, allocated (peak resident {})", mib(self.peak()))?;
        for sample in &self.samples {
            writeln!(f, "  {:>4.0} % {:>8} {:>8}", sample.done * 100.0, mib(sample.resident), mib(sample.allocated))?;
        }
        match self.is_flat() {
            Some(true) => write!(f, "  flat"),
            Some(false) => write!(f, "  GROWING"),
            None => write!(f, "  not judged"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(allocated: impl Fn(usize) -> usize) -> Memory {
        let sample = |step| Sample { done: step as f64 / 20.0, resident: None, allocated: Some(allocated(step)) };
        Memory { samples: (1..=20).map(sample).collect() }
    }

    #[test]
    fn growth_is_told_from_noise() {
        let mib = 1024 * 1024;
        assert_eq!(run(|step| 50 * mib + step % 3 * mib).is_flat(), Some(true));
        assert_eq!(run(|step| 50 * mib + step * 3 * mib).is_flat(), Some(false));
        assert_eq!(Memory::default().is_flat(), None);
    }
}
