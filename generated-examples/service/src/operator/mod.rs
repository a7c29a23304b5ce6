//! What operators see and do: a page that shows each system live, and the means to force a breaker and to reload settings.

mod act;
mod sample;
mod scrape;
mod stream;
mod watch;

use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::{get, post};

pub use self::sample::{Moment, Sample};
pub use self::watch::{Watch, spawn};
use crate::systems::Shared;

const PAGE: &str = include_str!("page.html");
/// The page needs nothing but itself and the service.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; \
                      img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The page and what it is made of.
pub fn routes() -> Router<Shared> {
    Router::new()
        .route("/operator", get(page))
        .route("/operator/events", get(stream::events))
        .route("/operator/systems/{system}/breaker", post(act::force))
        .route("/operator/settings/reload", post(act::reload))
}

async fn page() -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, PAGE)
}
