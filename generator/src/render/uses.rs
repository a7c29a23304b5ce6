//! Which names printed code uses, for its imports. The text is laid out by us: one statement a line or less, text of the
//! document in comments of whole lines and in literals that stay on their line.

/// Whether a path in the code begins with this name: `types::Pet` does with `types`, a field `types` does not count.
pub(super) fn begins_path(code: &str, name: &str) -> bool {
    found(code, &format!("{name}::"))
}

/// Whether a type of this name is used.
pub(super) fn mentions(code: &str, name: &str) -> bool {
    found(code, name)
}

fn found(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| is_code(code, at) && is_whole(code, at, word))
}

/// Whether it stands alone: no part of a longer name, and not behind another name of a path.
fn is_whole(code: &str, at: usize, word: &str) -> bool {
    let is_name = |c: char| c == '_' || c.is_alphanumeric();
    let before = code.get(..at).and_then(|before| before.chars().next_back());
    let after = code.get(at + word.len()..).and_then(|after| after.chars().next());
    !before.is_some_and(|c| is_name(c) || c == ':' || c == '#') && (word.ends_with(':') || !after.is_some_and(is_name))
}

/// Whether a place is neither in a comment nor in a literal.
fn is_code(code: &str, at: usize) -> bool {
    let line = code.get(..at).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
    if line.trim_start().starts_with("//") {
        return false;
    }
    let mut in_text = false;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => in_text = !in_text,
            '\\' if in_text => {
                characters.next();
            }
            _ => {}
        }
    }
    !in_text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_head_of_a_path_needs_an_import() {
        assert!(begins_path("fn a(b: types::Pet) {}", "types"));
        assert!(begins_path("    f(Style::Form, true)", "Style"));
        assert!(!begins_path("pub types: types_of::Pet", "types"));
        assert!(!begins_path("x: types::Style::A, y: rt::wire::Style", "Style"));
        assert!(!begins_path("x: r#types::A", "types"));
    }

    #[test]
    fn text_of_the_document_is_no_code() {
        assert!(!begins_path("    /// See `types::Pet`, a BTreeMap.", "types"));
        assert!(!begins_path("f(\"\\\"types::Pet\")", "types"));
        assert!(begins_path("f(\"\\\"\", types::Pet)", "types"));
        assert!(!mentions("    /// BTreeMap", "BTreeMap"));
        assert!(!mentions("type A = MyBTreeMap; type B = BTreeMapper;", "BTreeMap"));
        assert!(mentions("pub a: BTreeMap<String, u8>,", "BTreeMap"));
    }
}
