//! How a type is written where it is used.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use serde_json::Value;

use super::super::ident::ident;
use crate::analyse::telling::behind;
use crate::model::{FloatWidth, IntWidth, OwnType, SchemaId, TextFormat, Through, Type, TypeUse};
use crate::plan::SystemPlan;

/// The lengths of tuples that the runtime can read and write.
const TUPLES: std::ops::RangeInclusive<usize> = 1..=12;

/// The place a type is named from.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'p> {
    plan: &'p SystemPlan,
    place: Place,
}

#[derive(Clone, Copy)]
enum Place {
    /// In the module `types` itself.
    Beside,
    /// In a module inside `types`.
    Below,
    /// In a module that imports `types`.
    Outside,
}

impl<'p> Scope<'p> {
    /// In `types` or a module inside it.
    pub(crate) fn in_types(plan: &'p SystemPlan, depth: usize) -> Self {
        Self { plan, place: if depth > 1 { Place::Below } else { Place::Beside } }
    }

    /// In a module that imports `types`.
    pub(crate) fn outside(plan: &'p SystemPlan) -> Self {
        Self { plan, place: Place::Outside }
    }

    /// A type where `null` may stand if the use says so.
    pub(crate) fn of(&self, used: &TypeUse) -> TokenStream {
        let ty = self.without_null(used);
        // These hold `null` themselves.
        let holds_null = matches!(used.ty, Type::Any | Type::Null);
        if used.nullable && !holds_null { quote!(Option<#ty>) } else { ty }
    }

    /// The type alone.
    pub(crate) fn without_null(&self, used: &TypeUse) -> TokenStream {
        match &used.ty {
            Type::Any => quote!(rt::Value),
            Type::Null => quote!(()),
            Type::Bool => quote!(bool),
            Type::Int(width) => integer(*width),
            Type::Float(FloatWidth::F32) => quote!(f32),
            Type::Float(FloatWidth::F64) => quote!(f64),
            Type::Text(format) => text(format),
            // Inside JSON there are no raw bytes; the places that can hold them do not come here.
            Type::Binary => quote!(String),
            Type::Array(item) => {
                let item = self.of(item);
                quote!(Vec<#item>)
            }
            Type::Tuple(items) if !TUPLES.contains(&items.len()) => quote!(Vec<rt::Value>),
            Type::Tuple(items) => {
                let items = items.iter().map(|item| self.of(item));
                quote!((#(#items,)*))
            }
            Type::Map(value) => {
                let value = self.of(value);
                quote!(BTreeMap<String, #value>)
            }
            Type::Own(used) => own(&used.own),
            Type::Named(_) if is_bytes(self.plan, used) => quote!(String),
            Type::Named(id) => self.named(*id),
        }
    }

    /// A property of a multipart body: files where the document has raw bytes.
    pub(crate) fn part(&self, used: &TypeUse) -> TokenStream {
        match file_shape(self.plan, used) {
            Some(FileShape::One) => quote!(rt::FilePart),
            Some(FileShape::Many) => quote!(Vec<rt::FilePart>),
            None => self.without_null(used),
        }
    }

    /// The path of a schema's type.
    pub(crate) fn named(&self, id: SchemaId) -> TokenStream {
        let name: Ident = ident(&self.plan.names.types[id.index()]);
        match self.place {
            Place::Beside => quote!(#name),
            Place::Below => quote!(super::#name),
            Place::Outside => quote!(types::#name),
        }
    }
}

/// Whether a type holds a tuple that is written as a plain list.
pub(crate) fn holds_odd_tuple(ty: &Type) -> bool {
    match ty {
        Type::Tuple(items) => !TUPLES.contains(&items.len()) || items.iter().any(|item| holds_odd_tuple(&item.ty)),
        Type::Array(inner) | Type::Map(inner) => holds_odd_tuple(&inner.ty),
        _ => false,
    }
}

/// How a property of a multipart body holds files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileShape {
    /// One file.
    One,
    /// A list of files.
    Many,
}

/// Whether a property of a multipart body is a file, or several.
pub(crate) fn file_shape(plan: &SystemPlan, used: &TypeUse) -> Option<FileShape> {
    match behind(&plan.api, &used.ty) {
        Type::Binary => Some(FileShape::One),
        Type::Array(item) if is_bytes(plan, item) => Some(FileShape::Many),
        _ => None,
    }
}

/// Whether a type is raw bytes, perhaps by another name.
pub(crate) fn is_bytes(plan: &SystemPlan, used: &TypeUse) -> bool {
    matches!(behind(&plan.api, &used.ty), Type::Binary)
}

/// The path of a type of the project's own, in what brings it to JSON.
fn own(own: &OwnType) -> TokenStream {
    // The path was read by the same parser when the project file was.
    let path: TokenStream = own.path.parse().unwrap_or_default();
    match own.through {
        Through::Wire => path,
        Through::Serde => quote!(rt::wire::Serde<#path>),
        Through::Text => quote!(rt::wire::AsText<#path>),
    }
}

fn integer(width: IntWidth) -> TokenStream {
    match width {
        IntWidth::I8 => quote!(i8),
        IntWidth::I16 => quote!(i16),
        IntWidth::I32 => quote!(i32),
        IntWidth::I64 => quote!(i64),
        IntWidth::U8 => quote!(u8),
        IntWidth::U16 => quote!(u16),
        IntWidth::U32 => quote!(u32),
        IntWidth::U64 => quote!(u64),
    }
}

fn text(format: &TextFormat) -> TokenStream {
    match format {
        TextFormat::Plain => quote!(String),
        TextFormat::DateTime => quote!(rt::DateTime),
        TextFormat::Date => quote!(rt::Date),
        TextFormat::Uuid => quote!(rt::Uuid),
        TextFormat::Uri => quote!(rt::wire::Uri),
        TextFormat::Base64 => quote!(rt::wire::Base64),
    }
}

/// An expression for a JSON value.
pub(crate) fn literal(value: &Value) -> TokenStream {
    match value {
        Value::Null => quote!(rt::Value::Null),
        Value::Bool(flag) => quote!(rt::Value::from(#flag)),
        Value::String(text) => quote!(rt::Value::from(#text)),
        Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(number), ..) => quote!(rt::Value::from(#number)),
            (None, Some(number), _) => quote!(rt::Value::from(#number)),
            (None, None, number) => {
                let number = number.unwrap_or_default();
                quote!(rt::Value::from(#number))
            }
        },
        Value::Array(items) => {
            let items = items.iter().map(literal);
            quote!(rt::Value::Array(vec![#(#items),*]))
        }
        Value::Object(members) if members.is_empty() => quote!(rt::Value::Object(::std::default::Default::default())),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| {
                let value = literal(value);
                quote!((#name, #value))
            });
            quote!(rt::Value::from_iter([#(#members),*]))
        }
    }
}
