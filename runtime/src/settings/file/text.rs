//! Texts that are more than words: URLs, names of headers, paths. Pure functions; the error says how to write it.

use std::path::PathBuf;

use http::HeaderName;
use url::Url;

use crate::secret::Secret;
use crate::settings::{FailureClasses, Probe};

/// Where a system is: no secrets in it (they would be logged), nothing that a path cannot follow.
pub(super) fn base_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text.trim()).map_err(|_| "write it like `https://pay.example/api`".to_owned())?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err("it begins with `https://` or `http://`".into());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("credentials do not belong in it: they are given to the client".into());
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("it ends with its path: no `?` and no `#`".into());
    }
    Ok(url)
}

/// Headers that mean something to HTTP itself, or that credentials and documents fill.
const TAKEN: [&str; 14] = [
    "accept",
    "authorization",
    "connection",
    "content-length",
    "content-type",
    "cookie",
    "host",
    "proxy-authorization",
    "te",
    "traceparent",
    "tracestate",
    "transfer-encoding",
    "upgrade",
    "user-agent",
];

pub(super) fn header_name(text: &str) -> Result<HeaderName, String> {
    let name: HeaderName =
        text.trim().parse().map_err(|_| "the name of a header: letters, digits and `-`".to_owned())?;
    if TAKEN.contains(&name.as_str()) {
        Err("this header has another meaning: take another name".into())
    } else {
        Ok(name)
    }
}

/// Where a proxy is: it has no path, and its credentials have keys of their own.
pub(super) fn proxy_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text.trim()).map_err(|_| "write it like `http://proxy.example:3128`".to_owned())?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err("it begins with `http://` or `https://`".into());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("credentials do not belong in it: `user`, and a variable for `password`".into());
    }
    if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
        return Err("it ends with host and port".into());
    }
    Ok(url)
}

/// A user's name for basic authentication.
pub(super) fn user(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("a name is expected".into()),
        name if name.contains(':') || name.chars().any(char::is_control) => Err("no `:` and no line break".into()),
        name => Ok(name.to_owned()),
    }
}

/// Any text, taken as it is and never shown.
pub(super) fn password(text: &str) -> Result<Secret, String> {
    Ok(Secret::from(text))
}

/// A file.
pub(super) fn path(text: &str) -> Result<PathBuf, String> {
    match text.trim() {
        "" => Err("the name of a file".into()),
        path => Ok(path.into()),
    }
}

/// Classes of failures, with commas between them.
pub(super) fn classes(text: &str) -> Result<FailureClasses, String> {
    text.parse()
}

/// A request that asks whether the system is there.
pub(super) fn probe(text: &str) -> Result<Probe, String> {
    text.parse().map_err(|error: crate::settings::NoProbe| error.to_string())
}
