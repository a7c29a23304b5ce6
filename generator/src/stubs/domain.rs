//! `domain.rs`: the mirror images themselves.

use heck::ToSnakeCase;

use super::Wanted;
use super::existing::Existing;
use super::expressions::Naming;
use super::layout::{Expr, arm};
use super::mappings::outcome_alias;
use super::mirror::{Item, Mirror, Side};
use super::shapes::{Content, Member, Shape, ShapeKind, Variant};
use super::ty::{Module, Ty};
use crate::plan::SystemPlan;
use crate::view::{DomainField, DomainType, DomainVariant, DomainView, VIEW_VERSION};

/// The types that the conversions asked for. To be called when all of them are written.
pub(super) fn view(plan: &SystemPlan, wanted: &[Wanted<'_>], mirror: &Mirror<'_>, existing: &Existing) -> DomainView {
    let rejections: Vec<&str> = plan
        .operations
        .iter()
        .filter_map(|planned| plan.names.operations.get(planned.index))
        .map(|names| names.rejection.as_str())
        .collect();
    let mut types: Vec<DomainType> = aliases(wanted, mirror, existing);
    let mut index = 0;
    while let Some((ty, _)) = mirror.conversion(index) {
        index += 1;
        let Ty::Named(module, name) = ty else { continue };
        let item = (module, name);
        let name = mirror.domain_name(&item);
        if existing.types.contains(name) || types.iter().any(|known| known.name == name) {
            continue;
        }
        if let Some(shape) = mirror.shape(&item) {
            let is_error = item.0 == Module::Operations && rejections.contains(&item.1.as_str());
            types.push(domain_type(mirror, &item, shape, is_error));
        }
    }
    DomainView { view_version: VIEW_VERSION, system: plan.system.clone(), has_types: !types.is_empty(), types }
}

/// Names for outcomes that are types within types.
fn aliases(wanted: &[Wanted<'_>], mirror: &Mirror<'_>, existing: &Existing) -> Vec<DomainType> {
    wanted
        .iter()
        .filter_map(|wanted| outcome_alias(mirror, &wanted.form.names))
        .filter(|(item, _)| !existing.types.contains(mirror.domain_name(item)))
        .map(|(item, ty)| DomainType {
            name: mirror.domain_name(&item).to_owned(),
            docs: mirror.shape(&item).map(|shape| shape.docs.clone()).unwrap_or_default(),
            is_alias: true,
            inner: mirror.domain_type(&ty, Side::Domain),
            ..DomainType::default()
        })
        .collect()
}

fn domain_type(mirror: &Mirror<'_>, item: &Item, shape: &Shape, is_error: bool) -> DomainType {
    let derives: Vec<&str> =
        shape.derives.iter().map(String::as_str).filter(|derive| is_kept(derive, &shape.kind)).collect();
    let mut view = DomainType {
        name: mirror.domain_name(item).to_owned(),
        docs: shape.docs.clone(),
        has_derives: !derives.is_empty(),
        derives: derives.join(", "),
        ..DomainType::default()
    };
    match &shape.kind {
        ShapeKind::Struct(members) => {
            view.fields = fields(mirror, members);
            view.is_empty = view.fields.is_empty();
            view.is_struct = !view.is_empty;
        }
        ShapeKind::Newtype(ty) => {
            view.is_newtype = true;
            view.inner = mirror.domain_type(ty, Side::Domain);
        }
        ShapeKind::Enum(variants) => {
            view.is_enum = true;
            view.is_error = is_error;
            view.is_uneven = variants.iter().filter(|variant| !is_small(mirror, variant)).count() > 0;
            view.variants = domain_variants(mirror, variants);
        }
        ShapeKind::Unit | ShapeKind::Alias(_) => view.is_unit = true,
    }
    view
}

/// The domain derives what the transport type derives, as far as it is of use there.
fn is_kept(derive: &str, kind: &ShapeKind) -> bool {
    match derive {
        "Debug" | "Clone" | "Copy" | "PartialEq" | "Eq" | "PartialOrd" | "Ord" | "Hash" => true,
        "Default" => !matches!(kind, ShapeKind::Enum(_)),
        _ => false,
    }
}

/// Whether a variant is no larger than a text or a list.
fn is_small(mirror: &Mirror<'_>, variant: &Variant) -> bool {
    let small = |ty: &Ty| !matches!(mirror.resolved(ty), Ty::Named(..) | Ty::Option(_) | Ty::Maybe(_) | Ty::Tuple(_));
    match &variant.content {
        Content::Unit => true,
        Content::Unnamed(types) => types.iter().all(small),
        Content::Named(members) => members.iter().all(|member| small(&member.ty)),
    }
}

fn fields(mirror: &Mirror<'_>, members: &[Member]) -> Vec<DomainField> {
    members
        .iter()
        .filter(|member| mirror.constant(&member.ty).is_none())
        .map(|member| {
            let ty = mirror.domain_type(&member.ty, Side::Domain);
            DomainField {
                name: member.name.clone(),
                docs: member.docs.clone(),
                lines: field_lines(4, "pub ", &member.name, &ty),
                ty,
            }
        })
        .collect()
}

/// A field with its comma: a type that is too long for its line goes to the next.
fn field_lines(indent: usize, visibility: &str, name: &str, ty: &str) -> Vec<String> {
    let pad = " ".repeat(indent);
    let line = format!("{pad}{visibility}{name}: {ty},");
    if line.chars().count() <= 100 {
        return vec![line];
    }
    vec![format!("{pad}{visibility}{name}:"), format!("{pad}    {ty},")]
}

/// Variants as rustfmt lays them out: when one takes several lines (its comment counts) and another does not, no
/// variant has its fields on one line.
fn domain_variants(mirror: &Mirror<'_>, variants: &[Variant]) -> Vec<DomainVariant> {
    let single = |variant: &Variant| variant.docs.is_empty() && variant_lines(mirror, variant, 35).len() == 1;
    let mixed = variants.iter().any(single) && !variants.iter().all(single);
    let width = if mixed { 0 } else { 35 };
    let view = |variant: &Variant| {
        let words = Expr::Text(format!("\"{}\"", words(&variant.name)));
        let pattern = match &variant.content {
            Content::Unit => variant.name.clone(),
            Content::Unnamed(_) => format!("{}(..)", variant.name),
            Content::Named(_) => format!("{} {{ .. }}", variant.name),
        };
        DomainVariant {
            name: variant.name.clone(),
            docs: variant.docs.clone(),
            lines: variant_lines(mirror, variant, width),
            display_lines: arm(12, &format!("Self::{pattern}"), &words),
        }
    };
    variants.iter().map(view).collect()
}

fn variant_lines(mirror: &Mirror<'_>, variant: &Variant, width: usize) -> Vec<String> {
    let name = &variant.name;
    let members = match &variant.content {
        Content::Unit => return vec![format!("    {name},")],
        Content::Unnamed(types) => {
            let types: Vec<String> = types.iter().map(|ty| mirror.domain_type(ty, Side::Domain)).collect();
            return vec![format!("    {name}({}),", types.join(", "))];
        }
        Content::Named(members) => members,
    };
    let fields = fields(mirror, members);
    let inside = fields.iter().map(|field| format!("{}: {}", field.name, field.ty)).collect::<Vec<_>>().join(", ");
    if inside.chars().count() <= width && fields.iter().all(|field| field.docs.is_empty()) {
        return vec![format!("    {name} {{ {inside} }},")];
    }
    let mut lines = vec![format!("    {name} {{")];
    for field in fields {
        lines.extend(field.docs.iter().map(|line| format!("        ///{line}")));
        lines.extend(field_lines(8, "", &field.name, &field.ty));
    }
    lines.push("    },".to_owned());
    lines
}

/// `BadRequest` is `bad request`.
fn words(name: &str) -> String {
    name.trim_start_matches("r#").to_snake_case().replace('_', " ")
}
