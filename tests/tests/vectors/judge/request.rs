//! Requests: the line, the query, headers and the body's bytes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::arrival::Arrival;
use super::parts::parts;
use super::{Judgement, holds, outcome, same};
use crate::vector::{items, members};

pub(crate) fn judge(vector: &Value, seen: &Value) -> Judgement {
    let arrivals: Vec<Arrival<'_>> = items(seen, "arrivals").map(Arrival).collect();
    if let Some(sent) = vector.get("requests_sent") {
        same("requests sent", sent, &json!(arrivals.len()))?;
    }
    if let Some(expected) = vector.get("expect_outcome") {
        outcome::same_outcome(expected, &Value::Null, &seen["outcomes"][0])?;
    }
    let Some(expected) = vector.get("expect_request") else { return Ok(()) };
    match arrivals.as_slice() {
        [only] => as_expected(expected, only),
        other => Err(format!("{} requests arrived; {}", other.len(), seen["outcomes"])),
    }
}

fn as_expected(expected: &Value, arrival: &Arrival<'_>) -> Judgement {
    for (what, wanted) in expected.as_object().into_iter().flatten() {
        match what.as_str() {
            "method" => same("method", wanted, &arrival.0["method"])?,
            "path_raw" => same("path", wanted, &json!(arrival.path()))?,
            "query_raw" => same("query", wanted, &json!(arrival.query()))?,
            "query_raw_any_of" => {
                let is_one = wanted.as_array().into_iter().flatten().any(|query| query == arrival.query());
                holds(&format!("query: none of {wanted}, but {:?}", arrival.query()), is_one)?;
            }
            "query_pairs" => same("query", wanted, &json!(arrival.pairs()))?,
            "headers" => headers(wanted, arrival)?,
            "absent_headers" => {
                let sent = wanted.as_array().into_iter().flatten().find(|name| has(arrival, name));
                holds(&format!("the header {sent:?} was sent"), sent.is_none())?;
            }
            "header_contains" => {
                for (name, part) in members(expected, "header_contains") {
                    let value = arrival.header(name).unwrap_or_default();
                    let part = part.as_str().unwrap_or_default();
                    holds(&format!("{name}: {value:?} does not contain {part:?}"), value.contains(part))?;
                }
            }
            "content_type_prefix" => {
                let (value, prefix) = (arrival.header("content-type"), wanted.as_str().unwrap_or_default());
                let fits = value.as_deref().is_some_and(|value| value.starts_with(prefix));
                holds(&format!("content-type: {value:?} does not begin with {prefix:?}"), fits)?;
            }
            "body_json" => {
                let body = serde_json::from_slice::<Value>(&arrival.body());
                same("body", wanted, &body.map_err(|error| format!("body: {error}"))?)?;
            }
            "body_text" => same("body", wanted, &json!(String::from_utf8_lossy(&arrival.body())))?,
            "body_base64" => same("body", wanted, &json!(STANDARD.encode(arrival.body())))?,
            "parts" | "part_names" => multipart(what, wanted, arrival)?,
            other => return Err(format!("not understood: {other}")),
        }
    }
    Ok(())
}

fn has(arrival: &Arrival<'_>, name: &Value) -> bool {
    arrival.header(name.as_str().unwrap_or_default()).is_some()
}

fn headers(wanted: &Value, arrival: &Arrival<'_>) -> Judgement {
    for (name, value) in wanted.as_object().into_iter().flatten() {
        same(name, value, &json!(arrival.header(name)))?;
    }
    Ok(())
}

fn multipart(what: &str, wanted: &Value, arrival: &Arrival<'_>) -> Judgement {
    let content_type = arrival.header("content-type").unwrap_or_default();
    let parts = parts(&content_type, &arrival.body())?;
    if what == "part_names" {
        return same(what, wanted, &parts.iter().map(|part| part.name()).collect());
    }
    let expected = wanted.as_array().map(Vec::as_slice).unwrap_or_default();
    same("number of parts", &json!(expected.len()), &json!(parts.len()))?;
    expected.iter().zip(&parts).try_for_each(|(expected, part)| same("part", expected, &part.told(expected)))
}
