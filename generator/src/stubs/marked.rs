//! Stubs at a place that a team marked in a file of its own. Everything else in the file stays byte for byte.

use std::collections::BTreeSet;

/// The line that marks where implementations of `Mapping` and their functions go.
pub const MAPPINGS_MARK: &str = "// cofferdam: mappings";

/// The line that marks where domain types go.
pub const TYPES_MARK: &str = "// cofferdam: types";

/// How often a mark stands in a text, alone on a line that is not indented.
#[must_use]
pub fn marks(text: &str, mark: &str) -> usize {
    text.lines().filter(|line| line.trim_end() == mark).count()
}

/// The text with an addition before the line of a mark. `None` where there is no mark.
#[must_use]
pub fn insert(text: &str, mark: &str, addition: &str) -> Option<String> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_end() == mark {
            let (before, after) = text.split_at(at);
            let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
            let added: String = addition.trim().lines().map(|line| format!("{line}{end}")).collect();
            let is_apart = before.is_empty() || before.ends_with("\n\n") || before.ends_with("\r\n\r\n");
            return Some(format!("{before}{}{added}{end}{after}", if is_apart { "" } else { end }));
        }
        at += line.len();
    }
    None
}

/// Those of some `use` items that a file lacks, one name each. `depth` is how many modules the file stands below the one that
/// they are written for.
#[must_use]
pub fn missing_imports(imports: &[String], text: &str, depth: usize) -> Vec<String> {
    let Ok(file) = syn::parse_file(text) else { return Vec::new() };
    let mut known = BTreeSet::new();
    for item in &file.items {
        match item {
            syn::Item::Use(item) => leaves("", &item.tree, &mut |_, name| known.extend([name.to_owned()])),
            syn::Item::Struct(item) => known.extend([item.ident.to_string()]),
            syn::Item::Mod(item) => known.extend([item.ident.to_string()]),
            _ => {}
        }
    }
    let mut missing = Vec::new();
    for import in imports.iter().filter_map(|line| syn::parse_str::<syn::ItemUse>(line).ok()) {
        leaves("", &import.tree, &mut |path, name| {
            if known.insert(name.to_owned()) {
                let up = if path.starts_with("super::") { "super::".repeat(depth) } else { String::new() };
                missing.push(format!("use {up}{path};"));
            }
        });
    }
    missing
}

/// Each name that a `use` brings, with its whole path.
fn leaves(before: &str, tree: &syn::UseTree, each: &mut dyn FnMut(&str, &str)) {
    match tree {
        syn::UseTree::Path(path) => leaves(&format!("{before}{}::", path.ident), &path.tree, each),
        syn::UseTree::Name(name) => each(&format!("{before}{}", name.ident), &name.ident.to_string()),
        syn::UseTree::Rename(one) => {
            each(&format!("{before}{} as {}", one.ident, one.rename), &one.rename.to_string());
        }
        syn::UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(before, tree, each)),
        syn::UseTree::Glob(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn additions_stand_before_the_mark_and_nothing_else_moves() {
        let text = "use a;\n\nfn b() {}\n// cofferdam: mappings\n\nmod tests {\n    // cofferdam: mappings\n}\n";
        assert_eq!(marks(text, MAPPINGS_MARK), 1);
        let once = insert(text, MAPPINGS_MARK, "\nfn c() {}\n").unwrap();
        assert_eq!(once, text.replacen("// cof", "\nfn c() {}\n\n// cof", 1));
        let twice = insert(&once, MAPPINGS_MARK, "fn d() {}").unwrap();
        assert_eq!(twice, once.replacen("// cof", "fn d() {}\n\n// cof", 1));
        assert_eq!(
            insert("a\r\n// cofferdam: types", TYPES_MARK, "b\nc").unwrap(),
            "a\r\n\r\nb\r\nc\r\n\r\n// cofferdam: types"
        );
        assert_eq!(insert(text, TYPES_MARK, "x"), None);
    }

    #[test]
    fn only_names_that_a_file_lacks_are_imported() {
        let imports = [
            "use std::convert::Infallible;",
            "",
            "use rt::{Mapping, Refusal};",
            "use super::{domain, generated::types};",
        ];
        let text = "use rt::Mapping;\nuse super::domain as domain;\nstruct Infallible;";
        let missing = missing_imports(&imports.map(str::to_owned), text, 1);
        assert_eq!(missing, ["use rt::Refusal;", "use super::super::generated::types;"]);
    }
}
