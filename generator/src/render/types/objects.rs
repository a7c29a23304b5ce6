//! Objects: a struct with a field a property, written and read member by member.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::docs::DocComment;
use super::super::ident::ident;
use super::Item;
use super::unions::tag_value;
use crate::analyse::{Presence, presence};
use crate::model::{Extra, Field, TypeUse};
use crate::plan::Direction;

/// A field that is there, with its name and form.
struct Member<'p> {
    field: &'p Field,
    name: Ident,
    form: Presence,
    boxed: bool,
}

/// The members that are there, each as property, field and type.
pub(super) fn fields(item: Item<'_>, fields: &[Field]) -> Vec<(String, String, TokenStream)> {
    let members = members(item, fields);
    let triple = |member: &Member<'_>| (member.field.wire.clone(), member.name.to_string(), member.ty(item));
    members.iter().map(triple).collect()
}

fn members<'p>(item: Item<'p>, fields: &'p [Field]) -> Vec<Member<'p>> {
    let names = &item.plan.names.members[item.def.id.index()];
    let way = item.plan.directions[item.def.id.index()];
    let named = fields.iter().zip(&names.fields).enumerate();
    named
        .filter_map(|(index, (field, name))| {
            if item.plan.implied.contains_key(&(item.def.id, index)) {
                return None;
            }
            let form = presence(field, way)?;
            Some(Member { field, name: ident(name), form, boxed: item.is_boxed(index) })
        })
        .collect()
}

pub(super) fn tokens(item: Item<'_>, fields: &[Field], extra: &Extra) -> TokenStream {
    let names = &item.plan.names.members[item.def.id.index()];
    let way = item.plan.directions[item.def.id.index()];
    let members = members(item, fields);
    let rest = match (extra, &names.extra) {
        (Extra::Kept(value), Some(name)) => Some((ident(name), value)),
        _ => None,
    };
    let declaration = declaration(item, &members, rest.as_ref(), way);
    let declared: Vec<&str> = fields.iter().map(|field| field.wire.as_str()).collect();
    let encode = encode(&members, &own_tags(item, fields), rest.as_ref());
    let strict = matches!(extra, Extra::Closed) && way.request_only();
    let decode = decode(item, &members, rest.as_ref(), &declared, strict);
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

/// Whether the struct derives `Default`: nothing has to be there.
pub(super) fn is_default(item: Item<'_>, fields: &[Field]) -> bool {
    all_optional(&members(item, fields))
}

fn all_optional(members: &[Member<'_>]) -> bool {
    members.iter().all(|member| matches!(member.form, Presence::Optional | Presence::Maybe))
}

fn declaration(
    item: Item<'_>,
    members: &[Member<'_>],
    rest: Option<&(Ident, &TypeUse)>,
    way: Direction,
) -> TokenStream {
    let (docs, name) = (item.docs(), item.name());
    let default = all_optional(members).then(|| quote!(, Default));
    let fields = members.iter().map(|member| {
        let (docs, name, ty) = (member.docs(way), &member.name, member.ty(item));
        quote!(#docs pub #name: #ty,)
    });
    let rest = rest.map(|(name, value)| {
        let value = item.scope.of(value);
        let doc = " Properties the document does not list.";
        quote!(#[doc = #doc] pub #name: BTreeMap<String, #value>,)
    });
    quote! {
        #docs
        #[derive(Debug, Clone, PartialEq #default)]
        pub struct #name {
            #(#fields)*
            #rest
        }
    }
}

/// Tags by which every union knows the type: it writes them itself.
fn own_tags<'p>(item: Item<'p>, fields: &'p [Field]) -> Vec<(&'p str, TokenStream)> {
    let tags = fields.iter().enumerate().filter_map(|(index, field)| {
        let tag = item.plan.implied.get(&(item.def.id, index))?.as_ref()?;
        Some((field.wire.as_str(), tag_value(&item.plan.api, item.def, &field.wire, tag)))
    });
    tags.collect()
}

fn encode(members: &[Member<'_>], tags: &[(&str, TokenStream)], rest: Option<&(Ident, &TypeUse)>) -> TokenStream {
    if members.is_empty() && tags.is_empty() && rest.is_none() {
        return quote!(Ok(rt::wire::ObjectWriter::new().finish()));
    }
    let writes = members.iter().map(|Member { field, name, form, .. }| {
        let wire = &field.wire;
        match form {
            Presence::Always | Presence::Nullable => quote!(object.required(#wire, &self.#name)?;),
            Presence::Optional => quote!(object.optional(#wire, &self.#name)?;),
            Presence::Maybe => quote!(object.maybe(#wire, &self.#name)?;),
        }
    });
    let rest = rest.map(|(name, _)| quote!(object.rest(&self.#name)?;));
    let tags = tags.iter().map(|(property, tag)| quote!(object.tag(#property, #tag);));
    quote! {
        let mut object = rt::wire::ObjectWriter::new();
        #(#tags)*
        #(#writes)*
        #rest
        Ok(object.finish())
    }
}

fn decode(
    item: Item<'_>,
    members: &[Member<'_>],
    rest: Option<&(Ident, &TypeUse)>,
    declared: &[&str],
    strict: bool,
) -> TokenStream {
    let owner = item.name().to_string();
    if members.is_empty() && rest.is_none() && !strict {
        return quote! {
            rt::wire::ObjectReader::new(#owner, value)?;
            Ok(Self {})
        };
    }
    let reads = members.iter().map(|Member { field, name, form, .. }| {
        let wire = &field.wire;
        match form {
            Presence::Always => quote!(#name: object.required(#wire)?,),
            Presence::Nullable => quote!(#name: object.required_nullable(#wire)?,),
            Presence::Optional => quote!(#name: object.optional(#wire)?,),
            Presence::Maybe => quote!(#name: object.maybe(#wire)?,),
        }
    });
    let rest = rest.map(|(name, _)| quote!(#name: object.rest(&[#(#declared),*])?,));
    let refuse = strict.then(|| quote!(object.deny_unknown(&[#(#declared),*])?;));
    quote! {
        let mut object = rt::wire::ObjectReader::new(#owner, value)?;
        #refuse
        Ok(Self { #(#reads)* #rest })
    }
}

impl Member<'_> {
    fn ty(&self, item: Item<'_>) -> TokenStream {
        let ty = &self.field.ty;
        let in_parts = item.in_parts;
        let inner = if in_parts { item.scope.part(ty) } else { item.scope.without_null(ty) };
        let inner = if self.boxed { quote!(Box<#inner>) } else { inner };
        match self.form {
            Presence::Always => inner,
            Presence::Nullable | Presence::Optional => quote!(Option<#inner>),
            Presence::Maybe => quote!(rt::Maybe<#inner>),
        }
    }

    fn docs(&self, way: Direction) -> TokenStream {
        let mut comment = DocComment::of(&self.field.docs);
        comment.default_value(self.field.default.as_ref());
        if self.field.read_only && way.request {
            comment.own("Read-only: replies have it, requests leave it out.");
        }
        if self.field.write_only && way.reply {
            comment.own("Write-only: requests have it, replies leave it out.");
        }
        comment.attributes()
    }
}
