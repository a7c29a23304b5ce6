//! `domain.rs`: the mirror images themselves.

use heck::ToSnakeCase;

use super::existing::Existing;
use super::mirror::{Item, Mirror};
use super::shapes::{Content, Member, Shape, ShapeKind, Variant};
use super::ty::{Module, Ty};
use crate::plan::SystemPlan;
use crate::view::{DomainField, DomainType, DomainVariant, DomainView, VIEW_VERSION};

/// The types that the conversions asked for. To be called when all of them are written.
pub(super) fn view(plan: &SystemPlan, mirror: &Mirror<'_>, existing: &Existing) -> DomainView {
    let rejections: Vec<&str> = plan
        .operations
        .iter()
        .filter_map(|planned| plan.names.operations.get(planned.index))
        .map(|names| names.rejection.as_str())
        .collect();
    let mut types: Vec<DomainType> = Vec::new();
    let mut index = 0;
    while let Some((item, _)) = mirror.conversion(index) {
        index += 1;
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
            view.inner = mirror.domain_type(ty, "");
        }
        ShapeKind::Enum(variants) => {
            view.is_enum = true;
            view.is_error = is_error;
            view.is_uneven = variants.iter().filter(|variant| !is_small(mirror, variant)).count() > 0;
            view.variants = variants.iter().map(|variant| domain_variant(mirror, variant)).collect();
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
    let small = |ty: &Ty| !matches!(mirror.resolved_type(ty), Ty::Named(..) | Ty::Option(_) | Ty::Maybe(_) | Ty::Tuple(_));
    match &variant.content {
        Content::Unit => true,
        Content::Unnamed(types) => types.iter().all(small),
        Content::Named(members) => members.iter().all(|member| small(&member.ty)),
    }
}

fn fields(mirror: &Mirror<'_>, members: &[Member]) -> Vec<DomainField> {
    members
        .iter()
        .filter(|member| !mirror.is_constant(&member.ty))
        .map(|member| DomainField {
            name: member.name.clone(),
            docs: member.docs.clone(),
            ty: mirror.domain_type(&member.ty, ""),
        })
        .collect()
}

fn domain_variant(mirror: &Mirror<'_>, variant: &Variant) -> DomainVariant {
    let name = &variant.name;
    let (lines, pattern) = match &variant.content {
        Content::Unit => (vec![format!("{name},")], name.clone()),
        Content::Unnamed(types) => {
            let types: Vec<String> = types.iter().map(|ty| mirror.domain_type(ty, "")).collect();
            (vec![format!("{name}({}),", types.join(", "))], format!("{name}(..)"))
        }
        Content::Named(members) => (named_variant(name, &fields(mirror, members)), format!("{name} {{ .. }}")),
    };
    DomainVariant { name: name.clone(), docs: variant.docs.clone(), lines, pattern, words: words(name) }
}

/// rustfmt keeps a variant of up to 35 characters between its braces on one line.
fn named_variant(name: &str, fields: &[DomainField]) -> Vec<String> {
    let inside = fields.iter().map(|field| format!("{}: {}", field.name, field.ty)).collect::<Vec<_>>().join(", ");
    if inside.chars().count() <= 35 && fields.iter().all(|field| field.docs.is_empty()) {
        return vec![format!("{name} {{ {inside} }},")];
    }
    let mut lines = vec![format!("{name} {{")];
    for field in fields {
        lines.extend(field.docs.iter().map(|line| format!("    ///{line}")));
        lines.push(format!("    {}: {},", field.name, field.ty));
    }
    lines.push("},".to_owned());
    lines
}

/// `BadRequest` is `bad request`.
fn words(name: &str) -> String {
    name.trim_start_matches("r#").to_snake_case().replace('_', " ")
}
