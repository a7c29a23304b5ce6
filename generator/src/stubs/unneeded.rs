//! What was written for operations that are not there any more.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;

/// An implementation or function that nothing needs any more.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unneeded {
    /// The file that it stands in.
    pub file: PathBuf,
    /// `Mapping<operations::Refund>`, or the name of a function.
    pub name: String,
}

/// Finds what only operations needed that are gone: their implementations, and the conversions that nothing else calls.
///
/// `markers` are the types of the operations that are there. A file that is no Rust says nothing.
#[must_use]
pub fn unneeded(files: &[(PathBuf, String)], markers: &BTreeSet<String>) -> Vec<Unneeded> {
    let mut units = Vec::new();
    for (path, text) in files {
        if let Ok(file) = syn::parse_file(text) {
            take_in(path, &file.items, &mut units);
        }
    }
    let mut live: BTreeSet<String> = BTreeSet::new();
    let is_root = |unit: &Unit| match &unit.is {
        Is::Mapping(marker) => markers.contains(marker),
        Is::Function(name) => !is_conversion(name),
        Is::Other => true,
    };
    // What is called by what is needed is needed: so often as functions call each other, and no more often.
    loop {
        let before = live.len();
        for unit in &units {
            let is_needed = is_root(unit) || matches!(&unit.is, Is::Function(name) if live.contains(name));
            if is_needed {
                live.extend(unit.uses.iter().cloned());
            }
        }
        if live.len() == before {
            break;
        }
    }
    let name = |unit: &Unit| match &unit.is {
        Is::Mapping(marker) => (!markers.contains(marker)).then(|| format!("Mapping<operations::{marker}>")),
        Is::Function(name) => (is_conversion(name) && !live.contains(name)).then(|| name.clone()),
        Is::Other => None,
    };
    units.iter().filter_map(|unit| Some(Unneeded { file: unit.file.clone(), name: name(unit)? })).collect()
}

/// Whether a function is called as the stubs call what converts a type.
fn is_conversion(name: &str) -> bool {
    name.ends_with("_to_wire") || name.ends_with("_from_wire")
}

struct Unit {
    file: PathBuf,
    is: Is,
    uses: BTreeSet<String>,
}

enum Is {
    Mapping(String),
    Function(String),
    Other,
}

fn take_in(path: &Path, items: &[syn::Item], units: &mut Vec<Unit>) {
    for item in items {
        if let syn::Item::Mod(module) = item
            && let Some((_, items)) = &module.content
        {
            take_in(path, items, units);
            continue;
        }
        let mut words = Words::default();
        words.visit_item(item);
        let is = match item {
            syn::Item::Impl(item) => super::existing::mapped_operation(item).map_or(Is::Other, Is::Mapping),
            syn::Item::Fn(item) => Is::Function(item.sig.ident.to_string()),
            _ => Is::Other,
        };
        // Who imports a function does not call it.
        let uses = if matches!(item, syn::Item::Use(_)) { BTreeSet::new() } else { words.0 };
        units.push(Unit { file: path.to_owned(), is, uses });
    }
}

/// The last words of all paths within an item.
#[derive(Default)]
struct Words(BTreeSet<String>);

impl Words {
    fn take_in(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(word) => self.0.extend([word.to_string()]),
                TokenTree::Group(group) => self.take_in(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Words {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.0.extend(path.segments.last().map(|segment| segment.ident.to_string()));
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        self.take_in(called.tokens.clone());
        syn::visit::visit_macro(self, called);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_a_gone_operation_needed_is_found() {
        let mapper = "use super::more::helper_to_wire;
            impl Mapping<operations::Pay> for M { fn a() { both_to_wire(1); vec![in_macro_to_wire(2)]; } }
            impl Mapping<operations::Refund> for M { fn a() { both_to_wire(1); refund_to_wire(2) } }
            fn both_to_wire() { inner_from_wire() }
            fn refund_to_wire() { deep_to_wire() }
            fn deep_to_wire() { refund_to_wire() }
            fn inner_from_wire() {} fn in_macro_to_wire() {} fn health() { asked_from_wire() } fn asked_from_wire() {}
            mod inner { fn lone_from_wire() {} }";
        let files = [(PathBuf::from("mapper.rs"), mapper.to_owned()), (PathBuf::from("bad.rs"), "fn (".to_owned())];
        let found = unneeded(&files, &BTreeSet::from(["Pay".to_owned()]));
        let names: Vec<&str> = found.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["Mapping<operations::Refund>", "refund_to_wire", "deep_to_wire", "lone_from_wire"]);
        assert!(unneeded(&files[..1], &["Pay", "Refund"].map(str::to_owned).into()).len() == 1);
    }
}
