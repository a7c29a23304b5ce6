use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use http::{Method, StatusCode};
use serde_json::Value;
use tokio::time::Instant;
use url::form_urlencoded::{Serializer, byte_serialize};

use super::super::RawReply;
use super::super::transport::{SendError, exchange};
use super::{Authority, ClientAuthentication, ClientCredentials, CredentialError, NoToken, Secret, TokenExchange};
use crate::error::{Delivery, FaultKind, TransportFault};

/// Lifetime of a token whose server does not say.
const UNSAID_LIFETIME: Duration = Duration::from_secs(300);
/// A token is renewed so long before it expires, or at a tenth of its life if that is shorter.
const LEEWAY: Duration = Duration::from_secs(30);

/// Fetches tokens and keeps them, one for each set of scopes.
pub(super) struct TokenSource {
    way: Way,
    slots: Mutex<HashMap<String, Arc<Slot>>>,
}

/// How a token is had.
enum Way {
    /// By client credentials, from an authorization server.
    Client { url: String, client: ClientCredentials },
    /// As the caller knows how.
    Exchange(TokenExchange),
}

/// The token for one set of scopes.
#[derive(Default)]
struct Slot {
    token: Mutex<Option<Token>>,
    /// Held by the one call that fetches. If that call is dropped, the next one in line fetches.
    flight: tokio::sync::Mutex<Option<NoToken>>,
    /// Fetches that ended, so that those who waited for one know that its failure is theirs too.
    landed: AtomicU64,
}

#[derive(Clone)]
struct Token {
    header: Secret,
    renew_at: Instant,
}

impl Token {
    fn new(header: Secret, lifetime: Option<Duration>, asked_at: Instant) -> Self {
        let lifetime = lifetime.unwrap_or(UNSAID_LIFETIME);
        let useful = lifetime - LEEWAY.min(lifetime / 10);
        let renew_at = asked_at.checked_add(useful).unwrap_or(asked_at + UNSAID_LIFETIME);
        Self { header, renew_at }
    }
}

/// A token in use on a request.
pub(in crate::http) struct UsedToken {
    slot: Arc<Slot>,
    header: Secret,
    was_kept: bool,
}

impl TokenSource {
    pub(super) fn new(token_url: String, mut client: ClientCredentials) -> Self {
        let url = client.token_url.take().unwrap_or(token_url);
        Self { way: Way::Client { url, client }, slots: Mutex::default() }
    }

    pub(super) fn exchanged(exchange: TokenExchange) -> Self {
        Self { way: Way::Exchange(exchange), slots: Mutex::default() }
    }

    /// The token for these scopes: the kept one, or a new one fetched by one caller for all.
    pub(super) async fn token(&self, scopes: &[&str], authority: &Authority<'_>) -> Result<UsedToken, SendError> {
        let scope = scopes.join(" ");
        let slot = self.slot(&scope);
        if let Some(header) = slot.fresh() {
            return Ok(UsedToken { slot, header, was_kept: true });
        }
        let seen = slot.landed.load(Ordering::Acquire);
        let fetched = authority.bounds.wait_for_token(self.fetch_once(&slot, seen, &scope, authority)).await?;
        match fetched {
            Ok(header) => Ok(UsedToken { slot, header, was_kept: false }),
            Err(fault) => Err(fault.into()),
        }
    }

    fn slot(&self, scope: &str) -> Arc<Slot> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = slots.get(scope) {
            return Arc::clone(slot);
        }
        Arc::clone(slots.entry(scope.to_owned()).or_default())
    }

    async fn fetch_once(
        &self,
        slot: &Slot,
        seen: u64,
        scope: &str,
        authority: &Authority<'_>,
    ) -> Result<Secret, NoToken> {
        let mut last_fault = slot.flight.lock().await;
        if let Some(header) = slot.fresh() {
            return Ok(header);
        }
        if let Some(fault) = last_fault.as_ref().filter(|_| slot.landed.load(Ordering::Acquire) != seen) {
            return Err(fault.clone());
        }
        let fetched = self.fetch(scope, authority).await;
        *last_fault = fetched.as_ref().err().cloned();
        slot.landed.fetch_add(1, Ordering::Release);
        let token = fetched?;
        let header = token.header.clone();
        slot.put(Some(token));
        Ok(header)
    }

    async fn fetch(&self, scope: &str, authority: &Authority<'_>) -> Result<Token, NoToken> {
        let asked_at = Instant::now();
        let (url, client) = match &self.way {
            Way::Client { url, client } => (url, client),
            Way::Exchange(exchange) => {
                let (header, lifetime) = exchange.fetch(authority.http.without_credentials()).await?.into_header()?;
                return Ok(Token::new(header, lifetime, asked_at));
            }
        };
        let request = request(url, client, scope, authority)?;
        let reply = exchange(authority.client, request, authority.bounds).await?;
        match reply.status {
            status if status.is_success() => read_token(&reply, asked_at),
            status if status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS => {
                Err(NoToken::Refused(status))
            }
            status => Err(NoToken::Unavailable(format!("the authorization server answered {status}"))),
        }
    }
}

/// The request of RFC 6749, 4.4.2.
fn request(
    url: &str,
    client: &ClientCredentials,
    scope: &str,
    authority: &Authority<'_>,
) -> Result<reqwest::Request, NoToken> {
    let url = authority.base_url.join(url);
    let url = url.map_err(|_| NoToken::Unavailable("the token URL is no URL".into()))?;
    let mut form = Serializer::new(String::new());
    form.append_pair("grant_type", "client_credentials");
    if !scope.is_empty() {
        form.append_pair("scope", scope);
    }
    form.extend_pairs(&client.fields);
    let mut request = reqwest::Request::new(Method::POST, url);
    let headers = request.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    match client.authentication {
        ClientAuthentication::Basic => {
            // Both are form-encoded before they are joined (RFC 6749, 2.3.1).
            let encode = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
            let value = basic(&encode(&client.id), &encode(client.secret.expose()));
            let value = HeaderValue::try_from(value.expose());
            let mut value = value.map_err(|_| NoToken::Unavailable("unfit client credentials".into()))?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        ClientAuthentication::Body => {
            form.append_pair("client_id", &client.id);
            form.append_pair("client_secret", client.secret.expose());
        }
    }
    *request.body_mut() = Some(form.finish().into());
    Ok(request)
}

impl fmt::Debug for TokenSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = match &self.way {
            Way::Client { url, .. } => Some(url),
            Way::Exchange(_) => None,
        };
        f.debug_struct("TokenSource").field("url", &url).finish_non_exhaustive()
    }
}

impl Slot {
    /// The kept token, unless it is time to renew it.
    fn fresh(&self) -> Option<Secret> {
        let token = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        token.as_ref().filter(|token| Instant::now() < token.renew_at).map(|token| token.header.clone())
    }

    fn put(&self, token: Option<Token>) {
        *self.token.lock().unwrap_or_else(PoisonError::into_inner) = token;
    }
}

impl UsedToken {
    pub(super) fn header(&self) -> &Secret {
        &self.header
    }

    /// Whether it was there before the call that uses it: one that was fetched for the call itself is as good as any that
    /// could be fetched now.
    pub(in crate::http) fn was_kept(&self) -> bool {
        self.was_kept
    }

    /// Drops the kept token, if it still is this one: somebody may have fetched a new one since.
    pub(in crate::http) fn forget(self) {
        let mut token = self.slot.token.lock().unwrap_or_else(PoisonError::into_inner);
        if token.as_ref().is_some_and(|token| token.header == self.header) {
            *token = None;
        }
    }
}

/// The value of `authorization` for HTTP basic authentication.
pub(super) fn basic(user: &str, password: &str) -> Secret {
    format!("Basic {}", STANDARD.encode(format!("{user}:{password}"))).into()
}

/// Reads the answer of RFC 6749, 5.1. Nothing of it goes into an error: it may hold the token.
fn read_token(reply: &RawReply, asked_at: Instant) -> Result<Token, NoToken> {
    let unusable = |what: &str| NoToken::Unavailable(format!("the authorization server's answer {what}"));
    let answer: Value = serde_json::from_slice(&reply.body).map_err(|_| unusable("is no JSON"))?;
    let text = |name: &str| answer.get(name).and_then(Value::as_str);
    let token = text("access_token").filter(|token| !token.is_empty()).ok_or_else(|| unusable("holds no token"))?;
    if text("token_type").is_some_and(|kind| !kind.eq_ignore_ascii_case("bearer")) {
        return Err(unusable("holds a token that is no bearer token"));
    }
    let lifetime = answer.get("expires_in").and_then(seconds);
    Ok(Token::new(format!("Bearer {token}").into(), lifetime, asked_at))
}

/// Some servers write the number as text.
fn seconds(value: &Value) -> Option<Duration> {
    let seconds = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
    Duration::try_from_secs_f64(seconds).ok()
}

impl From<SendError> for NoToken {
    fn from(error: SendError) -> Self {
        Self::Unavailable(match error {
            SendError::NotSent(cause) => cause.to_string(),
            SendError::Transport { fault, .. } => fault.to_string(),
            SendError::TimedOut { phase, limit, .. } => format!("timed out after {limit:?} {phase}"),
        })
    }
}

/// Whatever went wrong with the token, the call itself was not sent.
impl From<NoToken> for SendError {
    fn from(fault: NoToken) -> Self {
        match fault {
            NoToken::Refused(status) => CredentialError::TokenRefused(status).into(),
            NoToken::Unavailable(reason) => {
                Self::Transport { fault: TransportFault::new(FaultKind::Token, reason), delivery: Delivery::NotSent }
            }
        }
    }
}
