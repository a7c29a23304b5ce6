//! What Prism made of a call.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::vector::{items, text};

/// The verdict on a call.
pub(crate) enum Verdict {
    /// Accepted, and the reply decodes: a documented success, or a documented failure where there is no success.
    Passed,
    /// Accepted, but the reply that Prism then makes breaks the document by its own judgement, so that it gives none.
    Unanswered,
    /// Not sent, or refused by Prism: why.
    Refused(String),
    /// Accepted, but the reply does not decode: why.
    Undecoded(String),
}

impl Verdict {
    /// Judges the outcome of a call as the glue tells it.
    pub(crate) fn of(outcome: &Value) -> Self {
        if outcome.get("ok").is_some() {
            return Self::Passed;
        }
        if let Some(problem) = problem(outcome) {
            return Self::of_problem(&problem);
        }
        match text(outcome, "error") {
            "documented" => Self::Passed,
            "before_send" | "unrepresentable" => Self::Refused(format!("not sent: {}", text(outcome, "message"))),
            error => Self::Undecoded(format!("{error} {}: {}", outcome["status"], text(outcome, "message"))),
        }
    }

    fn of_problem(problem: &Value) -> Self {
        let kind = text(problem, "type").rsplit('#').next().unwrap_or_default();
        let found: Vec<&Value> = items(problem, "validation").collect();
        if kind == "VIOLATIONS" && !found.is_empty() && found.iter().all(|one| one["location"][0] == "response") {
            return Self::Unanswered;
        }
        let details: Vec<String> =
            found.iter().map(|one| format!("{} {}", one["location"], text(one, "message"))).collect();
        let details = if details.is_empty() { text(problem, "detail").to_owned() } else { details.join("; ") };
        Self::Refused(format!("{kind}: {details}"))
    }

    /// Its column in the table.
    pub(crate) fn column(&self) -> usize {
        match self {
            Self::Passed => 0,
            Self::Unanswered => 1,
            Self::Refused(_) => 2,
            Self::Undecoded(_) => 3,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passed => f.write_str("passed"),
            Self::Unanswered => f.write_str("accepted, but not answered"),
            Self::Refused(why) => write!(f, "refused: {why}"),
            Self::Undecoded(why) => write!(f, "the reply: {why}"),
        }
    }
}

/// Prism's own problem, if the reply is one.
fn problem(outcome: &Value) -> Option<Value> {
    let body = STANDARD.decode(text(&outcome["kept"], "body_base64")).ok()?;
    let problem: Value = serde_json::from_slice(&body).ok()?;
    text(&problem, "type").starts_with("https://stoplight.io/prism/errors#").then_some(problem)
}
