//! A document as a stream of keys and values with their positions.
//!
//! This is the second reading: it only runs when there is something to say about a document, so that a run without
//! messages never pays for positions. JSON goes through the same parser, being YAML but for one escape.

use std::borrow::Cow;

use saphyr_parser::{Event, Parser, ScalarStyle, Span, StrInput, Tag};

use super::Position;

/// What comes next in a document.
#[derive(Debug)]
pub(crate) enum Item<'t> {
    /// A document of the stream begins.
    Document(Position),
    /// A key of the open mapping; its value is the next item.
    Key { text: Cow<'t, str>, at: Position },
    /// A value without parts.
    Scalar { text: Cow<'t, str>, plain: bool, tag: Option<String>, anchor: usize, at: Position },
    /// `*name`: the value is written elsewhere.
    Alias { at: Position },
    /// A mapping or sequence begins.
    Open { mapping: bool, tag: Option<String>, anchor: usize, at: Position },
    /// The open mapping or sequence ends.
    Close,
}

/// Reads a text item by item. It ends at the end of the text, or where the parser finds it is no YAML.
pub(crate) struct Items<'t> {
    parser: Parser<'t, StrInput<'t>>,
    open: Vec<Frame>,
    error: Option<(Position, String)>,
}

/// An open collection, as far as telling keys from values needs it.
#[derive(Clone, Copy)]
enum Frame {
    Sequence,
    KeyNext,
    ValueNext,
}

impl<'t> Items<'t> {
    /// Reads a text that went through [`softened`], if it is JSON.
    pub(crate) fn new(text: &'t str) -> Self {
        Self { parser: Parser::new_from_str(text), open: Vec::new(), error: None }
    }

    /// Why it ended before the end of the text, if it did.
    pub(crate) fn error(&self) -> Option<&(Position, String)> {
        self.error.as_ref()
    }

    fn event(&mut self) -> Option<(Event<'t>, Span)> {
        match self.parser.next_event()? {
            Ok(event) => Some(event),
            Err(error) => {
                let at = Position { line: error.marker().line(), col: error.marker().col() + 1 };
                self.error = Some((at, error.info().to_owned()));
                None
            }
        }
    }

    /// Notes that a value of the innermost collection was met.
    fn value_met(&mut self) {
        if let Some(frame @ Frame::ValueNext) = self.open.last_mut() {
            *frame = Frame::KeyNext;
        }
    }

    /// Whether the next node is a key; if so, the one after it is its value.
    fn key_met(&mut self) -> bool {
        match self.open.last_mut() {
            Some(frame @ Frame::KeyNext) => {
                *frame = Frame::ValueNext;
                true
            }
            _ => false,
        }
    }

    /// Skips a collection that stands where a key should: no pointer can name it.
    fn skip_collection(&mut self) -> Option<()> {
        let mut depth = 1_usize;
        while depth > 0 {
            match self.event()?.0 {
                Event::SequenceStart(..) | Event::MappingStart(..) => depth += 1,
                Event::SequenceEnd | Event::MappingEnd => depth -= 1,
                _ => {}
            }
        }
        Some(())
    }

    fn open(&mut self, mapping: bool, tag: Option<String>, anchor: usize, at: Position) -> Option<Item<'t>> {
        if self.key_met() {
            self.skip_collection()?;
            return Some(Item::Key { text: Cow::Borrowed(""), at });
        }
        self.value_met();
        self.open.push(if mapping { Frame::KeyNext } else { Frame::Sequence });
        Some(Item::Open { mapping, tag, anchor, at })
    }
}

impl<'t> Iterator for Items<'t> {
    type Item = Item<'t>;

    fn next(&mut self) -> Option<Item<'t>> {
        loop {
            let (event, span) = self.event()?;
            let at = position(span);
            return Some(match event {
                Event::DocumentStart(_) => Item::Document(at),
                Event::StreamEnd => return None,
                Event::Nothing | Event::StreamStart | Event::DocumentEnd => continue,
                Event::Alias(_) if self.key_met() => Item::Key { text: Cow::Borrowed(""), at },
                Event::Alias(_) => {
                    self.value_met();
                    Item::Alias { at }
                }
                Event::Scalar(text, ..) if self.key_met() => Item::Key { text, at },
                Event::Scalar(text, style, anchor, tag) => {
                    self.value_met();
                    let plain = style == ScalarStyle::Plain;
                    Item::Scalar { text, plain, tag: tag.map(|tag| written(&tag)), anchor, at }
                }
                Event::SequenceStart(anchor, tag) => {
                    return self.open(false, tag.map(|tag| written(&tag)), anchor, at);
                }
                Event::MappingStart(anchor, tag) => {
                    return self.open(true, tag.map(|tag| written(&tag)), anchor, at);
                }
                Event::SequenceEnd | Event::MappingEnd => {
                    self.open.pop();
                    Item::Close
                }
            });
        }
    }
}

/// A tag as it is usually written: `!!str`, `!local`, `!<tag:example.com,2000:x>`.
fn written(tag: &Tag) -> String {
    let full = format!("{}{}", tag.handle, tag.suffix);
    match full.strip_prefix("tag:yaml.org,2002:") {
        Some(core) => format!("!!{core}"),
        None if full.starts_with('!') => full,
        None => format!("!<{full}>"),
    }
}

fn position(span: Span) -> Position {
    Position { line: span.start.line(), col: span.start.col() + 1 }
}

/// Makes JSON readable as YAML without moving a character: YAML has no surrogate pairs (`\ud83d\ude00`), so they are
/// moved to the private use area. Only positions are taken from the result, and keys are only compared.
pub(crate) fn softened(text: &str) -> Cow<'_, str> {
    let mut softened: Option<String> = None;
    for (at, _) in text.match_indices("\\u") {
        let digits = text.as_bytes().get(at + 2..at + 4);
        if matches!(digits, Some([b'd' | b'D', b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F'])) {
            softened.get_or_insert_with(|| text.to_owned()).replace_range(at + 2..at + 3, "e");
        }
    }
    softened.map_or(Cow::Borrowed(text), Cow::Owned)
}
