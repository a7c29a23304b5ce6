//! What a template can do to a text, in both engines: `{{ operation.id|snake }}`.
//!
//! minijinja has them in every template of a team; askama finds them where this module is in scope as `filters`.

#![allow(missing_docs, reason = "what askama makes of a filter has no place for documentation")]

use std::fmt::Display;

use heck::{ToKebabCase as _, ToLowerCamelCase as _, ToPascalCase as _, ToShoutySnakeCase as _, ToSnakeCase as _};
use minijinja::Environment;

use crate::model::Docs;
use crate::render::docs::DocComment;

macro_rules! filters {
    ($($(#[$docs:meta])* $name:ident => $function:path;)*) => {
        /// Their names.
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];

        $(
            $(#[$docs])*
            ///
            /// # Errors
            /// Never.
            #[askama::filter_fn]
            pub fn $name(text: impl Display, _: &dyn askama::Values) -> askama::Result<String> {
                Ok($function(&text.to_string()))
            }
        )*

        /// Gives an environment these filters.
        pub fn add(environment: &mut Environment<'_>) {
            // What is not there is an error, in a filter as elsewhere; numbers and flags are their texts.
            $(environment.add_filter(stringify!($name), |text: minijinja::Value| -> Result<String, minijinja::Error> {
                if text.is_undefined() {
                    return Err(minijinja::Error::from(minijinja::ErrorKind::UndefinedError));
                }
                Ok($function(&text.to_string()))
            });)*
        }
    };
}

filters! {
    /// `register_order`
    snake => to_snake;
    /// `registerOrder`
    camel => to_camel;
    /// `RegisterOrder`
    pascal => to_pascal;
    /// `register-order`
    kebab => to_kebab;
    /// `REGISTER_ORDER`
    shouty => to_shouty;
    /// A legal Rust identifier of the same letters: `type` becomes `r#type`, `2nd` becomes `_2nd`.
    ident => to_ident;
    /// A Rust string literal, quotes included.
    rust_string => to_rust_string;
    /// Markdown as lines of a doc comment, `///` included: nothing in it can end the comment.
    doc => to_doc;
    /// A text in one line of Markdown that is nothing but itself there, in a table too.
    md => to_md;
}

fn to_snake(text: &str) -> String {
    text.to_snake_case()
}

fn to_camel(text: &str) -> String {
    text.to_lower_camel_case()
}

fn to_pascal(text: &str) -> String {
    text.to_pascal_case()
}

fn to_kebab(text: &str) -> String {
    text.to_kebab_case()
}

fn to_shouty(text: &str) -> String {
    text.to_shouty_snake_case()
}

fn to_ident(text: &str) -> String {
    let mut name: String =
        text.chars().map(|c| if c == '_' || unicode_ident::is_xid_continue(c) { c } else { '_' }).collect();
    if !name.starts_with(|c: char| c == '_' || unicode_ident::is_xid_start(c)) {
        name.insert(0, '_');
    }
    if name == "_" {
        name.push('_');
    }
    if name != "gen" && syn::parse_str::<syn::Ident>(&name).is_ok() {
        return name;
    }
    let raw = format!("r#{name}");
    // `self`, `Self`, `super` and `crate` cannot be raw.
    if syn::parse_str::<syn::Ident>(&raw).is_ok() { raw } else { format!("{name}_") }
}

fn to_rust_string(text: &str) -> String {
    format!("{text:?}")
}

fn to_doc(text: &str) -> String {
    let docs = Docs { summary: None, description: Some(text.to_owned()), deprecated: false };
    let lines: Vec<String> = DocComment::of(&docs).lines().iter().map(|line| format!("///{line}")).collect();
    if lines.is_empty() { "///".to_owned() } else { lines.join("\n") }
}

fn to_md(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            _ if c.is_whitespace() || c.is_control() => {
                if !escaped.ends_with(' ') {
                    escaped.push(' ');
                }
            }
            _ if crate::format::is_invisible(c) => {}
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '<' | '>' | '#' | '|' | '!' | '~' | '&' | '$' => {
                escaped.push('\\');
                escaped.push(c);
            }
            _ => escaped.push(c),
        }
    }
    escaped.trim().to_owned()
}
