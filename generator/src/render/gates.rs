//! `#[cfg(feature = "…")]` on what belongs to tags, in a crate whose tags are features.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{Attribute, ImplItem, Item, parse_quote};

use crate::model::SchemaId;
use crate::plan::{PlannedOperation, SystemPlan};

/// The condition of an operation's code; `None` for what is always there.
pub(crate) fn of_operation(plan: &SystemPlan, planned: &PlannedOperation) -> Option<TokenStream> {
    let gates = plan.gates.as_ref()?;
    let position = plan.operations.iter().position(|other| other.index == planned.index)?;
    condition(gates.operations.get(position)?)
}

/// The condition of a schema's code.
pub(crate) fn of_schema(plan: &SystemPlan, id: SchemaId) -> Option<TokenStream> {
    condition(plan.gates.as_ref()?.schemas.get(id.index())?)
}

fn condition(features: &[String]) -> Option<TokenStream> {
    match features {
        [] => None,
        [only] => Some(quote!(#[cfg(feature = #only)])),
        several => Some(quote!(#[cfg(any(#(feature = #several),*))])),
    }
}

/// Items with a condition on each. What is no Rust comes back as it is, to be told where it is printed.
pub(crate) fn items(condition: Option<TokenStream>, tokens: TokenStream) -> TokenStream {
    let Some(condition) = condition else { return tokens };
    let Ok(mut file) = syn::parse2::<syn::File>(tokens.clone()) else { return tokens };
    let condition: Attribute = parse_quote!(#condition);
    for item in &mut file.items {
        match item {
            Item::Struct(item) => item.attrs.push(condition.clone()),
            Item::Enum(item) => item.attrs.push(condition.clone()),
            Item::Type(item) => item.attrs.push(condition.clone()),
            Item::Impl(item) => item.attrs.push(condition.clone()),
            Item::Macro(item) => item.attrs.push(condition.clone()),
            _ => {}
        }
    }
    file.into_token_stream()
}

/// Methods with a condition on each.
pub(crate) fn methods(condition: Option<TokenStream>, tokens: TokenStream) -> TokenStream {
    let Some(condition) = condition else { return tokens };
    let Ok(mut holder) = syn::parse2::<syn::ItemImpl>(quote!(impl X { #tokens })) else { return tokens };
    let condition: Attribute = parse_quote!(#condition);
    for item in &mut holder.items {
        if let ImplItem::Fn(method) = item {
            method.attrs.push(condition.clone());
        }
    }
    holder.items.iter().map(|item| item.to_token_stream()).collect()
}
