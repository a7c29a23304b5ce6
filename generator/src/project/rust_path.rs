//! Paths of Rust types in the project file, and how generated code spells them.

use syn::{GenericArgument, Path, PathArguments, PathSegment, Type};

/// Crates whose types the runtime reads and writes, with the feature that this needs.
pub(super) const CRATES: [(&str, Option<&str>); 4] =
    [("chrono", None), ("jiff", Some("jiff")), ("rust_decimal", Some("rust_decimal")), ("time", Some("time"))];

/// Types that are known without a path, and that the runtime reads and writes.
const BARE: [&str; 13] = ["String", "bool", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64"];

/// A type as generated code spells it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Spelled {
    /// The path.
    pub(super) text: String,
    /// The crate that the runtime brings along, when it is of one.
    pub(super) of_crate: Option<&'static str>,
    /// The features of the runtime that it needs.
    pub(super) features: Vec<&'static str>,
}

/// Reads a path and spells it as generated code does: from the root, and what the runtime brings along by the runtime.
/// An error says what is wrong with it.
pub(super) fn spell(text: &str) -> Result<Spelled, String> {
    let path: Path = syn::parse_str(text).map_err(|_| format!("{text:?} is no path of a Rust type"))?;
    let mut spelled = Spelled::default();
    write(&path, text, true, &mut spelled)?;
    Ok(spelled)
}

fn write(path: &Path, whole: &str, outermost: bool, spelled: &mut Spelled) -> Result<(), String> {
    let Some(first) = path.segments.first().map(|segment| segment.ident.to_string()) else {
        return Err(format!("{whole:?} is no path of a Rust type"));
    };
    let rooted = path.leading_colon.is_some();
    let brought = CRATES.iter().find(|(name, _)| !rooted && path.segments.len() > 1 && *name == first);
    let bare = path.segments.len() == 1 && !rooted;
    let prefix = match first.as_str() {
        "self" | "super" | "Self" => return Err(format!("{whole:?} is not named from a crate's root")),
        "crate" if rooted || bare => return Err(format!("{whole:?} is no path of a Rust type")),
        "crate" => "",
        _ if brought.is_some() => "rt::mapped::",
        "Vec" | "Box" if bare && !outermost => "",
        name if bare && BARE.contains(&name) => "",
        name if path.segments.len() == 1 => {
            return Err(format!("where is `{name}`? it is not named from a crate's root"));
        }
        _ => "::",
    };
    if let Some((name, feature)) = brought {
        spelled.of_crate = spelled.of_crate.or(outermost.then_some(*name));
        spelled.features.extend(feature.filter(|feature| !spelled.features.contains(feature)));
    }
    spelled.text.push_str(prefix);
    for (index, segment) in path.segments.iter().enumerate() {
        if index > 0 {
            spelled.text.push_str("::");
        }
        write_segment(segment, whole, spelled)?;
    }
    Ok(())
}

fn write_segment(segment: &PathSegment, whole: &str, spelled: &mut Spelled) -> Result<(), String> {
    spelled.text.push_str(&segment.ident.to_string());
    let arguments = match &segment.arguments {
        PathArguments::None => return Ok(()),
        PathArguments::AngleBracketed(arguments) if !arguments.args.is_empty() => &arguments.args,
        _ => return Err(format!("{whole:?} is no path of a Rust type")),
    };
    spelled.text.push('<');
    for (index, argument) in arguments.iter().enumerate() {
        if index > 0 {
            spelled.text.push_str(", ");
        }
        match argument {
            GenericArgument::Type(Type::Path(inner)) if inner.qself.is_none() => {
                write(&inner.path, whole, false, spelled)?;
            }
            _ => return Err(format!("{whole:?} has an argument that is no path of a type")),
        }
    }
    spelled.text.push('>');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &str) -> Result<String, String> {
        spell(path).map(|spelled| spelled.text)
    }

    #[test]
    fn a_path_is_spelled_from_the_root() {
        for (path, wanted) in [
            ("crate::money::Money", "crate::money::Money"),
            ("money::Money", "::money::Money"),
            ("::money::Money", "::money::Money"),
            ("std::net::Ipv4Addr", "::std::net::Ipv4Addr"),
            ("String", "String"),
            ("crate::Id < crate::Order , String >", "crate::Id<crate::Order, String>"),
            ("time::OffsetDateTime", "rt::mapped::time::OffsetDateTime"),
            ("::time::OffsetDateTime", "::time::OffsetDateTime"),
            ("chrono::DateTime<chrono::Utc>", "rt::mapped::chrono::DateTime<rt::mapped::chrono::Utc>"),
            ("crate::Dated<time::Date>", "crate::Dated<rt::mapped::time::Date>"),
            ("crate::r#type::Kind", "crate::r#type::Kind"),
        ] {
            assert_eq!(text(path).as_deref(), Ok(wanted));
        }
        let dated = spell("crate::Dated<time::Date>").unwrap();
        assert_eq!((dated.of_crate, dated.features), (None, vec!["time"]));
        assert_eq!(spell("chrono::NaiveDate").unwrap().of_crate, Some("chrono"));
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for path in [
            "",
            "Money",
            "super::Money",
            "crate",
            "::Money",
            "&str",
            "(u8, u8)",
            "[u8; 4]",
            "crate::Money; fn evil() {}",
            "crate::Money>",
            "crate::Fn(u8) -> u8",
            "crate::A<'static>",
            "crate::A<{ evil() }>",
            "crate::A<[u8; { 1 }]>",
            "<crate::A as crate::B>::C",
            "crate::a!()",
            "crate::A<>",
            "crate::A // }",
        ] {
            assert!(text(path).is_err() || path.ends_with("// }"), "{path}: {:?}", text(path));
        }
        assert_eq!(text("crate::A // }").as_deref(), Ok("crate::A"), "a comment is not carried along");
    }
}
