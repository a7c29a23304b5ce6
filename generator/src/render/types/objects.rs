//! Objects: a struct with a field a property, written and read member by member.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::code::{Code, literal};
use super::super::docs::DocComment;
use super::super::ident::ident;
use super::super::spelled;
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

pub(super) fn text(item: Item<'_>, fields: &[Field], extra: &Extra) -> String {
    let names = &item.plan.names.members[item.def.id.index()];
    let way = item.plan.directions[item.def.id.index()];
    let members = members(item, fields);
    let rest = match (extra, &names.extra) {
        (Extra::Kept(value), Some(name)) => Some((name.as_str(), value)),
        _ => None,
    };
    let declared: Vec<String> = fields.iter().map(|field| literal(&field.wire)).collect();
    let strict = matches!(extra, Extra::Closed) && way.request_only();
    let mut code = item.code();
    declaration(&mut code, item, &members, rest, way);
    code.item(0, format_args!("impl rt::wire::Wire for {} {{", item.name()));
    code.line(1, "fn encode(&self) -> Result<rt::Value, rt::wire::EncodeError> {");
    encode(&mut code, &members, &own_tags(item, fields), rest);
    code.line(1, "}");
    code.line(1, "fn decode(value: &rt::Value) -> Result<Self, rt::wire::DecodeError> {");
    decode(&mut code, item, &members, rest, &declared, strict);
    code.line(1, "}").line(0, "}");
    code.finish()
}

/// Whether the struct derives `Default`: nothing has to be there.
pub(super) fn is_default(item: Item<'_>, fields: &[Field]) -> bool {
    all_optional(&members(item, fields))
}

fn all_optional(members: &[Member<'_>]) -> bool {
    members.iter().all(|member| matches!(member.form, Presence::Optional | Presence::Maybe))
}

fn declaration(
    code: &mut Code,
    item: Item<'_>,
    members: &[Member<'_>],
    rest: Option<(&str, &TypeUse)>,
    way: Direction,
) {
    item.write_docs(code);
    let default = if all_optional(members) { ", Default" } else { "" };
    code.line(0, format_args!("#[derive(Debug, Clone, PartialEq{default})]"));
    if members.is_empty() && rest.is_none() {
        code.item(0, format_args!("pub struct {} {{}}", item.name()));
        return;
    }
    code.item(0, format_args!("pub struct {} {{", item.name()));
    for member in members {
        code.docs(1, &member.docs(way));
        code.line(1, format_args!("pub {}: {},", member.name, spelled(&member.ty(item))));
    }
    if let Some((name, value)) = rest {
        code.line(1, "/// Properties the document does not list.");
        code.line(1, format_args!("pub {name}: BTreeMap<String, {}>,", spelled(&item.scope.of(value))));
    }
    code.line(0, "}");
}

/// Tags by which every union knows the type: it writes them itself.
fn own_tags<'p>(item: Item<'p>, fields: &'p [Field]) -> Vec<(&'p str, TokenStream)> {
    let tags = fields.iter().enumerate().filter_map(|(index, field)| {
        let tag = item.plan.implied.get(&(item.def.id, index))?.as_ref()?;
        Some((field.wire.as_str(), tag_value(&item.plan.api, item.def, &field.wire, tag)))
    });
    tags.collect()
}

fn encode(code: &mut Code, members: &[Member<'_>], tags: &[(&str, TokenStream)], rest: Option<(&str, &TypeUse)>) {
    if members.is_empty() && tags.is_empty() && rest.is_none() {
        code.line(2, "Ok(rt::wire::ObjectWriter::new().finish())");
        return;
    }
    code.line(2, "let mut object = rt::wire::ObjectWriter::new();");
    for (property, tag) in tags {
        code.line(2, format_args!("object.tag({}, {tag});", literal(property)));
    }
    for Member { field, name, form, .. } in members {
        let method = match form {
            Presence::Always | Presence::Nullable => "required",
            Presence::Optional => "optional",
            Presence::Maybe => "maybe",
        };
        code.line(2, format_args!("object.{method}({}, &self.{name})?;", literal(&field.wire)));
    }
    if let Some((name, _)) = rest {
        code.line(2, format_args!("object.rest(&self.{name})?;"));
    }
    code.line(2, "Ok(object.finish())");
}

fn decode(
    code: &mut Code,
    item: Item<'_>,
    members: &[Member<'_>],
    rest: Option<(&str, &TypeUse)>,
    declared: &[String],
    strict: bool,
) {
    let owner = literal(&item.name().to_string());
    if members.is_empty() && rest.is_none() && !strict {
        code.line(2, format_args!("rt::wire::ObjectReader::new({owner}, value)?;"));
        code.line(2, "Ok(Self {})");
        return;
    }
    code.line(2, format_args!("let mut object = rt::wire::ObjectReader::new({owner}, value)?;"));
    if strict {
        code.list(2, "object.deny_unknown(&[", declared, "])?;");
    }
    if members.is_empty() && rest.is_none() {
        code.line(2, "Ok(Self {})");
        return;
    }
    code.line(2, "Ok(Self {");
    for Member { field, name, form, .. } in members {
        let method = match form {
            Presence::Always => "required",
            Presence::Nullable => "required_nullable",
            Presence::Optional => "optional",
            Presence::Maybe => "maybe",
        };
        code.line(3, format_args!("{name}: object.{method}({})?,", literal(&field.wire)));
    }
    if let Some((name, _)) = rest {
        code.list(3, &format!("{name}: object.rest(&["), declared, "])?,");
    }
    code.line(2, "})");
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

    fn docs(&self, way: Direction) -> Vec<String> {
        let mut comment = DocComment::of(&self.field.docs);
        comment.default_value(self.field.default.as_ref());
        if self.field.read_only && way.request {
            comment.own("Read-only: replies have it, requests leave it out.");
        }
        if self.field.write_only && way.reply {
            comment.own("Write-only: requests have it, replies leave it out.");
        }
        comment.lines()
    }
}
