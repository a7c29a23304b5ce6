//! Discriminators: the tags of a union's branches, and parents that stand for those that inherit from them.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;
use serde_json::Value;

use super::context::{Lowering, Target};
use super::facets::Facets;
use super::place::Place;
use crate::model::{Branch, Discriminator, Origin, SchemaId, SchemaKind, Type, TypeUse, UnionKind};
use crate::normalise::{Nulls, View};
use crate::resolve::{Node, did_you_mean, pointer};

/// How far inheritance is followed.
const GENERATIONS: usize = 32;

impl<'a> Lowering<'a> {
    /// Reads a discriminator and gives the branches their tags: those of the mapping, else the schema's own name.
    /// `targets` are the places of the branches that are references.
    pub(super) fn tags(
        &mut self,
        node: &Node<'a>,
        branches: &mut [Branch],
        targets: &[Option<Origin>],
        id: SchemaId,
    ) -> Option<Discriminator> {
        let read: openapiv3::Discriminator = node.typed("a discriminator", &mut self.findings)?;
        for (tag, target) in self.mapping(node, &read.mapping) {
            match targets.iter().position(|place| place.as_ref() == Some(&target.origin)) {
                Some(index) => {
                    if let Some(branch) = branches.get_mut(index) {
                        branch.tags.push(tag.to_owned());
                    }
                }
                None => {
                    let message = format!("the mapping of `{tag}` leads to a schema that is none of the alternatives");
                    self.findings.warning("CD-MAPPING", &node.at("mapping"), message, "add it to them, or remove it");
                }
            }
        }
        for (index, (branch, target)) in branches.iter_mut().zip(targets).enumerate() {
            if branch.tags.is_empty() {
                if let Some(target) = target {
                    branch.tags.push(self.last_word(target));
                }
                self.implied_tags.insert((id, index));
            }
        }
        let default = self.default_branch(node, targets);
        Some(Discriminator { property: read.property_name, default })
    }

    /// 3.2's `defaultMapping`.
    fn default_branch(&mut self, node: &Node<'a>, targets: &[Option<Origin>]) -> Option<usize> {
        let reference = node.text("defaultMapping", &mut self.findings)?;
        let target = self.mapped(reference, &node.at("defaultMapping"))?;
        targets.iter().position(|place| place.as_ref() == Some(&target.origin))
    }

    fn mapping<'m>(&mut self, node: &Node<'a>, mapping: &'m IndexMap<String, String>) -> Vec<(&'m str, Node<'a>)> {
        let mut targets = Vec::new();
        for (tag, reference) in mapping {
            let at = Origin { file: node.origin.file, pointer: pointer::join(&node.at("mapping").pointer, tag) };
            if let Some(target) = self.mapped(reference, &at) {
                targets.push((tag.as_str(), target));
            }
        }
        targets
    }

    /// What a mapping's value leads to: the name of a component, or a reference.
    fn mapped(&mut self, reference: &str, at: &Origin) -> Option<Node<'a>> {
        let component = Origin { file: at.file, pointer: pointer::join("/components/schemas", reference) };
        if let Some(component) = self.documents.at(&component) {
            return Some(self.unified(&component));
        }
        let is_reference =
            reference.contains(['/', '#']) || [".yaml", ".yml", ".json"].iter().any(|end| reference.ends_with(end));
        if is_reference {
            let target = self.documents.resolve(reference, at, &mut self.findings)?;
            return Some(self.unified(&target));
        }
        let schemas = Origin { file: at.file, pointer: "/components/schemas".to_owned() };
        let known = self.documents.at(&schemas).and_then(|schemas| schemas.value.as_object());
        let help = did_you_mean(reference, known.into_iter().flat_map(|map| map.keys().map(String::as_str)));
        let message = format!("the mapping names `{reference}`, which is no schema of `components`: it is left out");
        self.findings.warning("CD-MAPPING", at, message, help.unwrap_or_default());
        None
    }

    /// A schema with a discriminator but no alternatives of its own stands for the schemas that build on it.
    pub(super) fn inherited_union(&mut self, view: &View<'a>, target: &Target) -> Option<TypeUse> {
        if view.get("oneOf").is_some() || view.get("anyOf").is_some() {
            return None;
        }
        let node = view.get("discriminator")?;
        let read: openapiv3::Discriminator = node.typed("a discriminator", &mut self.findings)?;
        let mapped: Vec<_> = self.mapping(&node, &read.mapping).into_iter().map(|(_, target)| target).collect();
        let maps_itself = mapped.iter().any(|heir| heir.origin == view.node.origin);
        let mut seen = HashSet::from([view.node.origin.clone()]);
        let mut heirs: Vec<_> = mapped.into_iter().chain(self.descendants(&view.node.origin)).collect();
        heirs.retain(|heir| seen.insert(heir.origin.clone()));
        if heirs.is_empty() {
            let message =
                "a discriminator of a schema that has no alternatives and that no schema builds on has no effect";
            self.findings.count("CD-DISCRIMINATOR-ALONE", &node.origin, message, "");
            return None;
        }
        let id = self.item(target);
        let mut branches = Vec::with_capacity(heirs.len() + 1);
        let mut targets = Vec::with_capacity(heirs.len() + 1);
        for heir in &heirs {
            let name = Some(self.last_word(&heir.origin));
            branches.push(Branch { ty: self.use_of(heir, false), name, tags: Vec::new() });
            targets.push(Some(heir.origin.clone()));
        }
        let base = self.base(view, id, target);
        // The parent itself may be meant too, unless a mapping lists who may and every value must name one of them.
        let mut default = None;
        let tag_is_required = base.facets.required.contains_key(read.property_name.as_str());
        if maps_itself || read.mapping.is_empty() || !tag_is_required {
            default = (!tag_is_required).then_some(branches.len());
            let ty = TypeUse { ty: self.object(&base.facets, &base.target), nullable: false };
            branches.push(Branch { ty, name: Some("Base".to_owned()), tags: Vec::new() });
            targets.push(Some(view.node.origin.clone()));
        }
        let discriminator = self.tags(&node, &mut branches, &targets, id);
        let discriminator = discriminator.map(|read| Discriminator { default: read.default.or(default), ..read });
        let nullable = view.nulls == Nulls::Allowed;
        self.fill(id, SchemaKind::Union { kind: UnionKind::OneOf, branches, discriminator }, nullable);
        Some(TypeUse { ty: Type::Named(id), nullable })
    }

    fn base(&mut self, view: &View<'a>, id: SchemaId, target: &Target) -> Base<'a> {
        let mut facets = Facets::default();
        self.gathering.push(view.node.origin.clone());
        for part in self.parts(view) {
            self.gather_part(&mut facets, &part, None);
        }
        self.gathering.pop();
        facets.owned_by(id);
        let place = Place::of_schema(id).inside("base");
        let origin = target.origin.clone();
        Base { facets, target: Target { place, slot: None, origin, own: false, docs: target.docs.clone() } }
    }

    /// Whether the schema at hand (the last one gathered) builds on another one that lists or stands for it, so that it
    /// takes its properties and is not merely another name of it.
    pub(super) fn is_heir_of(&mut self, parent: &Node<'a>) -> bool {
        let parent = self.unified(parent);
        let view = self.view(&parent);
        if view.get("discriminator").is_none() {
            return false;
        }
        let mut branches = view.node.list("oneOf", &mut self.findings);
        branches.extend(view.node.list("anyOf", &mut self.findings));
        branches.is_empty() || self.leads_back(&branches)
    }

    /// Whether a schema brings in another one by `allOf`, at any remove.
    pub(super) fn builds_on(&mut self, node: &Node<'a>, base: &Origin) -> bool {
        let mut open = vec![(node.clone(), 0)];
        let mut seen = HashSet::new();
        while let Some((node, generation)) = open.pop() {
            if generation > GENERATIONS || !seen.insert(node.origin.clone()) {
                continue;
            }
            for parent in self.parents(&node) {
                if parent.origin == *base {
                    return true;
                }
                open.push((parent, generation + 1));
            }
        }
        false
    }

    /// The schemas that a schema names in its `allOf`.
    fn parents(&mut self, node: &Node<'a>) -> Vec<Node<'a>> {
        let Some(Value::Array(items)) = node.value.get("allOf") else { return Vec::new() };
        let mut parents = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let Some(reference) = item.get("$ref").and_then(Value::as_str) else { continue };
            let at = node.at("allOf");
            let at = Origin { pointer: format!("{}/{index}/$ref", at.pointer), ..at };
            if let Some(parent) = self.documents.resolve(reference, &at, &mut self.findings) {
                parents.push(self.unified(&parent));
            }
        }
        parents
    }

    /// The components that build on a schema, and those that build on them. One with a discriminator of its own stands
    /// for its own descendants.
    fn descendants(&mut self, parent: &Origin) -> Vec<Node<'a>> {
        let heirs = self.heirs_by_parent();
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut open: Vec<_> = heirs.get(parent).into_iter().flatten().rev().cloned().collect();
        while let Some(heir) = open.pop() {
            if !seen.insert(heir.origin.clone()) {
                continue;
            }
            if heir.value.get("discriminator").is_none() {
                open.extend(heirs.get(&heir.origin).into_iter().flatten().rev().cloned());
            }
            found.push(heir);
        }
        self.heirs = Some(heirs);
        found
    }

    /// Who builds on whom among the components. Taken out; the caller puts it back.
    fn heirs_by_parent(&mut self) -> HashMap<Origin, Vec<Node<'a>>> {
        if let Some(known) = self.heirs.take() {
            return known;
        }
        let mut heirs: HashMap<Origin, Vec<Node<'a>>> = HashMap::new();
        let components = self.documents.at(&Origin { file: 0, pointer: "/components/schemas".to_owned() });
        let Some(map) = components.as_ref().and_then(|components| components.value.as_object()) else { return heirs };
        for (name, value) in map {
            let Some(node) = components.as_ref().map(|components| components.child(name, value)) else { continue };
            let node = self.unified(&node);
            for parent in self.parents(&node) {
                heirs.entry(parent.origin).or_default().push(node.clone());
            }
        }
        heirs
    }
}

/// A parent as an object of its own.
struct Base<'a> {
    facets: Facets<'a>,
    target: Target,
}
