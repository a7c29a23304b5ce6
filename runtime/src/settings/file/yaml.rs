//! The YAML of a settings file as a tree in which every key and value knows its place.
//!
//! Settings need little of YAML: mappings, lists and plain or quoted words. The rest (aliases, tags, several documents)
//! is refused by name instead of being half understood.

use saphyr_parser::{Event, Parser, Span, StrInput};

/// Where a key or value was given.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// At a line and column of the file, both from 1.
    At(usize, usize),
    /// By a variable of the environment.
    Variable(String),
}

impl Place {
    /// The beginning of the file.
    pub(super) const START: Self = Self::At(1, 1);
}

/// A value.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) at: Place,
    pub(super) kind: Kind,
}

/// What a value is.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// `key:` with nothing after it, or an explicit null.
    Nothing,
    /// A word, quoted or not.
    Text(String),
    /// A list; nothing in a settings file is one.
    List,
    /// A mapping, in the order of the file.
    Map(Vec<Entry>),
}

/// `key: value`
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) at: Place,
    pub(super) value: Node,
}

/// Why a text is no settings file.
#[derive(Debug)]
pub(super) struct Malformed {
    pub(super) at: Place,
    pub(super) message: String,
    pub(super) help: &'static str,
}

/// Levels of nesting: settings have six.
const DEEPEST: usize = 16;

/// Reads a text. Everything found before its end is told; a syntax error ends the reading.
pub(super) fn read(text: &str) -> Result<Node, Vec<Malformed>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader { parser: Parser::new_from_str(text), faults: Vec::new() };
    let root = reader.document();
    match root {
        Some(root) if reader.faults.is_empty() => Ok(root),
        _ => Err(reader.faults),
    }
}

struct Reader<'t> {
    parser: Parser<'t, StrInput<'t>>,
    faults: Vec<Malformed>,
}

impl<'t> Reader<'t> {
    /// The next event; `None` at the end and after a syntax error.
    fn next(&mut self) -> Option<(Event<'t>, Place)> {
        match self.parser.next_event()? {
            Ok((event, span)) => Some((event, place(span))),
            Err(error) => {
                let at = Place::At(error.marker().line(), error.marker().col() + 1);
                self.fault(at, format!("this is not YAML: {}", error.info()), "");
                None
            }
        }
    }

    fn fault(&mut self, at: Place, message: impl Into<String>, help: &'static str) {
        self.faults.push(Malformed { at, message: message.into(), help });
    }

    fn document(&mut self) -> Option<Node> {
        let mut root = None;
        while let Some((event, at)) = self.next() {
            match event {
                Event::DocumentStart(_) if root.is_some() => {
                    self.fault(at, "a second document begins here", "one file holds one document");
                    return None;
                }
                Event::Nothing
                | Event::StreamStart
                | Event::StreamEnd
                | Event::DocumentStart(_)
                | Event::DocumentEnd => {}
                other => root = Some(self.node(other, at, 0)?),
            }
        }
        root.or(Some(Node { at: Place::START, kind: Kind::Nothing }))
    }

    fn node(&mut self, event: Event<'t>, at: Place, depth: usize) -> Option<Node> {
        if depth > DEEPEST {
            self.fault(at, "nested deeper than any setting", "");
            return None;
        }
        let kind = match event {
            Event::Scalar(text, style, _, tag) => {
                if let Some(tag) = tag {
                    self.fault(at.clone(), format!("the tag `{tag}` has no meaning here"), "remove it");
                }
                let plain = style == saphyr_parser::ScalarStyle::Plain;
                match text.as_ref() {
                    "" | "~" | "null" if plain => Kind::Nothing,
                    _ => Kind::Text(text.into_owned()),
                }
            }
            Event::Alias(_) => {
                self.fault(at.clone(), "aliases are not read here", "put what systems share under `defaults`");
                Kind::Nothing
            }
            Event::SequenceStart(..) => loop {
                match self.next()? {
                    (Event::SequenceEnd, _) => break Kind::List,
                    (event, at) => self.node(event, at, depth + 1)?,
                };
            },
            Event::MappingStart(..) => Kind::Map(self.entries(depth)?),
            _ => return None,
        };
        Some(Node { at, kind })
    }

    fn entries(&mut self, depth: usize) -> Option<Vec<Entry>> {
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            let (key, at) = match self.next()? {
                (Event::MappingEnd, _) => return Some(entries),
                (Event::Scalar(key, ..), at) => (key.into_owned(), at),
                (event, at) => {
                    self.fault(at.clone(), "a key is a word", "");
                    self.node(event, at.clone(), depth + 1)?;
                    (String::new(), at)
                }
            };
            if let Some(Place::At(line, _)) = entries.iter().find(|entry| entry.key == key).map(|entry| &entry.at) {
                let message = format!("the key `{key}` already stands at line {line}");
                self.fault(at.clone(), message, "remove one of the two");
            }
            let (event, value_at) = self.next()?;
            let value = self.node(event, value_at, depth + 1)?;
            entries.push(Entry { key, at, value });
        }
    }
}

fn place(span: Span) -> Place {
    Place::At(span.start.line(), span.start.col() + 1)
}

#[cfg(test)]
mod tests {
    use super::{Kind, read};

    fn faults(text: &str) -> Vec<String> {
        let faults = read(text).err().unwrap_or_default();
        faults.into_iter().map(|fault| format!("{:?} {}", fault.at, fault.message)).collect()
    }

    #[test]
    fn what_settings_do_not_need_is_refused_by_name() {
        let text = "a: 1\na: !x 2\nb: &y 3\nc: *y\n[d, e]: 4\n";
        let wanted = [
            "At(2, 1) the key `a` already stands at line 1",
            "At(2, 4) the tag `!x` has no meaning here",
            "At(4, 4) aliases are not read here",
            "At(5, 1) a key is a word",
        ];
        assert_eq!(faults(text), wanted);
        assert_eq!(faults("a: 1\n---\nb: 2\n"), ["At(2, 1) a second document begins here"]);
        assert_eq!(faults("a: [\n").len(), 1);
    }

    #[test]
    fn nesting_without_end_is_a_fault() {
        for deep in ["- ".repeat(50_000), "[".repeat(50_000), "{a: ".repeat(50_000)] {
            assert_eq!(faults(&deep).len(), 1);
        }
    }

    #[test]
    fn nothing_is_nothing() {
        for empty in ["", "# only a remark\n", "---\n", "~", "\u{feff}"] {
            assert!(matches!(read(empty).unwrap().kind, Kind::Nothing), "{empty:?}");
        }
    }
}
