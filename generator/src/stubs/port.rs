//! `port.rs`: what the domain asks of a system, and the adapter behind it.

use super::layout::{Answered, awaited, signature};
use super::mappings::{Mapped, mapped};
use super::mirror::Mirror;
use super::{GeneratedAt, Wanted, mentions};
use crate::plan::{KeyPlace, SystemPlan};
use crate::view::{PortOperation, PortView, VIEW_VERSION};

pub(super) fn view(plan: &SystemPlan, wanted: &[Wanted<'_>], mirror: &Mirror<'_>, at: GeneratedAt) -> PortView {
    let prefix = &plan.type_prefix;
    let mut operations: Vec<PortOperation> = wanted.iter().map(|wanted| operation(plan, wanted, mirror)).collect();
    for later in operations.iter_mut().skip(1) {
        later.is_later = true;
    }
    PortView {
        view_version: VIEW_VERSION,
        system: plan.system.clone(),
        port: format!("{prefix}Port"),
        adapter: format!("{prefix}Adapter"),
        mapping: format!("{prefix}Mapping"),
        error: format!("{prefix}Error"),
        result: format!("{prefix}Result"),
        imports: imports(plan, &operations, at),
        operations,
    }
}

fn operation(plan: &SystemPlan, wanted: &Wanted<'_>, mirror: &Mirror<'_>) -> PortOperation {
    let (planned, names) = (wanted.planned, &wanted.form.names);
    let Mapped { command, outcome, rejection, .. } = mapped(mirror, names);
    let mut arguments = vec!["&self".to_owned()];
    // A command that says nothing is no argument.
    let mut handed_on = "()".to_owned();
    if command != "()" {
        arguments.push(format!("command: {command}"));
        handed_on = "command".to_owned();
    }
    let key = match &planned.key {
        Some(KeyPlace::Header { required, .. } | KeyPlace::Query { required, .. }) => {
            Some(if *required { "key: IdempotencyKey" } else { "key: Option<IdempotencyKey>" })
        }
        Some(KeyPlace::Body { .. }) | None => None,
    };
    if let Some(key) = key {
        arguments.push(key.to_owned());
        handed_on.push_str(", key");
    }
    let result = format!("{}Result", plan.type_prefix);
    let outcome = if wanted.form.is_stream { format!("Outcomes<{outcome}, {rejection}>") } else { outcome };
    let parts = vec![outcome, rejection];
    let promised = Answered::Future(result.clone(), parts.clone());
    let mut lines =
        signature(4, &format!("async fn {}", names.method), &arguments, &Answered::Generic(result, parts), " {");
    lines.extend(awaited(8, &names.method, &handed_on));
    lines.push("    }".to_owned());
    PortOperation {
        method: names.method.clone(),
        docs: crate::view::summary_lines(&plan.operation(planned).docs),
        is_later: false,
        declaration_lines: signature(4, &format!("fn {}", names.method), &arguments, &promised, ";"),
        lines,
    }
}

fn imports(plan: &SystemPlan, operations: &[PortOperation], at: GeneratedAt) -> Vec<String> {
    let any = |word: &str| operations.iter().flat_map(|o| &o.declaration_lines).any(|line| mentions(line, word));
    let mut imports = Vec::new();
    if any("Infallible") {
        imports.push("use std::convert::Infallible;".to_owned());
    }
    if any("impl Future<") {
        imports.push("use std::future::Future;".to_owned());
    }
    if !imports.is_empty() {
        imports.push(String::new());
    }
    let key = if any("IdempotencyKey") { ", IdempotencyKey" } else { "" };
    let outcomes = if any("Outcomes<") { ", Outcomes" } else { "" };
    imports.push(format!("use cofferdam_runtime::{{CallError, Delivery{key}{outcomes}}};"));
    imports.push(String::new());
    let prefix = &plan.type_prefix;
    let mut own =
        vec![format!("use {}::adapter::{prefix}Adapter;", at.path()), format!("use super::mapper::{prefix}Mapping;")];
    if any("domain::") {
        own.push("use super::domain;".to_owned());
    }
    own.sort();
    imports.extend(own);
    imports
}
