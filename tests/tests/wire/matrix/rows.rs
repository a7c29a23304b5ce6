//! The table: a line a fault, with what must come of it.

use cofferdam_tests::{Answer, Door, Fault, Handshake, Http2Fault, Script, Step};
use serde_json::json;

use crate::world::ms;

/// A fault and what must come of it.
#[derive(Clone)]
pub(super) struct Row {
    /// In words.
    pub(super) name: &'static str,
    pub(super) cause: Cause,
    /// What the caller hears in the end, and whether the system may have got the request.
    pub(super) heard: &'static str,
    pub(super) again: Again,
    pub(super) vote: Vote,
    /// Whether a request that meets the fault is read by the server.
    pub(super) arrives: bool,
    /// Lines for the system's settings.
    tuning: &'static str,
}

/// What is wrong.
#[derive(Clone)]
pub(super) enum Cause {
    /// With the answers.
    Script(Script),
    /// They send elsewhere, with this status.
    Redirected(u16),
    /// With connections.
    Door(Door),
    /// Nobody listens.
    Refused,
    /// Connecting neither succeeds nor fails.
    NobodyAnswers,
    /// The name leads nowhere.
    NoSuchHost,
    /// With TLS.
    Handshake(Handshake),
    /// With the conversation by HTTP/2.
    Http2(Http2Fault),
}

/// Whether a call that may be repeated is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Again {
    /// No: it would be the same again, or is not ours to repeat.
    Never,
    /// Until the attempts are used up.
    ToTheEnd,
    /// Once, and then it is fine.
    ThenFine,
    /// It need not be: the call succeeds.
    Harmless,
}

/// What the breaker hears of an attempt that met the fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Vote {
    Success,
    Failure,
    /// Nothing: it says nothing about the system's health.
    None,
}

/// Limits that are reached in a test's time.
const HASTY: &str = "\n    timeouts: { connect: 1s, read: 1200ms, call: 3300ms, reason: a test is short }\n";
const ON_429: &str = "\n    retry: { on-429: true }\n";
const SMALL_REPLIES: &str = "\n    max-reply: 64 KiB\n";

impl Row {
    pub(super) fn tuning(&self) -> &'static str {
        self.tuning
    }

    /// Whether a call can be made before the fault begins.
    pub(super) fn is_warmed(&self) -> bool {
        match &self.cause {
            Cause::Script(_) | Cause::Redirected(_) => true,
            Cause::Http2(fault) => !matches!(fault, Http2Fault::GoesAwayBefore | Http2Fault::Garbage),
            _ => false,
        }
    }

    /// Whether the system can be well again.
    pub(super) fn recovers(&self) -> bool {
        !matches!(self.cause, Cause::Handshake(_) | Cause::NobodyAnswers | Cause::NoSuchHost)
    }

    /// Whether the server that arrivals come to reads their headers.
    pub(super) fn tells_keys(&self) -> bool {
        !matches!(self.cause, Cause::Http2(Http2Fault::GoesAwayBefore | Http2Fault::Garbage))
    }

    /// A fault that passes: what is repeated is, to the end, and each attempt counts as failed.
    fn passing(name: &'static str, cause: Cause, heard: &'static str) -> Self {
        Self { name, cause, heard, again: Again::ToTheEnd, vote: Vote::Failure, arrives: true, tuning: "" }
    }

    fn always(name: &'static str, step: impl Into<Step>, heard: &'static str) -> Self {
        Self::passing(name, Cause::Script(Script::always(step)), heard)
    }

    fn once(name: &'static str, step: impl Into<Step>, heard: &'static str) -> Self {
        Self { again: Again::ThenFine, ..Self::passing(name, Cause::Script(Script::times(1, step)), heard) }
    }

    fn harmless(name: &'static str, step: impl Into<Step>) -> Self {
        Self { again: Again::Harmless, ..Self::passing(name, Cause::Script(Script::always(step)), "") }
    }

    fn never_again(self) -> Self {
        Self { again: Again::Never, ..self }
    }

    fn no_vote(self) -> Self {
        Self { vote: Vote::None, ..self }
    }

    fn never_arrives(self) -> Self {
        Self { arrives: false, ..self }
    }

    fn with(self, tuning: &'static str) -> Self {
        Self { tuning, ..self }
    }
}

/// All of them.
pub(super) fn all() -> Vec<Row> {
    [connecting(), breaking_off(), waiting(), lengths_and_forms(), answers(), tls(), http2()]
        .into_iter()
        .flatten()
        .collect()
}

fn connecting() -> Vec<Row> {
    let refused = "transport: connect; NotSent";
    let closed = "transport: closed; MaybeSent";
    vec![
        Row::passing("nobody listens", Cause::Refused, refused).never_arrives(),
        Row::passing("the name leads nowhere", Cause::NoSuchHost, "transport: dns; NotSent").never_arrives(),
        Row::passing("connecting hangs", Cause::NobodyAnswers, "timed out connecting; NotSent")
            .never_arrives()
            .with(HASTY),
        Row::passing("accepted and closed", Cause::Door(Door::ClosesAtOnce), closed).never_arrives(),
        Row::passing("accepted and reset unread", Cause::Door(Door::ResetsUnread), closed).never_arrives(),
        Row::passing(
            "accepted and never read",
            Cause::Door(Door::NobodyReads),
            "timed out waiting for the reply; MaybeSent",
        )
        .never_arrives()
        .with(HASTY),
    ]
}

fn breaking_off() -> Vec<Row> {
    let (closed, truncated) = ("transport: closed; MaybeSent", "transport: truncated; MaybeSent");
    vec![
        Row::always("closed before the reply", Fault::Close, closed),
        Row::always("half-closed before the reply", Fault::HalfClose, closed),
        Row::always("reset before the reply", Fault::Reset, closed),
        Row::always("closed within the head", Fault::CutHead { after: 30 }, closed),
        Row::always("reset within the head", Fault::ResetInHead { after: 30 }, closed),
        Row::always("reset within the body", Fault::ResetInBody { after: 10 }, truncated),
        Row::always("closed within the body", Fault::Truncate { missing: 10 }, truncated),
        Row::always("closed within a chunk", Fault::CutChunk, truncated),
        Row::once("closed before the reply, then fine", Fault::Close, closed),
    ]
}

fn waiting() -> Vec<Row> {
    let (reply, body) = ("timed out waiting for the reply; MaybeSent", "timed out reading the reply; MaybeSent");
    vec![
        Row::always("no reply", Fault::Hang, reply).with(HASTY),
        Row::always("a reply after the read limit", Fault::SlowFirstByte(ms(3000)), reply).with(HASTY),
        Row::harmless("a slow reply within the read limit", Fault::SlowFirstByte(ms(150))),
        Row::always("the body stops half-way", Fault::StallInBody { first: 10 }, body).with(HASTY),
        Row::always("the body drips for longer than the call", Fault::Drip { piece: 1, every: ms(100) }, body)
            .with(HASTY),
        Row::harmless("the body drips and ends in time", Fault::Drip { piece: 40, every: ms(20) }),
        Row::harmless("fifty informational answers first", Fault::Informational { count: 50 }),
        Row::always("informational answers only", Fault::InformationalOnly { every: ms(50) }, reply).with(HASTY),
    ]
}

fn lengths_and_forms() -> Vec<Row> {
    let (protocol, too_large) = ("transport: protocol; MaybeSent", "transport: reply_too_large; MaybeSent");
    vec![
        Row::always("bytes that are no HTTP", Fault::NotHttp, protocol),
        Row::always("two lengths", Fault::TwoLengths, protocol),
        Row::always("a chunk without a size", Fault::BadChunk, protocol),
        Row::always("a header of a megabyte", Fault::HugeHeader { bytes: 1024 * 1024 }, protocol),
        Row::always("a thousand headers", Fault::ManyHeaders { count: 1000 }, protocol),
        Row::always("a body that never ends", Fault::Endless, too_large).never_again().with(SMALL_REPLIES),
        Row::always("a body declared too large", Fault::Huge { bytes: 1 << 30 }, too_large).never_again(),
        Row::always("a length too short", Fault::TooShortLength { hidden: 3 }, "undecodable; Answered").never_again(),
        Row::always("a body that is no JSON", Fault::GarbageBody, "undecodable; Answered").never_again(),
        Row::harmless("a second reply nobody asked for", Fault::SecondReply),
    ]
}

fn answers() -> Vec<Row> {
    let status = |status: u16| Answer::json(&json!({ "code": status, "message": "no" })).with_status(status);
    let asked = |answer: u16, when: &str| status(answer).with_header("Retry-After", when);
    let far = "Wed, 21 Oct 2099 07:28:00 GMT";
    let past = "Wed, 21 Oct 2015 07:28:00 GMT";
    let (slow_down, unavailable) = ("rejected 429; Answered", "server_error 503; Answered");
    vec![
        Row::always("500", status(500), "server_error 500; Answered"),
        Row::once("500, then fine", status(500), "server_error 500; Answered"),
        Row::always("503", status(503), unavailable),
        Row::once("503, back in 1 s", asked(503, "1"), unavailable),
        Row::always("503, back in two minutes", asked(503, "120"), unavailable).never_again(),
        Row::always("429, back in 1 s", asked(429, "1"), slow_down).never_again().no_vote(),
        Row::always("429, back at a date", asked(429, past), slow_down).never_again().no_vote(),
        Row::once("429, back in 1 s, opted in", asked(429, "1"), slow_down).no_vote().with(ON_429),
        Row::once("429, back at a date, opted in", asked(429, past), slow_down).no_vote().with(ON_429),
        Row::always("429, back in decades, opted in", asked(429, far), slow_down).never_again().no_vote().with(ON_429),
        Row::always("408", status(408), "rejected 408; Answered").never_again().no_vote(),
        Row::passing("302 to another host", Cause::Redirected(302), "unexpected 302; Answered").never_again(),
        Row::passing("307 to another host", Cause::Redirected(307), "unexpected 307; Answered").never_again(),
    ]
}

fn tls() -> Vec<Row> {
    let row = |name, handshake, heard| Row::passing(name, Cause::Handshake(handshake), heard).never_arrives();
    let no_session = "transport: tls; NotSent";
    vec![
        row("a certificate of an unknown authority", Handshake::UnknownAuthority, no_session),
        row("a certificate of another name", Handshake::OtherName, no_session),
        row("a certificate that has expired", Handshake::Expired, no_session),
        row("plain HTTP where TLS should be", Handshake::PlainHttp, no_session),
        row("closed within the handshake", Handshake::Closes, "transport: connect; NotSent"),
        row("the handshake hangs", Handshake::Hangs, "timed out connecting; NotSent").with(HASTY),
    ]
}

fn http2() -> Vec<Row> {
    let row = |name, fault, heard| Row::passing(name, Cause::Http2(fault), heard);
    let (unprocessed, reset) = ("transport: unprocessed; NotSent", "transport: reset; MaybeSent");
    let protocol = "transport: protocol; MaybeSent";
    vec![
        row("HTTP/2: the stream is refused", Http2Fault::RefusesStream, unprocessed),
        row("HTTP/2: the stream is reset", Http2Fault::ResetsStream, reset),
        row("HTTP/2: the stream is reset within the body", Http2Fault::ResetsInBody, reset),
        row("HTTP/2: GOAWAY during the call", Http2Fault::GoesAway, "transport: closed; MaybeSent"),
        row("HTTP/2: GOAWAY that names no stream", Http2Fault::GoesAwayBefore, unprocessed),
        row("HTTP/2: a body shorter than declared", Http2Fault::Truncates, protocol),
        row("HTTP/2: bytes that are no frame", Http2Fault::Garbage, protocol),
        row("HTTP/2: the connection is cut", Http2Fault::Cuts, "transport: closed; MaybeSent"),
        row("HTTP/2: no reply", Http2Fault::Hangs, "timed out waiting for the reply; MaybeSent").with(HASTY),
    ]
}
