//! The implementations of `Mapping<Operation>`: what an operation takes, answers and refuses, in the domain's types.

use super::expressions::{Naming, Way, convert};
use super::layout::{Answered, Expr, signature};
use super::mirror::{Item, Mirror, Side};
use super::shapes::{Member, Shape, ShapeKind};
use super::ty::{Module, Ty};
use crate::analyse::OperationNames;

/// One implementation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mapped {
    /// The domain type of the command, as the mapper writes it.
    pub(crate) command: String,
    /// The domain type of the outcome.
    pub(crate) outcome: String,
    /// The domain type of the rejection.
    pub(crate) rejection: String,
    /// `fn request`, indented.
    pub(crate) request: Vec<String>,
    /// `fn outcome`, indented.
    pub(crate) outcome_lines: Vec<String>,
    /// `fn rejection`, indented.
    pub(crate) rejection_lines: Vec<String>,
}

/// What a command is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Command {
    /// Nothing: the request has no field.
    Nothing,
    /// The request's only field is this body.
    Body(Member),
    /// A type of its own.
    Own(Item),
}

// `Member` holds only texts and a type: comparing them is comparing the text.
impl PartialEq for Member {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.ty == other.ty
    }
}
impl Eq for Member {}

/// Writes the implementation for an operation.
pub(crate) fn mapped(mirror: &Mirror<'_>, names: &OperationNames) -> Mapped {
    let command = command(mirror, names);
    let reply = Ty::Named(Module::Operations, names.reply.clone());
    let rejection = Ty::Named(Module::Operations, names.rejection.clone());
    let cannot_refuse = never(&mirror.resolved(&rejection));
    Mapped {
        command: match &command {
            Command::Nothing => "()".to_owned(),
            Command::Body(body) => mirror.domain_type(&body.ty, Side::Mapper),
            Command::Own(item) => mirror.domain_path(item, Side::Mapper),
        },
        outcome: match outcome_alias(mirror, names) {
            Some((item, _)) => mirror.domain_path(&item, Side::Mapper),
            None => mirror.domain_type(&reply, Side::Mapper),
        },
        rejection: if cannot_refuse { "Infallible".to_owned() } else { mirror.domain_type(&rejection, Side::Mapper) },
        request: request(mirror, names, &command),
        outcome_lines: outcome(mirror, names, &reply),
        rejection_lines: rejected(mirror, names, &rejection, cannot_refuse),
    }
}

/// What a reply says: of an event its data.
fn said(mirror: &Mirror<'_>, reply: &Ty) -> Ty {
    match reply {
        Ty::Event(data) => mirror.resolved(data),
        other => other.clone(),
    }
}

/// The name that the domain gives to an outcome of types within types, and the type itself.
pub(crate) fn outcome_alias(mirror: &Mirror<'_>, names: &OperationNames) -> Option<(Item, Ty)> {
    let item = (Module::Operations, names.reply.clone());
    let reply = said(mirror, &mirror.resolved(&Ty::Named(item.0, item.1.clone())));
    (reply.depth() > 2).then_some((item, reply))
}

fn command(mirror: &Mirror<'_>, names: &OperationNames) -> Command {
    let item = (Module::Operations, names.request.clone());
    match mirror.shape(&item).map(|shape| &shape.kind) {
        Some(ShapeKind::Struct(members)) => match members.as_slice() {
            [] => Command::Nothing,
            [only] if only.name == names.body && matches!(mirror.resolved(&only.ty), Ty::Named(..)) => {
                Command::Body(only.clone())
            }
            _ => Command::Own(item),
        },
        _ => Command::Own(item),
    }
}

/// Whether a rejection has no value: none is documented.
fn never(rejection: &Ty) -> bool {
    matches!(rejection, Ty::Leaf(text) if text.ends_with("NoRejection"))
        || matches!(rejection, Ty::Named(_, name) if name == "NoRejection")
}

fn request(mirror: &Mirror<'_>, names: &OperationNames, command: &Command) -> Vec<String> {
    let path = format!("operations::{}", names.request);
    let result = format!("Result<{path}, MappingError>");
    let (binding, body) = match command {
        Command::Nothing => ("(): &Self::Command", vec![format!("        Ok({path} {{}})")]),
        Command::Body(member) => {
            let value = convert(mirror, "command", &member.ty, Way::ToWire);
            let entry = super::layout::Entry { name: member.name.clone(), value: Some(value) };
            ("command: &Self::Command", super::layout::braces(8, &format!("Ok({path}"), &[entry], ")"))
        }
        Command::Own(item) => {
            let own = Ty::Named(item.0, item.1.clone());
            let value = convert(mirror, "command", &own, Way::ToWire);
            let call = Expr::Call("Ok".to_owned(), Box::new(value));
            ("command: &Self::Command", call.lines(8, "", ""))
        }
    };
    method("fn request", &[binding.to_owned()], &result, body)
}

fn outcome(mirror: &Mirror<'_>, names: &OperationNames, reply: &Ty) -> Vec<String> {
    let result = "Result<Self::Outcome, Refusal<Self::Rejection>>";
    let is_unit = mirror.resolved(reply) == Ty::Leaf("()".to_owned());
    let binding = if is_unit { "()" } else { "reply" };
    let value = if is_unit { Expr::Text("()".to_owned()) } else { convert(mirror, "reply", reply, Way::FromWire) };
    let body = Expr::Call("Ok".to_owned(), Box::new(value)).lines(8, "", "");
    method("fn outcome", &[format!("{binding}: operations::{}", names.reply)], result, body)
}

fn rejected(mirror: &Mirror<'_>, names: &OperationNames, rejection: &Ty, cannot_refuse: bool) -> Vec<String> {
    let body = if cannot_refuse {
        vec!["        match body {}".to_owned()]
    } else {
        convert(mirror, "body", rejection, Way::FromWire).lines(8, "", "")
    };
    let arguments = ["_status: StatusCode".to_owned(), format!("body: operations::{}", names.rejection)];
    method("fn rejection", &arguments, "Self::Rejection", body)
}

fn method(head: &str, arguments: &[String], result: &str, body: Vec<String>) -> Vec<String> {
    let mut all = vec!["&self".to_owned()];
    all.extend_from_slice(arguments);
    let mut lines = signature(4, head, &all, &Answered::Plain(result.to_owned()), " {");
    lines.extend(body);
    lines.push("    }".to_owned());
    lines
}

/// Whether a successful reply has a field that looks like an error of its own: worth a word about `verdict`.
pub(crate) fn error_fields(mirror: &Mirror<'_>, names: &OperationNames) -> Vec<String> {
    let reply = said(mirror, &mirror.resolved(&Ty::Named(Module::Operations, names.reply.clone())));
    let Ty::Named(module, name) = reply else { return Vec::new() };
    let Some(Shape { kind: ShapeKind::Struct(members), .. }) = mirror.shape(&(module, name)) else {
        return Vec::new();
    };
    let looks_like_one = |member: &&Member| crate::plan::is_error_name(&member.name);
    members.iter().filter(looks_like_one).map(|member| member.name.clone()).collect()
}
