//! Derives and attributes beyond those that generated types have: `[systems.NAME.types.extra]`.

use syn::parse::Parser as _;

use super::Declared;
use super::section::{Reading, Section};
use crate::diagnose::{Location, nearest};

/// What the types of some schemas get besides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extra {
    /// The name of a component or of a type, a JSON pointer, or a pattern of names with `*`.
    pub key: String,
    /// Where it is declared.
    pub at: Location,
    /// Paths of derive macros, as generated code spells them.
    pub derives: Vec<Declared<String>>,
    /// Attributes, as source text.
    pub attributes: Vec<Declared<String>>,
}

/// Derives of the standard library that need no path.
const STANDARD: [&str; 9] = ["Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];

/// `[systems.NAME.types.extra]`
pub(super) fn extras(types: &Section<'_>, reading: &mut Reading<'_>) -> Vec<Extra> {
    let Some(section) = types.section("extra", reading) else { return Vec::new() };
    let sections = section.sections(reading);
    sections.into_iter().map(|(key, section)| extra(key, &section, reading)).collect()
}

fn extra(key: String, section: &Section<'_>, reading: &mut Reading<'_>) -> Extra {
    section.known_keys(&["derive", "attributes"], reading);
    let before = reading.report.diagnostics().len();
    let derives = section.texts("derive", reading).into_iter();
    let derives: Vec<_> = derives.filter_map(|text| checked(text, derive, reading)).collect();
    let attributes = section.texts("attributes", reading).into_iter();
    let attributes: Vec<_> = attributes.filter_map(|text| checked(text, attribute, reading)).collect();
    if derives.is_empty() && attributes.is_empty() && reading.report.diagnostics().len() == before {
        let help = "add `derive = [\"Hash\"]` or `attributes = [\"#[non_exhaustive]\"]`";
        reading.error("CD-PROJECT-MISSING", &section.at, format!("nothing is added to {key:?}"), help);
    }
    Extra { key, at: section.at.clone(), derives, attributes }
}

/// A fault, and what to do about it.
type Fault = (String, String);

fn checked(
    text: Declared<String>,
    read: impl Fn(&str) -> Result<String, Fault>,
    reading: &mut Reading<'_>,
) -> Option<Declared<String>> {
    match read(&text.value) {
        Ok(value) => Some(Declared { value, at: text.at }),
        Err((message, help)) => {
            reading.error("CD-PROJECT-VALUE", &text.at, message, &help);
            None
        }
    }
}

/// Reads the path of a derive macro and spells it from the root.
fn derive(text: &str) -> Result<String, Fault> {
    let no_path = || {
        (format!("{text:?} is no path of a derive macro"), "such as \"Hash\" or \"schemars::JsonSchema\"".to_owned())
    };
    let path: syn::Path = syn::parse_str(text).map_err(|_| no_path())?;
    let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    if path.segments.iter().any(|segment| !segment.arguments.is_none()) {
        return Err(no_path());
    }
    let rooted = path.leading_colon.is_some();
    match words.as_slice() {
        [.., last] if ["Serialize", "Deserialize"].contains(&last.as_str()) => {
            Err((format!("generated types implement serde's `{last}` already"), "remove it".to_owned()))
        }
        [name] if !rooted && STANDARD.contains(&name.as_str()) => Ok(name.clone()),
        [name] => {
            let near = nearest(name, STANDARD).map(|near| format!("did you mean `{near}`? "));
            let help = format!("{}name it from the root, such as \"schemars::JsonSchema\"", near.unwrap_or_default());
            Err((format!("where is `{name}`? it is no derive macro of the standard library"), help))
        }
        [first, ..] if ["self", "super", "Self"].contains(&first.as_str()) => Err(no_path()),
        [first, ..] if first == "crate" && rooted => Err(no_path()),
        [first, ..] if first == "crate" => Ok(words.join("::")),
        _ => Ok(format!("::{}", words.join("::"))),
    }
}

/// Reads outer attributes, and nothing else.
fn attribute(text: &str) -> Result<String, Fault> {
    let attributes = syn::Attribute::parse_outer.parse_str(text);
    let attributes = attributes.ok().filter(|attributes| !attributes.is_empty());
    let help = "write it as it would stand above the type: \"#[non_exhaustive]\"".to_owned();
    let attributes = attributes.ok_or_else(|| (format!("{text:?} is no attribute"), help))?;
    if attributes.iter().any(|attribute| attribute.path().is_ident("derive")) {
        return Err(("a derive is no attribute here".to_owned(), "list it in `derive`".to_owned()));
    }
    let texts = attributes.iter().map(|attribute| quote::ToTokens::to_token_stream(attribute).to_string());
    Ok(texts.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_derive_is_a_path_from_the_root() {
        for (text, wanted) in [
            ("Hash", "Hash"),
            ("schemars::JsonSchema", "::schemars::JsonSchema"),
            ("::schemars::JsonSchema", "::schemars::JsonSchema"),
            ("crate::Told", "crate::Told"),
        ] {
            assert_eq!(derive(text).as_deref(), Ok(wanted));
        }
        for text in
            ["", "Hsh", "Hash, Eq", "Hash)] fn evil() {} #[derive(Eq", "a::B<C>", "self::A", "serde::Serialize", "a!()"]
        {
            assert!(derive(text).is_err(), "{text}");
        }
        assert!(derive("Hsh").unwrap_err().1.starts_with("did you mean `Hash`?"));
    }

    #[test]
    fn an_attribute_is_nothing_more() {
        assert_eq!(attribute("#[non_exhaustive]").as_deref(), Ok("# [non_exhaustive]"));
        assert!(attribute("#[a(b = \"c\")] #[d]").is_ok());
        for text in [
            "",
            "non_exhaustive",
            "#![allow(warnings)]",
            "#[a] struct Evil;",
            "#[a]] evil!{} #[b]",
            "// #[a]",
            "#[derive(Hash)]",
            "fn evil() {}",
        ] {
            assert!(attribute(text).is_err(), "{text}");
        }
    }
}
