//! Lists that come page by page, as the project file declares: whether the document has what it speaks of.

use super::OperationKind;
use super::selection::did_you_mean;
use crate::analyse::forms;
use crate::diagnose::{Location, Report, Severity};
use crate::model::{Api, ContentKind, Field, Operation, ParameterPlace, SchemaKind, Type};
use crate::project::{Declared, DeclaredNext, DeclaredPages, DeclaredSize};

/// How the pages of an operation follow each other. Fields are property names from the reply's root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PagePlan {
    /// What leads from a page to the next.
    pub next: PageNext,
    /// The list in the reply; the reply itself when there is no step.
    pub items: Option<Vec<String>>,
}

/// What leads from a page to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageNext {
    /// A field of the reply becomes a query parameter.
    Cursor {
        /// The field.
        from: Vec<String>,
        /// The parameter.
        to: String,
    },
    /// The next page has the next number.
    Number {
        /// The query parameter.
        parameter: String,
        /// The number of the first page.
        first: u64,
        /// How many items a full page has.
        size: PageSize,
    },
    /// The header `Link`.
    LinkHeader,
    /// A field of the reply that is a URL.
    LinkField {
        /// The field.
        from: Vec<String>,
    },
}

/// How many items a full page has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageSize {
    /// Nobody knows.
    Unknown,
    /// Always so many.
    Fixed(u64),
    /// As many as this query parameter says.
    Parameter(String),
}

const CODE: &str = "CD-PAGES";

/// Checks what is declared of an operation's pages against the document.
pub(super) fn decide(
    api: &Api,
    operation: &Operation,
    kind: OperationKind,
    declared: &DeclaredPages,
    report: &mut Report,
) -> Option<PagePlan> {
    if kind != OperationKind::Read {
        let message = format!("`{}` is no read: fetching its pages would do again what it does", operation.id);
        let help = "declare `kind = \"read\"` with its reason if it changes nothing, or take `pages` out";
        report.at(Severity::Error, CODE, declared.at.clone(), message, help);
        return None;
    }
    if !forms(operation).whole {
        let message = format!("`{}` answers item by item: it has no pages", operation.id);
        report.at(Severity::Error, CODE, declared.at.clone(), message, "take `pages` out");
        return None;
    }
    let mut check = Check { api, operation, report };
    let items = check.items(declared);
    let next = check.next(&declared.next);
    Some(PagePlan { next: next?, items: items? })
}

struct Check<'a, 'r> {
    api: &'a Api,
    operation: &'a Operation,
    report: &'r mut Report,
}

impl<'a> Check<'a, '_> {
    fn next(&mut self, declared: &DeclaredNext) -> Option<PageNext> {
        match declared {
            DeclaredNext::Cursor { from, to } => {
                let field = self.field(from, "a cursor is a text or a number", is_cursor);
                let parameter = self.parameter(&to.value, &to.at);
                Some(PageNext::Cursor { from: field?, to: parameter? })
            }
            DeclaredNext::Number { parameter, first, size } => {
                let parameter = self.parameter(&parameter.value, &parameter.at);
                let size = match size {
                    None => Some(PageSize::Unknown),
                    Some(Declared { value: DeclaredSize::Fixed(size), .. }) => Some(PageSize::Fixed(*size)),
                    Some(Declared { value: DeclaredSize::Parameter(name), at }) => {
                        self.parameter(name, at).map(PageSize::Parameter)
                    }
                };
                Some(PageNext::Number { parameter: parameter?, first: *first, size: size? })
            }
            DeclaredNext::LinkHeader => Some(PageNext::LinkHeader),
            DeclaredNext::LinkField(from) => {
                self.field(from, "a link is a text", is_link).map(|from| PageNext::LinkField { from })
            }
        }
    }

    /// Where the items are; `Some(None)` where that need not be known.
    fn items(&mut self, declared: &DeclaredPages) -> Option<Option<Vec<String>>> {
        if let Some(items) = &declared.items {
            return self.field(items, "items are a list", is_list).map(Some);
        }
        if !matches!(declared.next, DeclaredNext::Number { .. }) {
            return Some(None);
        }
        let root = self.reply(&declared.at)?;
        if is_list(self.api, root) {
            return Some(Some(Vec::new()));
        }
        let fields = fields_of(self.api, root).unwrap_or_default();
        let lists = fields.iter().filter(|field| is_list(self.api, &field.ty.ty));
        let lists: Vec<&str> = lists.map(|field| field.wire.as_str()).collect();
        let message =
            format!("only an empty page of `{}` could be the last: nobody says where its items are", self.operation.id);
        let help = match lists.as_slice() {
            [] => "add `items = \"…\"`, the field of the reply that is the list".to_owned(),
            lists => format!("add `items = \"{}\"`", lists.join("\"` or `items = \"")),
        };
        self.report.at(Severity::Error, CODE, declared.at.clone(), message, help);
        None
    }

    /// A field of the reply that is as it should be.
    fn field(
        &mut self,
        path: &Declared<Vec<String>>,
        should: &str,
        is_fit: fn(&Api, &Type) -> bool,
    ) -> Option<Vec<String>> {
        let root = self.reply(&path.at)?;
        let written = path.value.join(".");
        let message = match follow(self.api, root, &path.value, 0) {
            Ok(Some(ty)) if !is_fit(self.api, ty) => {
                (format!("`{written}` in the reply of `{}` cannot be that: {should}", self.operation.id), String::new())
            }
            Ok(_) => return Some(path.value.clone()),
            Err(help) => (format!("`{written}` is not a field of the reply of `{}`", self.operation.id), help),
        };
        self.report.at(Severity::Error, CODE, path.at.clone(), message.0, message.1);
        None
    }

    /// The type of the reply that is read for it: that of the first success in JSON.
    fn reply(&mut self, at: &Location) -> Option<&'a Type> {
        let operation = self.operation;
        let successes = operation.responses.iter().filter(|response| operation.is_success(response.status));
        let mut contents = successes.flat_map(|response| operation.contents(response));
        if let Some(content) = contents.find(|content| content.kind == ContentKind::Json) {
            return Some(&content.ty.ty);
        }
        let message = format!("`{}` documents no reply in JSON that could say where the next page is", operation.id);
        self.report.at(Severity::Error, CODE, at.clone(), message, "only `link = true` needs none");
        None
    }

    fn parameter(&mut self, name: &str, at: &Location) -> Option<String> {
        let all = self.operation.parameters.iter();
        let in_query: Vec<&str> =
            all.filter(|p| p.place == ParameterPlace::Query).map(|parameter| parameter.name.as_str()).collect();
        if in_query.contains(&name) {
            return Some(name.to_owned());
        }
        let message = format!("`{}` has no query parameter `{name}`", self.operation.id);
        self.report.at(Severity::Error, CODE, at.clone(), message, did_you_mean(name, &in_query));
        None
    }
}

/// The type behind property names, or `None` where the document leaves it open. The error is the help for whoever wrote
/// them.
fn follow<'a>(api: &'a Api, ty: &'a Type, path: &[String], depth: usize) -> Result<Option<&'a Type>, String> {
    // Deeper than any document nests its choices, and an end to those that go round in a circle.
    const DEEP: usize = 32;
    let Some((name, rest)) = path.split_first() else { return Ok(Some(ty)) };
    match kind(api, ty) {
        Kind::Open => Ok(None),
        Kind::Map(value) => follow(api, value, rest, depth + 1),
        Kind::Object(fields) => match fields.iter().find(|field| field.wire == *name) {
            Some(field) => follow(api, &field.ty.ty, rest, depth + 1),
            None => Err(did_you_mean(name, &fields.iter().map(|field| field.wire.as_str()).collect::<Vec<_>>())),
        },
        Kind::Choice(branches) if depth < DEEP => {
            let mut tried = branches.into_iter().map(|branch| follow(api, branch, path, depth + 1));
            let first = tried.next().unwrap_or(Ok(None));
            if first.is_ok() { first } else { tried.find(Result::is_ok).unwrap_or(first) }
        }
        Kind::Choice(_) => Ok(None),
        Kind::Other => Err(format!("what `{name}` would be in is no object")),
    }
}

/// A type as paths see it.
enum Kind<'a> {
    Open,
    Map(&'a Type),
    Object(&'a [Field]),
    Choice(Vec<&'a Type>),
    Other,
}

fn kind<'a>(api: &'a Api, ty: &'a Type) -> Kind<'a> {
    let mut ty = ty;
    // A document may try to send other names round in a circle: the arena is walked at most once.
    for _ in 0..=api.schemas.len() {
        match ty.on_the_wire() {
            Type::Any => return Kind::Open,
            Type::Map(value) => return Kind::Map(&value.ty),
            Type::Named(id) => match &api.schema(*id).kind {
                SchemaKind::Alias(target) => ty = &target.ty,
                SchemaKind::Object { fields, .. } => return Kind::Object(fields),
                SchemaKind::Union { branches, .. } => {
                    return Kind::Choice(branches.iter().map(|branch| &branch.ty.ty).collect());
                }
                _ => return Kind::Other,
            },
            _ => return Kind::Other,
        }
    }
    Kind::Other
}

fn fields_of<'a>(api: &'a Api, ty: &'a Type) -> Option<&'a [Field]> {
    match kind(api, ty) {
        Kind::Object(fields) => Some(fields),
        _ => None,
    }
}

/// A type behind its other names.
fn behind<'a>(api: &'a Api, ty: &'a Type) -> &'a Type {
    crate::analyse::telling::behind(api, ty.on_the_wire()).on_the_wire()
}

fn is_list(api: &Api, ty: &Type) -> bool {
    matches!(behind(api, ty), Type::Array(_) | Type::Any)
}

fn is_cursor(api: &Api, ty: &Type) -> bool {
    let is_object = matches!(kind(api, ty), Kind::Object(_) | Kind::Map(_));
    !is_object && !matches!(behind(api, ty), Type::Array(_) | Type::Tuple(_) | Type::Bool | Type::Null)
}

fn is_link(api: &Api, ty: &Type) -> bool {
    is_cursor(api, ty) && !matches!(behind(api, ty), Type::Int(_) | Type::Float(_))
}
