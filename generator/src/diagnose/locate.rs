//! From a JSON pointer to a line and a column.

use std::collections::HashMap;

use super::Position;
use super::events::{Item, Items, softened};
use super::json::{self, Token};

/// Which end of `key: value` is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// The value; of a block mapping or sequence, which begins on a line of its own, the key that introduces it.
    Value,
    /// The key.
    Key,
}

/// A place to be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Query<'a> {
    /// A JSON pointer into the document.
    pub pointer: &'a str,
    /// Which end of it.
    pub target: Target,
}

/// Finds places in a text, all in one reading. A pointer that leads nowhere (or through an alias or a merge key) gives
/// the nearest place on its way that exists. `None`: the text cannot be read so far.
#[must_use]
pub fn locate(text: &str, queries: &[Query<'_>]) -> Vec<Option<Position>> {
    let mut trie = Trie::default();
    let nodes: Vec<usize> = queries.iter().map(|query| trie.insert(query.pointer)).collect();
    let unseen = trie.nodes.iter().filter(|node| node.wanted).count();
    // What is JSON is read as such: that takes a fraction of the time.
    let is_read = {
        let mut json = Walk { trie: &mut trie, open: Vec::new(), unseen };
        text.trim_start().starts_with(['{', '[']) && json.run_json(text).is_some()
    };
    if !is_read {
        trie.forget();
        Walk { trie: &mut trie, open: Vec::new(), unseen }.run(&softened(text));
    }
    queries.iter().zip(nodes).map(|(query, node)| trie.position(node, query.target)).collect()
}

/// The pointers looked for, as a tree of their tokens: at a mapping only the wanted keys matter.
struct Trie {
    nodes: Vec<Node>,
}

#[derive(Default)]
struct Node {
    parent: Option<usize>,
    children: HashMap<String, usize>,
    wanted: bool,
    key: Option<Position>,
    value: Option<Position>,
}

impl Default for Trie {
    fn default() -> Self {
        Self { nodes: vec![Node::default()] }
    }
}

impl Trie {
    fn insert(&mut self, pointer: &str) -> usize {
        let mut at = 0;
        for token in pointer.split('/').skip(1) {
            let token = token.replace("~1", "/").replace("~0", "~");
            at = match self.child(Some(at), &token) {
                Some(child) => child,
                None => self.add(at, token),
            };
        }
        if let Some(node) = self.nodes.get_mut(at) {
            node.wanted = true;
        }
        at
    }

    fn add(&mut self, parent: usize, token: String) -> usize {
        let id = self.nodes.len();
        self.nodes.push(Node { parent: Some(parent), ..Node::default() });
        if let Some(node) = self.nodes.get_mut(parent) {
            node.children.insert(token, id);
        }
        id
    }

    /// Forgets what a reading found that did not come to its end.
    fn forget(&mut self) {
        for node in &mut self.nodes {
            (node.key, node.value) = (None, None);
        }
    }

    fn child(&self, node: Option<usize>, token: &str) -> Option<usize> {
        self.nodes.get(node?)?.children.get(token).copied()
    }

    fn position(&self, node: usize, target: Target) -> Option<Position> {
        let mut at = self.nodes.get(node);
        if let (Target::Key, Some(Node { key: Some(key), .. })) = (target, at) {
            return Some(*key);
        }
        loop {
            let node = at?;
            if node.value.is_some() {
                return node.value;
            }
            at = self.nodes.get(node.parent?);
        }
    }
}

/// One reading of the text.
struct Walk<'a> {
    trie: &'a mut Trie,
    open: Vec<Frame>,
    /// How many wanted places were not met yet: the reading stops with the last.
    unseen: usize,
}

/// What a value looks like, as far as its place goes.
#[derive(Clone, Copy)]
enum Shape {
    /// It has a place of its own.
    Scalar,
    /// Where it is a block, it begins with its first child: its key introduces it better.
    Collection,
    /// `key:` and no more.
    Nothing,
}

/// An open collection: the trie's node for it, and for the value that comes next.
struct Frame {
    node: Option<usize>,
    next: Option<usize>,
    /// The index of the next element, in a sequence.
    index: Option<usize>,
}

impl Walk<'_> {
    fn run(mut self, text: &str) {
        let mut documents = 0;
        for item in Items::new(text) {
            match item {
                Item::Document(_) => documents += 1,
                Item::Key { text, at } => self.key(&text, at),
                Item::Scalar { text, at, plain, .. } => {
                    let shape = if plain && text.is_empty() { Shape::Nothing } else { Shape::Scalar };
                    self.value(at, shape);
                }
                Item::Alias { at } => {
                    self.value(at, Shape::Scalar);
                }
                Item::Open { mapping, at, .. } => {
                    let node = self.value(at, Shape::Collection);
                    self.open.push(Frame { node, next: None, index: (!mapping).then_some(0) });
                }
                Item::Close => {
                    self.open.pop();
                }
            }
            if self.unseen == 0 || documents > 1 {
                return;
            }
        }
    }

    /// The same for JSON; `None` where the text is none.
    fn run_json(&mut self, text: &str) -> Option<()> {
        for token in json::Tokens::new(text) {
            match token? {
                Token::Key { text, at } => self.key(&text, at),
                Token::Scalar { at } => {
                    self.value(at, Shape::Scalar);
                }
                Token::Open { mapping, at } => {
                    let node = self.value(at, Shape::Collection);
                    self.open.push(Frame { node, next: None, index: (!mapping).then_some(0) });
                }
                Token::Close => {
                    self.open.pop();
                }
            }
            if self.unseen == 0 {
                break;
            }
        }
        Some(())
    }

    fn key(&mut self, text: &str, at: Position) {
        let Some(frame) = self.open.last_mut() else { return };
        frame.next = self.trie.child(frame.node, text);
        if let Some(node) = frame.next.and_then(|id| self.trie.nodes.get_mut(id)) {
            node.key.get_or_insert(at);
        }
    }

    /// Notes a value, and gives its node.
    fn value(&mut self, at: Position, shape: Shape) -> Option<usize> {
        let id = match self.open.last_mut() {
            None => Some(0),
            Some(Frame { node, index: Some(index), .. }) => {
                let child = node.and_then(|node| self.trie.child(Some(node), &index.to_string()));
                *index += 1;
                child
            }
            Some(Frame { next, .. }) => next.take(),
        };
        if let Some(node) = id.and_then(|id| self.trie.nodes.get_mut(id)).filter(|node| node.value.is_none()) {
            self.unseen -= usize::from(node.wanted);
            let introduced = node.key.filter(|key| match shape {
                Shape::Scalar => false,
                Shape::Collection => key.line != at.line,
                Shape::Nothing => true,
            });
            node.value = Some(introduced.unwrap_or(at));
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use super::{Query, Target, locate};

    fn at(text: &str, pointer: &str, target: Target) -> Option<(usize, usize)> {
        let found = locate(text, &[Query { pointer, target }]);
        found.first().copied().flatten().map(|position| (position.line, position.col))
    }

    const YAML: &str = "\
openapi: 3.0.3
paths:
  /a/b:
    get:
      operationId: fetch
      tags: [x, y]
      responses:
        200: {description: ok}
        '404':
          description: |
            not
            there
x-empty:
x-list:
  - one
  - two: 2
";

    #[test]
    fn a_scalar_or_flow_value_is_where_it_begins() {
        assert_eq!(at(YAML, "/paths/~1a~1b/get/operationId", Target::Value), Some((5, 20)));
        assert_eq!(at(YAML, "/paths/~1a~1b/get/operationId", Target::Key), Some((5, 7)));
        assert_eq!(at(YAML, "/paths/~1a~1b/get/tags/1", Target::Value), Some((6, 17)));
        assert_eq!(at(YAML, "/paths/~1a~1b/get/responses/200", Target::Value), Some((8, 14)));
        assert_eq!(at(YAML, "/x-list/1/two", Target::Value), Some((16, 10)));
    }

    #[test]
    fn a_block_is_where_its_key_is() {
        assert_eq!(at(YAML, "/paths/~1a~1b/get", Target::Value), Some((4, 5)));
        assert_eq!(at(YAML, "/x-empty", Target::Value), Some((13, 1)));
        assert_eq!(at(YAML, "/x-list/0", Target::Value), Some((15, 5)));
        assert_eq!(at(YAML, "", Target::Value), Some((1, 1)));
    }

    #[test]
    fn a_pointer_that_leads_nowhere_gives_the_nearest_place() {
        assert_eq!(at(YAML, "/paths/~1a~1b/get/responses/500/content", Target::Value), Some((7, 7)));
        assert_eq!(at(YAML, "/paths/~1a~1b/get/responses/500", Target::Key), Some((7, 7)));
        assert_eq!(at(YAML, "/nothing", Target::Value), Some((1, 1)));
        assert_eq!(at("{ nonsense", "/a/b", Target::Value), Some((1, 1)));
        assert_eq!(at("", "/a/b", Target::Value), None);
    }

    #[test]
    fn many_places_are_found_in_one_reading() {
        let pointers = ["/x-list/0", "/openapi", "/x-list/0", "/paths/~1a~1b/get/tags"];
        let queries = pointers.map(|pointer| Query { pointer, target: Target::Value });
        let lines: Vec<_> = locate(YAML, &queries).into_iter().map(|at| at.map(|at| at.line)).collect();
        assert_eq!(lines, [Some(15), Some(1), Some(15), Some(6)]);
    }

    #[test]
    fn json_with_tabs_and_surrogate_pairs_is_located() {
        let text = "{\n\t\"a\": \"\\ud83d\\ude00\",\n\t\"b\": {\"c\": [1, 2]}\n}";
        assert_eq!(at(text, "/b/c/1", Target::Value), Some((3, 17)));
        assert_eq!(at(text, "/b", Target::Key), Some((3, 2)));
    }

    #[test]
    fn keys_that_are_no_scalars_do_not_shift_what_follows() {
        let text = "? [a, {b: c}]\n: 1\nd: 2\n*x : 3\n";
        assert_eq!(at(text, "/d", Target::Value), Some((3, 4)));
    }

    #[test]
    fn nesting_without_end_is_harmless() {
        assert_eq!(at(&"[".repeat(100_000), "/0/0", Target::Value), Some((1, 3)));
        assert_eq!(at(&"- ".repeat(20_000), "/0/1", Target::Value), Some((1, 3)));
    }
}
