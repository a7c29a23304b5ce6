//! The expression that turns one value into its mirror image.

use super::layout::Expr;
use super::mirror::tuple;
use super::ty::{Ty, is_copy_leaf, is_own_leaf};

/// Which way a value goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Way {
    /// From a domain value by reference to a transport value.
    ToWire,
    /// From an owned transport value to a domain value.
    FromWire,
}

/// What an expression needs to know of the types around it.
pub(crate) trait Naming {
    /// The function that converts a type, or `None` where domain and transport share the type.
    fn converter(&self, ty: &Ty, way: Way) -> Option<String>;
    /// A type with its other names taken away, at the top.
    fn resolved(&self, ty: &Ty) -> Ty;
    /// Asks for the function that converts a type.
    fn want(&self, ty: &Ty, way: Way);
}

/// The mirror image of a binding. It is a reference on the way to the wire, and owned on the way back.
///
/// Nothing is nested: what is inside of a list, a map or an option is done by a function of its own.
pub(crate) fn convert(naming: &impl Naming, binding: &str, ty: &Ty, way: Way) -> Expr {
    let ty = naming.resolved(ty);
    if is_same(naming, &ty, way) {
        return same(naming, binding, &ty, way);
    }
    let chain = |calls: Vec<String>| Expr::Chain(binding.to_owned(), calls);
    let iterate = if way == Way::ToWire { ".iter()" } else { ".into_iter()" };
    let collect = ".collect()".to_owned();
    match &ty {
        Ty::Option(inner) | Ty::Maybe(inner) => {
            let borrowed = (way == Way::ToWire).then(|| ".as_ref()".to_owned());
            chain(borrowed.into_iter().chain([mapped(naming, "value", inner, way)]).collect())
        }
        Ty::List(inner) => chain(vec![iterate.to_owned(), mapped(naming, "item", inner, way), collect]),
        Ty::Map(inner) => {
            let key = if way == Way::ToWire { "key.clone()" } else { "key" };
            let value = applied(naming, "value", inner, way).one_line();
            chain(vec![iterate.to_owned(), format!(".map(|(key, value)| ({key}, {value}))"), collect])
        }
        Ty::Boxed(inner) => Expr::Call("Box::new".to_owned(), Box::new(unboxed(naming, binding, inner, way))),
        Ty::Tuple(parts) => {
            let part = |(index, part): (usize, &Ty)| element(naming, &format!("{binding}.{index}"), part, way);
            let parts: Vec<String> = parts.iter().enumerate().map(part).collect();
            Expr::Text(tuple(&parts))
        }
        Ty::Event(inner) => convert(naming, &format!("{binding}.data"), inner, way),
        Ty::Status => Expr::Text(format!("{binding}.as_u16()")),
        Ty::Named(..) | Ty::Leaf(_) => applied(naming, binding, &ty, way),
    }
}

/// The function of a type called with a binding.
fn applied(naming: &impl Naming, binding: &str, ty: &Ty, way: Way) -> Expr {
    let ty = naming.resolved(ty);
    if is_same(naming, &ty, way) {
        return same(naming, binding, &ty, way);
    }
    match (&ty, naming.converter(&ty, way)) {
        // What is inside a box is named where it is needed: a box around a function's result is no function's work.
        (Ty::Boxed(_) | Ty::Status, _) | (_, None) => convert(naming, binding, &ty, way),
        (_, Some(function)) => {
            naming.want(&ty, way);
            Expr::Call(function, Box::new(Expr::Text(binding.to_owned())))
        }
    }
}

fn unboxed(naming: &impl Naming, binding: &str, inner: &Ty, way: Way) -> Expr {
    match way {
        // `&Box<T>` becomes `&T` by itself where a function takes it.
        Way::ToWire => applied(naming, binding, inner, way),
        Way::FromWire => applied(naming, &format!("*{binding}"), inner, way),
    }
}

/// A part of a tuple: a place, not a binding.
fn element(naming: &impl Naming, place: &str, ty: &Ty, way: Way) -> String {
    match way {
        Way::ToWire if is_same(naming, ty, way) && is_copy(naming, ty) => place.to_owned(),
        Way::ToWire if is_same(naming, ty, way) && may_be_copied(naming, ty) => format!("{place}.to_owned()"),
        Way::ToWire if is_same(naming, ty, way) => format!("{place}.clone()"),
        Way::ToWire => applied(naming, &format!("&{place}"), ty, way).one_line(),
        Way::FromWire => applied(naming, place, ty, way).one_line(),
    }
}

/// `.map(function)`, or a closure where it needs more than the function.
fn mapped(naming: &impl Naming, binding: &str, inner: &Ty, way: Way) -> String {
    // A function takes a slice where the iterator gives a reference to a list.
    let is_list = way == Way::ToWire && matches!(naming.resolved(inner), Ty::List(_));
    match applied(naming, binding, inner, way) {
        Expr::Call(function, argument) if !is_list && *argument == Expr::Text(binding.to_owned()) => {
            format!(".map({function})")
        }
        other => format!(".map(|{binding}| {})", other.one_line()),
    }
}

/// Whether the domain has the very same type.
pub(crate) fn is_same(naming: &impl Naming, ty: &Ty, way: Way) -> bool {
    match naming.resolved(ty) {
        Ty::Option(inner) | Ty::Maybe(inner) | Ty::List(inner) | Ty::Map(inner) | Ty::Boxed(inner) => {
            is_same(naming, &inner, way)
        }
        Ty::Tuple(parts) => parts.iter().all(|part| is_same(naming, part, way)),
        Ty::Status | Ty::Event(_) => false,
        named @ Ty::Named(..) => naming.converter(&named, way).is_none(),
        Ty::Leaf(_) => true,
    }
}

/// Whether a value is copied by `*`.
fn is_copy(naming: &impl Naming, ty: &Ty) -> bool {
    match naming.resolved(ty) {
        Ty::Option(inner) | Ty::Maybe(inner) => is_copy(naming, &inner),
        Ty::Tuple(parts) => parts.iter().all(|part| is_copy(naming, part)),
        Ty::Status => true,
        Ty::Leaf(name) => is_copy_leaf(&name),
        Ty::Named(..) | Ty::List(_) | Ty::Map(_) | Ty::Boxed(_) | Ty::Event(_) => false,
    }
}

/// Whether a value holds a type of the project's own in place: nobody here knows whether that is `Copy`, and clippy would
/// mind a `clone` of it.
fn may_be_copied(naming: &impl Naming, ty: &Ty) -> bool {
    match naming.resolved(ty) {
        Ty::Option(inner) | Ty::Maybe(inner) => may_be_copied(naming, &inner),
        Ty::Tuple(parts) => parts.iter().any(|part| may_be_copied(naming, part)),
        Ty::Leaf(name) => is_own_leaf(&name),
        _ => false,
    }
}

fn same(naming: &impl Naming, binding: &str, ty: &Ty, way: Way) -> Expr {
    Expr::Text(match way {
        Way::FromWire => binding.to_owned(),
        Way::ToWire if is_copy(naming, ty) => format!("*{binding}"),
        Way::ToWire if may_be_copied(naming, ty) => format!("{binding}.to_owned()"),
        Way::ToWire => format!("{binding}.clone()"),
    })
}
