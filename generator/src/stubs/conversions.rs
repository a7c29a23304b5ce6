//! The small functions that turn a domain type into its transport type and back, field by field.
//!
//! Both sides are taken apart or built up completely: a field that a later document adds or drops is a compile error
//! at that field, not a silent loss.

use super::expressions::{Way, convert};
use super::layout::{Entry, Expr, arm, block_arm, braces, signature};
use super::mirror::{Item, Mirror};
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
pub(crate) fn functions(mirror: &Mirror<'_>, domain: &str) -> Vec<Function> {
    let mut functions = Vec::new();
    let mut next = 0;
    while let Some((item, way)) = mirror.conversion(next) {
        functions.push(function(mirror, &item, way, domain));
        next += 1;
    }
    functions
}

/// The paths of both sides of a conversion: where from, where to.
struct Sides {
    from: String,
    to: String,
}

fn function(mirror: &Mirror<'_>, item: &Item, way: Way, domain: &str) -> Function {
    let here = format!("{domain}{}", mirror.domain_name(item));
    let wire = format!("{}::{}", item.0.name(), item.1);
    let (sides, argument) = match way {
        Way::ToWire => (Sides { from: here.clone(), to: wire }, format!("&{here}")),
        Way::FromWire => (Sides { from: wire.clone(), to: here }, wire),
    };
    let name = mirror.function(item, way);
    let body = match mirror.shape(item).map(|shape| &shape.kind) {
        Some(ShapeKind::Struct(members)) => taken_apart(mirror, &sides, members, way, "", ""),
        Some(ShapeKind::Newtype(ty)) => newtype(mirror, &sides, ty, way),
        Some(ShapeKind::Enum(variants)) => matched(mirror, &sides, variants, way),
        Some(ShapeKind::Unit) => vec![format!("    {}", sides.to)],
        Some(ShapeKind::Alias(_)) | None => Vec::new(),
    };
    let value = if body.iter().any(|line| line.contains("value")) { "value" } else { "_" };
    let mut lines =
        signature(0, &format!("fn {name}"), &[format!("{value}: {argument}")], &sides.to, " {");
    lines.extend(body);
    lines.push("}".to_owned());
    Function { name, lines }
}

/// `let From { a, b } = value;` and `To { a: …, b: … }`, the latter between `before` and `after`.
fn taken_apart(
    mirror: &Mirror<'_>,
    sides: &Sides,
    members: &[Member],
    way: Way,
    before: &str,
    after: &str,
) -> Vec<String> {
    let mut lines = braces(4, &format!("let {}", sides.from), &pattern(mirror, members, way), " = value;");
    lines.extend(braces(4, &format!("{before}{}", sides.to), &literal(mirror, members, way), after));
    lines
}

/// What the pattern on the side we come from binds.
fn pattern(mirror: &Mirror<'_>, members: &[Member], way: Way) -> Vec<Entry> {
    let entry = |member: &Member| {
        let constant = mirror.is_constant(&member.ty);
        match way {
            // The domain has no such field.
            Way::ToWire if constant => None,
            // A unit struct is its own pattern: the field is named, and nothing is bound.
            Way::FromWire if constant => {
                let value = Some(Expr::Text(mirror.wire_path(&member.ty)));
                Some(Entry { name: member.name.clone(), value })
            }
            _ => Some(Entry { name: member.name.clone(), value: None }),
        }
    };
    members.iter().filter_map(entry).collect()
}

/// What the literal on the side we go to is filled with.
fn literal(mirror: &Mirror<'_>, members: &[Member], way: Way) -> Vec<Entry> {
    let entry = |member: &Member| {
        let name = member.name.clone();
        if mirror.is_constant(&member.ty) {
            let value = Some(Expr::Text(mirror.wire_path(&member.ty)));
            return (way == Way::ToWire).then_some(Entry { name, value });
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
        lines.extend(braces(8, &head, entries, if entries.is_empty() { "," } else { "," }));
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
