//! `#[cfg(feature = "…")]` on what belongs to tags, in a crate whose tags are features.

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::parse::Parser as _;
use syn::{Attribute, Item};

use super::code::literal;
use crate::model::SchemaId;
use crate::plan::{PlannedOperation, SystemPlan};

/// The condition of an operation's code, as an attribute; `None` for what is always there.
pub(crate) fn of_operation(plan: &SystemPlan, planned: &PlannedOperation) -> Option<String> {
    let gates = plan.gates.as_ref()?;
    let position = plan.operations.iter().position(|other| other.index == planned.index)?;
    condition(gates.operations.get(position)?)
}

/// The condition of a schema's code.
pub(crate) fn of_schema(plan: &SystemPlan, id: SchemaId) -> Option<String> {
    condition(plan.gates.as_ref()?.schemas.get(id.index())?)
}

fn condition(features: &[String]) -> Option<String> {
    let needs: Vec<String> = features.iter().map(|feature| format!("feature = {}", literal(feature))).collect();
    match needs.as_slice() {
        [] => None,
        [only] => Some(format!("#[cfg({only})]")),
        several => Some(format!("#[cfg(any({}))]", several.join(", "))),
    }
}

/// Items with a condition on each. What is no Rust comes back as it is, to be told where it is printed.
pub(crate) fn items(condition: Option<String>, tokens: TokenStream) -> TokenStream {
    let Some(condition) = condition else { return tokens };
    let Ok(condition) = Attribute::parse_outer.parse_str(&condition) else { return tokens };
    let Ok(mut file) = syn::parse2::<syn::File>(tokens.clone()) else { return tokens };
    for item in &mut file.items {
        match item {
            Item::Struct(item) => item.attrs.extend_from_slice(&condition),
            Item::Enum(item) => item.attrs.extend_from_slice(&condition),
            Item::Type(item) => item.attrs.extend_from_slice(&condition),
            Item::Impl(item) => item.attrs.extend_from_slice(&condition),
            Item::Macro(item) => item.attrs.extend_from_slice(&condition),
            _ => {}
        }
    }
    file.into_token_stream()
}
