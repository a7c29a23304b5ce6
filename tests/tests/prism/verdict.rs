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
        if let Some(refusal) = refusal(outcome) {
            return Self::Refused(refusal);
        }
        match text(outcome, "error") {
            "documented" => Self::Passed,
            "before_send" | "unrepresentable" => Self::Refused(format!("not sent: {}", text(outcome, "message"))),
            error => Self::Undecoded(format!("{error} {}: {}", outcome["status"], text(outcome, "message"))),
        }
    }

    /// Its column in the table.
    pub(crate) fn column(&self) -> usize {
        match self {
            Self::Passed => 0,
            Self::Refused(_) => 1,
            Self::Undecoded(_) => 2,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passed => f.write_str("passed"),
            Self::Refused(why) => write!(f, "refused: {why}"),
            Self::Undecoded(why) => write!(f, "the reply: {why}"),
        }
    }
}

/// Prism's own problem, if the reply is one.
fn refusal(outcome: &Value) -> Option<String> {
    let body = STANDARD.decode(text(&outcome["kept"], "body_base64")).ok()?;
    let problem: Value = serde_json::from_slice(&body).ok()?;
    let kind = text(&problem, "type").strip_prefix("https://stoplight.io/prism/errors#")?.to_owned();
    let details: Vec<String> =
        items(&problem, "validation").map(|one| format!("{} {}", one["location"], text(one, "message"))).collect();
    let details = if details.is_empty() { text(&problem, "detail").to_owned() } else { details.join("; ") };
    Some(format!("{kind}: {details}"))
}
