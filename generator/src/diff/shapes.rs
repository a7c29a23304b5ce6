//! How two generated types differ, and which functions that touches.

use super::Function;
use super::sides::{Item, Role, Side};
use crate::stubs::shapes::{Content, Member, Shape, ShapeKind, Variant};
use crate::stubs::ty::Ty;
use crate::stubs::{Way, mapped_forms};

/// One difference between two types.
#[derive(Debug, Clone)]
pub(super) enum Difference<'a> {
    /// A struct was an enum, or the like.
    Kind,
    /// The only field of a newtype, or what an alias stands for.
    Inner(Ty, Ty),
    /// A field is new.
    MemberAdded(&'a Member),
    /// A field is gone.
    MemberRemoved(&'a Member),
    /// A field has another type.
    MemberChanged(&'a Member, &'a Member),
    /// A variant is new.
    VariantAdded(&'a Variant),
    /// A variant is gone.
    VariantRemoved(&'a Variant),
    /// A variant holds something else.
    VariantChanged(&'a Variant, &'a Variant),
}

/// Whether an old type is a new one, under the names of today.
pub(super) type Same<'a> = &'a dyn Fn(&Ty, &Ty) -> bool;

/// How two types differ; in the order of the new one, what is gone last.
pub(super) fn differences<'a>(old: &'a Shape, new: &'a Shape, same: Same<'_>) -> Vec<Difference<'a>> {
    match (&old.kind, &new.kind) {
        (ShapeKind::Struct(old), ShapeKind::Struct(new)) => members(old, new, same),
        (ShapeKind::Enum(old), ShapeKind::Enum(new)) => variants(old, new, same),
        (ShapeKind::Newtype(old), ShapeKind::Newtype(new)) | (ShapeKind::Alias(old), ShapeKind::Alias(new)) => {
            if same(old, new) { Vec::new() } else { vec![Difference::Inner(old.clone(), new.clone())] }
        }
        (ShapeKind::Unit, ShapeKind::Unit) => Vec::new(),
        _ => vec![Difference::Kind],
    }
}

fn members<'a>(old: &'a [Member], new: &'a [Member], same: Same<'_>) -> Vec<Difference<'a>> {
    let find = |all: &'a [Member], name: &str| all.iter().find(|member| member.name == name);
    let now = new.iter().filter_map(|member| match find(old, &member.name) {
        None => Some(Difference::MemberAdded(member)),
        Some(before) if !same(&before.ty, &member.ty) => Some(Difference::MemberChanged(before, member)),
        Some(_) => None,
    });
    let gone = old.iter().filter(|member| find(new, &member.name).is_none()).map(Difference::MemberRemoved);
    now.chain(gone).collect()
}

fn variants<'a>(old: &'a [Variant], new: &'a [Variant], same: Same<'_>) -> Vec<Difference<'a>> {
    let find = |all: &'a [Variant], name: &str| all.iter().find(|variant| variant.name == name);
    let now = new.iter().filter_map(|variant| match find(old, &variant.name) {
        None => Some(Difference::VariantAdded(variant)),
        Some(before) if !holds_same(&before.content, &variant.content, same) => {
            Some(Difference::VariantChanged(before, variant))
        }
        Some(_) => None,
    });
    let gone = old.iter().filter(|variant| find(new, &variant.name).is_none()).map(Difference::VariantRemoved);
    now.chain(gone).collect()
}

fn holds_same(old: &Content, new: &Content, same: Same<'_>) -> bool {
    match (old, new) {
        (Content::Unit, Content::Unit) => true,
        (Content::Unnamed(old), Content::Unnamed(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same(old, new))
        }
        (Content::Named(old), Content::Named(new)) => members(old, new, same).is_empty(),
        _ => false,
    }
}

/// A function of the mapper.
pub(super) fn of_mapper(name: impl Into<String>) -> Function {
    Function { file: "mapper.rs", name: name.into() }
}

/// A function of the port.
pub(super) fn of_port(name: &str) -> Function {
    Function { file: "port.rs", name: crate::analyse::bare(name).to_owned() }
}

/// The functions that stop compiling by a difference of a type.
pub(super) fn touched(old: &Side<'_>, item: &Item, difference: &Difference<'_>) -> Vec<Function> {
    // A value that the domain does not know is never written.
    let only_read = matches!(difference, Difference::VariantAdded(_));
    let conversions = old.functions.of(item.0, &item.1);
    if !conversions.is_empty() {
        let of_way = conversions.iter().filter(|(way, _)| !only_read || *way == Way::FromWire);
        return of_way.map(|(_, name)| of_mapper(name)).collect();
    }
    around(old, item)
}

/// The functions around a type of an operation that has none of its own: it is taken apart or built where it stands.
pub(super) fn around(old: &Side<'_>, item: &Item) -> Vec<Function> {
    let Some((at, role)) = old.role(item) else { return Vec::new() };
    let Some((planned, _, _)) = old.operation(at) else { return Vec::new() };
    let function = match role {
        Role::Request | Role::Body => "request",
        Role::Reply | Role::Part(_) => "outcome",
        Role::Rejection => "rejection",
    };
    let forms = mapped_forms(old.plan, planned).into_iter();
    // Each form has a reply of its own.
    let meant = forms.filter(|form| role != Role::Reply || form.names.reply == item.1);
    meant.map(|form| of_mapper(format!("Mapping<operations::{}>::{function}", form.names.marker))).collect()
}

/// The functions that name a type which is not there any more, or is called otherwise.
pub(super) fn naming(old: &Side<'_>, item: &Item) -> Vec<Function> {
    let own = old.functions.of(item.0, &item.1).iter().map(|(_, name)| name.as_str());
    own.chain(old.functions.naming(item.0, &item.1)).map(of_mapper).collect()
}

/// The implementations and port methods of an operation whose names are gone.
pub(super) fn of_operation(old: &Side<'_>, at: usize) -> Vec<Function> {
    let Some((planned, _, _)) = old.operation(at) else { return Vec::new() };
    let forms = mapped_forms(old.plan, planned);
    let both = |form: &crate::analyse::OperationNames| {
        [of_mapper(format!("Mapping<operations::{}>", form.marker)), of_port(&form.method)]
    };
    forms.iter().flat_map(|form| both(&form.names)).collect()
}
