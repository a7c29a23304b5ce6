//! Calls that take more than one request: retries, tokens, redirects.

use serde_json::{Value, json};

use super::arrival::{Arrival, pairs};
use super::{Judgement, holds, latin, outcome, same};
use crate::vector::{items, members, text};

/// Holds the attempts of a protected call against a vector.
pub(crate) fn attempts(vector: &Value, plan: &Value, seen: &Value) -> Judgement {
    let arrivals: Vec<Arrival<'_>> = items(seen, "arrivals").map(Arrival).collect();
    let outcome = &seen["outcomes"][0];
    let refused = vector["replies"][0] == "connection refused";
    let made = if refused { outcome["attempts"].clone() } else { json!(arrivals.len()) };
    same("attempts", &vector["expect_attempts"], &made)?;
    if let Some(name) = vector["same_header"].as_str() {
        let values: Vec<Option<String>> = arrivals.iter().map(|arrival| arrival.header(name)).collect();
        let same = values.iter().all(|value| value.is_some() && *value == values[0]);
        holds(&format!("{name}: {values:?}"), same)?;
    }
    if let Some(gap) = vector["min_gap_ms"].as_u64() {
        let times: Vec<u64> = arrivals.iter().filter_map(|arrival| arrival.0["at_ms"].as_u64()).collect();
        holds(&format!("attempts at {times:?} ms"), times.windows(2).all(|pair| pair[1] - pair[0] >= gap))?;
    }
    match vector.get("expect_outcome") {
        Some(expected) => outcome::same_outcome(expected, plan, outcome),
        None => Ok(()),
    }
}

/// Holds what was seen on all hosts against a vector.
pub(crate) fn judge(vector: &Value, seen: &Value) -> Judgement {
    let expected = &vector["expect"];
    for (what, wanted) in expected.as_object().into_iter().flatten() {
        let tokens: Vec<&Value> = items(seen, "tokens").collect();
        match what.as_str() {
            "token_requests" => same(what, wanted, &json!(tokens.len()))?,
            "token_body_pairs" => {
                let sent = pairs(&latin(&tokens.first().copied().unwrap_or(&Value::Null)["body_base64"]));
                let has = |pair: &Value| sent.iter().any(|sent| json!(sent) == *pair);
                holds(&format!("{wanted} not in {sent:?}"), wanted.as_array().into_iter().flatten().all(has))?;
            }
            "every_call_headers" => {
                let calls: Vec<Arrival<'_>> = items(seen, "arrivals").map(Arrival).collect();
                let made = vector["concurrent_calls"].as_u64().unwrap_or(1);
                same("calls", &json!(made), &json!(calls.len()))?;
                for (name, value) in members(expected, what) {
                    calls.iter().try_for_each(|call| same(name, value, &json!(call.header(name))))?;
                }
            }
            "second_host_sees_none_of" => {
                holds("the first host was not asked", !seen["arrivals"][0].is_null())?;
                none_of(wanted, &seen["elsewhere"].to_string())?;
            }
            "debug_output_contains_none_of" => {
                let debug = text(&seen["outcomes"][0], "debug");
                holds("no debug output", !debug.is_empty())?;
                none_of(wanted, debug)?;
            }
            other => return Err(format!("not understood: {other}")),
        }
    }
    Ok(())
}

fn none_of(secrets: &Value, text: &str) -> Judgement {
    let leaked =
        secrets.as_array().into_iter().flatten().filter_map(Value::as_str).find(|secret| text.contains(secret));
    holds(&format!("{leaked:?} leaked: {text}"), leaked.is_none())
}
