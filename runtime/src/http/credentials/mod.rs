//! What a system wants to see before it answers, by the scheme names of its document.

mod apply;
mod exchange;
mod oauth;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use http::{HeaderName, HeaderValue, StatusCode};

pub use crate::secret::Secret;
pub(super) use apply::Authority;
pub use exchange::{BearerToken, FreshToken, NoToken, TokenExchange};
use oauth::TokenSource;
pub(super) use oauth::UsedToken;

/// A security scheme as an operation uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchemeUse {
    /// The scheme's name in the document.
    pub scheme: &'static str,
    /// Scopes the operation wants, for OAuth2.
    pub scopes: &'static [&'static str],
}

/// Where an API key travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ApiKeyPlace {
    /// A header.
    Header,
    /// The query string.
    Query,
    /// A cookie.
    Cookie,
    /// A field of the form or of the JSON object that is the body.
    Body,
}

/// How a client says who it is when it fetches a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ClientAuthentication {
    /// HTTP basic, which every server must understand (RFC 6749, 2.3.1).
    #[default]
    Basic,
    /// `client_id` and `client_secret` as fields of the form.
    Body,
}

/// A client of an authorization server: who it is, and how it asks for tokens.
#[derive(Debug, Clone)]
pub struct ClientCredentials {
    id: String,
    secret: Secret,
    authentication: ClientAuthentication,
    token_url: Option<String>,
    fields: Vec<(String, String)>,
}

impl ClientCredentials {
    /// The client's id and secret, as the authorization server gave them.
    pub fn new(id: impl Into<String>, secret: impl Into<Secret>) -> Self {
        Self {
            id: id.into(),
            secret: secret.into(),
            authentication: ClientAuthentication::default(),
            token_url: None,
            fields: Vec::new(),
        }
    }

    /// How the client says who it is; by HTTP basic when not said.
    #[must_use]
    pub fn authentication(self, authentication: ClientAuthentication) -> Self {
        Self { authentication, ..self }
    }

    /// Another authorization server than the document names, such as a sandbox's. May be relative to the base URL.
    #[must_use]
    pub fn token_url(self, url: impl Into<String>) -> Self {
        Self { token_url: Some(url.into()), ..self }
    }

    /// One more field of the request for a token, such as `audience` or `resource`.
    #[must_use]
    pub fn field(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.fields.push((name.into(), value.into()));
        self
    }
}

/// Id and secret.
impl<I: Into<String>, S: Into<Secret>> From<(I, S)> for ClientCredentials {
    fn from((id, secret): (I, S)) -> Self {
        Self::new(id, secret)
    }
}

/// The credentials for one system. Generated code wraps it, one method a scheme.
#[derive(Debug, Clone, Default)]
pub struct Credentials {
    schemes: BTreeMap<&'static str, Scheme>,
}

#[derive(Debug, Clone)]
enum Scheme {
    ApiKey { place: ApiKeyPlace, name: &'static str, key: Secret },
    Basic { user: String, password: Secret },
    Bearer(Secret),
    Token(Arc<TokenSource>),
}

/// Why a request has no credentials; nothing was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CredentialError {
    /// None of the ways the document allows is covered by what was given. The text names the schemes.
    Missing(String),
    /// A credential that cannot stand where its scheme wants it, such as a line break in a header.
    Unfit(&'static str),
    /// The key belongs into the body, and this body has no fields.
    NoField(&'static str),
    /// Two schemes that are wanted together both want the `authorization` header.
    Clash(&'static str),
    /// The authorization server does not know us, or not for this.
    TokenRefused(StatusCode),
    /// The call goes to this host, which the document names and the settings do not.
    Withheld(String),
}

impl fmt::Display for CredentialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(schemes) => write!(f, "no credentials given for {schemes}"),
            Self::Unfit(scheme) => write!(f, "the credential for `{scheme}` cannot be sent the way the scheme wants"),
            Self::NoField(scheme) => write!(f, "`{scheme}` is a field of the body, and this body has no fields"),
            Self::Clash(scheme) => write!(f, "`{scheme}` wants the header that another scheme already has"),
            Self::Withheld(host) => {
                write!(f, "no credentials are sent to {host}: let `base-url` of the operation's settings name it")
            }
            Self::TokenRefused(status) => write!(f, "the authorization server answered {status}"),
        }
    }
}

impl std::error::Error for CredentialError {}

impl Credentials {
    /// The query parameters that are keys.
    pub(super) fn in_query(&self) -> impl Iterator<Item = &'static str> {
        self.schemes.values().filter_map(|scheme| match scheme {
            Scheme::ApiKey { place: ApiKeyPlace::Query, name, .. } => Some(*name),
            _ => None,
        })
    }

    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// An API key for a scheme: where the scheme wants it, under the name the scheme gives it.
    #[must_use]
    pub fn api_key(self, scheme: &'static str, place: ApiKeyPlace, name: &'static str, key: impl Into<Secret>) -> Self {
        self.with(scheme, Scheme::ApiKey { place, name, key: key.into() })
    }

    /// User and password for a scheme of HTTP basic authentication.
    #[must_use]
    pub fn basic(self, scheme: &'static str, user: impl Into<String>, password: impl Into<Secret>) -> Self {
        self.with(scheme, Scheme::Basic { user: user.into(), password: password.into() })
    }

    /// A bearer token for a scheme: the token itself, which whoever gives it also renews, or a [`TokenExchange`], by which
    /// it is fetched when it is first needed, by one call for all, and renewed before it expires.
    #[must_use]
    pub fn bearer(self, scheme: &'static str, token: impl Into<BearerToken>) -> Self {
        let scheme_kind = match token.into() {
            BearerToken::Fixed(token) => Scheme::Bearer(token),
            BearerToken::Exchanged(exchange) => Scheme::Token(Arc::new(TokenSource::exchanged(exchange))),
        };
        self.with(scheme, scheme_kind)
    }

    /// Client credentials for an OAuth2 scheme: the token is fetched when it is first needed, by one call for all,
    /// and renewed before it expires. `token_url`, which the client may have another of, may be relative to the base
    /// URL.
    #[must_use]
    pub fn client_credentials(
        self,
        scheme: &'static str,
        token_url: impl Into<String>,
        client: impl Into<ClientCredentials>,
    ) -> Self {
        let source = TokenSource::new(token_url.into(), client.into());
        self.with(scheme, Scheme::Token(Arc::new(source)))
    }

    fn with(mut self, name: &'static str, scheme: Scheme) -> Self {
        self.schemes.insert(name, scheme);
        self
    }

    /// Whether every credential fits where it goes, so that a mistake shows when the adapter is made.
    pub(super) fn check(&self) -> Result<(), CredentialError> {
        for (name, scheme) in &self.schemes {
            let fits = match scheme {
                Scheme::ApiKey { place: ApiKeyPlace::Header, name, key } => {
                    HeaderName::try_from(*name).is_ok() && HeaderValue::try_from(key.expose()).is_ok()
                }
                Scheme::ApiKey { place: ApiKeyPlace::Cookie, name, key } => {
                    is_cookie_text(name) && is_cookie_text(key.expose())
                }
                Scheme::ApiKey { place: ApiKeyPlace::Query | ApiKeyPlace::Body, .. } | Scheme::Token(_) => true,
                // The first colon ends the user (RFC 7617, 2).
                Scheme::Basic { user, .. } => !user.contains(':'),
                Scheme::Bearer(token) => HeaderValue::try_from(token.expose()).is_ok(),
            };
            if !fits {
                return Err(CredentialError::Unfit(name));
            }
        }
        Ok(())
    }
}

/// What may stand in a cookie without ending it (RFC 6265, 4.1.1).
fn is_cookie_text(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, 0x21 | 0x23..=0x2b | 0x2d..=0x3a | 0x3c..=0x5b | 0x5d..=0x7e))
}
