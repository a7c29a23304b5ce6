//! A request as it arrived.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use serde_json::Value;

use crate::vector::{items, text};

/// A request as it arrived.
pub(crate) struct Arrival<'v>(pub(crate) &'v Value);

impl<'v> Arrival<'v> {
    /// The path as sent.
    pub(crate) fn path(&self) -> &'v str {
        text(self.0, "target").split('?').next().unwrap_or_default()
    }

    /// The query as sent; empty for none.
    pub(crate) fn query(&self) -> &'v str {
        text(self.0, "target").split_once('?').map_or("", |(_, query)| query)
    }

    /// The query's pairs, each side decoded. A `+` is a space, as servers read it.
    pub(crate) fn pairs(&self) -> Vec<(String, String)> {
        pairs(self.query())
    }

    /// All values of a header, joined.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let lines: Vec<&str> = items(self.0, "headers")
            .filter(|header| header[0].as_str() == Some(&name.to_ascii_lowercase()))
            .filter_map(|header| header[1].as_str())
            .collect();
        (!lines.is_empty()).then(|| lines.join(", "))
    }

    /// The body.
    pub(crate) fn body(&self) -> Vec<u8> {
        STANDARD.decode(text(self.0, "body_base64")).unwrap_or_default()
    }
}

/// `name=value` pairs with both sides decoded.
pub(crate) fn pairs(text: &str) -> Vec<(String, String)> {
    let decoded = |side: &str| percent_decode_str(&side.replace('+', " ")).decode_utf8_lossy().into_owned();
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(name, value)| (decoded(name), decoded(value)))
        .collect()
}
