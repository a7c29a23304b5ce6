//! What a request was when it arrived.

use std::time::Instant;

use bytes::Bytes;
use http::HeaderMap;
use serde_json::Value;

/// One request, recorded as soon as it was read whole, before anything is answered.
#[derive(Debug, Clone)]
pub struct Arrival {
    /// `GET`, `POST`, …
    pub method: String,
    /// The path as sent, without the query.
    pub path: String,
    /// What follows the `?`, as sent; empty when there is none.
    pub query: String,
    /// All headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
    /// When the last byte of it was read.
    pub at: Instant,
    /// The number of the connection it came over, from 0: tells whether a connection was used again.
    pub connection: u64,
}

impl Arrival {
    /// The value of a header, if it came once and is text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.get_all(name).iter();
        match (values.next(), values.next()) {
            (Some(value), None) => value.to_str().ok(),
            _ => None,
        }
    }

    /// The fields of a form body, in order.
    #[must_use]
    pub fn form(&self) -> Vec<(String, String)> {
        form_urlencoded::parse(&self.body).into_owned().collect()
    }

    /// The value of one field of a form body.
    #[must_use]
    pub fn form_field(&self, name: &str) -> Option<String> {
        self.form().into_iter().find_map(|(field, value)| (field == name).then_some(value))
    }

    /// The value of one query parameter.
    #[must_use]
    pub fn query_field(&self, name: &str) -> Option<String> {
        let mut fields = form_urlencoded::parse(self.query.as_bytes());
        fields.find_map(|(field, value)| (field == name).then(|| value.into_owned()))
    }

    /// The body as JSON.
    ///
    /// # Errors
    /// When it is not JSON.
    pub fn json(&self) -> serde_json::Result<Value> {
        serde_json::from_slice(&self.body)
    }
}
