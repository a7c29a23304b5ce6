//! What goes wrong in answering a request.

use std::time::Duration;

/// A way to misbehave. It is applied to the answer the path would have given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Reads the request and never says a word.
    Hang,
    /// Reads the request, closes its half of the connection and goes on reading.
    HalfClose,
    /// Waits before the first byte, then answers as it should.
    SlowFirstByte(Duration),
    /// Sends the head and the first `first` bytes of the body, then nothing more; the connection stays open.
    StallInBody {
        /// Bytes of the body that are sent.
        first: usize,
    },
    /// Answers as it should, one piece of the body at a time.
    Drip {
        /// Bytes in a piece.
        piece: usize,
        /// Wait before each piece.
        every: Duration,
    },
    /// Reads the request, closes the connection in order and answers nothing.
    Close,
    /// Reads the request, then resets the connection.
    Reset,
    /// Sends the first `after` bytes of the status line and headers, then resets the connection.
    ResetInHead {
        /// Bytes of the head that are sent.
        after: usize,
    },
    /// Sends the head and the first `after` bytes of the body, then resets the connection.
    ResetInBody {
        /// Bytes of the body that are sent.
        after: usize,
    },
    /// Sends the first `after` bytes of the status line and headers, then closes the connection in order.
    CutHead {
        /// Bytes of the head that are sent.
        after: usize,
    },
    /// Declares `missing` bytes more than it sends, then closes the connection in order.
    Truncate {
        /// Bytes declared and not sent.
        missing: usize,
    },
    /// Declares `hidden` bytes less than it sends: the end of the body stands where a next reply would.
    TooShortLength {
        /// Bytes sent beyond those declared.
        hidden: usize,
    },
    /// Declares two lengths that contradict each other.
    TwoLengths,
    /// A body in chunks that ends in the middle of one.
    CutChunk,
    /// A body in chunks whose size is no number.
    BadChunk,
    /// A body in chunks that never ends.
    Endless,
    /// Says that the body is JSON and sends something else.
    GarbageBody,
    /// Sends bytes that are not HTTP.
    NotHttp,
    /// A body of this many bytes instead of the right one: a JSON string of `x`.
    Huge {
        /// Bytes of the body.
        bytes: usize,
    },
    /// One header of this many bytes before the right ones.
    HugeHeader {
        /// Bytes of its value.
        bytes: usize,
    },
    /// This many headers before the right ones.
    ManyHeaders {
        /// How many.
        count: usize,
    },
    /// This many answers of status 103 before the right one.
    Informational {
        /// How many.
        count: usize,
    },
    /// An answer of status 103 each so often, and never another.
    InformationalOnly {
        /// Wait between two.
        every: Duration,
    },
    /// The right answer, and at once another one that nobody asked for.
    SecondReply,
}

/// What a connection meets before anything is said on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Door {
    /// It is accepted.
    #[default]
    Open,
    /// It is accepted, and closed at once.
    ClosesAtOnce,
    /// It is accepted, and reset when something comes, before that is read.
    ResetsUnread,
    /// It is accepted, and nobody ever reads from it.
    NobodyReads,
}
