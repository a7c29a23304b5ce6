//! What changed of the generated types, member by member.

use super::matching::Matching;
use super::messages::{self, gravest, in_rust, sentence, whole};
use super::operations::owner;
use super::renames::Renames;
use super::shapes::{Difference, differences, naming, touched};
use super::sides::{Item, Role, Side};
use super::{Change, Impact, widening};
use crate::model::NameSource;
use crate::plan::Direction;
use crate::stubs::shapes::{Content, Member, Variant};
use crate::stubs::ty::{Module, Ty};

pub(super) fn changes(old: &Side<'_>, new: &Side<'_>, matching: &Matching, renames: &Renames) -> Vec<Change> {
    let mut changes = Vec::new();
    for item in old.shapes.items() {
        let now = renames.now(item);
        if !new.has(now) {
            changes.extend(gone(old, item, matching));
            continue;
        }
        if item != now && owner(old, item).is_none() {
            let message = format!("`{}` is called `{}` now", item.1, now.1);
            let change = Change::new(Impact::Mapper, "type-renamed", &now.1, message);
            changes.push(change.reaching(naming(old, item)));
        }
        // Other names of types are looked through where they are used, but for those that operations give.
        if item.0 == Module::Types && old.is_alias(item) {
            continue;
        }
        let Some((before, after)) = old.shape(item).zip(new.shape(now)) else { continue };
        let place = Place { old, new, renames, item, now, way: together(old.way(item), new.way(now)) };
        let same = |before: &Ty, after: &Ty| renames.same(old, new, before, after);
        let found = differences(before, after, &same);
        changes.extend(found.iter().map(|difference| place.change(difference)));
    }
    changes.extend(added(old, new, renames));
    changes
}

/// A type that is gone. What went with its operation is told with that.
fn gone(old: &Side<'_>, item: &Item, matching: &Matching) -> Option<Change> {
    let owner = owner(old, item);
    if owner.is_some_and(|at| matching.new_of(at).is_none()) || item.0 == Module::Types && old.is_alias(item) {
        return None;
    }
    let functions = naming(old, item);
    if functions.is_empty() && !is_component(old, item) {
        return None;
    }
    let message = format!("The type `{}` is gone", item.1);
    let subject = owner.map_or_else(|| item.1.clone(), |at| messages::id(old, at));
    Some(Change::new(Impact::Mapper, "type-removed", subject, message).reaching(functions))
}

fn added(old: &Side<'_>, new: &Side<'_>, renames: &Renames) -> Vec<Change> {
    let taken: Vec<&Item> = renames.iter().map(|(_, now)| now).collect();
    let fresh = new.shapes.items().filter(|item| !old.has(item) && !taken.contains(item) && is_component(new, item));
    let change =
        |item: &Item| Change::new(Impact::Compatible, "type-added", &item.1, format!("The type `{}` is new", item.1));
    fresh.map(change).collect()
}

fn is_component(side: &Side<'_>, item: &Item) -> bool {
    side.schema(item).is_some_and(|schema| matches!(schema.name, NameSource::Component(_)))
}

fn together(before: Direction, now: Direction) -> Direction {
    Direction { request: before.request || now.request, reply: before.reply || now.reply }
}

/// A type on both sides.
struct Place<'a> {
    old: &'a Side<'a>,
    new: &'a Side<'a>,
    renames: &'a Renames,
    item: &'a Item,
    now: &'a Item,
    way: Direction,
}

impl Place<'_> {
    fn change(&self, difference: &Difference<'_>) -> Change {
        let change = match difference {
            Difference::Kind => self.kind(),
            Difference::Inner(before, now) => self.inner(before, now),
            Difference::MemberAdded(member) => self.member_added(member),
            Difference::MemberRemoved(member) => self.member_removed(member),
            Difference::MemberChanged(before, now) => self.member_changed(before, now),
            Difference::VariantAdded(variant) => self.variant_added(variant),
            Difference::VariantRemoved(variant) => self.variant_removed(variant),
            Difference::VariantChanged(before, now) => self.variant_changed(before, now),
        };
        change.reaching(touched(self.old, self.item, difference))
    }

    fn told(&self, impact: Impact, code: &'static str, message: impl Into<String>) -> Change {
        Change::new(impact, code, messages::subject(self.new, self.now), message)
    }

    fn kind(&self) -> Change {
        let message = match self.new.role(self.now) {
            Some((_, Role::Rejection)) if self.old.is_alias(self.item) => {
                format!("{} is documented now", whole(self.new, self.now))
            }
            Some((_, Role::Rejection)) => format!("{} is not documented any more", whole(self.new, self.now)),
            Some((_, Role::Reply)) if self.old.is_alias(self.item) => {
                format!("{} may have one of several statuses now", whole(self.new, self.now))
            }
            _ => format!("{} is of another kind now", whole(self.new, self.now)),
        };
        let is_rejection = matches!(self.new.role(self.now), Some((_, Role::Rejection)));
        let impact = if is_rejection { Impact::Mapper } else { Impact::Breaking };
        self.told(impact, "type-changed", sentence(&message))
    }

    fn inner(&self, before: &Ty, now: &Ty) -> Change {
        let message = format!("{} is another type now", whole(self.new, self.now));
        let (before, now) = (messages::ty(&self.old.canonical(before)), messages::ty(&self.new.canonical(now)));
        self.told(Impact::Breaking, "type-changed", sentence(&message)).detail(format!("`{before}` → `{now}`"))
    }

    fn member_added(&self, member: &Member) -> Change {
        let noun = messages::member(self.new, self.now, &member.name);
        let required = self.is_required(self.new, self.now, member);
        let word = if required { "required" } else { "optional" };
        let in_requests = if required { Impact::Breaking } else { Impact::Mapper };
        let impact = gravest(self.way, in_requests, Impact::Mapper);
        let rust = in_rust(self.new, self.now, &member.name);
        let message = sentence(&format!("{noun} is new{rust}: {word}, `{}`", messages::ty(&member.ty)));
        self.told(impact, "field-added", message)
    }

    fn member_removed(&self, member: &Member) -> Change {
        let noun = messages::member(self.old, self.item, &member.name);
        let required = self.is_required(self.old, self.item, member);
        let in_replies = if required { Impact::Breaking } else { Impact::Mapper };
        let impact = gravest(self.way, Impact::Mapper, in_replies);
        let rust = in_rust(self.old, self.item, &member.name);
        self.told(impact, "field-removed", sentence(&format!("{noun} is gone{rust}")))
    }

    fn is_required(&self, side: &Side<'_>, item: &Item, member: &Member) -> bool {
        let said = side.fact(item, &member.name).map(|fact| fact.required);
        said.unwrap_or(!matches!(member.ty, Ty::Option(_) | Ty::Maybe(_)))
    }

    fn member_changed(&self, before: &Member, now: &Member) -> Change {
        let noun = sentence(&messages::member(self.new, self.now, &now.name));
        let rust = in_rust(self.new, self.now, &now.name);
        let detail = format!("`{}` → `{}`", messages::ty(&before.ty), messages::ty(&now.ty));
        let (bare_before, bare_now) = (bare(&before.ty), bare(&now.ty));
        if !self.renames.same(self.old, self.new, bare_before, bare_now) {
            let message = format!("{noun} has another type{rust}");
            let impact = widening::impact(self.way, bare_before, bare_now);
            return self.told(impact, "field-type-changed", message).detail(detail);
        }
        let (words, impact) = self.presence(before, now);
        let message = match words.is_empty() {
            true => format!("{noun} is held in another way{rust}"),
            false => format!("{noun} {}{rust}", words.join(" and ")),
        };
        self.told(impact, "field-presence-changed", message).detail(detail)
    }

    /// What changed of whether a field has to be there, and how grave that is.
    fn presence(&self, before: &Member, now: &Member) -> (Vec<&'static str>, Impact) {
        let (was, is) = (self.old.fact(self.item, &before.name), self.new.fact(self.now, &now.name));
        let (Some(was), Some(is)) = (was, is) else {
            let optional = matches!(now.ty, Ty::Option(_) | Ty::Maybe(_));
            return match optional {
                true => (vec!["may be missing now"], gravest(self.way, Impact::Mapper, Impact::Breaking)),
                false => (vec!["is required now"], gravest(self.way, Impact::Breaking, Impact::Mapper)),
            };
        };
        // More is allowed: a reply may hold what is not expected. Less is: a request may.
        let wider = gravest(self.way, Impact::Mapper, Impact::Breaking);
        let narrower = gravest(self.way, Impact::Breaking, Impact::Mapper);
        let said = [
            (was.required, is.required, ["is required now", "may be missing now"]),
            (!was.nullable, !is.nullable, ["is not `null` any more", "may be `null` now"]),
        ];
        let mut words = Vec::new();
        let mut impact = Impact::Mapper;
        for (was, is, [demanded, freed]) in said {
            if was != is {
                words.push(if is { demanded } else { freed });
                impact = impact.min(if is { narrower } else { wider });
            }
        }
        (words, impact)
    }

    /// How a variant is spoken of: an enum lists values, a union alternatives, a reply statuses.
    fn variant_noun(&self, side: &Side<'_>, item: &Item, variant: &Variant) -> String {
        let whole = whole(side, item);
        match super::wire::value_of(side, item, &variant.name) {
            Some(value) => format!("the value {value} of {whole}"),
            None if side.role(item).is_some() => format!("`{}` of {whole}", variant.name),
            None if matches!(variant.content, Content::Unit) => format!("the value `{}` of {whole}", variant.name),
            None => format!("the alternative `{}` of {whole}", variant.name),
        }
    }

    fn variant_added(&self, variant: &Variant) -> Change {
        let noun = self.variant_noun(self.new, self.now, variant);
        let message = sentence(&format!("{noun} is new"));
        // A reply with a value that is not listed is read by an enum that knows of others, and by no union.
        let is_union = self.new.role(self.now).is_none() && !matches!(variant.content, Content::Unit);
        let known = self.old.shape(self.item).is_some_and(|shape| keeps_unknown(self.old, self.item, shape));
        let in_replies = if is_union && !known { Impact::Breaking } else { Impact::Mapper };
        self.told(gravest(self.way, Impact::Compatible, in_replies), "variant-added", message)
    }

    fn variant_removed(&self, variant: &Variant) -> Change {
        let noun = self.variant_noun(self.old, self.item, variant);
        let impact = gravest(self.way, Impact::Breaking, Impact::Mapper);
        self.told(impact, "variant-removed", sentence(&format!("{noun} is gone")))
    }

    fn variant_changed(&self, before: &Variant, now: &Variant) -> Change {
        let noun = self.variant_noun(self.new, self.now, now);
        let message = sentence(&format!("{noun} holds something else now"));
        let change = self.told(Impact::Breaking, "variant-changed", message);
        match (&before.content, &now.content) {
            (Content::Unnamed(before), Content::Unnamed(now)) => {
                let all = |types: &[Ty]| types.iter().map(messages::ty).collect::<Vec<_>>().join(", ");
                change.detail(format!("`{}` → `{}`", all(before), all(now)))
            }
            _ => change,
        }
    }
}

/// A type without what says that it may be missing, and without its box.
fn bare(ty: &Ty) -> &Ty {
    match ty {
        Ty::Option(inner) | Ty::Maybe(inner) | Ty::Boxed(inner) => bare(inner),
        other => other,
    }
}

/// Whether an enum or union keeps what the document does not list.
fn keeps_unknown(side: &Side<'_>, item: &Item, shape: &crate::stubs::shapes::Shape) -> bool {
    let names = side.schema(item).and_then(|schema| side.plan.names.members.get(schema.id.index()));
    let Some(unknown) = names.and_then(|names| names.unknown.as_ref()) else { return false };
    match &shape.kind {
        crate::stubs::shapes::ShapeKind::Enum(variants) => variants.iter().any(|variant| variant.name == *unknown),
        _ => false,
    }
}
