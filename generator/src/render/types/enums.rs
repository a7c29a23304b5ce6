//! Enums of text and of integers. What the document does not list is kept, so that a new value breaks no reply.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::code::literal;
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

pub(super) fn text(item: Item<'_>, values: &[EnumValue<String>]) -> String {
    let names = &item.plan.names.members[item.def.id.index()];
    let (name, unknown) = (item.name(), names.unknown.as_deref().unwrap_or("Unknown"));
    let variants = || names.variants.iter().zip(values).map(|(variant, value)| (variant, literal(&value.value)));
    let mut code = item.code();
    item.write_docs(&mut code);
    code.line(0, "#[derive(Debug, Clone, PartialEq, Eq, Hash)]");
    code.item(0, format_args!("pub enum {name} {{"));
    for (variant, value) in names.variants.iter().zip(values) {
        code.docs(1, &described(value).lines());
        code.line(1, format_args!("{variant},"));
    }
    code.line(1, "/// A value the document does not list.");
    code.line(1, format_args!("{unknown}(String),")).line(0, "}");
    code.item(0, format_args!("impl {name} {{"));
    code.line(1, "/// The value on the wire.").line(1, "#[must_use]");
    code.line(1, "pub fn as_str(&self) -> &str {").line(2, "match self {");
    for (variant, wire) in variants() {
        code.line(3, format_args!("Self::{variant} => {wire},"));
    }
    code.line(3, format_args!("Self::{unknown}(text) => text,"));
    code.line(2, "}").line(1, "}").line(0, "}");
    code.item(0, format_args!("impl From<&str> for {name} {{"));
    code.line(1, "fn from(text: &str) -> Self {").line(2, "match text {");
    for (variant, wire) in variants() {
        code.line(3, format_args!("{wire} => Self::{variant},"));
    }
    code.line(3, format_args!("other => Self::{unknown}(other.to_owned()),"));
    code.line(2, "}").line(1, "}").line(0, "}");
    code.item(0, format_args!("impl ::std::fmt::Display for {name} {{"));
    code.line(1, "fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {");
    code.line(2, "f.write_str(self.as_str())").line(1, "}").line(0, "}");
    code.item(0, format_args!("impl rt::wire::Wire for {name} {{"));
    code.line(1, "fn encode(&self) -> Result<rt::Value, rt::wire::EncodeError> {");
    code.line(2, "Ok(rt::Value::from(self.as_str()))").line(1, "}");
    code.line(1, "fn decode(value: &rt::Value) -> Result<Self, rt::wire::DecodeError> {");
    code.line(2, "match value.as_str() {");
    code.line(3, "Some(text) => Ok(Self::from(text)),");
    code.line(3, "None => Err(rt::wire::DecodeError::mismatch(\"text\", value)),");
    code.line(2, "}").line(1, "}").line(0, "}");
    code.finish()
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

fn variant_docs<V>(value: &EnumValue<V>) -> TokenStream {
    described(value).attributes()
}

fn described<V>(value: &EnumValue<V>) -> DocComment {
    let mut comment = DocComment::default();
    if let Some(description) = &value.description {
        comment.description(description);
    }
    comment
}
