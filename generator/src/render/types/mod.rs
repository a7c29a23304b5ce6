//! Transport types: one item a schema, and how each is read and written.

mod enums;
mod objects;
mod type_use;
mod unions;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use serde_json::Value;

use super::docs::{self, DocComment};
use super::gates;
use super::ident::ident;
use crate::analyse::contents;
use crate::diagnose::Report;
use crate::model::{ContentKind, SchemaDef, SchemaId, SchemaKind, TypeUse};
use crate::plan::SystemPlan;

pub(super) use crate::analyse::telling::definition;
pub(super) use type_use::{Scope, begins_path, file_shape, is_bytes, mentions};

/// What an item is rendered from.
#[derive(Clone, Copy)]
struct Item<'p> {
    plan: &'p SystemPlan,
    scope: Scope<'p>,
    def: &'p SchemaDef,
    /// Bodies of multipart requests: raw bytes among their properties are files.
    multipart: &'p BTreeSet<SchemaId>,
}

/// The items for these schemas, in a module so deep below the system's root.
pub(super) fn items(plan: &SystemPlan, ids: &[SchemaId], depth: usize) -> TokenStream {
    let scope = Scope::in_types(plan, depth);
    let multipart = multipart_bodies(plan);
    let mut items = TokenStream::new();
    let mut own: BTreeMap<String, (Option<TokenStream>, Vec<Ident>)> = BTreeMap::new();
    for id in ids {
        let item = Item { plan, scope, def: plan.api.schema(*id), multipart: &multipart };
        let gate = gates::of_schema(plan, *id);
        if item.is_own_type() {
            // By what has to be there for them.
            let condition = gate.as_ref().map(ToString::to_string).unwrap_or_default();
            own.entry(condition).or_insert_with(|| (gate.clone(), Vec::new())).1.push(item.name());
        }
        items.extend(gates::items(gate, item.tokens()));
    }
    let imports = imports(&items, !own.is_empty());
    let serde = own.values().map(|(gate, own)| quote!(#gate rt::serde_through_wire!(#(#own),*);));
    quote!(#imports #items #(#serde)*)
}

/// Tells what of the types cannot be emitted as the document has it.
pub(super) fn check(plan: &SystemPlan, report: &mut Report) {
    enums::check(plan, report);
    for def in plan.api.schemas.iter().filter(|def| plan.reached[def.id.index()]) {
        if contents::members(def).into_iter().any(|(_, used)| type_use::holds_odd_tuple(&used.ty)) {
            let message = "a list of no place, or of more than 12, takes any values";
            report.note("CD-TUPLE", def.origin.clone(), message, "its `prefixItems` are not checked");
        }
    }
}

/// The fields of an object that are there, each as property, field and type, named from outside of `types`.
pub(super) fn object_fields(plan: &SystemPlan, def: &SchemaDef) -> Vec<(String, String, TokenStream)> {
    let SchemaKind::Object { fields, .. } = &def.kind else { return Vec::new() };
    let multipart = multipart_bodies(plan);
    objects::fields(Item { plan, scope: Scope::outside(plan), def, multipart: &multipart }, fields)
}

fn multipart_bodies(plan: &SystemPlan) -> BTreeSet<SchemaId> {
    let bodies = plan.operations.iter().filter_map(|planned| plan.operation(planned).body.as_ref());
    let contents = bodies.flat_map(|body| &body.contents).filter(|content| content.kind == ContentKind::Multipart);
    contents.filter_map(|content| definition(&plan.api, &content.ty.ty)).map(|def| def.id).collect()
}

fn imports(items: &TokenStream, has_own: bool) -> TokenStream {
    let maps = mentions(items, "BTreeMap").then(|| {
        quote!(
            use ::std::collections::BTreeMap;
        )
    });
    let runtime = (has_own || begins_path(items, "rt")).then(|| {
        quote!(
            use ::cofferdam_runtime as rt;
        )
    });
    quote!(#maps #runtime)
}

impl Item<'_> {
    fn name(&self) -> Ident {
        ident(&self.plan.names.types[self.def.id.index()])
    }

    fn is_newtype(&self) -> bool {
        self.plan.newtypes.contains(&self.def.id)
    }

    /// Whether it is a type of its own and not another name.
    fn is_own_type(&self) -> bool {
        !matches!(self.def.kind, SchemaKind::Alias(_)) || self.is_newtype()
    }

    fn is_boxed(&self, member: usize) -> bool {
        self.plan.boxed.contains(&(self.def.id, member))
    }

    fn docs(&self) -> TokenStream {
        let (docs, extras) = (docs::attributes(&self.def.docs), self.extras());
        quote!(#docs #extras)
    }

    /// What the project file adds, but for what generated types of this kind derive anyway.
    fn extras(&self) -> TokenStream {
        let Some(extras) = self.plan.extras.get(&self.def.id) else { return TokenStream::new() };
        let own = self.own_derives();
        // Both were read by the same parser when the project file was.
        let tokens = |text: &String| text.parse::<TokenStream>().unwrap_or_default();
        let derives: Vec<_> = extras.derives.iter().filter(|name| !own.contains(&name.as_str())).map(tokens).collect();
        let derives = (!derives.is_empty()).then(|| quote!(#[derive(#(#derives),*)]));
        let attributes = extras.attributes.iter().map(tokens);
        quote!(#derives #(#attributes)*)
    }

    fn own_derives(&self) -> &'static [&'static str] {
        match &self.def.kind {
            SchemaKind::TextEnum(_) => &["Debug", "Clone", "PartialEq", "Eq", "Hash"],
            SchemaKind::IntEnum(_) => &["Debug", "Clone", "Copy", "PartialEq", "Eq", "Hash"],
            SchemaKind::Const(_) => &["Debug", "Clone", "Copy", "PartialEq", "Eq", "Default"],
            SchemaKind::Object { fields, .. } if objects::is_default(*self, fields) => {
                &["Debug", "Clone", "PartialEq", "Default"]
            }
            _ => &["Debug", "Clone", "PartialEq"],
        }
    }

    fn tokens(&self) -> TokenStream {
        match &self.def.kind {
            SchemaKind::Alias(target) if self.is_newtype() => self.newtype(target),
            SchemaKind::Alias(target) => {
                let (docs, name, ty) = (self.docs(), self.name(), self.scope.without_null(target));
                let ty = if is_bytes(self.plan, target) { quote!(rt::Bytes) } else { ty };
                quote!(#docs pub type #name = #ty;)
            }
            SchemaKind::Object { fields, extra } => objects::tokens(*self, fields, extra),
            SchemaKind::TextEnum(values) => enums::text(*self, values),
            SchemaKind::IntEnum(values) => enums::integer(*self, values),
            SchemaKind::Const(value) => self.constant(value),
            SchemaKind::Union { branches, discriminator, .. } => {
                unions::tokens(*self, branches, discriminator.as_ref())
            }
        }
    }

    fn newtype(&self, target: &TypeUse) -> TokenStream {
        let (docs, name) = (self.docs(), self.name());
        let inner = self.scope.without_null(target);
        let inner = if self.is_boxed(0) { quote!(Box<#inner>) } else { inner };
        quote! {
            #docs
            #[derive(Debug, Clone, PartialEq)]
            pub struct #name(pub #inner);
            impl rt::wire::Wire for #name {
                fn encode(&self) -> Result<rt::Value, rt::wire::EncodeError> {
                    rt::wire::Wire::encode(&self.0)
                }
                fn decode(value: &rt::Value) -> Result<Self, rt::wire::DecodeError> {
                    rt::wire::Wire::decode(value).map(Self)
                }
            }
        }
    }

    fn constant(&self, value: &Value) -> TokenStream {
        let name = self.name();
        let text = value.to_string();
        let mut comment = DocComment::of(&self.def.docs);
        comment.own(&format!("Always {} on the wire.", docs::code(&text)));
        let (docs, extras) = (comment.attributes(), self.extras());
        let literal = type_use::literal(value);
        let expected = format!("the constant {text}");
        // `7` and `7.0` are the same number.
        let matches = match (value, value.as_i64()) {
            (_, Some(number)) => quote!(<i64 as rt::wire::Wire>::decode(value) == Ok(#number)),
            (Value::Null, _) => quote!(value.is_null()),
            (Value::Bool(flag), _) => quote!(value.as_bool() == Some(#flag)),
            (Value::String(text), _) => quote!(value.as_str() == Some(#text)),
            _ => quote!(*value == #literal),
        };
        quote! {
            #docs
            #extras
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
            pub struct #name;
            impl rt::wire::Wire for #name {
                fn encode(&self) -> Result<rt::Value, rt::wire::EncodeError> {
                    Ok(#literal)
                }
                fn decode(value: &rt::Value) -> Result<Self, rt::wire::DecodeError> {
                    if #matches {
                        Ok(Self)
                    } else {
                        Err(rt::wire::DecodeError::mismatch(#expected, value))
                    }
                }
            }
        }
    }
}
