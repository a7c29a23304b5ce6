//! YAML as Spring reads it: several documents, anchors, merge keys, and a place for every value.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, Span, StrInput};

use crate::diagnose::Position;

/// A value.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) at: Position,
    pub(super) kind: Kind,
}

/// What a value is.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// A word, quoted or not; nothing at all is an empty word.
    Text(String),
    List(Vec<Node>),
    /// Keys with their places, in the order of the file.
    Map(Vec<(String, Position, Node)>),
}

/// Why a text is no YAML.
#[derive(Debug)]
pub(super) struct Malformed {
    pub(super) at: Position,
    pub(super) message: String,
}

/// Deeper than any setting of Spring's.
const DEEPEST: usize = 64;
/// More values than any such file has, aliases followed.
const MOST: usize = 200_000;

/// The documents of a text.
pub(super) fn read(text: &str) -> Result<Vec<Node>, Malformed> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader { parser: Parser::new_from_str(text), anchors: HashMap::new(), left: MOST };
    let mut documents = Vec::new();
    while let Some((event, at)) = reader.next()? {
        match event {
            Event::Scalar(..) | Event::Alias(_) | Event::SequenceStart(..) | Event::MappingStart(..) => {
                documents.push(reader.node(event, at, 0)?);
            }
            _ => {}
        }
    }
    Ok(documents)
}

struct Reader<'t> {
    parser: Parser<'t, StrInput<'t>>,
    anchors: HashMap<usize, Node>,
    /// How many more values are taken.
    left: usize,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Result<Option<(Event<'t>, Position)>, Malformed> {
        match self.parser.next_event() {
            None => Ok(None),
            Some(Ok((event, span))) => Ok(Some((event, place(span)))),
            Some(Err(error)) => {
                let at = Position { line: error.marker().line(), col: error.marker().col() + 1 };
                Err(Malformed { at, message: format!("this is not YAML: {}", error.info()) })
            }
        }
    }

    /// The event that must come, since a collection is open.
    fn within(&mut self, at: Position) -> Result<(Event<'t>, Position), Malformed> {
        self.next()?.ok_or_else(|| Malformed { at, message: "the text ends too soon".to_owned() })
    }

    fn node(&mut self, event: Event<'t>, at: Position, depth: usize) -> Result<Node, Malformed> {
        if depth > DEEPEST {
            return Err(Malformed { at, message: "nested deeper than any setting".to_owned() });
        }
        self.spend(1, at)?;
        let (anchor, kind) = match event {
            Event::Scalar(text, style, anchor, _) => {
                let nothing = style == ScalarStyle::Plain && matches!(text.as_ref(), "~" | "null");
                (anchor, Kind::Text(if nothing { String::new() } else { text.into_owned() }))
            }
            Event::Alias(id) => {
                let known = self.anchors.get(&id).cloned();
                let mut node = known.ok_or_else(|| Malformed { at, message: "an alias of itself".to_owned() })?;
                self.spend(size(&node), at)?;
                node.at = at;
                return Ok(node);
            }
            Event::SequenceStart(anchor, _) => {
                let mut items = Vec::new();
                loop {
                    match self.within(at)? {
                        (Event::SequenceEnd, _) => break,
                        (event, at) => items.push(self.node(event, at, depth + 1)?),
                    }
                }
                (anchor, Kind::List(items))
            }
            Event::MappingStart(anchor, _) => (anchor, Kind::Map(self.entries(at, depth)?)),
            _ => (0, Kind::Text(String::new())),
        };
        let node = Node { at, kind };
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn entries(&mut self, open: Position, depth: usize) -> Result<Vec<(String, Position, Node)>, Malformed> {
        let mut entries = Vec::new();
        let mut merged = Vec::new();
        loop {
            let (key, at) = match self.within(open)? {
                (Event::MappingEnd, _) => break,
                (Event::Scalar(key, ..), at) => (key.into_owned(), at),
                (_, at) => return Err(Malformed { at, message: "a key is a word".to_owned() }),
            };
            let (event, value_at) = self.within(at)?;
            let value = self.node(event, value_at, depth + 1)?;
            match value.kind {
                Kind::Map(below) if key == "<<" => merged.extend(below),
                _ => entries.push((key, at, value)),
            }
        }
        // What is merged in stands below what is said here.
        merged.retain(|(key, ..)| entries.iter().all(|(own, ..)| own != key));
        merged.extend(entries);
        Ok(merged)
    }

    fn spend(&mut self, nodes: usize, at: Position) -> Result<(), Malformed> {
        let message = "the file is too large once its aliases are followed";
        self.left = self.left.checked_sub(nodes).ok_or_else(|| Malformed { at, message: message.to_owned() })?;
        Ok(())
    }
}

/// How many values a value is made of.
fn size(node: &Node) -> usize {
    match &node.kind {
        Kind::Text(_) => 1,
        Kind::List(items) => 1 + items.iter().map(size).sum::<usize>(),
        Kind::Map(entries) => 1 + entries.iter().map(|(_, _, value)| size(value)).sum::<usize>(),
    }
}

fn place(span: Span) -> Position {
    Position { line: span.start.line(), col: span.start.col() + 1 }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Node, read};

    fn shown(node: &Node) -> String {
        match &node.kind {
            Kind::Text(text) => text.clone(),
            Kind::List(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(" ")),
            Kind::Map(entries) => {
                let entries = entries.iter().map(|(key, _, value)| format!("{key}={}", shown(value)));
                format!("{{{}}}", entries.collect::<Vec<_>>().join(" "))
            }
        }
    }

    #[test]
    fn several_documents_with_anchors_and_merge_keys_are_read() {
        let text = "a: &x {b: 1, c: ~}\nd: {<<: *x, b: 2}\ne: [1, *x]\n---\nf: 'g'\n";
        let documents: Vec<String> = read(text).unwrap().iter().map(shown).collect();
        assert_eq!(documents, ["{a={b=1 c=} d={c= b=2} e=[1 {b=1 c=}]}", "{f=g}"]);
    }

    #[test]
    fn nothing_hostile_takes_time_or_the_stack() {
        for deep in ["- ".repeat(50_000), "[".repeat(50_000), "{a: ".repeat(50_000)] {
            assert!(read(&deep).is_err());
        }
        let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..9 {
            let below = format!("*a{},", level - 1).repeat(10);
            laughs.push_str(&format!("a{level}: &a{level} [{below}]\n"));
        }
        assert!(read(&laughs).unwrap_err().message.contains("too large"));
        assert!(read("a: *b\n").is_err());
    }
}
