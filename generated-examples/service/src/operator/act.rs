//! What an operator does: it needs the token, and each act is told in the log.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use cofferdam_runtime::Guard;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::problem::Problem;
use crate::systems::{Service, Shared};

/// What a breaker is told to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Wish {
    /// No call goes through until somebody says otherwise.
    ForcedOpen,
    /// Every call goes through, whatever comes of it.
    ForcedClosed,
    /// Every call goes through and is counted, and nothing opens it.
    MetricsOnly,
    /// It goes by the settings again, from the beginning.
    Automatic,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Forced {
    state: String,
}

pub(super) async fn force(
    State(service): State<Shared>,
    Path(system): Path<String>,
    headers: HeaderMap,
    Json(forced): Json<Forced>,
) -> Result<Json<Value>, Problem> {
    is_operator(&service, &headers)?;
    let guard = service.systems.guard(&system).ok_or(Problem::NO_SUCH_SYSTEM)?;
    let wish = serde_json::from_value(forced.state.into()).map_err(|_| Problem::NO_SUCH_STATE)?;
    obey(guard, wish);
    let state = guard.breaker().state().as_str();
    tracing::warn!(external.system = system, ?wish, state, "an operator told a breaker what to be");
    service.watch.look(&service);
    Ok(Json(json!({ "system": system, "state": state })))
}

fn obey(guard: &Guard, wish: Wish) {
    let breaker = guard.breaker();
    match wish {
        Wish::ForcedOpen => breaker.transition_to_forced_open(),
        Wish::ForcedClosed => breaker.transition_to_disabled(),
        Wish::MetricsOnly => breaker.transition_to_metrics_only(),
        // One that the settings have off is off, too, when it goes by the settings.
        Wish::Automatic if !guard.settings().load().breaker.enabled => breaker.transition_to_disabled(),
        Wish::Automatic => breaker.reset(),
    }
}

pub(super) async fn reload(State(service): State<Shared>, headers: HeaderMap) -> Result<Json<Value>, Problem> {
    is_operator(&service, &headers)?;
    Ok(Json(match service.settings.reload() {
        Ok(changes) => {
            let told = changes.iter().map(
                |change| json!({ "system": change.system, "key": change.key, "from": change.from, "to": change.to }),
            );
            json!({ "taken": true, "changes": told.collect::<Vec<_>>() })
        }
        // They name lines of our own file.
        Err(faults) => {
            let told = faults.faults().iter().map(ToString::to_string);
            json!({ "taken": false, "faults": told.collect::<Vec<_>>() })
        }
    }))
}

fn is_operator(service: &Service, headers: &HeaderMap) -> Result<(), Problem> {
    let token = service.operator_token.as_deref().ok_or(Problem::NO_OPERATORS)?;
    let shown = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    match shown.is_some_and(|shown| is_same(shown.as_bytes(), token.as_bytes())) {
        true => Ok(()),
        false => Err(Problem::NO_OPERATOR),
    }
}

/// Takes the same time wherever the two differ.
fn is_same(shown: &[u8], token: &[u8]) -> bool {
    let differing = shown.iter().zip(token).fold(0, |bits, (a, b)| bits | (a ^ b));
    shown.len() == token.len() && !token.is_empty() && differing == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_the_same_or_it_is_not() {
        assert!(is_same(b"battery-staple", b"battery-staple"));
        for other in ["battery-stapl", "battery-staples", "battery-stapla", ""] {
            assert!(!is_same(other.as_bytes(), b"battery-staple"), "{other}");
        }
        assert!(!is_same(b"", b""));
    }
}
