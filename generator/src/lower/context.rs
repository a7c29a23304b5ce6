use std::collections::{HashMap, HashSet, VecDeque};

use indexmap::IndexMap;

use super::place::Place;
use crate::model::{Docs, NameSource, Origin, SchemaDef, SchemaId, SchemaKind, Type, TypeUse};
use crate::normalise::{Dialect, View};
use crate::project::TypeMapping;
use crate::resolve::{Documents, Findings, Node};

/// How deep schemas may stand inside each other, by nesting or through `allOf`. Beyond it the stack would not hold.
const DEEPEST: usize = 100;

/// The state of one lowering: the arena that grows, and what was seen already.
pub(super) struct Lowering<'a> {
    pub(super) documents: &'a Documents,
    pub(super) findings: Findings<'a>,
    pub(super) dialect: Dialect,
    /// The arena; index = [`SchemaId`].
    pub(super) schemas: Vec<SchemaDef>,
    /// Schemas that have an item of their own, by where they are written.
    ids: HashMap<Origin, SchemaId>,
    /// Inline schemas that were lowered.
    pub(super) lowered: HashMap<Origin, TypeUse>,
    /// Schemas that give examples, with the types of what they describe.
    pub(super) exemplified: IndexMap<Origin, TypeUse>,
    /// Named schemas that are still to be lowered.
    queue: VecDeque<(SchemaId, Node<'a>)>,
    /// Schemas whose keywords were surveyed.
    surveyed: HashSet<Origin>,
    /// Schemas being merged into the one at hand, to find `allOf` cycles.
    pub(super) gathering: Vec<Origin>,
    /// Unions being distributed over their base: in there a way back to the base is no cycle.
    pub(super) distributing: usize,
    /// Schemas that name the given one in `allOf`, in document order; built when first asked for.
    pub(super) heirs: Option<HashMap<Origin, Vec<Node<'a>>>>,
    /// Branches whose tag is the schema's name for want of anything better.
    pub(super) implied_tags: HashSet<(SchemaId, usize)>,
    depth: usize,
    /// Types of the project's own for formats.
    pub(super) formats: &'a [TypeMapping],
}

/// Where the result of a lowering goes when it needs an item of its own.
pub(super) struct Target {
    /// The words its name is made of, and those of what stands inside it.
    pub(super) place: Place,
    /// The item that waits for it, when it is a named schema.
    pub(super) slot: Option<SchemaId>,
    /// Where it is written.
    pub(super) origin: Origin,
    /// Whether that place means this schema alone, so that references to it lead here. Not so for a merged one.
    pub(super) own: bool,
    pub(super) docs: Docs,
}

impl<'a> Lowering<'a> {
    pub(super) fn new(
        documents: &'a Documents,
        findings: Findings<'a>,
        dialect: Dialect,
        formats: &'a [TypeMapping],
    ) -> Self {
        Self {
            documents,
            findings,
            dialect,
            schemas: Vec::new(),
            ids: HashMap::new(),
            lowered: HashMap::new(),
            exemplified: IndexMap::new(),
            queue: VecDeque::new(),
            surveyed: HashSet::new(),
            gathering: Vec::new(),
            distributing: 0,
            heirs: None,
            implied_tags: HashSet::new(),
            depth: 0,
            formats,
        }
    }

    /// A view over a schema; its keywords are surveyed the first time.
    pub(super) fn view(&mut self, node: &Node<'a>) -> View<'a> {
        let view = View::read(node, self.dialect, &mut self.findings);
        if !self.surveyed.contains(&node.origin) {
            self.surveyed.insert(node.origin.clone());
            view.survey(&mut self.findings);
        }
        view
    }

    /// Keeps a thing that is not purely a schema from being surveyed as one.
    pub(super) fn skip_survey(&mut self, node: &Node<'a>) {
        self.surveyed.insert(node.origin.clone());
    }

    /// The item of a schema that is referred to; it is lowered when its turn comes.
    pub(super) fn named(&mut self, target: &Node<'a>) -> SchemaId {
        let target = self.unified(target);
        if let Some(id) = self.ids.get(&target.origin) {
            return *id;
        }
        let name = self.name_of(&target.origin);
        let id = self.reserve(target.origin.clone(), name, true, Docs::default());
        self.queue.push_back((id, target));
        id
    }

    /// The item at a place, if it has one.
    pub(super) fn known(&self, origin: &Origin) -> Option<SchemaId> {
        self.ids.get(origin).copied()
    }

    /// A component that is nothing but a reference to a schema of the same name in another file is that schema:
    /// documents split in files are full of them.
    pub(super) fn unified(&mut self, target: &Node<'a>) -> Node<'a> {
        let mut current = target.clone();
        let mut seen = HashSet::new();
        while seen.insert(current.origin.clone()) {
            let Some(map) = current.value.as_object().filter(|map| map.len() == 1) else { break };
            let Some(reference) = map.get("$ref").and_then(|reference| reference.as_str()) else { break };
            if reference.starts_with('#') {
                break;
            }
            let Some(next) = self.documents.resolve(reference, &current.at("$ref"), &mut self.findings) else { break };
            if self.last_word(&next.origin) != self.last_word(&current.origin) {
                break;
            }
            current = next;
        }
        current
    }

    /// Lowers what waits, and what that makes wait.
    pub(super) fn drain(&mut self) {
        while let Some((id, node)) = self.queue.pop_front() {
            let place = Place::of_schema(id);
            let used = self.schema_into(&node, place, Some(id));
            let filled = !matches!(self.schemas.get(id.index()).map(|def| &def.kind), Some(SchemaKind::Alias(_)));
            if used.ty != Type::Named(id) || !filled {
                let alias = TypeUse { ty: used.ty, nullable: false };
                self.fill(id, SchemaKind::Alias(alias), used.nullable);
            }
        }
    }

    /// Makes room for an item. Until it is filled it stands for any value.
    pub(super) fn reserve(&mut self, origin: Origin, name: NameSource, own: bool, docs: Docs) -> SchemaId {
        // More than u32::MAX schemas do not fit in memory.
        let id = SchemaId(u32::try_from(self.schemas.len()).unwrap_or(u32::MAX));
        if own {
            self.ids.insert(origin.clone(), id);
        }
        let kind = SchemaKind::Alias(TypeUse { ty: Type::Any, nullable: false });
        self.schemas.push(SchemaDef { id, origin, name, docs, kind, nullable: false });
        id
    }

    /// The item that a target's result goes to.
    pub(super) fn item(&mut self, target: &Target) -> SchemaId {
        match target.slot {
            Some(id) => id,
            None => self.reserve(target.origin.clone(), target.place.name(), target.own, target.docs.clone()),
        }
    }

    /// Takes back an item that turned out not to be needed, if nothing was reserved since.
    pub(super) fn unreserve(&mut self, id: SchemaId, target: &Target) -> bool {
        let last = target.slot.is_none() && id.index() + 1 == self.schemas.len();
        if last {
            self.schemas.pop();
            if target.own {
                self.ids.remove(&target.origin);
            }
        }
        last
    }

    pub(super) fn fill(&mut self, id: SchemaId, kind: SchemaKind, nullable: bool) {
        if let Some(def) = self.schemas.get_mut(id.index()) {
            def.kind = kind;
            def.nullable = nullable;
        }
    }

    /// Documents an item, without overwriting what is said already.
    pub(super) fn describe(&mut self, id: SchemaId, docs: Docs) {
        let Some(def) = self.schemas.get_mut(id.index()) else { return };
        def.docs.deprecated |= docs.deprecated;
        if def.docs.summary.is_none() {
            def.docs.summary = docs.summary;
        }
        if def.docs.description.is_none() {
            def.docs.description = docs.description;
        }
    }

    /// Goes one level deeper, or tells that it is too deep.
    pub(super) fn enter(&mut self, at: &Origin) -> bool {
        if self.depth >= DEEPEST {
            let message = format!("schemas stand more than {DEEPEST} levels deep in each other here");
            self.findings.error("CD-TOO-DEEP", at, message, "name the inner ones in `components/schemas`");
            return false;
        }
        self.depth += 1;
        true
    }

    pub(super) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }
}

/// Any value: for what says nothing, and for what could not be read.
pub(super) fn any() -> TypeUse {
    TypeUse { ty: Type::Any, nullable: false }
}

/// Whether a type holds `null` itself, so that a use of it is never nullable besides.
pub(super) fn holds_null(ty: &Type) -> bool {
    matches!(ty, Type::Any | Type::Null)
}
