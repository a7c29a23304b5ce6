//! Which branch of a union a value is.

use serde_json::Value;

use super::Said;
use super::check::{Breach, Check, Fit, Unfit, unfit};
use crate::analyse::branch_order::most_demanding_first;
use crate::analyse::telling;
use crate::model::{Branch, Discriminator, SchemaDef, SchemaKind, Type, UnionKind};
use crate::resolve::pointer;

/// How many unions by the same property may lie in each other.
const DEEPEST: usize = 16;

/// A union to check against.
#[derive(Clone, Copy)]
pub(super) struct Union<'m> {
    pub(super) def: &'m SchemaDef,
    pub(super) kind: UnionKind,
    pub(super) branches: &'m [Branch],
    pub(super) discriminator: Option<&'m Discriminator>,
}

impl<'m> Union<'m> {
    pub(super) fn of(def: &'m SchemaDef) -> Option<Self> {
        match &def.kind {
            SchemaKind::Union { kind, branches, discriminator } => {
                Some(Self { def, kind: *kind, branches, discriminator: discriminator.as_ref() })
            }
            _ => None,
        }
    }
}

/// Whether a value is one of a union.
pub(super) fn check<'a>(
    check: &Check<'a>,
    value: &Value,
    union: Union<'_>,
    said: &Said<'a>,
    at: &str,
) -> Result<Fit, Unfit> {
    match union.discriminator {
        Some(discriminator) => tagged(check, value, union, discriminator, said, at),
        None => untagged(check, value, union, said, at),
    }
}

fn branch<'a>(
    check: &Check<'a>,
    value: &Value,
    union: Union<'_>,
    index: usize,
    said: &Said<'a>,
    at: &str,
) -> Result<Fit, Unfit> {
    let Some(branch) = union.branches.get(index) else { return Err(unfit(at, "there is no such branch")) };
    let said = check.schemas.branch(said, index, union.branches.len(), &branch.ty.ty);
    check.of_use(value, &branch.ty, &said, at)
}

fn untagged<'a>(check: &Check<'a>, value: &Value, union: Union<'_>, said: &Said<'a>, at: &str) -> Result<Fit, Unfit> {
    if let Some(told) = by_property(check, value, union, said, at) {
        return told;
    }
    let mut fits: Vec<Fit> = Vec::new();
    let mut first: Option<Unfit> = None;
    for index in tried(check, value, union) {
        match branch(check, value, union, index, said, at) {
            Ok(fit) => fits.push(fit),
            Err(cause) => {
                first.get_or_insert(cause);
            }
        }
    }
    // As the generated code does, which knows nothing of bounds: that which keeps most; of those that are as good, the one
    // tried first.
    let cost = |fit: &&Fit| (lost(value, fit, at), fit.breaches.len(), fit.dropped.len());
    let Some(mut best) = fits.iter().min_by_key(cost).cloned() else {
        let Unfit(cause) = first.unwrap_or_else(|| unfit(at, "there is nothing it could be"));
        let count = union.branches.len();
        return Err(Unfit(Breach {
            message: format!("it is none of {count} alternatives (of the first: {})", cause.message),
            ..cause
        }));
    };
    // That it breaks bounds of the branch it is read as is no fault where it keeps those of another.
    if let Some(least) = fits.iter().min_by_key(|fit| fit.breaches.len()) {
        best.breaches.clone_from(&least.breaches);
    }
    if union.kind == UnionKind::AnyOf {
        let others = || fits.iter().filter(|fit| fit.breaches.is_empty());
        let lost = best.dropped.iter().find(|member| others().any(|fit| !fit.dropped.contains(*member)));
        let message = "it is several alternatives at once and written back as one of them, which does not declare this";
        let told = lost.map(|member| Breach { at: member.clone(), message: message.to_owned() });
        best.breaches.extend(told);
    }
    Ok(best)
}

/// The branch that a property tells, although no discriminator names it.
fn by_property<'a>(
    check: &Check<'a>,
    value: &Value,
    union: Union<'_>,
    said: &Said<'a>,
    at: &str,
) -> Option<Result<Fit, Unfit>> {
    let telling = telling::find(&check.schemas.plan.api, union.branches)?;
    let tag = value.get(telling.property).and_then(Value::as_str)?;
    if let Some((index, _)) = telling.values.iter().find(|(_, values)| values.contains(&tag)) {
        return Some(branch(check, value, union, *index, said, at));
    }
    let message = format!("`{}` is {tag:?}, which none of the alternatives lists", telling.property);
    keeps_unknown(check, union).then(|| Ok(kept_as_it_came(at, message)))
}

/// The branches in the order the generated code tries them: an enum that does not list the value comes last.
fn tried(check: &Check<'_>, value: &Value, union: Union<'_>) -> Vec<usize> {
    let mut order = most_demanding_first(check.schemas.plan, union.branches);
    order.sort_by_key(|index| {
        let kind = union.branches.get(*index).and_then(|branch| check.schemas.kind(&branch.ty.ty));
        match kind {
            Some(SchemaKind::TextEnum(listed)) => {
                !listed.iter().any(|listed| Some(listed.value.as_str()) == value.as_str())
            }
            Some(SchemaKind::IntEnum(listed)) => {
                !listed.iter().any(|listed| value.as_i64().map(i128::from) == Some(listed.value))
            }
            _ => false,
        }
    });
    order
}

/// How many values are not written back. Nulls say nothing that their absence would not.
fn lost(value: &Value, fit: &Fit, at: &str) -> usize {
    fn leaves(value: &Value) -> usize {
        match value {
            Value::Null => 0,
            Value::Object(members) if !members.is_empty() => members.values().map(leaves).sum(),
            Value::Array(items) if !items.is_empty() => items.iter().map(leaves).sum(),
            _ => 1,
        }
    }
    let inside = |dropped: &String| value.pointer(dropped.strip_prefix(at)?);
    fit.dropped.iter().filter_map(inside).map(leaves).sum()
}

fn keeps_unknown(check: &Check<'_>, union: Union<'_>) -> bool {
    let names = check.schemas.plan.names.members.get(union.def.id.index());
    names.is_some_and(|names| names.unknown.is_some())
}

fn kept_as_it_came(at: &str, message: String) -> Fit {
    Fit { breaches: vec![Breach { at: at.to_owned(), message }], ..Fit::default() }
}

fn tagged<'a>(
    check: &Check<'a>,
    value: &Value,
    union: Union<'_>,
    discriminator: &Discriminator,
    said: &Said<'a>,
    at: &str,
) -> Result<Fit, Unfit> {
    let property = &discriminator.property;
    let tag = value.get(property).and_then(Value::as_str);
    let chosen = tag.and_then(|tag| {
        union.branches.iter().position(|branch| takes(check, branch, property, tag, 0)).map(|index| (index, tag))
    });
    if let Some((index, tag)) = chosen {
        let mut fit = branch(check, value, union, index, said, at)?;
        let writes_tag = discriminator.default != Some(index)
            && union.branches.get(index).is_some_and(|branch| branch.tags.iter().any(|known| known == tag));
        if writes_tag {
            let place = pointer::join(at, property);
            fit.dropped.retain(|dropped| *dropped != place);
        }
        return Ok(fit);
    }
    if let Some(default) = discriminator.default {
        return branch(check, value, union, default, said, at);
    }
    let Some(tag) = tag else {
        return Err(unfit(at, format!("`{property}`, which names the alternative, is missing or no text")));
    };
    let untagged = (0..union.branches.len())
        .filter(|index| union.branches.get(*index).is_some_and(|branch| branch.tags.is_empty()));
    let best = untagged.filter_map(|index| branch(check, value, union, index, said, at).ok());
    if let Some(best) = best.min_by_key(Fit::cost) {
        return Ok(best);
    }
    let message = format!("`{property}` is {tag:?}, which names none of the alternatives");
    if keeps_unknown(check, union) { Ok(kept_as_it_came(at, message)) } else { Err(unfit(at, message)) }
}

/// Whether a branch has a tag, itself or as a union by the same property.
fn takes(check: &Check<'_>, branch: &Branch, property: &str, tag: &str, depth: usize) -> bool {
    branch.tags.iter().any(|known| known == tag) || inner_takes(check, &branch.ty.ty, property, tag, depth)
}

fn inner_takes(check: &Check<'_>, ty: &Type, property: &str, tag: &str, depth: usize) -> bool {
    let Some(inner) = check.schemas.definition(ty).and_then(Union::of) else { return false };
    let by_the_same = inner.discriminator.is_some_and(|discriminator| discriminator.property == property);
    by_the_same && depth < DEEPEST && inner.branches.iter().any(|branch| takes(check, branch, property, tag, depth + 1))
}
