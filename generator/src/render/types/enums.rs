//! Enums of text and of integers. What the document does not list is kept, so that a new value breaks no reply.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::docs::DocComment;
use super::super::ident::ident;
use super::Item;
use crate::diagnose::Report;
use crate::model::{EnumValue, SchemaKind};
use crate::plan::SystemPlan;

/// Tells which integers no Rust integer of JSON can hold.
pub(super) fn check(plan: &SystemPlan, report: &mut Report) {
    for def in plan.api.schemas.iter().filter(|def| plan.reached[def.id.index()]) {
        let SchemaKind::IntEnum(values) = &def.kind else { continue };
        for value in values.iter().filter(|value| !repr(values).holds(value.value)) {
            let message = format!("the listed value {} fits no integer of the other values' type", value.value);
            report.error(
                "CD-ENUM-RANGE",
                def.origin.clone(),
                message,
                "list values from -2^63 to 2^63-1, or from 0 to 2^64-1",
            );
        }
    }
}

pub(super) fn text(item: Item<'_>, values: &[EnumValue<String>]) -> TokenStream {
    let (docs, name) = (item.docs(), item.name());
    let names = &item.plan.names.members[item.def.id.index()];
    let variants: Vec<_> = names.variants.iter().map(|name| ident(name)).collect();
    let unknown = ident(names.unknown.as_deref().unwrap_or("Unknown"));
    let wires: Vec<&str> = values.iter().map(|value| value.value.as_str()).collect();
    let variant_docs = values.iter().map(variant_docs);
    quote! {
        #docs
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum #name {
            #(#variant_docs #variants,)*
            /// A value the document does not list.
            #unknown(String),
        }
        impl #name {
            /// The value on the wire.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    #(Self::#variants => #wires,)*
                    Self::#unknown(text) => text,
                }
            }
        }
        impl From<&str> for #name {
            fn from(text: &str) -> Self {
                match text {
                    #(#wires => Self::#variants,)*
                    other => Self::#unknown(other.to_owned()),
                }
            }
        }
        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
        impl rt::wire::Wire for #name {
            fn encode(&self) -> Result<rt::Value, rt::wire::EncodeError> {
                Ok(rt::Value::from(self.as_str()))
            }
            fn decode(value: &rt::Value) -> Result<Self, rt::wire::DecodeError> {
                match value.as_str() {
                    Some(text) => Ok(Self::from(text)),
                    None => Err(rt::wire::DecodeError::mismatch("text", value)),
                }
            }
        }
    }
}

/// The integer type of an enum.
#[derive(Clone, Copy)]
enum Repr {
    Signed,
    Unsigned,
}

impl Repr {
    fn holds(self, value: i128) -> bool {
        match self {
            Self::Signed => i64::try_from(value).is_ok(),
            Self::Unsigned => u64::try_from(value).is_ok(),
        }
    }

    fn literal(self, value: i128) -> Literal {
        // Values out of range were refused by `check`; nothing is printed then.
        match self {
            Self::Signed => Literal::i64_unsuffixed(i64::try_from(value).unwrap_or_default()),
            Self::Unsigned => Literal::u64_unsuffixed(u64::try_from(value).unwrap_or_default()),
        }
    }
}

fn repr(values: &[EnumValue<i128>]) -> Repr {
    let beyond = values.iter().any(|value| value.value > i128::from(i64::MAX));
    if beyond { Repr::Unsigned } else { Repr::Signed }
}

pub(super) fn integer(item: Item<'_>, values: &[EnumValue<i128>]) -> TokenStream {
    let (docs, name) = (item.docs(), item.name());
    let names = &item.plan.names.members[item.def.id.index()];
    let variants: Vec<_> = names.variants.iter().map(|name| ident(name)).collect();
    let unknown = ident(names.unknown.as_deref().unwrap_or("Unknown"));
    let repr = repr(values);
    let (ty, as_number) = match repr {
        Repr::Signed => (quote!(i64), ident("as_i64")),
        Repr::Unsigned => (quote!(u64), ident("as_u64")),
    };
    let wires: Vec<Literal> = values.iter().map(|value| repr.literal(value.value)).collect();
    let variant_docs = values.iter().map(variant_docs);
    quote! {
        #docs
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum #name {
            #(#variant_docs #variants,)*
            /// A value the document does not list.
            #unknown(#ty),
        }
        impl #name {
            /// The value on the wire.
            #[must_use]
            pub fn #as_number(&self) -> #ty {
                match self {
                    #(Self::#variants => #wires,)*
                    Self::#unknown(number) => *number,
                }
            }
        }
        impl From<#ty> for #name {
            fn from(number: #ty) -> Self {
                match number {
                    #(#wires => Self::#variants,)*
                    other => Self::#unknown(other),
                }
            }
        }
        impl rt::wire::Wire for #name {
            fn encode(&self) -> Result<rt::Value, rt::wire::EncodeError> {
                Ok(rt::Value::from(self.#as_number()))
            }
            fn decode(value: &rt::Value) -> Result<Self, rt::wire::DecodeError> {
                <#ty as rt::wire::Wire>::decode(value).map(Self::from)
            }
        }
    }
}

fn variant_docs<V: ToString>(value: &EnumValue<V>) -> TokenStream {
    let Some(description) = &value.description else { return TokenStream::new() };
    let docs = crate::model::Docs { description: Some(description.clone()), ..crate::model::Docs::default() };
    DocComment::of(&docs).attributes()
}
