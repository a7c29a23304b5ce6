//! Server-sent events, read as the WHATWG specification has them ("Interpreting an event stream").
//!
//! Bytes come in pieces that are cut anywhere: within a line, within a character, between CR and LF.

use std::mem;
use std::time::Duration;

use bytes::{Buf, Bytes};

use super::TooLarge;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// An event as it came, its data not yet read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RawEvent {
    /// Its type; `None` for the usual one, `message`.
    pub(crate) event: Option<String>,
    /// Its lines of data, joined by line feeds.
    pub(crate) data: String,
    /// The id in force after it.
    pub(crate) id: Option<String>,
    /// The wait before reconnecting that it asks for.
    pub(crate) retry: Option<Duration>,
}

/// Turns pieces of bytes into events.
#[derive(Debug)]
pub(crate) struct EventParser {
    /// Longest event, and longest line, in bytes.
    limit: usize,
    /// What is not looked at yet.
    rest: Bytes,
    /// A line whose end has not come yet.
    line: Vec<u8>,
    /// The last line ended with CR: a LF that follows belongs to that end.
    after_cr: bool,
    /// The first line, which may begin with a byte order mark, has been seen.
    begun: bool,
    block: Block,
    last_id: String,
    retry: Option<Duration>,
}

/// The fields of the event that is being read.
#[derive(Debug, Default)]
struct Block {
    event: Vec<u8>,
    data: Vec<u8>,
    id: Option<Vec<u8>>,
    retry: Option<Duration>,
}

impl EventParser {
    /// A parser that gives up an event of more than so many bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            rest: Bytes::new(),
            line: Vec::new(),
            after_cr: false,
            begun: false,
            block: Block::default(),
            last_id: String::new(),
            retry: None,
        }
    }

    /// Takes in a piece. What came before must have been asked for until there was nothing more.
    pub(crate) fn push(&mut self, piece: Bytes) {
        debug_assert!(self.rest.is_empty(), "events of an earlier piece were not taken");
        self.rest = piece;
    }

    /// The next event that is whole.
    pub(crate) fn next(&mut self) -> Result<Option<RawEvent>, TooLarge> {
        while let Some(line) = self.next_line()? {
            if let Some(event) = self.take(&line) {
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    /// The stream begins anew on another connection: what was half read is forgotten, the last id is not.
    pub(crate) fn restart(&mut self) {
        self.rest = Bytes::new();
        self.line.clear();
        self.block = Block::default();
        (self.after_cr, self.begun) = (false, false);
    }

    /// The id of the last event that was whole; `None` when there was none, or it was taken back.
    pub(crate) fn last_id(&self) -> Option<&str> {
        (!self.last_id.is_empty()).then_some(self.last_id.as_str())
    }

    /// The wait before reconnecting that the stream asked for last.
    pub(crate) fn retry(&self) -> Option<Duration> {
        self.retry
    }

    fn next_line(&mut self) -> Result<Option<Vec<u8>>, TooLarge> {
        if self.after_cr && !self.rest.is_empty() {
            self.after_cr = false;
            if self.rest.first() == Some(&b'\n') {
                self.rest.advance(1);
            }
        }
        let Some(end) = self.rest.iter().position(|byte| matches!(byte, b'\r' | b'\n')) else {
            let unfinished = mem::take(&mut self.rest);
            self.check(unfinished.len())?;
            self.line.extend_from_slice(&unfinished);
            return Ok(None);
        };
        self.check(end)?;
        let mut line = mem::take(&mut self.line);
        line.extend_from_slice(&self.rest.split_to(end));
        self.after_cr = self.rest.first() == Some(&b'\r');
        self.rest.advance(1);
        if !mem::replace(&mut self.begun, true) && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(Some(line))
    }

    fn check(&self, more: usize) -> Result<(), TooLarge> {
        let length = self.block.data.len().saturating_add(self.line.len()).saturating_add(more);
        if length > self.limit { Err(TooLarge) } else { Ok(()) }
    }

    /// Takes in a line; an empty one ends an event.
    fn take(&mut self, line: &[u8]) -> Option<RawEvent> {
        if line.is_empty() {
            return self.dispatch();
        }
        let (name, value) = match line.iter().position(|byte| *byte == b':') {
            Some(colon) => {
                let (name, value) = (line.get(..colon)?, line.get(colon + 1..)?);
                (name, value.strip_prefix(b" ").unwrap_or(value))
            }
            None => (line, &b""[..]),
        };
        match name {
            b"event" => self.block.event = value.to_vec(),
            b"data" => {
                self.block.data.extend_from_slice(value);
                self.block.data.push(b'\n');
            }
            b"id" if !value.contains(&0) => self.block.id = Some(value.to_vec()),
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                // More digits than fit is "very long", not "at once".
                let milliseconds = text(value).parse().unwrap_or(u64::MAX);
                self.block.retry = Some(Duration::from_millis(milliseconds));
                self.retry = self.block.retry;
            }
            // A comment has an empty name; other names mean nothing.
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<RawEvent> {
        let Block { event, mut data, id, retry } = mem::take(&mut self.block);
        if let Some(id) = id {
            self.last_id = text(&id);
        }
        data.pop()?;
        Some(RawEvent {
            event: (!event.is_empty()).then(|| text(&event)),
            data: text(&data),
            id: self.last_id().map(str::to_owned),
            retry,
        })
    }
}

/// An event stream is UTF-8; what is not becomes replacement characters.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(pieces: &[&[u8]]) -> Vec<RawEvent> {
        let mut parser = EventParser::new(1 << 20);
        let mut events = Vec::new();
        for piece in pieces {
            parser.push(Bytes::copy_from_slice(piece));
            while let Some(event) = parser.next().unwrap() {
                events.push(event);
            }
        }
        events
    }

    fn event(data: &str) -> RawEvent {
        RawEvent { event: None, data: data.to_owned(), id: None, retry: None }
    }

    fn with_id(data: &str, id: &str) -> RawEvent {
        RawEvent { id: (!id.is_empty()).then(|| id.to_owned()), ..event(data) }
    }

    #[test]
    fn examples_of_the_specification() {
        let stocks = parsed(&[b"data: YHOO\ndata: +2\ndata: 10\n\n"]);
        assert_eq!(stocks, [event("YHOO\n+2\n10")]);
        let ids =
            parsed(&[b": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event"]);
        assert_eq!(ids, [with_id("first event", "1"), with_id("second event", "")]);
        let empty = parsed(&[b"data\n\ndata\ndata\n\ndata:"]);
        assert_eq!(empty, [event(""), event("\n")]);
        let same = parsed(&[b"data:test\n\ndata: test\n\n"]);
        assert_eq!(same, [event("test"), event("test")]);
    }

    #[test]
    fn every_end_of_line_counts_once() {
        for end in ["\n", "\r", "\r\n"] {
            let stream = format!("event: a{end}data: 1{end}data: 2{end}{end}data: 3{end}{end}");
            let named = RawEvent { event: Some("a".to_owned()), ..event("1\n2") };
            assert_eq!(parsed(&[stream.as_bytes()]), [named, event("3")], "{end:?}");
        }
        assert_eq!(parsed(&[b"data: 1\r", b"\n\r", b"\ndata: 2\r\r"]), [event("1"), event("2")]);
        assert_eq!(parsed(&[b"data: 1\n\r\n"]), [event("1")]);
    }

    #[test]
    fn an_event_without_data_is_none_but_its_id_and_wait_hold() {
        let mut parser = EventParser::new(100);
        parser.push(Bytes::from_static(b"event: ping\nid: 7\nretry: 1500\n\ndata: x\n\n"));
        assert_eq!(parser.next().unwrap(), Some(with_id("x", "7")), "the type of the one without data is forgotten");
        assert_eq!((parser.last_id(), parser.retry()), (Some("7"), Some(Duration::from_millis(1500))));
    }

    #[test]
    fn fields_that_mean_nothing_change_nothing() {
        let stream = b":c\nfoo: bar\nData: no\n data: no\nretry: 1s\nretry:\nid: a\0b\ndata: yes\n\n";
        assert_eq!(parsed(&[stream]), [event("yes")]);
    }

    #[test]
    fn an_id_counts_with_the_end_of_its_event_and_survives_a_restart() {
        let mut parser = EventParser::new(100);
        parser.push(Bytes::from_static(b"id: 1\ndata: a\n\nid: 2\ndata: b\n"));
        assert_eq!(parser.next().unwrap(), Some(with_id("a", "1")));
        assert_eq!(parser.next().unwrap(), None);
        assert_eq!(parser.last_id(), Some("1"));
        parser.restart();
        parser.push(Bytes::from_static(b"\xef\xbb\xbfdata: c\n\n"));
        assert_eq!(parser.next().unwrap(), Some(with_id("c", "1")));
    }

    #[test]
    fn one_mark_at_the_beginning_is_skipped() {
        assert_eq!(parsed(&[b"\xef", b"\xbb", b"\xbfdata: 1\n\n\xef\xbb\xbfdata: 2\n\n"]), [event("1")]);
    }

    #[test]
    fn what_is_no_utf_8_is_replaced() {
        assert_eq!(parsed(&[b"data: \xff\n\n"]), [event("\u{fffd}")]);
        assert_eq!(parsed(&["data: é\n\n".as_bytes()]), [event("é")]);
    }

    #[test]
    fn an_event_or_line_that_is_too_long_is_given_up() {
        for stream in [&b"data: 123456789012345"[..], b":12345678901234567890\n", b"data: 12345\ndata: 123456789\n"] {
            let mut parser = EventParser::new(16);
            parser.push(Bytes::copy_from_slice(stream));
            assert_eq!(parser.next(), Err(TooLarge), "{}", String::from_utf8_lossy(stream));
        }
        let mut parser = EventParser::new(16);
        parser.push(Bytes::from_static(b"data: 1234567890\n\ndata: 1234567890\n\n:\n:\n:\n:\n:\n:\n:\n:\n:\n"));
        assert_eq!(parser.next(), Ok(Some(event("1234567890"))));
        assert_eq!(parser.next(), Ok(Some(event("1234567890"))), "the limit is that of one event");
    }

    /// A piece of a stream, likely to be odd.
    fn fragment() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            Just(b"\n".to_vec()),
            Just(b"\r".to_vec()),
            Just(b"\r\n".to_vec()),
            Just(b"\n\n".to_vec()),
            Just(b"data".to_vec()),
            Just(b"data: ".to_vec()),
            Just(b"data: [DONE]\n\n".to_vec()),
            Just(b"id: 5\n".to_vec()),
            Just(b"event: e\n".to_vec()),
            Just(b"retry: 5\n".to_vec()),
            Just(b":".to_vec()),
            Just(b"\xef\xbb\xbf".to_vec()),
            Just("é€🦀".as_bytes().to_vec()),
            proptest::collection::vec(any::<u8>(), 0..6),
        ]
    }

    proptest! {
        #[test]
        fn where_the_pieces_are_cut_does_not_matter(
            fragments in proptest::collection::vec(fragment(), 0..40),
            cuts in proptest::collection::vec(0_usize..400, 0..60),
        ) {
            let stream = fragments.concat();
            let whole = parsed(&[&stream]);
            let mut cuts: Vec<usize> = cuts.into_iter().filter(|cut| *cut <= stream.len()).collect();
            cuts.extend([0, stream.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|cut| &stream[cut[0]..cut[1]]).collect();
            prop_assert_eq!(&parsed(&pieces), &whole);
            let bytes: Vec<&[u8]> = stream.chunks(1).collect();
            prop_assert_eq!(&parsed(&bytes), &whole);
        }

        #[test]
        fn what_is_written_by_the_rules_is_read_back(
            events in proptest::collection::vec(("[a-z]{0,3}", proptest::collection::vec("[ -~é]{0,5}", 1..4)), 0..6),
            end in prop_oneof![Just("\n"), Just("\r"), Just("\r\n")],
        ) {
            let mut stream = String::new();
            for (name, lines) in &events {
                stream += &format!("event: {name}{end}");
                lines.iter().for_each(|line| stream += &format!("data: {line}{end}"));
                stream += end;
            }
            let written: Vec<RawEvent> = events
                .into_iter()
                .map(|(name, lines)| RawEvent { event: (!name.is_empty()).then_some(name), ..event(&lines.join("\n")) })
                .collect();
            prop_assert_eq!(parsed(&[stream.as_bytes()]), written);
        }
    }
}
