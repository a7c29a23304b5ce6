//! Transport types: one item a schema, and how each is read and written.

mod enums;
mod objects;
mod type_use;
mod unions;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use serde_json::Value;

use super::Piece;
use super::code::Code;
use super::docs::{self, DocComment};
use super::gates;
use super::ident::ident;
use crate::analyse::contents;
use crate::diagnose::Report;
use crate::model::{ContentKind, SchemaDef, SchemaId, SchemaKind, TypeUse};
use crate::plan::SystemPlan;

pub(super) use crate::analyse::telling::definition;
pub(super) use type_use::{Scope, file_shape, is_bytes};

/// What an item is rendered from.
#[derive(Clone, Copy)]
struct Item<'p> {
    plan: &'p SystemPlan,
    scope: Scope<'p>,
    def: &'p SchemaDef,
    /// It is the body of a multipart request.
    in_parts: bool,
}

/// The items of a schema of these, in a module so deep below the system's root; after the last, what they have in
/// common.
pub(super) fn piece(
    plan: &SystemPlan,
    ids: &[SchemaId],
    multipart: &BTreeSet<SchemaId>,
    index: usize,
    depth: usize,
) -> Piece {
    let scope = Scope::in_types(plan, depth);
    let item = |id: &SchemaId| Item { plan, scope, def: plan.api.schema(*id), in_parts: multipart.contains(id) };
    if let Some(id) = ids.get(index) {
        return item(id).piece();
    }
    // By what has to be there for them.
    let mut own: BTreeMap<Option<String>, Vec<String>> = BTreeMap::new();
    for item in ids.iter().map(item).filter(Item::is_own_type) {
        own.entry(item.gate()).or_default().push(item.name().to_string());
    }
    let text = own.into_iter().map(|(gate, names)| {
        let mut code = Code::gated(gate);
        code.gate(0);
        code.list(0, "rt::serde_through_wire!(", &names, ");");
        code.finish()
    });
    Piece::Text(text.collect())
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
    let in_parts = multipart_bodies(plan).contains(&def.id);
    objects::fields(Item { plan, scope: Scope::outside(plan), def, in_parts }, fields)
}

/// The bodies of multipart requests: raw bytes among their properties are files.
pub(super) fn multipart_bodies(plan: &SystemPlan) -> BTreeSet<SchemaId> {
    let bodies = plan.operations.iter().filter_map(|planned| plan.operation(planned).body.as_ref());
    let contents = bodies.flat_map(|body| &body.contents).filter(|content| content.kind == ContentKind::Multipart);
    contents.filter_map(|content| definition(&plan.api, &content.ty.ty)).map(|def| def.id).collect()
}

impl Item<'_> {
    fn name(&self) -> Ident {
        ident(&self.plan.names.types[self.def.id.index()])
    }

    /// What has to be there for it, in a crate with features.
    fn gate(&self) -> Option<String> {
        gates::of_schema(self.plan, self.def.id)
    }

    /// What its code is written to.
    fn code(&self) -> Code {
        Code::gated(self.gate())
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

    /// The same, line by line.
    fn write_docs(&self, code: &mut Code) {
        code.docs(0, &DocComment::of(&self.def.docs).lines());
        for line in self.extra_lines() {
            code.line(0, line);
        }
    }

    /// What the project file adds, but for what generated types of this kind derive anyway.
    fn extras(&self) -> TokenStream {
        // They were read by the same parser when the project file was.
        self.extra_lines().iter().map(|line| line.parse::<TokenStream>().unwrap_or_default()).collect()
    }

    fn extra_lines(&self) -> Vec<String> {
        let Some(extras) = self.plan.extras.get(&self.def.id) else { return Vec::new() };
        let own = self.own_derives();
        let derives: Vec<&str> = extras.derives.iter().map(String::as_str).filter(|name| !own.contains(name)).collect();
        let derives = (!derives.is_empty()).then(|| format!("#[derive({})]", derives.join(", ")));
        derives.into_iter().chain(extras.attributes.iter().map(|text| laid_out(text))).collect()
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

    fn piece(&self) -> Piece {
        let items = match &self.def.kind {
            SchemaKind::Object { fields, extra } => return Piece::Text(objects::text(*self, fields, extra)),
            SchemaKind::TextEnum(values) => return Piece::Text(enums::text(*self, values)),
            SchemaKind::Alias(target) if self.is_newtype() => self.newtype(target),
            SchemaKind::Alias(target) => {
                let (docs, name, ty) = (self.docs(), self.name(), self.scope.without_null(target));
                let ty = if is_bytes(self.plan, target) { quote!(rt::Bytes) } else { ty };
                quote!(#docs pub type #name = #ty;)
            }
            SchemaKind::IntEnum(values) => enums::integer(*self, values),
            SchemaKind::Const(value) => self.constant(value),
            SchemaKind::Union { branches, discriminator, .. } => {
                unions::tokens(*self, branches, discriminator.as_ref())
            }
        };
        Piece::Items(gates::items(self.gate(), items))
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

/// An attribute as people write it. It was read by the same parser when the project file was.
fn laid_out(attribute: &str) -> String {
    let file = syn::parse_str::<syn::File>(&format!("{attribute} struct X;"));
    let printed = file.map(|file| prettyplease::unparse(&file)).unwrap_or_default();
    printed.strip_suffix("struct X;\n").map_or_else(|| attribute.to_owned(), |text| text.trim_end().to_owned())
}
