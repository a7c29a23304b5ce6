//! The shapes of generated types, read back from their syntax. Stubs mirror what was really rendered, whatever
//! decisions led to it, so they always compile against it.

use std::collections::BTreeMap;

use syn::{Attribute, Fields, Item};

use super::Items;
use super::ty::{Module, Ty, parse};

/// Every type of a system's generated modules.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shapes {
    items: BTreeMap<(Module, String), Shape>,
}

/// A generated type.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    /// Documentation lines, ready for `///`.
    pub(crate) docs: Vec<String>,
    /// The traits it derives, in order.
    pub(crate) derives: Vec<String>,
    /// What it is made of.
    pub(crate) kind: ShapeKind,
}

/// What a type is made of.
#[derive(Debug, Clone)]
pub(crate) enum ShapeKind {
    /// Named fields.
    Struct(Vec<Member>),
    /// One unnamed field.
    Newtype(Ty),
    /// No field: a constant of the document.
    Unit,
    /// Variants.
    Enum(Vec<Variant>),
    /// Another name.
    Alias(Ty),
}

/// A named field.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    /// Its name, raw mark included.
    pub(crate) name: String,
    /// Documentation lines, ready for `///`.
    pub(crate) docs: Vec<String>,
    /// Its type.
    pub(crate) ty: Ty,
}

/// A variant.
#[derive(Debug, Clone)]
pub(crate) struct Variant {
    /// Its name.
    pub(crate) name: String,
    /// Documentation lines, ready for `///`.
    pub(crate) docs: Vec<String>,
    /// What it holds.
    pub(crate) content: Content,
}

/// What a variant holds.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// Nothing.
    Unit,
    /// Unnamed fields.
    Unnamed(Vec<Ty>),
    /// Named fields.
    Named(Vec<Member>),
}

impl Shapes {
    /// The shapes of rendered modules.
    pub(crate) fn of(items: &Items) -> Self {
        let mut shapes = Self::default();
        shapes.read(Module::Types, &items.types);
        shapes.read(Module::Operations, &items.operations);
        shapes
    }

    /// Takes in the items of a module, those of nested modules too: a module split over files is one to its users.
    fn read(&mut self, module: Module, items: &[Item]) {
        for item in items {
            match item {
                Item::Struct(item) => self.insert(module, &item.ident, &item.attrs, of_fields(module, &item.fields)),
                Item::Enum(item) => {
                    let variants = item.variants.iter().map(|variant| of_variant(module, variant)).collect();
                    self.insert(module, &item.ident, &item.attrs, Some(ShapeKind::Enum(variants)));
                }
                Item::Type(item) => {
                    let kind = ShapeKind::Alias(parse(module, &item.ty));
                    self.insert(module, &item.ident, &item.attrs, Some(kind));
                }
                Item::Mod(item) => {
                    if let Some((_, items)) = &item.content {
                        self.read(module, items);
                    }
                }
                _ => {}
            }
        }
    }

    fn insert(&mut self, module: Module, name: &syn::Ident, attributes: &[Attribute], kind: Option<ShapeKind>) {
        if let Some(kind) = kind {
            let shape = Shape { docs: docs(attributes), derives: derives(attributes), kind };
            self.items.insert((module, name.to_string()), shape);
        }
    }

    /// The type of a name.
    pub(crate) fn get(&self, module: Module, name: &str) -> Option<&Shape> {
        self.items.get(&(module, name.to_owned()))
    }

    /// All types in the order of modules and names.
    pub(crate) fn items(&self) -> impl Iterator<Item = &(Module, String)> {
        self.items.keys()
    }

    /// A type with its other names taken away, at the top.
    pub(crate) fn resolved(&self, ty: &Ty) -> Ty {
        let mut ty = ty.clone();
        // Aliases of generated code cannot be circular, or it would not compile; the bound is for the proof.
        for _ in 0..=self.items.len() {
            let Ty::Named(module, name) = &ty else { break };
            match self.get(*module, name).map(|shape| &shape.kind) {
                Some(ShapeKind::Alias(target)) => ty = target.clone(),
                _ => break,
            }
        }
        ty
    }
}

fn of_fields(module: Module, fields: &Fields) -> Option<ShapeKind> {
    match fields {
        Fields::Named(fields) => Some(ShapeKind::Struct(members(module, fields))),
        Fields::Unnamed(fields) => match fields.unnamed.iter().collect::<Vec<_>>().as_slice() {
            [field] => Some(ShapeKind::Newtype(parse(module, &field.ty))),
            _ => None,
        },
        Fields::Unit => Some(ShapeKind::Unit),
    }
}

fn members(module: Module, fields: &syn::FieldsNamed) -> Vec<Member> {
    fields
        .named
        .iter()
        .filter_map(|field| {
            let name = field.ident.as_ref()?.to_string();
            Some(Member { name, docs: docs(&field.attrs), ty: parse(module, &field.ty) })
        })
        .collect()
}

fn of_variant(module: Module, variant: &syn::Variant) -> Variant {
    let content = match &variant.fields {
        Fields::Unit => Content::Unit,
        Fields::Unnamed(fields) => {
            Content::Unnamed(fields.unnamed.iter().map(|field| parse(module, &field.ty)).collect())
        }
        Fields::Named(fields) => Content::Named(members(module, fields)),
    };
    Variant { name: variant.ident.to_string(), docs: docs(&variant.attrs), content }
}

/// The lines of doc comments, as they stand after `///`.
fn docs(attributes: &[Attribute]) -> Vec<String> {
    let text = |attribute: &Attribute| match &attribute.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    };
    // What links to a neighbour in the generated module would lead nowhere in the domain.
    let unlinked = |line: &str| line.replace("[`", "`").replace("`]", "`");
    attributes.iter().filter_map(text).flat_map(|text| text.split('\n').map(unlinked).collect::<Vec<_>>()).collect()
}

fn derives(attributes: &[Attribute]) -> Vec<String> {
    let mut derives = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
        let paths = attribute
            .parse_args_with(syn::punctuated::Punctuated::<syn::Path, syn::Token![,]>::parse_terminated)
            .unwrap_or_default();
        // What a project adds from elsewhere is for the transport types alone.
        let names = paths.iter().filter_map(|path| path.get_ident()).map(ToString::to_string);
        derives.extend(names);
    }
    derives
}
