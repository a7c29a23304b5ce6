//! Identifiers as tokens.

use proc_macro2::{Ident, Span};

/// The identifier for a name that [`analyse`](crate::analyse) chose; those are legal, raw mark included.
pub(crate) fn ident(name: &str) -> Ident {
    match name.strip_prefix("r#") {
        Some(bare) => Ident::new_raw(bare, Span::call_site()),
        None => Ident::new(name, Span::call_site()),
    }
}
