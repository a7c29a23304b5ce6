//! The methods of the bare client: one for each form in which an operation answers.

use super::code::Code;
use super::docs::{self, DocComment};
use super::gates;
use super::operations::{self, StreamShape, asked_in_the_body};
use super::spelled;
use crate::analyse::{OperationNames, forms};
use crate::model::Operation;
use crate::plan::{KeyPlace, OperationKind, PlannedOperation, SystemPlan};

/// All methods of an operation.
pub(super) fn methods(plan: &SystemPlan, planned: &PlannedOperation) -> String {
    let operation = plan.operation(planned);
    let Some(names) = plan.names.operations.get(planned.index) else { return String::new() };
    let method = Method { plan, planned, operation, names };
    let mut code = Code::gated(gates::of_operation(plan, planned));
    if forms(operation).whole {
        method.whole(&mut code);
    }
    if let Some(shape) = operations::stream_shape(plan, planned) {
        method.stream(&mut code, &shape);
    }
    if let Some(name) = &names.byte_stream {
        method.bytes(&mut code, name);
    }
    if planned.pages.is_some() {
        method.pages(&mut code);
    }
    code.finish()
}

struct Method<'p> {
    plan: &'p SystemPlan,
    planned: &'p PlannedOperation,
    operation: &'p Operation,
    names: &'p OperationNames,
}

impl Method<'_> {
    /// What the document says, what is called, and why it may be repeated or not; between them what is special.
    fn docs(&self, special: &[&str]) -> Vec<String> {
        let mut comment = DocComment::of(&self.operation.docs);
        comment.own(&docs::code(&format!("{} {}", self.operation.method, self.operation.path.raw)));
        for sentence in special {
            comment.own(sentence);
        }
        comment.own(&operations::kind_sentence(self.planned));
        comment.lines()
    }

    /// The argument for the idempotency key, and what is handed on of it.
    fn key(&self) -> (Option<&'static str>, &'static str) {
        match &self.planned.key {
            Some(KeyPlace::Header { required: true, .. } | KeyPlace::Query { required: true, .. }) => {
                (Some("key: &rt::IdempotencyKey,"), "Some(key)")
            }
            Some(KeyPlace::Header { .. } | KeyPlace::Query { .. }) => {
                (Some("key: Option<&rt::IdempotencyKey>,"), "key")
            }
            Some(KeyPlace::Body { .. }) | None => (None, "None"),
        }
    }

    fn calling(&self, code: &mut Code, docs: &[String], method: &str, answer: &str, call: &str) {
        let (request, rejection) = (&self.names.request, &self.names.rejection);
        code.docs(1, docs).item(1, format_args!("pub async fn {method}("));
        code.line(2, "&self,").line(2, format_args!("request: &operations::{request},"));
        if let (Some(argument), _) = self.key() {
            code.line(2, argument);
        }
        let error = format!("rt::ClientError<operations::{rejection}>");
        code.list(1, ") -> Result<", &[answer.to_owned(), error], "> {");
        code.line(2, format_args!("self.http.{call}.await")).line(1, "}");
    }

    fn whole(&self, code: &mut Code) {
        let (marker, reply, (_, key)) = (&self.names.marker, &self.names.reply, self.key());
        let call = format!("call::<operations::{marker}>(request, {key})");
        self.calling(code, &self.docs(&[]), &self.names.method, &format!("operations::{reply}"), &call);
    }

    fn stream(&self, code: &mut Code, shape: &StreamShape) {
        let Some(names) = &self.names.stream else { return };
        let (marker, (_, key)) = (&names.marker, self.key());
        let is_resumed = self.planned.kind == OperationKind::Read && shape.form == "events";
        let call = match is_resumed {
            true => format!("subscribe::<operations::{marker}, _>(request)"),
            false => format!("stream::<operations::{marker}>(request, {key})"),
        };
        let mut special = vec![match shape.form {
            "events" => "Answers with server-sent events, each as it comes.".to_owned(),
            _ => "Answers with one item after another, each as it comes.".to_owned(),
        }];
        special.extend(asked_in_the_body(self.plan, self.operation).map(str::to_owned));
        if !shape.headers.is_empty() {
            let headers: Vec<String> = shape.headers.iter().map(|name| docs::code(name)).collect();
            special.push(format!("Headers, by `reply().header(…)`: {}.", headers.join(", ")));
        }
        let special: Vec<&str> = special.iter().map(String::as_str).collect();
        self.calling(code, &self.docs(&special), &names.method, &spelled(&shape.stream), &call);
    }

    fn bytes(&self, code: &mut Code, method: &str) {
        let (marker, (_, key)) = (&self.names.marker, self.key());
        let call = format!("bytes::<operations::{marker}>(request, {key})");
        let docs = self.docs(&["Answers with the bytes of its reply, each piece as it comes."]);
        self.calling(code, &docs, method, "rt::http::ByteStream", &call);
    }

    fn pages(&self, code: &mut Code) {
        let (method, marker, request) = (&self.names.pages, &self.names.marker, &self.names.request);
        let docs =
            self.docs(&["Page by page, from the one that the request is for: each is fetched when it is asked for."]);
        code.docs(1, &docs).line(1, "#[must_use]");
        code.item(1, format_args!("pub fn {method}("));
        code.line(2, "&self,").line(2, format_args!("request: &operations::{request},"));
        code.line(1, format_args!(") -> rt::http::Pages<operations::{marker}> {{"));
        code.line(2, "self.http.pages(request)").line(1, "}");
    }
}
