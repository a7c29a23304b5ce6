//! What a caller of the service hears when something went wrong: a status, a number that stays the same, words of ours.
//!
//! What the system said is in the log. It is not in the answer: it is nobody's business which supplier failed how, and its
//! words may hold anything.

use std::fmt::Debug;
use std::time::Duration;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use cofferdam_example_committed::integrations::failure::Failure;
use cofferdam_runtime::CallError;
use serde::Serialize;

/// An answer that is no success, as RFC 9457 writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The HTTP status.
    pub status: u16,
    /// Stable: 3xxxx, a hundred for each system; 1xxxx is the service's own.
    pub code: u32,
    /// In words, which may change.
    pub title: &'static str,
    /// When it may be worth trying again, in whole seconds.
    #[serde(rename = "retryAfterSeconds", skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
}

impl Problem {
    /// There is no order of that number.
    pub const NO_SUCH_ORDER: Self = Self::own(404, 10_001, "there is no such order");
    /// An order of that number is there, and it is another one.
    pub const OTHER_ORDER: Self = Self::own(409, 10_002, "this number belongs to another order");
    /// What was sent is no order.
    pub const NO_ORDER: Self = Self::own(422, 10_003, "the order is empty or does not add up");
    /// Nothing can be given back of it.
    pub const NOT_PAID: Self = Self::own(409, 10_004, "the order is not paid, or its money was given back");
    /// Somebody is at this order.
    pub const BUSY: Self = Self::own(409, 10_005, "somebody is at work on this order");
    /// Who wants something here is no operator.
    pub const NO_OPERATOR: Self = Self::own(401, 10_006, "this needs the operators' token");
    /// There is no token, so nobody is an operator.
    pub const NO_OPERATORS: Self = Self::own(403, 10_007, "the service was started without a token for operators");
    /// There is no such system.
    pub const NO_SUCH_SYSTEM: Self = Self::own(404, 10_008, "there is no such system");
    /// The state is none that can be wished for.
    pub const NO_SUCH_STATE: Self = Self::own(422, 10_009, "a breaker cannot be told to be that");

    const fn own(status: u16, code: u32, title: &'static str) -> Self {
        Self { status, code, title, retry_after: None }
    }
}

impl<R: Debug> From<Failure<R>> for Problem {
    fn from(failure: Failure<R>) -> Self {
        let (error, title) = match &failure {
            Failure::Refused { code, .. } => {
                tracing::info!(code, %failure, "a system said no");
                return Self::own(409, *code, "it was refused");
            }
            Failure::Unavailable(error) => (error, "it cannot be done at the moment; nothing was done"),
            Failure::InDoubt(error) => (error, "it is not known whether it was done"),
            Failure::Failed(error) => (error, "it did not work"),
        };
        Self::of(error, title)
    }
}

impl Problem {
    /// The answer for a call that gave none.
    pub fn of<R>(error: &CallError<R>, title: &'static str) -> Self {
        // What cannot be sent or mapped is a mistake of ours and the log's; the rest belongs to the system.
        tracing::warn!(external.system = error.system(), code = error.code(), %error, "a call failed");
        let retry_after = error.retry_after().map(whole_seconds);
        Self { status: error.suggested_status(), code: error.code(), title, retry_after }
    }
}

/// Rounded up: whoever comes back in time must not come too early.
fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let retry_after = self.retry_after;
        let mut response = (status, Json(self)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
