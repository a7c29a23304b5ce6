//! Spring's view of a configuration: one flat list of properties, whether it came from YAML or from `.properties`.

use std::path::Path;

use super::yaml::{self, Kind, Node};
use crate::diagnose::{Location, Position};

/// A property, as one file gives it.
#[derive(Debug, Clone)]
pub(super) struct Property {
    /// The parts of its key, as they are written.
    pub(super) key: Vec<String>,
    /// Its value; several when it is a list.
    pub(super) values: Vec<Word>,
    /// Where it stands, with the whole key.
    pub(super) at: Location,
    /// What a comment beside it says, on its line.
    pub(super) remark: Option<String>,
    /// What comments say right above it.
    pub(super) heading: Option<String>,
}

/// A value without parts.
#[derive(Debug, Clone)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) at: Position,
}

impl Property {
    /// The only value, or the first.
    pub(super) fn text(&self) -> &str {
        self.values.first().map_or("", |word| word.text.trim())
    }

    /// The values of a list, one of words with commas between them included, each with its place.
    pub(super) fn words(&self) -> impl Iterator<Item = (&str, Location)> {
        let words = self.values.iter().flat_map(|word| word.text.split(',').map(move |part| (part.trim(), word.at)));
        words.filter(|(text, _)| !text.is_empty()).map(|(text, at)| {
            let location = Location { line: at.line, col: at.col, ..self.at.clone() };
            (text, location)
        })
    }

    /// The last part of the key.
    pub(super) fn name(&self) -> &str {
        self.key.last().map_or("", String::as_str)
    }
}

/// One document of a file.
#[derive(Debug, Default)]
pub(super) struct Document {
    pub(super) properties: Vec<Property>,
}

/// A file that cannot be read: where, and why.
#[derive(Debug)]
pub(super) struct Unreadable {
    pub(super) at: Location,
    pub(super) message: String,
}

/// The documents of a file, by the ending of its name.
pub(super) fn read(name: &str, text: &str) -> Result<Vec<Document>, Unreadable> {
    if Path::new(name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("properties")) {
        return Ok(properties(name, text));
    }
    let nodes = yaml::read(text)
        .map_err(|malformed| Unreadable { at: Location::at(name, malformed.at), message: malformed.message })?;
    let lines: Vec<&str> = text.lines().collect();
    let document = |node: &Node| {
        let mut flat = Flat { file: name, lines: &lines, found: Vec::new() };
        flat.walk(node, &[], node.at);
        Document { properties: flat.found }
    };
    Ok(nodes.iter().map(document).collect())
}

struct Flat<'a> {
    file: &'a str,
    lines: &'a [&'a str],
    found: Vec<Property>,
}

impl Flat<'_> {
    fn walk(&mut self, node: &Node, key: &[String], key_at: Position) {
        match &node.kind {
            Kind::Map(entries) => {
                for (text, at, value) in entries {
                    let mut key = key.to_vec();
                    key.extend(parts(text));
                    self.walk(value, &key, *at);
                }
            }
            Kind::Text(text) => self.add(key, key_at, node.at, vec![Word { text: text.clone(), at: node.at }]),
            Kind::List(items) => {
                let words = items.iter().filter_map(|item| match &item.kind {
                    Kind::Text(text) => Some(Word { text: text.clone(), at: item.at }),
                    Kind::List(_) | Kind::Map(_) => None,
                });
                self.add(key, key_at, node.at, words.collect());
            }
        }
    }

    fn add(&mut self, key: &[String], key_at: Position, at: Position, values: Vec<Word>) {
        let line = |number: usize| number.checked_sub(1).and_then(|index| self.lines.get(index)).copied();
        self.found.push(Property {
            key: key.to_vec(),
            values,
            at: Location::at(self.file, at).named(key.join(".")),
            remark: line(at.line).and_then(|line| beside(line, at.col)),
            heading: above(self.lines, key_at.line),
        });
    }
}

/// The parts of a key: `client.sber`, and `instances.[a.b].max-attempts` with a part that has dots.
fn parts(key: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut quoted = false;
    for character in key.chars() {
        match character {
            '[' if !quoted => {
                quoted = true;
                parts.push(String::new());
            }
            ']' if quoted => {
                quoted = false;
                parts.push(String::new());
            }
            '.' if !quoted => parts.push(String::new()),
            other => parts.iter_mut().last().into_iter().for_each(|part| part.push(other)),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The comment on a line, after the value that begins at this column.
fn beside(line: &str, col: usize) -> Option<String> {
    let rest: String = line.chars().skip(col.saturating_sub(1)).collect();
    let after = match rest.chars().next()? {
        quote @ ('"' | '\'') => rest.get(1..)?.split_once(quote)?.1.to_owned(),
        _ => rest,
    };
    let comment = after.char_indices().find(|(index, character)| {
        let before = after.get(..*index).and_then(|before| before.chars().last());
        *character == '#' && before.is_none_or(char::is_whitespace)
    });
    let text = after.get(comment?.0 + 1..)?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The comments on the lines right above a line.
fn above(lines: &[&str], line: usize) -> Option<String> {
    let before = lines.get(..line.checked_sub(1)?)?;
    let mut found: Vec<&str> =
        before.iter().rev().map_while(|line| line.trim().strip_prefix(['#', '!'])).map(str::trim).collect();
    found.reverse();
    (!found.is_empty()).then(|| found.join(" "))
}

/// A file of `key=value` lines; `#---` begins another document.
fn properties(name: &str, text: &str) -> Vec<Document> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<&str> = text.lines().collect();
    let mut documents = vec![Document::default()];
    let mut number = 0;
    while let Some(line) = lines.get(number) {
        let (first, trimmed) = (number, line.trim_start());
        number += 1;
        if matches!(trimmed.trim_end(), "#---" | "!---") {
            documents.push(Document::default());
            continue;
        }
        if trimmed.is_empty() || trimmed.starts_with(['#', '!']) {
            continue;
        }
        let mut whole = trimmed.to_owned();
        // A backslash at the end of a line continues it.
        while whole.chars().rev().take_while(|c| *c == '\\').count() % 2 == 1 {
            whole.pop();
            let Some(next) = lines.get(number) else { break };
            whole.push_str(next.trim_start());
            number += 1;
        }
        let at = Position { line: first + 1, col: line.chars().count() - trimmed.chars().count() + 1 };
        let Some(document) = documents.last_mut() else { continue };
        add_line(document, name, &whole, at, above(&lines, first + 1));
    }
    documents
}

fn add_line(document: &mut Document, file: &str, line: &str, at: Position, heading: Option<String>) {
    let (key, value) = divided(line);
    let (mut key, value) = (parts(&unescaped(key)), unescaped(value));
    // `key[0]=` is an element of a list.
    let indexed = key.last().is_some_and(|last| key.len() > 1 && last.bytes().all(|byte| byte.is_ascii_digit()));
    if indexed {
        key.pop();
    }
    let word = Word { text: value, at };
    if indexed && let Some(list) = document.properties.iter_mut().find(|property| property.key == key) {
        list.values.push(word);
        return;
    }
    let location = Location::at(file, at).named(key.join("."));
    document.properties.push(Property { key, values: vec![word], at: location, remark: None, heading });
}

/// Key and value of a line: the first `=`, `:` or white space that is not escaped stands between them.
fn divided(line: &str) -> (&str, &str) {
    let mut escaped = false;
    for (index, character) in line.char_indices() {
        match character {
            '\\' => escaped = !escaped,
            '=' | ':' | ' ' | '\t' if !escaped => {
                let (key, rest) = line.split_at(index);
                let rest = rest.trim_start();
                return (key, rest.strip_prefix(['=', ':']).unwrap_or(rest).trim_start());
            }
            _ => escaped = false,
        }
    }
    (line, "")
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n') => plain.push('\n'),
                Some('t') => plain.push('\t'),
                Some('u') => {
                    let digits: String = characters.by_ref().take(4).collect();
                    plain.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
                }
                Some(other) => plain.push(other),
                None => {}
            },
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: &str, text: &str) -> Vec<String> {
        let documents = read(name, text).unwrap();
        let properties = documents.iter().flat_map(|document| &document.properties);
        properties
            .map(|property| {
                let words: Vec<&str> = property.words().map(|(text, _)| text).collect();
                format!("{}:{} {}={}", property.at.line, property.at.col, property.key.join("/"), words.join("|"))
            })
            .collect()
    }

    #[test]
    fn nested_and_dotted_keys_are_one() {
        let text = "client.sber:\n  read-timeout: 30s\n\"[a.b]\": 1\nlist:\n  - x\n  - y\n";
        assert_eq!(shown("a.yml", text), ["2:17 client/sber/read-timeout=30s", "3:10 a.b=1", "5:3 list=x|y"]);
    }

    #[test]
    fn properties_are_read_as_java_reads_them() {
        let text = "# c\na.b = 1\nc\\:d:2\n!x\nlong=one,\\\n   two\nl[0]=x\nl[1]=y\nu=\\u0041\n";
        let wanted = ["2:1 a/b=1", "3:1 c:d=2", "5:1 long=one|two", "7:1 l=x|y", "9:1 u=A"];
        assert_eq!(shown("a.properties", text), wanted);
        assert_eq!(read("a.properties", "a=1\n#---\nb=2\n").unwrap().len(), 2);
    }

    #[test]
    fn comments_go_with_their_properties() {
        let text = "# above\n# it\na: \"x # y\" # beside\nb: c#d\n";
        let documents = read("a.yml", text).unwrap();
        let [first, second] = documents[0].properties.as_slice() else { panic!("two properties") };
        assert_eq!((first.remark.as_deref(), first.heading.as_deref()), (Some("beside"), Some("above it")));
        assert_eq!((second.text(), second.remark.as_deref(), second.heading.as_deref()), ("c#d", None, None));
    }
}
