//! Which fault meets an arrival.

use std::collections::BTreeMap;
use std::time::Duration;

use cofferdam_testing::{Answer, Fault, Step};
use fastrand::Rng;
use serde_json::json;

/// Draws faults, and counts them.
pub(super) struct Trouble {
    rng: Rng,
    /// Arrivals until the weather changes.
    left: u32,
    /// Of a hundred arrivals so many meet a fault.
    odds: u32,
    counts: BTreeMap<&'static str, u64>,
    is_over: bool,
}

const MS: Duration = Duration::from_millis(1);

impl Trouble {
    pub(super) fn new(seed: u64) -> Self {
        Self { rng: Rng::with_seed(seed), left: 0, odds: 0, counts: BTreeMap::new(), is_over: false }
    }

    /// From now on all is well.
    pub(super) fn end(&mut self) {
        self.is_over = true;
    }

    pub(super) fn counts(&self) -> BTreeMap<&'static str, u64> {
        self.counts.clone()
    }

    /// What meets the next arrival.
    pub(super) fn next(&mut self) -> Step {
        if self.left == 0 {
            // Fair, rough, or everything fails.
            (self.odds, self.left) = match self.rng.u8(..20) {
                0..12 => (2, self.rng.u32(500..3000)),
                12..18 => (25, self.rng.u32(100..1000)),
                _ => (100, self.rng.u32(20..80)),
            };
        }
        self.left -= 1;
        let fault = self.rng.u32(..100) < self.odds && !self.is_over;
        let (name, step) = if fault { self.fault() } else { ("answered", Step::fine()) };
        *self.counts.entry(name).or_default() += 1;
        step
    }

    fn fault(&mut self) -> (&'static str, Step) {
        match self.rng.u8(..100) {
            // Those that take long, seldom.
            0 => ("hung", Fault::Hang.into()),
            1 => ("stalled within the body", Fault::StallInBody { first: 10 }.into()),
            2 => ("half-closed", Fault::HalfClose.into()),
            3 => ("sent a body without end", Fault::Endless.into()),
            4 => ("sent informational answers only", Fault::InformationalOnly { every: 50 * MS }.into()),
            5 => ("declared a body too large", Fault::Huge { bytes: 1 << 20 }.into()),
            6 => ("sent a huge header", Fault::HugeHeader { bytes: 1 << 20 }.into()),
            7 => ("sent too many headers", Fault::ManyHeaders { count: 500 }.into()),
            8..30 => self.breaking(),
            30..45 => self.late(),
            45..60 => self.malformed(),
            _ => self.failing(),
        }
    }

    fn breaking(&mut self) -> (&'static str, Step) {
        match self.rng.u8(..6) {
            0 => ("closed", Fault::Close.into()),
            1 => ("reset", Fault::Reset.into()),
            2 => ("closed within the head", Fault::CutHead { after: self.rng.usize(1..60) }.into()),
            3 => ("reset within the head", Fault::ResetInHead { after: self.rng.usize(1..60) }.into()),
            4 => ("reset within the body", Fault::ResetInBody { after: self.rng.usize(0..20) }.into()),
            _ => ("closed within the body", Fault::Truncate { missing: 5 }.into()),
        }
    }

    fn late(&mut self) -> (&'static str, Step) {
        match self.rng.u8(..3) {
            0 => ("dripped", Fault::Drip { piece: 20, every: MS }.into()),
            _ => ("answered late", Fault::SlowFirstByte(self.rng.u32(1..40) * MS).into()),
        }
    }

    fn malformed(&mut self) -> (&'static str, Step) {
        match self.rng.u8(..8) {
            0 => ("spoke no HTTP", Fault::NotHttp.into()),
            1 => ("declared two lengths", Fault::TwoLengths.into()),
            2 => ("declared too short a length", Fault::TooShortLength { hidden: 3 }.into()),
            3 => ("closed within a chunk", Fault::CutChunk.into()),
            4 => ("sent a chunk without a size", Fault::BadChunk.into()),
            5 => ("sent garbage", Fault::GarbageBody.into()),
            6 => ("sent informational answers first", Fault::Informational { count: 5 }.into()),
            _ => ("sent a second reply", Fault::SecondReply.into()),
        }
    }

    fn failing(&mut self) -> (&'static str, Step) {
        let status = |status: u16| Answer::json(&json!({ "code": status, "message": "no" })).with_status(status);
        match self.rng.u8(..10) {
            0..3 => ("answered 500", status(500).into()),
            3..5 => ("answered 503", status(503).into()),
            5 => ("answered 503, asking for a wait", status(503).with_header("Retry-After", "1").into()),
            6 => ("answered 429", status(429).into()),
            7 => ("answered 404", status(404).into()),
            8 => ("redirected", Answer::redirect("http://127.0.0.1:9/away").into()),
            _ => ("failed in a 200", Answer::json(&json!({ "errorCode": "7" })).into()),
        }
    }
}
