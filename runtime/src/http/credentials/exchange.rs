//! Tokens that are had in a way of the system's own: for a ticket, by a login.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderValue, StatusCode};

use super::Secret;
use crate::error::ClientError;
use crate::http::HttpClient;

type Fetching = Pin<Box<dyn Future<Output = Result<FreshToken, NoToken>> + Send>>;

/// Where the bearer token of a scheme comes from.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum BearerToken {
    /// This one, for as long as the adapter lives.
    Fixed(Secret),
    /// It is fetched, kept and renewed.
    Exchanged(TokenExchange),
}

impl From<Secret> for BearerToken {
    fn from(token: Secret) -> Self {
        Self::Fixed(token)
    }
}

impl From<String> for BearerToken {
    fn from(token: String) -> Self {
        Self::Fixed(token.into())
    }
}

impl From<&str> for BearerToken {
    fn from(token: &str) -> Self {
        Self::Fixed(token.into())
    }
}

impl From<TokenExchange> for BearerToken {
    fn from(exchange: TokenExchange) -> Self {
        Self::Exchanged(exchange)
    }
}

/// How a token is had: a function that is given a client of the system without credentials, and asks by it.
///
/// It runs within the attempt that needs the token: in that attempt's time, at most one at once for all who wait, and a
/// failure of it is told as [`FaultKind::Token`](crate::FaultKind::Token), with the call itself not sent. The token is
/// kept and renewed before it expires, and when the system no longer takes it. If the attempt is dropped while it runs, the
/// next one in line begins anew.
#[derive(Clone)]
pub struct TokenExchange {
    fetch: Arc<dyn Fn(HttpClient) -> Fetching + Send + Sync>,
}

impl TokenExchange {
    /// A way to have a token.
    pub fn new<F, Fut>(fetch: F) -> Self
    where
        F: Fn(HttpClient) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<FreshToken, NoToken>> + Send + 'static,
    {
        Self { fetch: Arc::new(move |client| Box::pin(fetch(client))) }
    }

    pub(super) async fn fetch(&self, client: HttpClient) -> Result<FreshToken, NoToken> {
        (self.fetch)(client).await
    }
}

impl fmt::Debug for TokenExchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenExchange").finish_non_exhaustive()
    }
}

/// A token that was just given.
#[derive(Debug, Clone)]
pub struct FreshToken {
    token: Secret,
    lifetime: Option<Duration>,
}

impl FreshToken {
    /// A token of which nobody said how long it is good; it is renewed after five minutes.
    pub fn new(token: impl Into<Secret>) -> Self {
        Self { token: token.into(), lifetime: None }
    }

    /// A token that is good for so long from when it was asked for. It is renewed 30 seconds earlier, or a tenth of its
    /// life if that is less.
    pub fn lasting(token: impl Into<Secret>, lifetime: Duration) -> Self {
        Self { token: token.into(), lifetime: Some(lifetime) }
    }

    pub(super) fn into_header(self) -> Result<(Secret, Option<Duration>), NoToken> {
        let token = self.token.expose();
        let header = format!("Bearer {token}");
        if token.is_empty() || HeaderValue::try_from(&header).is_err() {
            return Err(NoToken::Unavailable("the token cannot stand in a header".to_owned()));
        }
        Ok((header.into(), self.lifetime))
    }
}

/// Why there is no token; shared by all who waited for it. Nothing of the system's reply belongs into it: it may hold
/// secrets, and ends up in logs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoToken {
    /// We are not known, or not allowed: it is not tried again, and no fault of the system.
    Refused(StatusCode),
    /// It cannot be had now, and why: it counts as a failure of the system, and may be tried again.
    Unavailable(String),
}

/// What became of asking an operation of the system for it.
impl<R> From<ClientError<R>> for NoToken {
    fn from(error: ClientError<R>) -> Self {
        match error.status() {
            Some(status) if status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS => {
                Self::Refused(status)
            }
            _ => Self::Unavailable(error.to_string()),
        }
    }
}
