//! Glue: Rust that calls the generated code of a case, written from the case's plan and nothing else.

mod answer;
mod operation;
mod schema;
mod server;

use serde_json::Value;

use crate::case::Case;
use crate::vector::{items, text};

/// The program: every case with its name.
pub(crate) fn main(cases: &[Case]) -> String {
    let modules: String =
        cases.iter().map(|Case { module, .. }| format!("mod {module};\nmod glue_{module};\n")).collect();
    let cases: String = cases
        .iter()
        .map(|Case { name, module, .. }| format!("({name:?}, |ask| Box::pin(glue_{module}::run(ask))),\n"))
        .collect();
    format!(
        "#![deny(warnings)]\n{modules}#[allow(dead_code)]\nmod driver;\nfn main() {{\ndriver::run(&[\n{cases}]);\n}}\n"
    )
}

/// The glue of a case.
pub(crate) fn of_case(case: &Case, vectors: &[Value]) -> String {
    let (plan, module) = (&case.plan, &case.module);
    let system = text(plan, "name");
    let operations: Vec<&Value> = items(plan, "operations").collect();
    let arms: String = operations
        .iter()
        .enumerate()
        .map(|(index, operation)| {
            let id = text(operation, "id");
            let bytes = match operation::byte_stream(operation) {
                Some(_) => format!(
                    "{id:?} if ask.wants_all_headers() => all((0..ask.calls()).map(|_| bytes_{index}(ask, &client))).await,\n"
                ),
                None => String::new(),
            };
            format!(
                "{bytes}{id:?} if ask.is_protected() => all((0..ask.calls()).map(|_| protected_{index}(ask, &adapter))).await,\n\
                 {id:?} => all((0..ask.calls()).map(|_| bare_{index}(ask, &client))).await,\n"
            )
        })
        .collect();
    let functions: String =
        operations.iter().enumerate().map(|(index, operation)| operation::functions(plan, index, operation)).collect();
    let (client, credentials_type) = (text(&plan["rust"], "client"), text(&plan["rust"], "credentials"));
    let adapter = text(&plan["rust"], "adapter");
    let credentials = credentials(plan);
    let (schemas, servers) = (schema::function(plan, case, vectors), server::function(plan, case, vectors));
    format!(
        r#"//! Calls `{system}`.
#![allow(unused, clippy::all)]
use crate::driver::as_is::AsIs;
use crate::driver::ask::{{Ask, Unfit, text, unfit}};
use crate::driver::said::{{self, Said}};
use crate::driver::all;
use crate::{module} as root;
use root::{{client, operations, types}};
use serde_json::{{Value, json}};

pub(crate) async fn run(ask: &Ask) -> Vec<Value> {{
    if ask.is("kind", "schema") {{
        return vec![schema(text(&ask.vector["schema"]), text(&ask.vector["decode"]))];
    }}
    if ask.is("kind", "server") {{
        return vec![server(ask).unwrap_or_else(said::unrepresentable)];
    }}
    match call(ask).await {{
        Ok(seen) => seen,
        Err(unfit) => vec![said::unrepresentable(unfit)],
    }}
}}

async fn call(ask: &Ask) -> Result<Vec<Value>, Unfit> {{
    let client = root::{client}::new(ask.http({system:?}, credentials(ask))?);
    let adapter = root::{adapter}::connect(&ask.settings({system:?})?, credentials(ask), AsIs).map_err(unfit)?;
    let seen: Vec<Result<Value, Unfit>> = match text(&ask.vector["operation_id"]) {{
        "" => vec![Ok(json!({{ "debug": format!("{{:?}} {{client:?}} {{adapter:?}}", credentials(ask)) }}))],
        {arms}
        other => return Err(format!("no operation {{other}}")),
    }};
    seen.into_iter().collect()
}}

fn credentials(ask: &Ask) -> root::{credentials_type} {{
    let credentials = root::{credentials_type}::new();
    {credentials}
    credentials
}}

{schemas}
{servers}
{functions}
"#
    )
}

fn credentials(plan: &Value) -> String {
    items(plan, "credentials")
        .filter_map(|credential| {
            let (scheme, method) = (text(credential, "scheme"), credential["method"].as_str()?);
            let arguments = match text(credential, "kind") {
                "basic" => "text(&given[0]).to_owned(), text(&given[1])",
                "client-credentials" => "ask.client_credentials(given)",
                _ => "text(given)",
            };
            Some(format!(
                "let credentials = match ask.credential({scheme:?}) {{\n\
                 Some(given) => credentials.{method}({arguments}),\nNone => credentials,\n}};\n"
            ))
        })
        .collect()
}
