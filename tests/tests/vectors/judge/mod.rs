//! What a vector claims, held against what was seen.

mod arrival;
mod generated;
mod outcome;
mod parts;
mod request;
mod scenario;

use serde_json::Value;

pub(crate) use self::generated::generated;
use crate::vector::{members, text};

/// `Err` says what is wrong.
pub(crate) type Judgement = Result<(), String>;

/// Holds what was seen of a vector against it.
pub(crate) fn seen(vector: &Value, plan: &Value, seen: &Value) -> Judgement {
    let outcome = &seen["outcomes"][0];
    match text(vector, "kind") {
        "request" => request::judge(vector, seen),
        "reply" => outcome::judge(vector, plan, outcome),
        "schema" => outcome::schema(vector, outcome),
        "attempts" => scenario::attempts(vector, plan, seen),
        "scenario" => scenario::judge(vector, seen),
        "server" => members(vector, "expect").try_for_each(|(what, url)| same(what, url, &outcome[what])),
        other => Err(format!("no such kind of vector: {other}")),
    }
}

fn same(what: &str, expected: &Value, found: &Value) -> Judgement {
    match expected == found {
        true => Ok(()),
        false => Err(format!("{what}: expected {expected}, found {found}")),
    }
}

fn holds(what: &str, fact: bool) -> Judgement {
    if fact { Ok(()) } else { Err(what.to_owned()) }
}

/// The bytes behind base64, as text in which each byte is the character of its number.
fn latin(base64: &Value) -> String {
    use base64::Engine as _;
    let bytes = base64::engine::general_purpose::STANDARD.decode(base64.as_str().unwrap_or_default());
    bytes.unwrap_or_default().into_iter().map(char::from).collect()
}
