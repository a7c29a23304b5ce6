use super::context::{Lowering, Target, any, holds_null};
use super::facets::{Alternatives, Facets};
use super::place::Place;
use crate::model::{Branch, Origin, SchemaKind, TextFormat, Type, TypeUse, UnionKind};
use crate::normalise::{Kind, Listed, Nulls, Strength, Text, View, consts_of_branches, text_format};
use crate::resolve::Node;

/// How many unions may be multiplied out over each other before the inner ones are loosened.
const MULTIPLIED: usize = 2;

/// An alternative that is not `null`.
pub(super) struct Alternative<'a> {
    pub(super) view: View<'a>,
    /// The schema it refers to, when it is nothing but a reference.
    pub(super) target: Option<Node<'a>>,
    /// A word for its variant.
    pub(super) name: Option<String>,
}

/// The word for a branch that has no name.
pub(super) fn numbered(index: usize) -> String {
    format!("variant{}", index + 1)
}

impl<'a> Lowering<'a> {
    /// The type of a schema with alternatives, on top of what it says besides them.
    pub(super) fn union(&mut self, facets: Facets<'a>, target: &Target) -> TypeUse {
        if !self.enter(&target.origin) {
            return any();
        }
        let used = self.union_within(facets, target);
        self.leave();
        used
    }

    fn union_within(&mut self, mut facets: Facets<'a>, target: &Target) -> TypeUse {
        let chosen = facets.unions.iter().position(|union| union.discriminator.is_some()).unwrap_or(0);
        let union = facets.unions.remove(chosen);
        for other in std::mem::take(&mut facets.unions) {
            self.loosen(&mut facets, &other);
        }
        let (alternatives, null) = self.alternatives(&union);
        let mut used = self.of_alternatives(facets, &union, &alternatives, target);
        used.nullable |= null && !holds_null(&used.ty);
        // Those that became a type of their own are known already.
        for alternative in alternatives.iter().filter(|alternative| alternative.target.is_none()) {
            self.exemplify(&alternative.view.node, &used);
        }
        used
    }

    /// The alternatives without `null`, and whether `null` was one.
    fn alternatives(&mut self, union: &Alternatives<'a>) -> (Vec<Alternative<'a>>, bool) {
        let mut null = false;
        let mut alternatives = Vec::new();
        for node in &union.branches {
            let view = self.view(node);
            let only_opens = view.nulls == Nulls::Allowed && view.keywords.len() == 1;
            if view.is_only_null() || only_opens {
                null = true;
                continue;
            }
            let alternative = self.alternative(view);
            if alternative.target.as_ref().is_some_and(|target| target.origin == union.holder) {
                let message = "this branch is the schema it stands in: it adds nothing, and is left out";
                self.findings.warning("CD-SCHEMA-CYCLE", &node.origin, message, "take it away");
                continue;
            }
            alternatives.push(alternative);
        }
        (alternatives, null)
    }

    fn alternative(&mut self, view: View<'a>) -> Alternative<'a> {
        let target = match &view.reference {
            Some(reference) if view.strength < Strength::Shape => {
                let target = self.documents.resolve(reference, &view.node.at("$ref"), &mut self.findings);
                target.map(|target| self.unified(&target))
            }
            _ => None,
        };
        let title = view.title().map(str::to_owned);
        let name = title.or_else(|| target.as_ref().map(|target| self.last_word(&target.origin)));
        Alternative { view, target, name }
    }

    fn of_alternatives(
        &mut self,
        mut facets: Facets<'a>,
        union: &Alternatives<'a>,
        alternatives: &[Alternative<'a>],
        target: &Target,
    ) -> TypeUse {
        if union.discriminator.is_none() {
            let views: Vec<_> = alternatives.iter().map(|alternative| alternative.view.clone()).collect();
            if let Some(listed) = consts_of_branches(&views, &union.origin) {
                return self.listed(&listed, &facets, target);
            }
            if let Some(used) = self.open_enum(alternatives, &facets, union, target) {
                return used;
            }
        }
        match alternatives {
            [] => TypeUse { ty: Type::Null, nullable: false },
            [only] if facets.is_base() => {
                self.gather_alternative(&mut facets, only);
                self.decide_within(facets, only, target)
            }
            [only] => match target.slot {
                Some(slot) => self.schema_into(&only.view.node, target.place.clone(), Some(slot)),
                None => self.schema(&only.view.node, target.place.clone()),
            },
            several => match self.all_at_once(&facets, union, several) {
                Some(all) => self.decide(all, target),
                None => self.branches(facets, union, several, target),
            },
        }
    }

    fn branches(
        &mut self,
        mut facets: Facets<'a>,
        union: &Alternatives<'a>,
        alternatives: &[Alternative<'a>],
        target: &Target,
    ) -> TypeUse {
        let multiply = facets.is_base();
        if multiply && self.distributing >= MULTIPLIED {
            self.loosen(&mut facets, union);
            return self.decide(facets, target);
        }
        let requires = !facets.required.is_empty();
        let some_refer = alternatives.iter().any(|alternative| alternative.target.is_some());
        if !multiply && some_refer && facets.required.keys().any(|name| !is_tag(union, name)) {
            let message = "`required` beside alternatives that declare the properties is not enforced";
            self.findings.count("CD-REQUIRED-BESIDE", &union.origin, message, "repeat it in each of them");
        }
        let id = self.item(target);
        facets.owned_by(id);
        let place = Place::of_schema(id);
        let mut nullable = false;
        let mut branches: Vec<Branch> = Vec::with_capacity(alternatives.len());
        let mut nodes: Vec<Option<Origin>> = Vec::with_capacity(alternatives.len());
        for (index, alternative) in alternatives.iter().enumerate() {
            let place = place.inside(alternative.name.clone().unwrap_or_else(|| numbered(index)));
            // An inline alternative is nobody else's: it can take on what is required beside it.
            let used = if multiply || (requires && alternative.target.is_none()) {
                self.multiplied(&facets, union, alternative, place)
            } else {
                self.schema(&alternative.view.node, place)
            };
            nullable |= used.nullable;
            let ty = TypeUse { nullable: false, ..used };
            if !branches.iter().any(|branch| branch.ty == ty) {
                branches.push(Branch { ty, name: alternative.name.clone(), tags: Vec::new() });
                nodes.push(alternative.target.as_ref().map(|target| target.origin.clone()));
            }
        }
        if let Some(simple) = simplified(&branches) {
            let used = TypeUse { nullable: nullable && !holds_null(&simple), ty: simple };
            if target.slot.is_some() || self.unreserve(id, target) {
                return used;
            }
            self.fill(id, SchemaKind::Alias(TypeUse { nullable: false, ty: used.ty }), nullable);
            return TypeUse { ty: Type::Named(id), nullable };
        }
        let discriminator = union.discriminator.as_ref().and_then(|node| self.tags(node, &mut branches, &nodes, id));
        self.fill(id, SchemaKind::Union { kind: union.kind, branches, discriminator }, nullable);
        TypeUse { ty: Type::Named(id), nullable }
    }

    /// An alternative together with what stands beside it.
    fn multiplied(
        &mut self,
        facets: &Facets<'a>,
        union: &Alternatives<'a>,
        alternative: &Alternative<'a>,
        place: Place,
    ) -> TypeUse {
        if let Some(node) = &alternative.target
            && self.builds_on(node, &union.holder)
        {
            return self.use_of(node, false);
        }
        let origin = alternative.view.node.origin.clone();
        let docs = alternative.view.docs(&mut self.findings);
        let target = Target { place, slot: None, origin, own: false, docs };
        let mut facets = facets.clone();
        self.gather_alternative(&mut facets, alternative);
        let used = self.decide_within(facets, alternative, &target);
        self.exemplify(&alternative.view.node, &used);
        used
    }

    /// Decides on what an alternative was merged into. A way back to the alternative adds nothing more.
    fn decide_within(&mut self, facets: Facets<'a>, alternative: &Alternative<'a>, target: &Target) -> TypeUse {
        let origin = alternative.target.as_ref().map_or(&alternative.view.node.origin, |node| &node.origin);
        self.distributing += 1;
        self.gathering.push(origin.clone());
        let used = self.decide(facets, target);
        self.gathering.pop();
        self.distributing -= 1;
        used
    }

    pub(super) fn gather_alternative(&mut self, facets: &mut Facets<'a>, alternative: &Alternative<'a>) {
        self.distributing += 1;
        for part in self.parts(&alternative.view) {
            self.gather_part(facets, &part, None);
        }
        self.distributing -= 1;
    }

    /// Takes the properties of every alternative as optional ones. What else can be done with a second union beside
    /// the first, short of multiplying them out.
    fn loosen(&mut self, facets: &mut Facets<'a>, union: &Alternatives<'a>) {
        let message = "alternatives beside other alternatives are not told apart: their properties are all optional";
        self.findings.count("CD-UNION-LOOSE", &union.origin, message, "");
        let (alternatives, _) = self.alternatives(union);
        for alternative in &alternatives {
            let mut loose = Facets::default();
            self.gather_alternative(&mut loose, alternative);
            for (name, schemas) in loose.properties {
                facets.properties.entry(name).or_insert(schemas);
            }
        }
    }

    /// A `type` that lists several types.
    pub(super) fn union_of_kinds(&mut self, kinds: &[Kind], facets: &Facets<'a>, target: &Target) -> TypeUse {
        let id = self.item(target);
        let mut branches = Vec::with_capacity(kinds.len());
        for kind in kinds {
            let place = Place::of_schema(id).inside(kind.name());
            let inner =
                Target { place, slot: None, origin: target.origin.clone(), own: false, docs: target.docs.clone() };
            let mut facets = facets.clone();
            // A format belongs to the one type it is a format of.
            if !format_fits(&facets, *kind) {
                facets.format = None;
            }
            let ty = TypeUse { ty: self.of_kind(*kind, &facets, &inner), nullable: false };
            branches.push(Branch { ty, name: None, tags: Vec::new() });
        }
        if let Some(ty) = simplified(&branches)
            && (target.slot.is_some() || self.unreserve(id, target))
        {
            return TypeUse { ty, nullable: false };
        }
        self.fill(id, SchemaKind::Union { kind: UnionKind::AnyOf, branches, discriminator: None }, false);
        TypeUse { ty: Type::Named(id), nullable: false }
    }

    /// Leaves out alternatives that only restrict (`anyOf: [{required: [a]}, {required: [b]}]`).
    pub(super) fn drop_constraint_unions(&mut self, facets: &mut Facets<'a>) {
        let mut kept = Vec::new();
        for union in std::mem::take(&mut facets.unions) {
            let views: Vec<_> = union.branches.iter().map(|branch| self.view(branch)).collect();
            if views.iter().all(only_restricts) {
                let message = "alternatives that only restrict the properties are not enforced";
                self.findings.count("CD-UNION-RESTRICTS", &union.origin, message, "");
            } else {
                kept.push(union);
            }
        }
        facets.unions = kept;
    }

    /// Text with listed values and any other text, or several lists: since unknown values are kept anyway, they are one
    /// enum.
    fn open_enum(
        &mut self,
        alternatives: &[Alternative<'a>],
        facets: &Facets<'a>,
        union: &Alternatives<'a>,
        target: &Target,
    ) -> Option<TypeUse> {
        let mut lists = Vec::new();
        for alternative in alternatives {
            if let Some(listed) = self.text_values(alternative)? {
                lists.push((listed, alternative))
            }
        }
        if alternatives.len() < 2 || lists.is_empty() {
            return None;
        }
        if let [(_, Alternative { target: Some(node), .. })] = lists.as_slice() {
            return Some(self.use_of(node, false));
        }
        let mut values: Vec<crate::normalise::ListedValue<'a>> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for value in lists.iter().flat_map(|(listed, _)| &listed.values) {
            if seen.insert(value.value.to_string()) {
                values.push(*value);
            }
        }
        let listed = Listed { values, is_const: false, origin: union.origin.clone() };
        Some(self.listed(&listed, facets, target))
    }

    /// The text values of an alternative; `Some(None)` for any text, `None` when it is not simply text.
    fn text_values(&mut self, alternative: &Alternative<'a>) -> Option<Option<Listed<'a>>> {
        let mut view = alternative.view.clone();
        for _ in 0..8 {
            let Some(reference) = view.reference.clone() else { break };
            let target = self.documents.resolve(&reference, &view.node.at("$ref"), &mut self.findings)?;
            view = self.view(&target);
        }
        let composed = ["allOf", "oneOf", "anyOf", "$ref", "contentEncoding", "contentMediaType"];
        if composed.into_iter().any(|key| view.get(key).is_some()) || view.nulls == Nulls::Allowed {
            return None;
        }
        match Listed::of(&view, &mut self.findings) {
            Some(listed) => listed.values.iter().all(|value| value.value.is_string()).then_some(Some(listed)),
            None if view.kinds.list() == [Kind::Text] => {
                let format = view.node.text("format", &mut self.findings).unwrap_or_default();
                let plain = matches!(text_format(format), None | Some(Text::Format(TextFormat::Plain)));
                plain.then_some(None)
            }
            None => None,
        }
    }
}

fn is_tag(union: &Alternatives<'_>, name: &str) -> bool {
    let discriminator = union.discriminator.as_ref().and_then(|node| node.value.get("propertyName"));
    discriminator.and_then(|property| property.as_str()) == Some(name)
}

/// Whether a schema only restricts values that another one describes.
fn only_restricts(view: &View<'_>) -> bool {
    let shapes = |key: &String| {
        !matches!(
            key.as_str(),
            "required" | "type" | "not" | "title" | "description" | "minProperties" | "maxProperties"
        )
    };
    let objects = !view.is_typed() || view.kinds.list() == [Kind::Object];
    let says = ["required", "not", "minProperties", "maxProperties"].into_iter().any(|key| view.get(key).is_some());
    view.reference.is_none() && objects && says && !view.keywords.keys().any(shapes)
}

fn format_fits(facets: &Facets<'_>, kind: Kind) -> bool {
    let Some((format, _)) = &facets.format else { return true };
    match kind {
        Kind::Text => text_format(format).is_some(),
        Kind::Int => crate::normalise::int_width(format).is_some(),
        Kind::Float => crate::normalise::float_width(format).is_some(),
        Kind::Bool | Kind::Array | Kind::Object => false,
    }
}

/// What branches come down to: the only one left, or any value when every type of JSON is among them, unrestricted.
fn simplified(branches: &[Branch]) -> Option<Type> {
    if let [only] = branches {
        return Some(only.ty.ty.clone());
    }
    let has = |fits: fn(&Type) -> bool| branches.iter().any(|branch| fits(&branch.ty.ty));
    let everything = has(|ty| matches!(ty, Type::Bool))
        && has(|ty| matches!(ty, Type::Float(_)))
        && has(|ty| matches!(ty, Type::Text(TextFormat::Plain)))
        && has(|ty| matches!(ty, Type::Array(item) if item.ty == Type::Any))
        && has(|ty| matches!(ty, Type::Map(value) if value.ty == Type::Any));
    everything.then_some(Type::Any)
}
