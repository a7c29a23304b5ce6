//! Placeholders: `${SBER_URL:https://pay.example}`.

use std::collections::BTreeMap;

/// How deep placeholders stand within each other, and refer to one another.
const DEEPEST: usize = 16;
/// How many placeholders one value comes to, those that they refer to included.
const MOST: usize = 1000;

/// What became of a value.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Resolved {
    /// There is no placeholder in it.
    Plain,
    /// What it is, and the variables whose defaults were taken.
    Taken(String, Vec<String>),
    /// A variable has no default, and the files do not say what it is.
    Unknown(String),
}

/// Resolves the placeholders of a value. `known` are the other properties, by their plain keys.
pub(super) fn resolve(text: &str, known: &BTreeMap<String, String>) -> Resolved {
    if !text.contains("${") {
        return Resolved::Plain;
    }
    let mut filling = Filling { known, defaults: Vec::new(), left: MOST };
    match filling.fill(text, 0) {
        Ok(value) => Resolved::Taken(value, filling.defaults),
        Err(name) => Resolved::Unknown(name),
    }
}

struct Filling<'k> {
    known: &'k BTreeMap<String, String>,
    defaults: Vec<String>,
    left: usize,
}

impl Filling<'_> {
    /// The text with its placeholders filled, or the name of one that cannot be.
    fn fill(&mut self, text: &str, depth: usize) -> Result<String, String> {
        let mut value = String::new();
        let mut rest = text;
        while let Some(begin) = rest.find("${") {
            let (before, from) = rest.split_at(begin);
            value.push_str(before);
            let end = end_of(from).filter(|_| depth < DEEPEST && self.left > 0).ok_or_else(|| from.to_owned())?;
            self.left -= 1;
            let (name, default) = divided(from.get(2..end).unwrap_or_default());
            let name = self.fill(name, depth + 1)?;
            let known = self.known;
            let found = match (known.get(&super::relaxed::plain(&name)), default) {
                (Some(other), _) => self.fill(other, depth + 1)?,
                (None, Some(default)) => {
                    self.defaults.push(name);
                    self.fill(default, depth + 1)?
                }
                (None, None) => return Err(name),
            };
            value.push_str(&found);
            rest = from.get(end + 1..).unwrap_or_default();
        }
        value.push_str(rest);
        Ok(value)
    }
}

/// Where the placeholder ends that the text begins with.
fn end_of(text: &str) -> Option<usize> {
    let mut open = 0_usize;
    let bytes = text.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        match byte {
            b'{' if index > 0 && bytes.get(index - 1) == Some(&b'$') => open += 1,
            b'}' => {
                open = open.checked_sub(1)?;
                if open == 0 {
                    return Some(index);
                }
            }
            _ => {}
        }
    }
    None
}

/// Name and default: the first `:` outside of a placeholder within stands between them.
fn divided(inner: &str) -> (&str, Option<&str>) {
    let mut open = 0_usize;
    for (index, character) in inner.char_indices() {
        match character {
            '{' => open += 1,
            '}' => open = open.saturating_sub(1),
            ':' if open == 0 => return (inner.get(..index).unwrap_or(inner), inner.get(index + 1..)),
            _ => {}
        }
    }
    (inner, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_is_taken_and_told() {
        let known = BTreeMap::from([("app.host".to_owned(), "h.example".to_owned())]);
        let taken = |text: &str| resolve(text, &known);
        assert_eq!(taken("30s"), Resolved::Plain);
        assert_eq!(taken("${A:5s}"), Resolved::Taken("5s".into(), vec!["A".into()]));
        assert_eq!(
            taken("https://${app.host}/${P:x}"),
            Resolved::Taken("https://h.example/x".into(), vec!["P".into()])
        );
        assert_eq!(
            taken("${URL:https://${HOST:h}:8443}"),
            Resolved::Taken("https://h:8443".into(), vec!["URL".into(), "HOST".into()])
        );
        assert_eq!(taken("${A}"), Resolved::Unknown("A".into()));
        assert!(matches!(taken("${A:"), Resolved::Unknown(_)));
    }

    #[test]
    fn what_refers_to_itself_ends() {
        let known = BTreeMap::from([("a".to_owned(), "${b}".to_owned()), ("b".to_owned(), "${a}".to_owned())]);
        assert!(matches!(resolve("${a}", &known), Resolved::Unknown(_)));
        let wide = BTreeMap::from([("a".to_owned(), "${a}".repeat(8))]);
        assert!(matches!(resolve("${a}", &wide), Resolved::Unknown(_)));
        let level = |n: usize| (format!("l{n}"), format!("${{l{}}}", n + 1).repeat(100));
        let laughs: BTreeMap<String, String> = (0..15).map(level).chain([("l15".to_owned(), "x".to_owned())]).collect();
        assert!(matches!(resolve("${l0}", &laughs), Resolved::Unknown(_)));
    }
}
