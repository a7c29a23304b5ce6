use http::Method;
use http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HeaderMap, HeaderName, HeaderValue};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;
use url::form_urlencoded::Serializer;

use super::super::transport::{Bounds, SendError};
use super::super::{HttpClient, RequestBody, RequestParts};
use super::oauth::{UsedToken, basic};
use super::{ApiKeyPlace, CredentialError, Credentials, Scheme, SchemeUse, Secret};

/// All but what never means anything in a query (RFC 3986, 2.3).
const QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
const FORM: &str = "application/x-www-form-urlencoded";

/// What fetching a token needs: it goes out through the system's own client, within the attempt's time.
pub(in crate::http) struct Authority<'a> {
    /// The system's client, for an exchange that is an operation of the system itself.
    pub(in crate::http) http: &'a HttpClient,
    pub(in crate::http) client: &'a reqwest::Client,
    pub(in crate::http) base_url: &'a Url,
    pub(in crate::http) bounds: &'a Bounds,
    /// The call goes to this host, which only the document names: no credential goes with it.
    pub(in crate::http) foreign_host: Option<&'a str>,
}

impl Credentials {
    /// Adds what one of the alternatives wants. Answers with the token it used, if it used one.
    pub(in crate::http) async fn apply(
        &self,
        security: Option<&[&'static [SchemeUse]]>,
        parts: &mut RequestParts,
        authority: &Authority<'_>,
    ) -> Result<Option<UsedToken>, SendError> {
        let mut used = None;
        let mut authorization = None;
        for wanted in self.choose(security.unwrap_or_default(), authority.foreign_host)? {
            let value = match self.schemes.get(wanted.scheme) {
                Some(Scheme::ApiKey { place, name, key }) => {
                    add_key(parts, wanted.scheme, *place, name, key)?;
                    continue;
                }
                Some(Scheme::Basic { user, password }) => basic(user, password.expose()),
                Some(Scheme::Bearer(token)) => format!("Bearer {}", token.expose()).into(),
                Some(Scheme::Token(source)) => {
                    let token = source.token(wanted.scopes, authority).await?;
                    used.insert(token).header().clone()
                }
                None => return Err(CredentialError::Missing(format!("`{}`", wanted.scheme)).into()),
            };
            if authorization.replace(sensitive(wanted.scheme, value.expose())?).is_some() {
                return Err(CredentialError::Clash(wanted.scheme).into());
            }
        }
        if let Some(value) = authorization {
            parts.headers.insert(AUTHORIZATION, value);
        }
        Ok(used)
    }

    /// The first alternative all of whose schemes we have; an anonymous one only when no other fits.
    fn choose(
        &self,
        alternatives: &[&'static [SchemeUse]],
        foreign_host: Option<&str>,
    ) -> Result<&'static [SchemeUse], CredentialError> {
        let covered = |all: &&[SchemeUse]| all.iter().all(|one| self.schemes.contains_key(one.scheme));
        let anonymous = alternatives.is_empty() || alternatives.iter().any(|all| all.is_empty());
        let found = alternatives.iter().filter(|all| !all.is_empty()).copied().find(|all| covered(all));
        match (found, foreign_host) {
            (Some(_), Some(_)) if anonymous => Ok(&[]),
            (Some(_), Some(host)) => Err(CredentialError::Withheld(host.to_owned())),
            (Some(all), None) => Ok(all),
            (None, _) if anonymous => Ok(&[]),
            (None, _) => Err(CredentialError::Missing(describe(alternatives))),
        }
    }

    /// Whether an operation's credentials may be a token that is fetched: one that the system no longer takes can be
    /// replaced.
    pub(in crate::http) fn can_be_renewed(&self, security: Option<&[&'static [SchemeUse]]>) -> bool {
        let wanted = security.unwrap_or_default().iter().copied().flatten();
        wanted.into_iter().any(|one| matches!(self.schemes.get(one.scheme), Some(Scheme::Token(_))))
    }
}

/// `a` and `b`, or `c`.
fn describe(alternatives: &[&[SchemeUse]]) -> String {
    let all = |all: &&[SchemeUse]| all.iter().map(|one| format!("`{}`", one.scheme)).collect::<Vec<_>>().join(" and ");
    alternatives.iter().map(all).collect::<Vec<_>>().join(", or ")
}

fn sensitive(scheme: &'static str, text: &str) -> Result<HeaderValue, CredentialError> {
    let mut value = HeaderValue::try_from(text).map_err(|_| CredentialError::Unfit(scheme))?;
    value.set_sensitive(true);
    Ok(value)
}

fn add_key(
    parts: &mut RequestParts,
    scheme: &'static str,
    place: ApiKeyPlace,
    name: &str,
    key: &Secret,
) -> Result<(), CredentialError> {
    match place {
        ApiKeyPlace::Header => {
            let header = HeaderName::try_from(name).map_err(|_| CredentialError::Unfit(scheme))?;
            parts.headers.insert(header, sensitive(scheme, key.expose())?);
        }
        ApiKeyPlace::Query => {
            if !parts.query.is_empty() {
                parts.query.push('&');
            }
            let escaped = |text| utf8_percent_encode(text, QUERY);
            parts.query.push_str(&format!("{}={}", escaped(name), escaped(key.expose())));
        }
        ApiKeyPlace::Cookie => add_cookie(&mut parts.headers, scheme, &format!("{name}={}", key.expose()))?,
        ApiKeyPlace::Body => add_field(parts, scheme, name, key)?,
    }
    Ok(())
}

/// Cookies share one header (RFC 6265, 5.4).
fn add_cookie(headers: &mut HeaderMap, scheme: &'static str, pair: &str) -> Result<(), CredentialError> {
    let joined = match headers.get(COOKIE).map(HeaderValue::to_str) {
        Some(Ok(others)) => format!("{others}; {pair}"),
        Some(Err(_)) => return Err(CredentialError::Unfit(scheme)),
        None => pair.to_owned(),
    };
    headers.insert(COOKIE, sensitive(scheme, &joined)?);
    Ok(())
}

/// A field of the same name that the caller wrote gives way: the credential is the one that counts.
fn add_field(parts: &mut RequestParts, scheme: &'static str, name: &str, key: &Secret) -> Result<(), CredentialError> {
    if matches!(parts.body, RequestBody::Empty) && parts.method != Method::GET && parts.method != Method::HEAD {
        parts.body = RequestBody::Form(Vec::new());
        parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static(FORM));
    }
    let is_form =
        parts.headers.get(CONTENT_TYPE).is_some_and(|media_type| media_type.as_bytes().starts_with(FORM.as_bytes()));
    match &mut parts.body {
        RequestBody::Form(fields) => {
            fields.retain(|(field, _)| field != name);
            fields.push((name.to_owned(), key.expose().to_owned()));
        }
        RequestBody::Json(serde_json::Value::Object(fields)) => {
            fields.insert(name.to_owned(), key.expose().into());
        }
        // A form with a style of its own is written out already; one more pair can follow it.
        RequestBody::Bytes(bytes) if is_form => *bytes = with_pair(bytes, name, key).into(),
        _ => return Err(CredentialError::NoField(scheme)),
    }
    Ok(())
}

fn with_pair(form: &[u8], name: &str, key: &Secret) -> Vec<u8> {
    let pair = Serializer::new(String::new()).append_pair(name, key.expose()).finish();
    let separator: &[u8] = if form.is_empty() { b"" } else { b"&" };
    [form, separator, pair.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::HeaderMap;

    use super::*;

    fn with_token(body: RequestBody, media_type: &'static str) -> Result<RequestBody, CredentialError> {
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(media_type))]);
        let (path, query) = ("/".to_owned(), String::new());
        let mut parts =
            RequestParts { method: Method::POST, path, query, headers, body, server: None, repeatable: false };
        add_key(&mut parts, "gate", ApiKeyPlace::Body, "token", &Secret::from("a b&c"))?;
        Ok(parts.body)
    }

    #[test]
    fn a_key_in_a_form_takes_the_place_of_a_field_of_its_name() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let form = RequestBody::Form(vec![pair("token", "mine"), pair("sum", "1")]);
        let RequestBody::Form(fields) = with_token(form, FORM).unwrap() else { panic!() };
        assert_eq!(fields, [pair("sum", "1"), pair("token", "a b&c")]);
        let RequestBody::Form(fields) = with_token(RequestBody::Empty, "").unwrap() else { panic!() };
        assert_eq!(fields, [pair("token", "a b&c")]);
    }

    #[test]
    fn a_key_follows_a_form_that_is_written_out_and_nothing_else_that_is() {
        let bytes = RequestBody::Bytes(Bytes::from_static(b"sum=1,2"));
        let RequestBody::Bytes(form) = with_token(bytes, FORM).unwrap() else { panic!() };
        assert_eq!(form, "sum=1,2&token=a+b%26c");
        let bytes = RequestBody::Bytes(Bytes::from_static(b"text"));
        assert_eq!(with_token(bytes, "text/plain").unwrap_err(), CredentialError::NoField("gate"));
        let array = RequestBody::Json(serde_json::json!([1]));
        assert_eq!(with_token(array, "application/json").unwrap_err(), CredentialError::NoField("gate"));
    }
}
