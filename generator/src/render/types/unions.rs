//! Unions: an enum with a variant a branch. A discriminator names the branch; without one, branches are tried.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::ident::ident;
use super::Item;
use super::branch_order::{ObjectShape, most_demanding_first, some_shapes_meet};
use crate::analyse::telling::{self, Telling, behind, definition};
use crate::model::{Branch, Discriminator, SchemaDef, SchemaKind, TextFormat, Type};

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
        let shapes_meet = telling.is_none() && some_shapes_meet(plan, self.branches, &order);
        let fitting =
            shapes_meet.then(|| order.iter().filter_map(|index| self.fitting(*index)).collect::<TokenStream>());
        let attempts = order.iter().map(|index| self.attempt(*index));
        let last = self.last_resorts(&order);
        quote! {
            #by_property
            let mut branches = rt::wire::UnionReader::new(#name, value);
            #fitting
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

    /// Takes a value that has nothing the branch does not declare.
    fn fitting(&self, index: usize) -> Option<TokenStream> {
        let shape = ObjectShape::of(self.item.plan, self.definition(index)?).filter(|shape| !shape.keeps_others)?;
        let (variant, declared) = (&self.variants[index], &shape.declared);
        let name = variant.to_string();
        Some(quote! {
            if let Some(branch) = branches.fitting(#name, &[#(#declared),*]) {
                return Ok(Self::#variant(branch));
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
        let arms = self.variants.iter().zip(tags).map(|(variant, tags)| match tags.values.as_slice() {
            _ if tags.own => quote!(Self::#variant(branch) => rt::wire::Wire::encode(branch),),
            [] => quote!(Self::#variant(branch) => rt::wire::Wire::encode(branch),),
            [tag] => quote! {
                Self::#variant(branch) => rt::wire::with_tag(rt::wire::Wire::encode(branch)?, #property, #tag),
            },
            values => quote! {
                Self::#variant(branch) => {
                    rt::wire::with_one_tag_of(rt::wire::Wire::encode(branch)?, #property, &[#(#values),*])
                }
            },
        });
        let unknown = self.unknown.as_ref().map(|unknown| quote!(Self::#unknown(value) => Ok(value.clone()),));
        quote!(match self { #(#arms)* #unknown })
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
                match value.get(#property).and_then(rt::Value::as_str) {
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
            match rt::wire::tag(#name, #property, value)? {
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
