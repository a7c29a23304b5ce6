//! What a call answered: a documented success, or how it failed.

use serde_json::{Value, json};

use super::{Judgement, holds, latin, same};
use crate::vector::{items, members, text};

/// Holds the outcome of a vector with a reply against it.
pub(crate) fn judge(vector: &Value, plan: &Value, outcome: &Value) -> Judgement {
    same_outcome(&vector["expect_outcome"], plan, outcome)?;
    let expected = &vector["expect_outcome"];
    if expected["status_kept"] == true {
        same("status kept", &vector["reply"]["status"], &outcome["status"])?;
    }
    if expected["headers_kept"] == true {
        for (name, value) in members(&vector["reply"], "headers") {
            let wanted = json!([name, value]);
            let kept = items(&outcome["kept"], "headers").any(|header| *header == wanted);
            holds(&format!("the header {name} is lost"), kept)?;
        }
    }
    if expected["body_bytes_kept"] == true {
        let sent = match vector["reply"]["text"].as_str() {
            Some(text) => text.bytes().map(char::from).collect(),
            None => latin(&vector["reply"]["body_base64"]),
        };
        same("bytes kept", &json!(sent), &json!(latin(&outcome["kept"]["body_base64"])))?;
    }
    Ok(())
}

/// Holds an outcome against what is expected of it.
pub(crate) fn same_outcome(expected: &Value, plan: &Value, outcome: &Value) -> Judgement {
    match expected.get("ok") {
        Some(ok) => success(ok, plan, outcome),
        None => failure(expected, outcome),
    }
}

fn success(expected: &Value, plan: &Value, outcome: &Value) -> Judgement {
    let said = outcome.get("ok").ok_or_else(|| format!("no success: {outcome}"))?;
    for (what, wanted) in expected.as_object().into_iter().flatten() {
        match what.as_str() {
            "status" | "json" | "text" | "base64" | "media_type" => same(what, wanted, &said[what])?,
            // A vector that has a body too says `unit` of something else.
            "unit" if expected.get("json").is_none() => same(what, wanted, &said[what])?,
            "unit" => {}
            "headers" => headers(wanted, said)?,
            "variant" => is_variant(wanted.as_str().unwrap_or_default(), text(said, "debug"))?,
            "known_variant" => {
                let unknown = unknown(plan, text(said, "debug"), "/");
                holds(&format!("an unknown value: {}", said["debug"]), !unknown)?;
            }
            "unknown_variant" => {
                let unknown = unknown(plan, text(said, "debug"), wanted.as_str().unwrap_or_default());
                holds(&format!("not kept as unknown: {}", said["debug"]), unknown)?;
            }
            // What was written back was compared; an object of JSON has a key once.
            "json_key_once" => holds("a key is lost", !said["json"].is_null())?,
            other => return Err(format!("not understood: {other}")),
        }
    }
    Ok(())
}

fn headers(wanted: &Value, said: &Value) -> Judgement {
    for (name, value) in wanted.as_object().into_iter().flatten() {
        same(name, value, &said["headers"][name.to_ascii_lowercase()])?;
    }
    Ok(())
}

fn is_variant(name: &str, debug: &str) -> Judgement {
    let rest = debug.strip_prefix(name);
    holds(&format!("not {name}, but {debug}"), rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('(')))
}

/// Whether a value, or the field of it at a pointer of one name, is the variant that keeps unknown values.
fn unknown(plan: &Value, debug: &str, pointer: &str) -> bool {
    let field = pointer.trim_start_matches('/');
    items(plan, "schemas").filter_map(|schema| schema["unknown"].as_str()).any(|variant| match field {
        "" => debug.starts_with(&format!("{variant}(")),
        field => {
            debug.contains(&format!("{field}: {variant}(")) || debug.contains(&format!("{field}: Some({variant}("))
        }
    })
}

fn failure(expected: &Value, outcome: &Value) -> Judgement {
    let found = text(outcome, "error");
    let alike = match text(expected, "error") {
        // An argument for which the types have no place was not sent either.
        "before_send" => matches!(found, "before_send" | "unrepresentable"),
        // A failure whose body is not as documented is a failure first; its bytes are kept as well.
        "undecodable" => matches!(found, "undecodable" | "server"),
        wanted => wanted == found,
    };
    holds(&format!("no such failure: {outcome}"), alike)?;
    for (what, wanted) in expected.as_object().into_iter().flatten() {
        match what.as_str() {
            "error" | "status_kept" | "headers_kept" | "body_bytes_kept" => {}
            "status" | "json" | "text" | "unit" | "base64" => same(what, wanted, &outcome[what])?,
            "headers" => headers(wanted, outcome)?,
            "variant" => same(what, wanted, &outcome["answer"])?,
            "names" => named(wanted, outcome)?,
            other => return Err(format!("not understood: {other}")),
        }
    }
    Ok(())
}

fn named(wanted: &Value, outcome: &Value) -> Judgement {
    let message = text(outcome, "message");
    let names = wanted.as_array().map_or(std::slice::from_ref(wanted), Vec::as_slice);
    let missing = names.iter().filter_map(Value::as_str).find(|name| !message.contains(name));
    holds(&format!("{message:?} does not name {missing:?}"), missing.is_none())
}

/// Holds what became of a text of a schema against its vector.
pub(crate) fn schema(vector: &Value, outcome: &Value) -> Judgement {
    let expected = &vector["expect_outcome"];
    if let Some(error) = expected.get("error") {
        same("error", error, &outcome["error"])?;
        return expected.get("field").map_or(Ok(()), |field| named(field, outcome));
    }
    let written = serde_json::from_str::<Value>(text(outcome, "text")).map_err(|_| format!("not read: {outcome}"))?;
    same("JSON", &expected["json"], &written)?;
    if let Some(stable) = expected.get("stable_bytes") {
        same("stable bytes", stable, &outcome["stable_bytes"])?;
    }
    Ok(())
}
