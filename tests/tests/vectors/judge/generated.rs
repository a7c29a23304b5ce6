//! What is generated, without calling it: errors, names, documentation, files that were read.

use std::fs;
use std::path::Path;

use cofferdam::Build;
use cofferdam::diagnose::Severity;
use serde_json::{Value, json};

use super::{Judgement, holds, same};
use crate::case::{Case, Outcome};
use crate::vector::{items, text};

/// Holds the generation of a case against a vector. That it compiles without a warning, for clippy too, and that no
/// documentation test runs, is shown for every case in `compile_cases`.
pub(crate) fn generated(vector: &Value, document: &Path, outcome: &Outcome) -> Judgement {
    let expected = &vector["expect_generate"];
    if expected["exit_nonzero"] == true {
        return refused(expected, outcome);
    }
    let case = outcome.case.as_ref().ok_or_else(|| outcome.errors())?;
    let schema = || {
        let pointer = format!("/components/schemas/{}", text(expected, "schema"));
        items(&case.plan, "schemas").find(|schema| text(schema, "pointer") == pointer).ok_or("no such schema")
    };
    for (what, wanted) in expected.as_object().into_iter().flatten() {
        match what.as_str() {
            "schema" => drop(schema()?),
            "variants" => {
                let variants = items(schema()?, "values").map(|value| value["variant"].clone()).collect();
                same(what, wanted, &variants)?;
            }
            // Shown for every case: this test builds it with warnings denied, the other one the rest.
            "compiles" | "warnings" | "clippy_warnings" | "doc_tests" => {}
            "strings_absent_as_code" => absent_as_code(wanted, case)?,
            "rerun_if_changed" => rerun(wanted, document)?,
            "field" => drop(documented_field(case, schema()?, wanted)?),
            "doc" => {
                let docs = documented_field(case, schema()?, &expected["field"])?;
                holds(&format!("{docs:?} does not hold {wanted}"), docs.contains(wanted.as_str().unwrap_or_default()))?;
            }
            "deprecated" => {
                let docs = documented_field(case, schema()?, &expected["field"])?;
                same(what, wanted, &json!(docs.to_lowercase().contains("deprecated")))?;
            }
            "client_methods" => same(what, wanted, &Value::from(client_methods(case)))?,
            "client_methods_count" => same(what, wanted, &json!(client_methods(case).len()))?,
            "same_names_when_paths_are_reversed" => same_names_reversed(document, case)?,
            other => return Err(format!("not understood: {other}")),
        }
    }
    Ok(())
}

fn refused(expected: &Value, outcome: &Outcome) -> Judgement {
    holds("it was generated", outcome.case.is_none())?;
    let errors: Vec<_> = outcome.found.iter().filter(|one| one.severity == Severity::Error).collect();
    for wanted in items(expected, "errors") {
        let said = |text: &Value, message: &str| message.contains(text.as_str().unwrap_or_default());
        let fits = errors.iter().any(|one| {
            let message = format!("{} {}", one.message, one.help.as_deref().unwrap_or_default());
            let Some(location) = &one.location else { return false };
            let position = format!("{}:{}", location.line, location.col);
            wanted.get("position").is_none_or(|wanted| *wanted == *position)
                && wanted.get("pointer").is_none_or(|wanted| *wanted == *location.pointer)
                && items(wanted, "mentions").all(|text| said(text, &message))
                && !items(wanted, "not").any(|text| said(text, &message))
        });
        holds(&format!("no error is {wanted}:\n{}", outcome.errors()), fits)?;
    }
    Ok(())
}

fn client_methods(case: &Case) -> Vec<String> {
    let methods = items(&case.plan, "operations").map(|operation| text(&operation["rust"], "client"));
    methods.map(|path| path.rsplit("::").next().unwrap_or_default().to_owned()).collect()
}

/// Texts of the document that may stand in comments only.
fn absent_as_code(wanted: &Value, case: &Case) -> Judgement {
    let lines = case.files.iter().flat_map(|(_, text)| text.lines());
    let code: String = lines.filter(|line| !line.trim_start().starts_with("//")).collect();
    let found = wanted.as_array().into_iter().flatten().filter_map(Value::as_str).find(|text| code.contains(text));
    holds(&format!("{found:?} is code"), found.is_none())
}

fn rerun(wanted: &Value, document: &Path) -> Judgement {
    let folder = document.parent().unwrap_or(document);
    let out = tempfile::tempdir().map_err(|error| error.to_string())?;
    let build = Build::from_spec(document, "case").out_dir(out.path());
    let built = build.rerun_if_changed(false).run().map_err(|error| error.to_string())?;
    let real = |path: &Path| path.canonicalize().map_err(|error| error.to_string());
    let mut inputs = built.inputs.iter().map(|path| real(path)).collect::<Result<Vec<_>, _>>()?;
    inputs.sort();
    let wanted = wanted.as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut wanted = wanted.map(|path| real(&folder.join(path))).collect::<Result<Vec<_>, _>>()?;
    wanted.sort();
    holds(&format!("{inputs:?}, not {wanted:?}"), inputs == wanted)
}

/// The comment and the attributes above a field of a schema's type.
fn documented_field(case: &Case, schema: &Value, property: &Value) -> Result<String, String> {
    let field = items(schema, "fields").find(|field| field["name"] == *property).ok_or("no such field")?;
    let item = text(schema, "type").trim_start_matches("types::");
    let opening = format!("pub struct {item} {{");
    let texts = case.files.iter().filter_map(|(_, text)| text.split_once(&opening));
    let (_, body) = texts.into_iter().next().ok_or("no such struct")?;
    let declaration = format!("pub {}:", text(field, "field"));
    let above: Vec<&str> = body.lines().take_while(|line| !line.trim_start().starts_with(&declaration)).collect();
    let is_head = |line: &&&str| line.trim_start().starts_with("///") || line.trim_start().starts_with("#[");
    Ok(above.iter().rev().take_while(is_head).map(|line| line.trim()).collect::<Vec<_>>().join("\n"))
}

fn same_names_reversed(document: &Path, case: &Case) -> Judgement {
    let text = fs::read_to_string(document).map_err(|error| error.to_string())?;
    let mut document: Value = serde_yaml::from_str(&text).map_err(|error| error.to_string())?;
    let Some(paths) = document["paths"].as_object_mut() else { return Err("no paths".to_owned()) };
    *paths = std::mem::take(paths).into_iter().rev().collect();
    let reversed = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = reversed.path().join("reversed.json");
    fs::write(&path, document.to_string()).map_err(|error| error.to_string())?;
    let other = Outcome::of(&path, &case.name);
    let other = other.case.as_ref().ok_or_else(|| other.errors())?;
    let mut names = [client_methods(case), client_methods(other)];
    names.iter_mut().for_each(|names| names.sort());
    holds(&format!("{names:?}"), names[0] == names[1])
}
