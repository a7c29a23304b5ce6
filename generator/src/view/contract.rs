use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;

use super::VIEW_VERSION;
use crate::contract::{Contract, Example};
use crate::plan::SystemPlan;
use crate::render;

/// The contract tests of a system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ContractView {
    /// [`VIEW_VERSION`].
    pub view_version: u32,
    /// The path of the module `types`.
    pub types: String,
    /// Features of the crate without any of which it has no tests, as literals.
    pub features: Vec<String>,
    /// The examples.
    pub examples: Vec<ContractExample>,
}

/// An example of the document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ContractExample {
    /// The path of its type.
    pub ty: String,
    /// Where it stands, as a literal.
    pub at: String,
    /// Its JSON, as a literal.
    pub json: String,
    /// Calls that say what is not written back, or otherwise.
    pub rest: String,
}

/// The view of a system's contract tests. `root` is the path of its root module.
#[must_use]
pub fn contract(plan: &SystemPlan, contract: &Contract, root: &str) -> ContractView {
    let example = |example: &Example| ContractExample {
        ty: render::type_path(plan, &example.ty),
        at: literal(&place(contract, example)),
        json: json(&example.value),
        rest: rest(example),
    };
    ContractView {
        view_version: VIEW_VERSION,
        types: format!("{root}::types"),
        features: plan.gates.iter().flat_map(|gates| &gates.features).map(|feature| literal(feature)).collect(),
        examples: contract.examples.iter().map(example).collect(),
    }
}

fn place(contract: &Contract, example: &Example) -> String {
    match example.origin.file {
        0 => example.origin.pointer.clone(),
        file => format!("{}#{}", contract.files.get(file).map_or("", String::as_str), example.origin.pointer),
    }
}

fn rest(example: &Example) -> String {
    let mut rest = String::new();
    // Writing to a String cannot fail.
    if !example.dropped.is_empty() {
        let dropped: Vec<String> = example.dropped.iter().map(|place| literal(place)).collect();
        let _ = write!(rest, ".dropping(&[{}])", dropped.join(", "));
    }
    if !example.respelt.is_empty() {
        let pair = |(place, value): &(String, Value)| format!("({}, {})", literal(place), json(value));
        let respelt: Vec<String> = example.respelt.iter().map(pair).collect();
        let _ = write!(rest, ".respelling(&[{}])", respelt.join(", "));
    }
    rest
}

fn json(value: &Value) -> String {
    literal(&value.to_string())
}

/// A Rust literal: raw where it reads better so, and escaped where the text holds what a source file should not.
pub(super) fn literal(text: &str) -> String {
    let plain = |character: char| matches!(character, '"' | '\\' | '\'') || character.escape_debug().count() == 1;
    if !text.contains(['"', '\\']) || !text.chars().all(plain) {
        return format!("{text:?}");
    }
    let mut hashes = String::from("#");
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    format!("r{hashes}\"{text}\"{hashes}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_raw_where_they_can_be() {
        assert_eq!(literal("/a/b"), r#""/a/b""#);
        assert_eq!(literal(r#"{"a":1}"#), r##"r#"{"a":1}"#"##);
        assert_eq!(literal(r##"["x"#]"##), r###"r##"["x"#]"##"###);
        assert_eq!(literal("\"\u{202e}\""), r#""\"\u{202e}\"""#);
        assert_eq!(literal("\"a\rb\""), r#""\"a\rb\"""#);
    }
}
