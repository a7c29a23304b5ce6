//! The worst case of a call as a picture: every attempt its whole time, every wait its longest.

use std::time::Duration;

use cofferdam_runtime::settings::{CallPolicy, DEADLINE_MARGIN, SystemSettings};

use super::spans::{percent, span};
use crate::plan::OperationKind;

/// A picture, its words and its numbers.
#[derive(Debug, Clone)]
pub struct Timeline {
    /// Where it is on the page.
    pub anchor: String,
    /// All blocks, from left to right.
    pub marks: Vec<Mark>,
    /// The times below it.
    pub ticks: Vec<Tick>,
    /// The steps, as a table has them.
    pub steps: Vec<Step>,
    /// Where the caller's deadline is; empty when there is none.
    pub deadline: String,
    /// How much of the picture lies after it.
    pub after: String,
    /// The deadline in words.
    pub deadline_says: String,
    /// On which side of its line the deadline's words stand: `start` or `end`.
    pub deadline_side: &'static str,
    /// Whether they stand on its left.
    pub deadline_left: bool,
    /// What the deadline makes of the call; empty when there is none.
    pub cut: String,
    /// The longest that the call takes, without a deadline.
    pub total: Duration,
}

/// A block of the picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// `attempt`, `wait`, `quota`; within an attempt `place`, `connect`, `read`.
    pub class: &'static str,
    /// Its left side.
    pub x: String,
    /// Its width.
    pub width: String,
    /// Its middle.
    pub middle: String,
    /// What stands in it; may be empty.
    pub label: String,
    /// Whether anything does.
    pub has_label: bool,
    /// Whether it stands on the upper line, or is a limit within an attempt.
    pub upper: bool,
}

/// A time below the picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tick {
    /// Where.
    pub x: String,
    /// The time.
    pub label: String,
    /// How the label stands to its place: `start`, `middle`, `end`.
    pub side: &'static str,
}

/// A step of the worst case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What happens.
    pub what: String,
    /// How long it takes at most.
    pub lasts: String,
    /// When it begins.
    pub begins: String,
    /// When it has ended.
    pub ends: String,
}

/// What happens one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    Quota,
    Attempt(u32),
    Wait,
}

impl Timeline {
    /// Whether both are the same picture.
    pub(super) fn same_as(&self, other: &Self) -> bool {
        self.marks == other.marks
            && self.ticks == other.ticks
            && self.deadline == other.deadline
            && self.steps == other.steps
    }

    /// The picture in a sentence.
    pub(super) fn described(&self) -> String {
        let steps: Vec<String> = self.steps.iter().map(|step| format!("{} up to {}", step.what, step.lasts)).collect();
        format!("Worst case {}: {}", span(self.total), steps.join(", "))
    }
}

/// The worst case of an operation under its system's settings.
pub(super) fn of(id: &str, kind: OperationKind, settings: &SystemSettings, deadline: Option<Duration>) -> Timeline {
    let policy = settings.policy(id);
    let repeats = matches!(kind, OperationKind::Read | OperationKind::Keyed);
    let total = if repeats { policy.worst_case_repeated() } else { policy.worst_case_once() };
    let events = events(&policy, repeats);
    let horizon = deadline.map_or(total, |deadline| total.max(deadline));
    let mut drawing = Drawing { horizon, marks: Vec::new(), steps: Vec::new() };
    let place = if settings.bulkhead.enabled { settings.bulkhead.max_wait } else { Duration::ZERO };
    let mut now = Duration::ZERO;
    for (event, lasts) in &events {
        drawing.event(*event, now, *lasts);
        if let Event::Attempt(_) = event {
            drawing.within(now, &policy, place);
        }
        now += *lasts;
    }
    let left = deadline.is_some_and(|deadline| deadline.saturating_mul(2) > horizon);
    let at = deadline.map(|deadline| percent(deadline, horizon));
    Timeline {
        anchor: String::new(),
        ticks: ticks(horizon),
        deadline: at.unwrap_or_default(),
        after: deadline.map(|deadline| percent(horizon.saturating_sub(deadline), horizon)).unwrap_or_default(),
        deadline_says: deadline.map(|deadline| format!("deadline {}", span(deadline))).unwrap_or_default(),
        deadline_side: if left { "end" } else { "start" },
        deadline_left: left,
        cut: deadline.map(|deadline| cut(&events, deadline, total)).unwrap_or_default(),
        marks: drawing.marks,
        steps: drawing.steps,
        total,
    }
}

/// The steps whose sum is [`CallPolicy::worst_case_repeated`], or [`CallPolicy::worst_case_once`].
fn events(policy: &CallPolicy, repeats: bool) -> Vec<(Event, Duration)> {
    let mut events = Vec::new();
    let waits: Vec<Duration> = if repeats { policy.retry.longest_waits().collect() } else { Vec::new() };
    let attempt = |number: u32, events: &mut Vec<(Event, Duration)>| {
        if !policy.quota_wait.is_zero() {
            events.push((Event::Quota, policy.quota_wait));
        }
        events.push((Event::Attempt(number), policy.timeouts.call));
    };
    attempt(1, &mut events);
    for (number, wait) in (2..).zip(waits) {
        events.push((Event::Wait, wait));
        attempt(number, &mut events);
    }
    events
}

/// What becomes of the steps when the caller has only so much time: nothing begins that has no time left, and what is
/// under way then is given up (R-RES-TO-3).
fn cut(events: &[(Event, Duration)], deadline: Duration, total: Duration) -> String {
    if total <= deadline.saturating_sub(DEADLINE_MARGIN) {
        return format!("It ends within the caller's {}.", span(deadline));
    }
    let last = deadline.saturating_sub(DEADLINE_MARGIN);
    let (mut now, mut begun, mut shortened) = (Duration::ZERO, 0, false);
    for (event, lasts) in events {
        let ends = now + *lasts;
        match event {
            Event::Quota | Event::Wait if ends >= last => break,
            Event::Quota | Event::Wait => {}
            Event::Attempt(_) if now >= last => break,
            Event::Attempt(_) => begun += 1,
        }
        now = ends.min(last);
        if ends > last {
            shortened = true;
            break;
        }
    }
    match (begun, shortened) {
        (0, _) => format!("With {} left, no attempt begins.", span(deadline)),
        (begun, true) => format!(
            "With a caller who has {}, attempt {begun} is given up after {} in all; none begins after it.",
            span(deadline),
            span(now)
        ),
        (begun, false) => format!(
            "With a caller who has {}, it ends after attempt {begun}, at {}: the next wait would leave no time.",
            span(deadline),
            span(now)
        ),
    }
}

struct Drawing {
    horizon: Duration,
    marks: Vec<Mark>,
    steps: Vec<Step>,
}

impl Drawing {
    fn event(&mut self, event: Event, at: Duration, lasts: Duration) {
        let (class, what, label) = match event {
            Event::Quota => ("quota", "wait for the quota".to_owned(), String::new()),
            Event::Attempt(number) => ("attempt", format!("attempt {number}"), number.to_string()),
            Event::Wait => ("wait", "wait before the next".to_owned(), String::new()),
        };
        self.mark(class, at, lasts, label, true);
        let (begins, ends) = (span(at), span(at + lasts));
        self.steps.push(Step { what, lasts: span(lasts), begins, ends });
    }

    /// The limits within an attempt, one after the other, as far as its own limit lets them.
    fn within(&mut self, at: Duration, policy: &CallPolicy, place: Duration) {
        let end = at + policy.timeouts.call;
        let limits = [("place", place), ("connect", policy.timeouts.connect), ("read", policy.timeouts.read)];
        let mut now = at;
        for (class, limit) in limits {
            let lasts = limit.min(end.saturating_sub(now));
            if !lasts.is_zero() {
                self.mark(class, now, lasts, String::new(), false);
            }
            now += lasts;
        }
    }

    fn mark(&mut self, class: &'static str, at: Duration, lasts: Duration, label: String, upper: bool) {
        self.marks.push(Mark {
            class,
            x: percent(at, self.horizon),
            width: percent(lasts, self.horizon),
            middle: percent(at + lasts / 2, self.horizon),
            has_label: !label.is_empty(),
            label,
            upper,
        });
    }
}

/// About four times that are easy to read, and the end.
fn ticks(horizon: Duration) -> Vec<Tick> {
    const STEPS: [u64; 21] = [
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000,
        600_000, 1_800_000, 3_600_000,
    ];
    let millis = u64::try_from(horizon.as_millis()).unwrap_or(u64::MAX);
    let step = STEPS.into_iter().find(|step| millis / step <= 4).unwrap_or_else(|| (millis / 4).max(1));
    let mut ticks = vec![Tick { x: "0.00%".to_owned(), label: "0".to_owned(), side: "start" }];
    // The last one before the end would touch the end's own.
    let before = (1..=4)
        .map(|count| step.saturating_mul(count))
        .filter(|at| at.saturating_mul(100) <= millis.saturating_mul(78));
    for at in before {
        let at = Duration::from_millis(at);
        ticks.push(Tick { x: percent(at, horizon), label: span(at), side: "middle" });
    }
    ticks.push(Tick { x: "100.00%".to_owned(), label: span(horizon), side: "end" });
    ticks
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;

    fn external() -> SystemSettings {
        SystemSettings::external(Url::parse("https://x.example").unwrap())
    }

    #[test]
    fn re_4_the_picture_ends_where_the_worst_case_does() {
        let mut settings = external();
        settings.rate_limit = Some(cofferdam_runtime::settings::RateLimitSettings {
            limit: 1,
            period: Duration::from_secs(1),
            max_wait: Duration::from_secs(1),
        });
        for kind in [OperationKind::Read, OperationKind::Keyed, OperationKind::Once] {
            let policy = settings.policy("a");
            let repeats = kind != OperationKind::Once;
            let sum: Duration = events(&policy, repeats).iter().map(|(_, lasts)| *lasts).sum();
            assert_eq!(sum, of("a", kind, &settings, None).total, "{kind:?}");
            let attempts = of("a", kind, &settings, None).marks.iter().filter(|mark| mark.class == "attempt").count();
            assert_eq!(attempts, if repeats { 3 } else { 1 });
        }
    }

    #[test]
    fn to_3_a_deadline_cuts_the_picture_short() {
        let cut = |seconds| of("a", OperationKind::Read, &external(), Some(Duration::from_secs(seconds))).cut;
        assert_eq!(cut(200), "It ends within the caller's 3 min 20 s.");
        assert!(cut(10).starts_with("With a caller who has 10 s, attempt 1 is given up after 9.9 s"), "{}", cut(10));
        assert!(cut(40).contains("attempt 2 is given up after 39.9 s"), "{}", cut(40));
        assert!(cut(36).contains("attempt 1 is given up"), "{}", cut(36));
        let barely = of("a", OperationKind::Read, &external(), Some(Duration::from_millis(36_500))).cut;
        assert!(barely.contains("ends after attempt 1, at 36 s"), "{barely}");
        let none = of("a", OperationKind::Read, &external(), Some(Duration::from_millis(50))).cut;
        assert_eq!(none, "With 50 ms left, no attempt begins.");
    }

    #[test]
    fn times_below_are_few_and_do_not_touch() {
        for millis in [1, 7, 2500, 36_000, 109_500, 181_500, 86_400_000] {
            let ticks = ticks(Duration::from_millis(millis));
            assert!((2..=6).contains(&ticks.len()), "{millis}: {ticks:?}");
        }
        let labels: Vec<String> = ticks(Duration::from_millis(109_500)).into_iter().map(|tick| tick.label).collect();
        assert_eq!(labels, ["0", "30 s", "1 min", "1 min 49.5 s"]);
    }
}
