//! Unions: an enum with a variant a branch. A discriminator names the branch; without one, branches are tried.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use serde_json::Value;

use super::super::ident::ident;
use super::Item;
use crate::analyse::branch_order::{most_demanding_first, to_compare};
use crate::analyse::telling::{self, Telling, behind, definition};
use crate::model::{Api, Branch, Discriminator, SchemaDef, SchemaKind, TextFormat, Type};

/// A union with its names at hand.
struct Union<'p> {
    item: Item<'p>,
    branches: &'p [Branch],
    variants: Vec<Ident>,
    unknown: Option<Ident>,
}

pub(super) fn tokens(item: Item<'_>, branches: &[Branch], discriminator: Option<&Discriminator>) -> TokenStream {
    let names = &item.plan.names.members[item.def.id.index()];
    let variants = names.variants.iter().map(|name| ident(name)).collect();
    let unknown = names.unknown.as_deref().map(ident);
    let union = Union { item, branches, variants, unknown };
    let declaration = union.declaration();
    let (encode, decode) = match discriminator {
        Some(discriminator) => {
            let tags = union.tags(discriminator);
            (union.encode_tagged(&discriminator.property, &tags), union.decode_tagged(discriminator, &tags))
        }
        None => (union.encode(), union.decode()),
    };
    let name = item.name();
    quote! {
        #declaration
        impl rt::wire::Wire for #name {
            fn encode(&self) -> Result<rt::Value, rt::wire::EncodeError> {
                #encode
            }
            fn decode(value: &rt::Value) -> Result<Self, rt::wire::DecodeError> {
                #decode
            }
        }
    }
}

/// What an enum's values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Word {
    Text,
    Integer,
}

/// The tags of a branch.
struct Tags {
    values: Vec<String>,
    /// The branch writes its tag itself: it is a union by the same property, or takes any tag.
    own: bool,
}

impl<'p> Union<'p> {
    fn declaration(&self) -> TokenStream {
        let (docs, name) = (self.item.docs(), self.item.name());
        let branches = self.branches.iter().zip(&self.variants).enumerate().map(|(index, (branch, variant))| {
            let inner = self.item.scope.of(&branch.ty);
            let inner = if self.item.is_boxed(index) { quote!(Box<#inner>) } else { inner };
            quote!(#variant(#inner),)
        });
        let unknown = self.unknown.as_ref().map(|unknown| {
            quote! {
                /// A branch the document does not list, as it came.
                #unknown(rt::Value),
            }
        });
        quote! {
            #docs
            #[derive(Debug, Clone, PartialEq)]
            pub enum #name {
                #(#branches)*
                #unknown
            }
        }
    }

    fn encode(&self) -> TokenStream {
        if self.variants.is_empty() {
            return quote!(match *self {});
        }
        let variants = &self.variants;
        let unknown = self.unknown.as_ref().map(|unknown| quote!(Self::#unknown(value) => Ok(value.clone()),));
        quote!(match self { #(Self::#variants(branch) => rt::wire::Wire::encode(branch),)* #unknown })
    }

    fn decode(&self) -> TokenStream {
        let name = self.item.name().to_string();
        let plan = self.item.plan;
        let order = most_demanding_first(plan, self.branches);
        let telling = telling::find(&plan.api, self.branches);
        let by_property = telling.as_ref().map(|property| self.by_property(property));
        // With a property that tells them apart, the shapes need not.
        let compared = if telling.is_none() { self.compared(&order) } else { None };
        let attempts = order.iter().map(|index| self.attempt(*index));
        let last = self.last_resorts(&order);
        quote! {
            #by_property
            let mut branches = rt::wire::UnionReader::new(#name, value);
            #compared
            #(#attempts)*
            #last
            Err(branches.failed())
        }
    }

    fn by_property(&self, telling: &Telling<'_>) -> TokenStream {
        let property = telling.property;
        let arms = telling.values.iter().filter(|(_, values)| !values.is_empty()).map(|(index, values)| {
            let variant = &self.variants[*index];
            quote!(Some(#(#values)|*) => return rt::wire::Wire::decode(value).map(Self::#variant),)
        });
        let others = match &self.unknown {
            Some(unknown) => quote!(Some(_) => return Ok(Self::#unknown(value.clone())), None => {}),
            None => quote!(_ => {}),
        };
        quote! {
            match value.get(#property).and_then(rt::Value::as_str) {
                #(#arms)*
                #others
            }
        }
    }

    fn definition(&self, index: usize) -> Option<&'p SchemaDef> {
        definition(&self.item.plan.api, &self.branches[index].ty.ty)
    }

    /// Takes an object for the branch that keeps most of it, where more than one may read it.
    fn compared(&self, order: &[usize]) -> Option<TokenStream> {
        let shapes = to_compare(self.item.plan, self.branches, order);
        let candidates: Vec<TokenStream> = shapes
            .iter()
            .map(|(index, shape)| {
                let (variant, declared) = (&self.variants[*index], &shape.declared);
                let name = variant.to_string();
                quote! {
                    rt::wire::Candidate {
                        name: #name,
                        declared: &[#(#declared),*],
                        read: |value| rt::wire::Wire::decode(value).map(Self::#variant),
                    }
                }
            })
            .collect();
        (!candidates.is_empty()).then(|| {
            quote! {
                if let Some(branch) = branches.keeping_most(&[#(#candidates),*]) {
                    return Ok(branch);
                }
            }
        })
    }

    /// Takes a value of the branch; of an enum's, only a listed one.
    fn attempt(&self, index: usize) -> TokenStream {
        let variant = &self.variants[index];
        let name = variant.to_string();
        let listed =
            self.open_enum(index).map(|(ty, unknown)| quote!(.filter(|branch| !matches!(branch, #ty::#unknown(_)))));
        quote! {
            if let Some(branch) = branches.attempt(#name)#listed {
                return Ok(Self::#variant(branch));
            }
        }
    }

    /// An enum among the branches keeps what it does not list, if no other branch took it.
    fn last_resorts(&self, order: &[usize]) -> TokenStream {
        let enums = order.iter().filter(|index| self.open_enum(**index).is_some());
        let mut taken: BTreeSet<Word> = self.branches.iter().flat_map(|branch| self.words_taken(branch)).collect();
        enums
            .filter(|index| {
                let is_text = matches!(self.definition(**index).map(|def| &def.kind), Some(SchemaKind::TextEnum(_)));
                taken.insert(if is_text { Word::Text } else { Word::Integer })
            })
            .map(|index| {
                let variant = &self.variants[*index];
                let name = variant.to_string();
                quote! {
                    if let Some(branch) = branches.attempt(#name) {
                        return Ok(Self::#variant(branch));
                    }
                }
            })
            .collect()
    }

    /// What a branch takes whole, so that no enum has to.
    fn words_taken(&self, branch: &Branch) -> Vec<Word> {
        match behind(&self.item.plan.api, &branch.ty.ty) {
            Type::Any => vec![Word::Text, Word::Integer],
            Type::Text(TextFormat::Plain) => vec![Word::Text],
            Type::Int(_) | Type::Float(_) => vec![Word::Integer],
            _ => Vec::new(),
        }
    }

    fn open_enum(&self, index: usize) -> Option<(TokenStream, Ident)> {
        if self.branches[index].ty.nullable {
            return None;
        }
        let def = self.definition(index)?;
        let is_enum = matches!(def.kind, SchemaKind::TextEnum(_) | SchemaKind::IntEnum(_));
        let unknown = self.item.plan.names.members[def.id.index()].unknown.as_deref()?;
        is_enum.then(|| (self.item.scope.named(def.id), ident(unknown)))
    }

    /// The tags of each branch; a tag belongs to the first that has it.
    fn tags(&self, discriminator: &Discriminator) -> Vec<Tags> {
        let mut seen = BTreeSet::new();
        let branches = self.branches.iter().enumerate();
        branches
            .map(|(index, branch)| {
                let mut values = branch.tags.clone();
                let is_union = self.inner_tags(&branch.ty.ty, &discriminator.property, &mut values, 0);
                values.retain(|value| seen.insert(value.clone()));
                Tags { values, own: is_union || discriminator.default == Some(index) }
            })
            .collect()
    }

    /// Adds the tags of a union inside the union that goes by the same property. The depth ends what holds itself.
    fn inner_tags(&self, ty: &Type, property: &str, values: &mut Vec<String>, depth: usize) -> bool {
        let Some(def) = definition(&self.item.plan.api, ty) else { return false };
        let SchemaKind::Union { branches, discriminator: Some(discriminator), .. } = &def.kind else { return false };
        if discriminator.property != property || depth > self.item.plan.api.schemas.len().min(16) {
            return false;
        }
        for branch in branches {
            values.extend(branch.tags.iter().cloned());
            self.inner_tags(&branch.ty.ty, property, values, depth + 1);
        }
        true
    }

    fn encode_tagged(&self, property: &str, tags: &[Tags]) -> TokenStream {
        let named = self.variants.iter().zip(tags).enumerate();
        let named: Vec<_> = named.map(|(index, (variant, tags))| (index, variant, tags)).collect();
        let arms = named.iter().map(|(index, variant, tags)| match tags.values.as_slice() {
            _ if tags.own => quote!(Self::#variant(branch) => rt::wire::Wire::encode(branch),),
            [] => quote!(Self::#variant(branch) => rt::wire::Wire::encode(branch),),
            [tag] => {
                let tag = self.tag(*index, property, tag);
                quote!(Self::#variant(branch) => rt::wire::with_tag(rt::wire::Wire::encode(branch)?, #property, #tag),)
            }
            values => {
                let first = values.first().map(|tag| self.tag(*index, property, tag));
                quote! {
                    Self::#variant(branch) => {
                        let encoded = rt::wire::Wire::encode(branch)?;
                        rt::wire::with_one_tag_of(encoded, #property, &[#(#values),*], #first)
                    }
                }
            }
        });
        let unknown = self.unknown.as_ref().map(|unknown| quote!(Self::#unknown(value) => Ok(value.clone()),));
        quote!(match self { #(#arms)* #unknown })
    }

    /// A tag as the branch has it in JSON.
    fn tag(&self, index: usize, property: &str, tag: &str) -> TokenStream {
        let def = self.definition(index);
        def.map_or_else(|| quote!(#tag), |def| tag_value(&self.item.plan.api, def, property, tag))
    }

    fn decode_tagged(&self, discriminator: &Discriminator, tags: &[Tags]) -> TokenStream {
        let name = self.item.name().to_string();
        let property = &discriminator.property;
        let tagged = self.variants.iter().zip(tags).filter(|(_, tags)| !tags.values.is_empty());
        if let Some(default) = discriminator.default.and_then(|index| self.variants.get(index)) {
            let arms = tagged.filter(|(variant, _)| *variant != default).map(|(variant, tags)| {
                let values = &tags.values;
                quote!(Some(#(#values)|*) => rt::wire::Wire::decode(value).map(Self::#variant),)
            });
            return quote! {
                match rt::wire::tag_if_any(#property, value).as_deref() {
                    #(#arms)*
                    _ => rt::wire::Wire::decode(value).map(Self::#default),
                }
            };
        }
        let arms = tagged.map(|(variant, tags)| {
            let values = &tags.values;
            quote!(#(#values)|* => rt::wire::Wire::decode(value).map(Self::#variant),)
        });
        let otherwise = self.unknown_tag(tags);
        quote! {
            match rt::wire::tag(#name, #property, value)?.as_ref() {
                #(#arms)*
                _ => #otherwise
            }
        }
    }

    /// What a tag nobody has leads to: a branch without tags that fits, else the value as it came.
    fn unknown_tag(&self, tags: &[Tags]) -> TokenStream {
        let name = self.item.name().to_string();
        let untagged: Vec<_> = (0..tags.len()).filter(|index| tags[*index].values.is_empty()).collect();
        let unknown = self.unknown.as_ref().map(|unknown| quote!(Ok(Self::#unknown(value.clone()))));
        if let (Some(unknown), true) = (&unknown, untagged.is_empty()) {
            return quote!(#unknown,);
        }
        let attempts = untagged.iter().map(|index| self.attempt(*index));
        let otherwise = unknown.unwrap_or_else(|| quote!(Err(branches.failed())));
        quote! {
            {
                let mut branches = rt::wire::UnionReader::new(#name, value);
                #(#attempts)*
                #otherwise
            }
        }
    }
}

/// A tag as an object has it in JSON: text, unless its property is a number or a boolean.
pub(super) fn tag_value(api: &Api, def: &SchemaDef, property: &str, tag: &str) -> TokenStream {
    let fields = match &def.kind {
        SchemaKind::Object { fields, .. } => fields.as_slice(),
        _ => &[],
    };
    let field = fields.iter().find(|field| field.wire == property);
    let is_text = field.is_none_or(|field| match behind(api, &field.ty.ty) {
        Type::Bool | Type::Int(_) | Type::Float(_) => false,
        ty @ Type::Named(_) => match definition(api, ty).map(|def| &def.kind) {
            Some(SchemaKind::Const(value)) => value.is_string(),
            Some(SchemaKind::IntEnum(_)) => false,
            _ => true,
        },
        _ => true,
    });
    match serde_json::from_str(tag).ok().filter(|_| !is_text) {
        Some(Value::Bool(tag)) => quote!(#tag),
        Some(Value::Number(number)) if number.is_i64() => {
            let number = number.as_i64();
            quote!(#number)
        }
        _ => quote!(#tag),
    }
}
