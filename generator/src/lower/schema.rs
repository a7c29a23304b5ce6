use super::context::{Lowering, Target, any, holds_null};
use super::facets::Facets;
use super::place::Place;
use crate::model::{Origin, SchemaId, Type, TypeUse};
use crate::normalise::{Dialect, Kinds, Nulls, Strength, View};
use crate::resolve::Node;

/// A schema that is to be merged with others.
#[derive(Debug, Clone)]
pub(super) enum Part<'a> {
    /// What a schema says itself.
    Own(View<'a>),
    /// All that a referenced schema says.
    Target {
        /// The referenced schema.
        node: Node<'a>,
        /// The reference.
        at: Origin,
    },
}

impl Part<'_> {
    fn is_shape(&self) -> bool {
        match self {
            Part::Own(view) => view.strength == Strength::Shape,
            Part::Target { .. } => true,
        }
    }
}

impl<'a> Lowering<'a> {
    /// The type of an inline schema or of a reference. Each place is lowered once.
    pub(super) fn schema(&mut self, node: &Node<'a>, place: Place) -> TypeUse {
        if let Some(id) = self.known(&node.origin) {
            return TypeUse { ty: Type::Named(id), nullable: false };
        }
        if let Some(known) = self.lowered.get(&node.origin) {
            return known.clone();
        }
        let used = self.schema_into(node, place, None);
        self.lowered.insert(node.origin.clone(), used.clone());
        used
    }

    /// The type of a schema; when it needs an item, and `slot` is one, that is filled.
    pub(super) fn schema_into(&mut self, node: &Node<'a>, place: Place, slot: Option<SchemaId>) -> TypeUse {
        if !self.enter(&node.origin) {
            return any();
        }
        // What is merged outside is no concern of what stands inside.
        let gathering = std::mem::take(&mut self.gathering);
        let distributing = std::mem::take(&mut self.distributing);
        let view = self.view(node);
        let used = self.view_into(&view, place, slot);
        self.exemplify(node, &used);
        self.gathering = gathering;
        self.distributing = distributing;
        self.leave();
        used
    }

    fn view_into(&mut self, view: &View<'a>, place: Place, slot: Option<SchemaId>) -> TypeUse {
        let docs = view.docs(&mut self.findings);
        if let Some(id) = slot {
            self.describe(id, docs.clone());
        }
        if view.nulls == Nulls::Only {
            return TypeUse { ty: Type::Null, nullable: false };
        }
        if let Some(reference) = &view.reference {
            let siblings_count = self.dialect >= Dialect::V3_1;
            if view.strength == Strength::Shape && !siblings_count {
                let message = "what stands beside `$ref` has no effect in OpenAPI 3.0";
                self.findings.count("CD-REF-SIBLINGS", &view.node.origin, message, "wrap the reference in `allOf`");
            }
            if view.strength < Strength::Shape || !siblings_count {
                let nullable = view.nulls == Nulls::Allowed;
                let target = self.documents.resolve(reference, &view.node.at("$ref"), &mut self.findings);
                return target.map_or_else(any, |target| self.use_of(&target, nullable));
            }
        }
        let target = Target { place, slot, origin: view.node.origin.clone(), own: true, docs };
        if view.keywords.contains_key("discriminator")
            && let Some(used) = self.inherited_union(view, &target)
        {
            return used;
        }
        let parts = self.parts(view);
        self.merged(&parts, view.nulls, &target)
    }

    /// The use of a named schema.
    pub(super) fn use_of(&mut self, target: &Node<'a>, nullable: bool) -> TypeUse {
        TypeUse { ty: Type::Named(self.named(target)), nullable }
    }

    /// A schema taken apart: its `$ref`, its `allOf` (also those within), and what it says itself.
    pub(super) fn parts(&mut self, view: &View<'a>) -> Vec<Part<'a>> {
        let mut parts = Vec::new();
        self.collect_parts(view, &mut parts);
        parts
    }

    fn collect_parts(&mut self, view: &View<'a>, parts: &mut Vec<Part<'a>>) {
        if let Some(reference) = &view.reference {
            let at = view.node.at("$ref");
            if let Some(node) = self.documents.resolve(reference, &at, &mut self.findings) {
                parts.push(Part::Target { node, at });
            }
            if self.dialect == Dialect::V3_0 {
                return;
            }
        }
        for item in view.node.list("allOf", &mut self.findings) {
            if self.enter(&item.origin) {
                let item = self.view(&item);
                self.collect_parts(&item, parts);
                self.leave();
            }
        }
        if view.strength > Strength::Nothing {
            parts.push(Part::Own(view.clone()));
        }
    }

    pub(super) fn gather_part(&mut self, facets: &mut Facets<'a>, part: &Part<'a>, owner: Option<SchemaId>) {
        match part {
            Part::Own(view) => self.gather(facets, view, owner, owner.is_some()),
            Part::Target { node, at } => self.gather_target(facets, node, at),
        }
    }

    /// The type of parts that hold together. `nulls` is what the whole says of null.
    pub(super) fn merged(&mut self, parts: &[Part<'a>], nulls: Nulls, target: &Target) -> TypeUse {
        let nullable = self.merged_nullable(parts, nulls);
        self.gathering.push(target.origin.clone());
        let mut shapes = parts.iter().filter(|part| part.is_shape());
        if let (Some(Part::Target { node, .. }), None) = (shapes.next(), shapes.next())
            && (target.slot.is_none() || !self.is_heir_of(node))
        {
            self.gathering.pop();
            return self.use_of(node, nullable);
        }
        let mut facets = Facets::default();
        for part in parts {
            self.gather_part(&mut facets, part, None);
        }
        let used = self.decide(facets, target);
        self.gathering.pop();
        let nullable = nullable || used.nullable;
        let used = TypeUse { nullable: nullable && !holds_null(&used.ty), ..used };
        if let Type::Named(id) = used.ty {
            self.admit_null(id, target, nullable);
        }
        used
    }

    /// An item made for this target alone admits null when the schema does.
    fn admit_null(&mut self, id: SchemaId, target: &Target, nullable: bool) {
        if let Some(def) = self.schemas.get_mut(id.index())
            && def.origin == target.origin
        {
            def.nullable |= nullable;
        }
    }

    /// `nullable` beside `allOf` opens the whole, as everybody means it; else every part must admit null.
    fn merged_nullable(&mut self, parts: &[Part<'a>], nulls: Nulls) -> bool {
        match nulls {
            Nulls::Allowed | Nulls::Only => return true,
            Nulls::Refused => return false,
            Nulls::Unsaid => {}
        }
        let opened = parts.iter().any(|part| {
            matches!(part, Part::Own(view) if view.nulls == Nulls::Allowed && view.strength == Strength::Hint && !view.is_typed())
        });
        let mut shapes = parts.iter().filter(|part| part.is_shape()).peekable();
        opened || (shapes.peek().is_some() && shapes.all(|part| self.part_admits_null(part)))
    }

    fn part_admits_null(&mut self, part: &Part<'a>) -> bool {
        match part {
            Part::Own(view) => view.nulls == Nulls::Allowed,
            Part::Target { node, .. } => {
                let target = self.unified(node);
                self.view(&target).nulls == Nulls::Allowed
            }
        }
    }

    /// The type that gathered facets describe.
    pub(super) fn decide(&mut self, mut facets: Facets<'a>, target: &Target) -> TypeUse {
        if let Some(listed) = facets.listed.take() {
            return self.listed(&listed, &facets, target);
        }
        self.drop_constraint_unions(&mut facets);
        if !facets.unions.is_empty() {
            return self.union(facets, target);
        }
        let kinds = facets.kinds();
        if kinds == Kinds::ALL {
            return any();
        }
        match kinds.list().as_slice() {
            [] => TypeUse { ty: Type::Null, nullable: false },
            [only] => TypeUse { ty: self.of_kind(*only, &facets, target), nullable: false },
            several => self.union_of_kinds(several, &facets, target),
        }
    }

    /// The type of a property or parameter that several schemas describe at once.
    pub(super) fn schemas_at_once(&mut self, nodes: &[Node<'a>], place: Place) -> TypeUse {
        let Some(last) = nodes.last() else { return any() };
        if nodes.len() == 1 {
            return self.schema(last, place);
        }
        if !self.enter(&last.origin) {
            return any();
        }
        let views: Vec<_> = nodes.iter().map(|node| self.view(node)).collect();
        let mut parts = Vec::new();
        for view in &views {
            self.collect_parts(view, &mut parts);
        }
        // Null must be admitted by each.
        let nulls = if views.iter().all(|view| view.nulls == Nulls::Allowed) {
            Nulls::Allowed
        } else if views.iter().any(|view| view.nulls == Nulls::Refused) {
            Nulls::Refused
        } else {
            Nulls::Unsaid
        };
        let docs = views.last().map(|view| view.docs(&mut self.findings)).unwrap_or_default();
        let gathering = std::mem::take(&mut self.gathering);
        let target = Target { place, slot: None, origin: last.origin.clone(), own: false, docs };
        let used = self.merged(&parts, nulls, &target);
        self.gathering = gathering;
        self.leave();
        for node in nodes {
            self.exemplify(node, &used);
        }
        used
    }
}
