//! The small functions that turn a domain type into its transport type and back, field by field.
//!
//! Both sides are taken apart or built up completely: a field that a later document adds or drops is a compile error
//! at that field, not a silent loss.

use super::expressions::{Way, convert};
use super::layout::{Answered, Entry, Expr, arm, block_arm, braces, signature};
use super::mirror::{Mirror, Side};
use super::shapes::{Content, Member, ShapeKind, Variant};
use super::ty::Ty;

/// One function: its name, and its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Function {
    /// `order_to_wire`
    pub(crate) name: String,
    /// All of it, doc comment excluded.
    pub(crate) lines: Vec<String>,
}

/// Writes the functions that were asked for, and those that these ask for in turn.
pub(crate) fn functions(mirror: &Mirror<'_>) -> Vec<Function> {
    let mut functions = Vec::new();
    let mut next = 0;
    while let Some((ty, way)) = mirror.conversion(next) {
        functions.push(function(mirror, &ty, way));
        next += 1;
    }
    functions
}

/// The paths of both sides of a conversion: where from, where to.
struct Sides {
    from: String,
    to: String,
}

fn function(mirror: &Mirror<'_>, ty: &Ty, way: Way) -> Function {
    let (here, wire) = (mirror.domain_type(ty, Side::Mapper), mirror.wire_type(ty));
    let sides = match way {
        Way::ToWire => Sides { from: here, to: wire },
        Way::FromWire => Sides { from: wire, to: here },
    };
    let name = mirror.function(ty, way);
    let body = body(mirror, ty, way, &sides);
    let value = if body.iter().any(|line| line.contains("value")) { "value" } else { "_" };
    let argument = format!("{value}: {}", argument(ty, way, &sides.from));
    let mut lines = signature(0, &format!("fn {name}"), &[argument], &Answered::Plain(sides.to.clone()), " {");
    lines.extend(body);
    lines.push("}".to_owned());
    Function { name, lines }
}

/// What a function takes: a reference on the way to the wire, and a slice for a list.
fn argument(ty: &Ty, way: Way, from: &str) -> String {
    match (way, ty) {
        (Way::FromWire, _) => from.to_owned(),
        (Way::ToWire, Ty::List(_)) => {
            let item = from.strip_prefix("Vec<").and_then(|rest| rest.strip_suffix('>'));
            format!("&[{}]", item.unwrap_or(from))
        }
        (Way::ToWire, _) => format!("&{from}"),
    }
}

fn body(mirror: &Mirror<'_>, ty: &Ty, way: Way, sides: &Sides) -> Vec<String> {
    let Ty::Named(module, name) = ty else {
        return convert(mirror, "value", ty, way).lines(4, "", "");
    };
    match mirror.shape(&(*module, name.clone())).map(|shape| &shape.kind) {
        Some(ShapeKind::Struct(members)) => taken_apart(mirror, sides, members, way),
        Some(ShapeKind::Newtype(ty)) => newtype(mirror, sides, ty, way),
        Some(ShapeKind::Enum(variants)) => matched(mirror, sides, variants, way),
        Some(ShapeKind::Unit) => vec![format!("    {}", sides.to)],
        Some(ShapeKind::Alias(_)) | None => Vec::new(),
    }
}

/// `let From { a, b } = value;` and `To { a: …, b: … }`.
fn taken_apart(mirror: &Mirror<'_>, sides: &Sides, members: &[Member], way: Way) -> Vec<String> {
    let mut lines = braces(4, &format!("let {}", sides.from), &pattern(mirror, members, way), " = value;");
    lines.extend(braces(4, &sides.to, &literal(mirror, members, way), ""));
    lines
}

/// What the pattern on the side we come from binds.
fn pattern(mirror: &Mirror<'_>, members: &[Member], way: Way) -> Vec<Entry> {
    let entry = |member: &Member| {
        let name = member.name.clone();
        match (way, mirror.constant(&member.ty)) {
            // The domain has no such field.
            (Way::ToWire, Some(_)) => None,
            // A unit struct is its own pattern: the field is named, and nothing is bound.
            (Way::FromWire, Some(path)) => Some(Entry { name, value: Some(Expr::Text(path)) }),
            (_, None) => Some(Entry { name, value: None }),
        }
    };
    members.iter().filter_map(entry).collect()
}

/// What the literal on the side we go to is filled with.
fn literal(mirror: &Mirror<'_>, members: &[Member], way: Way) -> Vec<Entry> {
    let entry = |member: &Member| {
        let name = member.name.clone();
        if let Some(path) = mirror.constant(&member.ty) {
            return (way == Way::ToWire).then_some(Entry { name, value: Some(Expr::Text(path)) });
        }
        let value = convert(mirror, &name, &member.ty, way);
        Some(Entry { value: (value != Expr::Text(name.clone())).then_some(value), name })
    };
    members.iter().filter_map(entry).collect()
}

fn newtype(mirror: &Mirror<'_>, sides: &Sides, ty: &Ty, way: Way) -> Vec<String> {
    let mut lines = vec![format!("    let {}(inner) = value;", sides.from)];
    let inner = convert(mirror, "inner", ty, way);
    lines.extend(Expr::Call(sides.to.clone(), Box::new(inner)).lines(4, "", ""));
    lines
}

fn matched(mirror: &Mirror<'_>, sides: &Sides, variants: &[Variant], way: Way) -> Vec<String> {
    let mut lines = vec!["    match value {".to_owned()];
    for variant in variants {
        lines.extend(variant_arm(mirror, sides, variant, way));
    }
    lines.push("    }".to_owned());
    lines
}

fn variant_arm(mirror: &Mirror<'_>, sides: &Sides, variant: &Variant, way: Way) -> Vec<String> {
    let from = format!("{}::{}", sides.from, variant.name);
    let to = format!("{}::{}", sides.to, variant.name);
    match &variant.content {
        Content::Unit => arm(8, &from, &Expr::Text(to)),
        Content::Unnamed(types) => {
            let names = bindings(types.len());
            let values: Vec<Expr> = names.iter().zip(types).map(|(name, ty)| convert(mirror, name, ty, way)).collect();
            let pattern = format!("{from}({})", names.join(", "));
            match <[Expr; 1]>::try_from(values) {
                Ok([value]) => arm(8, &pattern, &Expr::Call(to, Box::new(value))),
                Err(values) => {
                    let values: Vec<String> = values.iter().map(Expr::one_line).collect();
                    arm(8, &pattern, &Expr::Text(format!("{to}({})", values.join(", "))))
                }
            }
        }
        Content::Named(members) => {
            let bound = braces(8, &from, &pattern(mirror, members, way), "");
            let filled = literal(mirror, members, way);
            let one_line = braces(0, &to, &filled, "");
            match (bound.as_slice(), one_line.as_slice()) {
                ([pattern], [body]) => arm(8, pattern.trim_start(), &Expr::Text(body.clone())),
                _ => literal_arm(&bound, &to, &filled),
            }
        }
    }
}

/// An arm with a literal that stands on several lines: it needs no block of its own.
fn literal_arm(pattern: &[String], to: &str, entries: &[Entry]) -> Vec<String> {
    let mut lines = pattern.to_vec();
    let Some(last) = lines.last_mut() else { return lines };
    let head = format!("{} => {to}", last.trim_start());
    if head.chars().count() + 10 <= 100 {
        lines.pop();
        lines.extend(braces(8, &head, entries, ","));
        return lines;
    }
    block_arm(8, pattern, braces(12, to, entries, ""))
}

fn bindings(count: usize) -> Vec<String> {
    match count {
        1 => vec!["inner".to_owned()],
        _ => (0..count).map(|index| format!("inner{index}")).collect(),
    }
}
