//! Where the parts of a patched document are written.
//!
//! Overlays change the root document's value, not its text: what they put in stands in their own file, what followed
//! a removed element of a list has another index, and what they took away is still there for everyone to read. Messages
//! ask here, so that they point at the text that makes a document what it is. Only what was changed is remembered; a
//! document without overlays has nothing to remember.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::Origin;

/// What overlays changed in the root document.
#[derive(Debug, Default)]
pub struct Patches {
    root: Node,
}

/// A place of the patched document: one that changed, or one on the way to it.
#[derive(Debug, Default)]
struct Node {
    children: BTreeMap<String, Node>,
    /// Where it is written, when that is not where its parent is.
    written: Option<Written>,
    /// The keys that were taken from it, and by what.
    removed: BTreeMap<String, Origin>,
    /// What took elements from it, when it is a list.
    thinned: Option<Origin>,
}

/// Where a part of the patched document is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Written {
    /// The place.
    pub(crate) origin: Origin,
    /// Whether the parts of it are written under that place. Those of a copy are not: only the copying is.
    pub(crate) parts_follow: bool,
}

impl Node {
    fn taken(&self) -> Vec<(Option<String>, Origin)> {
        let keys = self.removed.iter().map(|(key, by)| (Some(key.clone()), by.clone()));
        keys.chain(self.thinned.iter().map(|by| (None, by.clone()))).collect()
    }
}

impl Written {
    /// A place whose parts are written under it.
    pub(crate) fn whole(origin: Origin) -> Self {
        Self { origin, parts_follow: true }
    }

    /// The place of a part.
    pub(crate) fn part(&self, token: &str) -> Self {
        let mut part = self.clone();
        if self.parts_follow {
            push_token(&mut part.origin.pointer, token);
        }
        part
    }
}

/// What is known of a place of the patched document.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// Where it is written, if not where its pointer says.
    pub(crate) origin: Option<Origin>,
    /// What was taken from it: a key, or elements of a list (`None`), and by what.
    pub(crate) taken: Vec<(Option<String>, Origin)>,
}

impl Patches {
    /// Notes where the value at a place is written now, with all its parts.
    pub(crate) fn write(&mut self, path: &[String], written: Written) {
        *self.node(path) = Node { written: Some(written), ..Node::default() };
    }

    /// Notes that a key was taken from the mapping at a place.
    pub(crate) fn remove_key(&mut self, path: &[String], key: &str, by: &Origin) {
        let node = self.node(path);
        node.children.remove(key);
        node.removed.insert(key.to_owned(), by.clone());
    }

    /// Notes that elements were taken from the list at a place, which had `length` of them.
    pub(crate) fn remove_elements(&mut self, path: &[String], length: usize, gone: &BTreeSet<usize>, by: &Origin) {
        let list = self.written(path);
        let node = self.node(path);
        node.thinned = Some(by.clone());
        let mut before = std::mem::take(&mut node.children);
        for (now, index) in (0..length).filter(|index| !gone.contains(index)).enumerate() {
            let token = index.to_string();
            let moved = (now != index).then(|| list.part(&token));
            match (before.remove(&token), moved) {
                (None, None) => {}
                (None, moved) => {
                    drop(node.children.insert(now.to_string(), Node { written: moved, ..Node::default() }))
                }
                (Some(mut element), moved) => {
                    element.written = element.written.or(moved);
                    node.children.insert(now.to_string(), element);
                }
            }
        }
    }

    /// Where the value at a place is written.
    fn written(&self, path: &[String]) -> Written {
        let mut written = Written::whole(Origin { file: 0, pointer: String::new() });
        let mut node = Some(&self.root);
        for token in path {
            node = node.and_then(|node| node.children.get(token));
            written = node.and_then(|node| node.written.clone()).unwrap_or_else(|| written.part(token));
        }
        written
    }

    /// What is known of a place of the root document.
    pub(crate) fn find(&self, pointer: &str) -> Found {
        let path = tokens(pointer);
        let mut node = Some(&self.root);
        for token in &path {
            // What an overlay took away is missing because of the overlay.
            if let Some(by) = node.and_then(|node| node.removed.get(token)) {
                return Found { origin: Some(by.clone()), taken: Vec::new() };
            }
            node = node.and_then(|node| node.children.get(token));
        }
        let origin = self.written(&path).origin;
        let origin = (origin.file != 0 || origin.pointer != pointer).then_some(origin);
        Found { origin, taken: node.map(Node::taken).unwrap_or_default() }
    }

    fn node(&mut self, path: &[String]) -> &mut Node {
        let mut node = &mut self.root;
        for token in path {
            node.removed.remove(token);
            node = node.children.entry(token.clone()).or_default();
        }
        node
    }
}

/// The tokens of a JSON pointer.
pub(crate) fn tokens(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~")).collect()
}

/// The JSON pointer of tokens.
pub(crate) fn pointer(path: &[String]) -> String {
    let mut pointer = String::new();
    for token in path {
        push_token(&mut pointer, token);
    }
    pointer
}

fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    pointer.push_str(&token.replace('~', "~0").replace('/', "~1"));
}
