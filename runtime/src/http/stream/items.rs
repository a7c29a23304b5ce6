//! JSON texts one after another: one a line (JSON lines, NDJSON), or each after a record separator (RFC 7464).

use std::mem;

use bytes::{Buf, Bytes};

use super::TooLarge;

const RECORD_SEPARATOR: u8 = 0x1e;

/// What stands between two items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// The end of a line: no item has one within.
    Lines,
    /// A record separator before each item, and a line feed after it; an item may have lines of its own.
    Sequence,
}

impl Framing {
    /// The framing that a media type means, given without parameters and in lower case.
    pub(crate) fn of(media_type: &str) -> Self {
        if media_type.ends_with("json-seq") { Self::Sequence } else { Self::Lines }
    }
}

/// Cuts pieces of bytes into items.
#[derive(Debug)]
pub(crate) struct ItemSplitter {
    framing: Framing,
    limit: usize,
    rest: Bytes,
    item: Vec<u8>,
    shape: Shape,
}

/// How deep in a JSON text we are: enough to know where it ends.
#[derive(Debug, Default, Clone, Copy)]
struct Shape {
    depth: usize,
    in_text: bool,
    escaped: bool,
}

impl ItemSplitter {
    /// A splitter that gives up an item of more than so many bytes.
    pub(crate) fn new(framing: Framing, limit: usize) -> Self {
        Self { framing, limit, rest: Bytes::new(), item: Vec::new(), shape: Shape::default() }
    }

    /// Takes in a piece. What came before must have been asked for until there was nothing more.
    pub(crate) fn push(&mut self, piece: Bytes) {
        debug_assert!(self.rest.is_empty(), "items of an earlier piece were not taken");
        self.rest = piece;
    }

    /// The next item that is whole. Blank ones are left out.
    pub(crate) fn next(&mut self) -> Result<Option<Bytes>, TooLarge> {
        loop {
            let Some(end) = self.end() else {
                let unfinished = mem::take(&mut self.rest);
                self.keep(&unfinished)?;
                return Ok(None);
            };
            let last = self.rest.split_to(end);
            self.rest.advance(1);
            self.keep(&last)?;
            if let Some(item) = self.finish() {
                return Ok(Some(item));
            }
        }
    }

    /// What stands after the last separator when the stream has ended.
    pub(crate) fn finish(&mut self) -> Option<Bytes> {
        self.shape = Shape::default();
        let item = Bytes::from(mem::take(&mut self.item));
        let item = item.slice_ref(item.trim_ascii());
        (!item.is_empty()).then_some(item)
    }

    /// Forgets what is not given out yet.
    pub(crate) fn clear(&mut self) {
        self.shape = Shape::default();
        self.rest = Bytes::new();
        self.item.clear();
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), TooLarge> {
        if self.item.len().saturating_add(bytes.len()) > self.limit {
            return Err(TooLarge);
        }
        self.item.extend_from_slice(bytes);
        Ok(())
    }

    /// Where the item ends in what is not looked at yet.
    fn end(&mut self) -> Option<usize> {
        match self.framing {
            Framing::Lines => self.rest.iter().position(|byte| *byte == b'\n'),
            Framing::Sequence => {
                let shape = &mut self.shape;
                self.rest.iter().position(|byte| match byte {
                    // Wherever it stands: no JSON text holds one, so the item before it was cut off.
                    &RECORD_SEPARATOR => true,
                    b'\n' => shape.is_outside(),
                    other => {
                        shape.take(*other);
                        false
                    }
                })
            }
        }
    }
}

impl Shape {
    fn is_outside(self) -> bool {
        self.depth == 0 && !self.in_text
    }

    fn take(&mut self, byte: u8) {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' if self.in_text => self.escaped = true,
            b'"' => self.in_text = !self.in_text,
            b'{' | b'[' if !self.in_text => self.depth = self.depth.saturating_add(1),
            b'}' | b']' if !self.in_text => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn split(framing: Framing, pieces: &[&[u8]]) -> Vec<String> {
        let mut splitter = ItemSplitter::new(framing, 1 << 20);
        let mut items = Vec::new();
        for piece in pieces {
            splitter.push(Bytes::copy_from_slice(piece));
            while let Some(item) = splitter.next().unwrap() {
                items.push(item);
            }
        }
        items.extend(splitter.finish());
        items.iter().map(|item| String::from_utf8_lossy(item).into_owned()).collect()
    }

    #[test]
    fn a_line_is_an_item_and_a_blank_one_is_none() {
        assert_eq!(split(Framing::Lines, &[b"{\"a\":1}\n\r\n  \n[2]\r\n3"]), ["{\"a\":1}", "[2]", "3"]);
        assert!(split(Framing::Lines, &[b"", b"\n\n"]).is_empty());
    }

    #[test]
    fn a_record_may_have_lines_of_its_own_and_is_given_at_its_end() {
        let text = b"\x1e{\n \"a\": \"}\\\"\\n\"\n}\n\x1e[1,\n2]\n\x1e5\n\x1e{\"cut\":\n\x1etrue";
        assert_eq!(
            split(Framing::Sequence, &[text]),
            ["{\n \"a\": \"}\\\"\\n\"\n}", "[1,\n2]", "5", "{\"cut\":", "true"]
        );
        let mut splitter = ItemSplitter::new(Framing::Sequence, 100);
        splitter.push(Bytes::from_static(b"\x1e{\"a\":[\n1]}\n"));
        assert_eq!(splitter.next().unwrap().unwrap(), "{\"a\":[\n1]}", "before the next separator is there");
    }

    #[test]
    fn framing_goes_by_the_media_type() {
        for (media_type, framing) in [
            ("application/json-seq", Framing::Sequence),
            ("application/geo+json-seq", Framing::Sequence),
            ("application/x-ndjson", Framing::Lines),
            ("", Framing::Lines),
        ] {
            assert_eq!(Framing::of(media_type), framing, "{media_type}");
        }
    }

    #[test]
    fn an_item_that_is_too_long_is_given_up() {
        let mut splitter = ItemSplitter::new(Framing::Lines, 8);
        splitter.push(Bytes::from_static(b"12345678\n1234"));
        assert_eq!(splitter.next().unwrap().unwrap(), "12345678");
        assert_eq!(splitter.next(), Ok(None));
        splitter.push(Bytes::from_static(b"56789"));
        assert_eq!(splitter.next(), Err(TooLarge));
    }

    proptest! {
        #[test]
        fn where_the_pieces_are_cut_does_not_matter(
            text in "[\\[\\]{}\"\\\\, \n\r\u{1e}é1a]{0,60}",
            cuts in proptest::collection::vec(0_usize..120, 0..30),
        ) {
            let bytes = text.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().filter(|cut| *cut <= bytes.len()).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]).collect();
            for framing in [Framing::Lines, Framing::Sequence] {
                prop_assert_eq!(split(framing, &pieces), split(framing, &[bytes]));
            }
        }
    }
}
