//! How changes are put into words.

use super::Impact;
use super::sides::{Item, Role, Side};
use crate::analyse::bare;
use crate::plan::{Direction, OperationKind};
use crate::stubs::ty::Ty;

/// `` `GET /orders` ``
pub(super) fn call(side: &Side<'_>, at: usize) -> String {
    let operation = side.operation(at).map(|(_, operation, _)| operation);
    operation.map(|operation| format!("`{} {}`", operation.method, operation.path.raw)).unwrap_or_default()
}

/// The id of an operation.
pub(super) fn id(side: &Side<'_>, at: usize) -> String {
    side.operation(at).map(|(_, operation, _)| operation.id.clone()).unwrap_or_default()
}

/// What an operation is, by its kind.
pub(super) fn kind(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Read => "a read",
        OperationKind::Keyed => "keyed",
        OperationKind::Once => "sent once",
    }
}

/// The name under which changes of a type are listed: of a type around an operation, the operation's.
pub(super) fn subject(side: &Side<'_>, item: &Item) -> String {
    side.role(item).map_or_else(|| item.1.clone(), |(at, _)| id(side, at))
}

/// `` `Order` ``, or `` the reply of `listOrders` ``.
pub(super) fn whole(side: &Side<'_>, item: &Item) -> String {
    let Some((at, role)) = side.role(item) else { return format!("`{}`", item.1) };
    let id = id(side, at);
    match role {
        Role::Request => format!("the request of `{id}`"),
        Role::Body => format!("the body of `{id}`"),
        Role::Reply => format!("the reply of `{id}`"),
        Role::Rejection => format!("the rejection of `{id}`"),
        Role::Part(_) => format!("`{}`, a reply of `{id}`", item.1),
    }
}

/// `` the field `note` of `Order` ``, `` the parameter `limit` of `listOrders` ``.
pub(super) fn member(side: &Side<'_>, item: &Item, name: &str) -> String {
    let fact = side.fact(item, name);
    let wire = fact.as_ref().map_or_else(|| bare(name).to_owned(), |fact| fact.wire.clone());
    match side.role(item) {
        Some((at, Role::Request)) => {
            let id = id(side, at);
            let is_body = side.operation(at).is_some_and(|(_, _, names)| names.body == name);
            if is_body { format!("the body of `{id}`") } else { format!("the parameter `{wire}` of `{id}`") }
        }
        _ => format!("the field `{wire}` of {}", whole(side, item)),
    }
}

/// `` `order_number` in Rust ``, where that is not what the document says.
pub(super) fn in_rust(side: &Side<'_>, item: &Item, name: &str) -> String {
    match side.fact(item, name) {
        Some(fact) if fact.wire != bare(name) && fact.wire != "body" => format!(" (`{name}` in Rust)"),
        _ => String::new(),
    }
}

/// A type as generated code writes it, below the root of the generated modules.
pub(super) fn ty(ty: &Ty) -> String {
    match ty {
        Ty::Named(module, name) => format!("{}::{name}", module.name()),
        Ty::Option(inner) => format!("Option<{}>", self::ty(inner)),
        Ty::Maybe(inner) => format!("Maybe<{}>", self::ty(inner)),
        Ty::List(inner) => format!("Vec<{}>", self::ty(inner)),
        Ty::Map(inner) => format!("BTreeMap<String, {}>", self::ty(inner)),
        Ty::Boxed(inner) => format!("Box<{}>", self::ty(inner)),
        Ty::Event(inner) => format!("Event<{}>", self::ty(inner)),
        Ty::Tuple(parts) => format!("({})", parts.iter().map(self::ty).collect::<Vec<_>>().join(", ")),
        Ty::Status => "StatusCode".to_owned(),
        Ty::Leaf(text) => text.replace("cofferdam_runtime::", "rt::"),
    }
}

/// The gravest of what a change means in requests and in replies, for a type that travels this way.
pub(super) fn gravest(way: Direction, in_requests: Impact, in_replies: Impact) -> Impact {
    let all = [way.request.then_some(in_requests), way.reply.then_some(in_replies)];
    all.into_iter().flatten().min().unwrap_or(Impact::Mapper)
}

/// The first letter as a sentence begins.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
