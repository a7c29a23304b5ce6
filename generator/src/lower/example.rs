use super::context::Lowering;
use crate::model::TypeUse;
use crate::resolve::Node;

/// The keywords of a schema that give a value.
const GIVING: [&str; 3] = ["example", "examples", "default"];

/// How deep parts of an `allOf` may lie in each other for their examples to be found.
const PARTS_WITHIN: usize = 4;

impl<'a> Lowering<'a> {
    /// Remembers the type of a schema that gives an example or a default. What a part of its `allOf` gives is an example
    /// of the whole. The first type that a schema is read as counts.
    pub(super) fn exemplify(&mut self, node: &Node<'a>, used: &TypeUse) {
        self.exemplify_within(node, used, PARTS_WITHIN);
    }

    fn exemplify_within(&mut self, node: &Node<'a>, used: &TypeUse, within: usize) {
        let Some(keywords) = node.value.as_object() else { return };
        if GIVING.iter().any(|key| keywords.contains_key(*key)) && !self.exemplified.contains_key(&node.origin) {
            self.exemplified.insert(node.origin.clone(), used.clone());
        }
        let Some(within) = within.checked_sub(1) else { return };
        if keywords.contains_key("allOf") {
            for part in node.list("allOf", &mut self.findings) {
                self.exemplify_within(&part, used, within);
            }
        }
    }
}
