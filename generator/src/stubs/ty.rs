//! Types as they stand in generated fields.

use quote::ToTokens;
use syn::{GenericArgument, PathArguments, Type};

/// The generated module that a type lives in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Module {
    /// `types`
    Types,
    /// `operations`
    Operations,
}

impl Module {
    /// Its name in paths.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Types => "types",
            Self::Operations => "operations",
        }
    }
}

/// A type in a field.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ty {
    /// A generated type.
    Named(Module, String),
    /// `Option<T>`
    Option(Box<Ty>),
    /// `Maybe<T>`
    Maybe(Box<Ty>),
    /// `Vec<T>`
    List(Box<Ty>),
    /// `BTreeMap<String, T>`
    Map(Box<Ty>),
    /// `Box<T>`
    Boxed(Box<Ty>),
    /// `Event<T>`, an item of a stream: to the domain it is its data.
    Event(Box<Ty>),
    /// `(A, B)`
    Tuple(Vec<Ty>),
    /// `StatusCode`: a number to the domain.
    Status,
    /// Anything else, as it is written outside the generated modules.
    Leaf(String),
}

/// Reads a type as it stands in a generated module.
pub(crate) fn parse(module: Module, ty: &Type) -> Ty {
    match ty {
        Type::Path(path) => path_type(module, path),
        Type::Tuple(tuple) if !tuple.elems.is_empty() => {
            Ty::Tuple(tuple.elems.iter().map(|element| parse(module, element)).collect())
        }
        Type::Paren(inner) => parse(module, &inner.elem),
        Type::Group(inner) => parse(module, &inner.elem),
        other => Ty::Leaf(text(other)),
    }
}

fn path_type(module: Module, path: &syn::TypePath) -> Ty {
    // A type of the project's own, whatever it is called and whatever it holds.
    if path.path.segments.first().is_some_and(|first| first.ident == "crate") || is_brought(path) {
        return Ty::Leaf(text(path));
    }
    let segments: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let Some(last) = segments.last() else { return Ty::Leaf(text(path)) };
    let arguments: Vec<&Type> = match path.path.segments.last().map(|segment| &segment.arguments) {
        Some(PathArguments::AngleBracketed(arguments)) => arguments
            .args
            .iter()
            .filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    let inner = |ty: &Type| Box::new(parse(module, ty));
    match (last.as_str(), arguments.as_slice()) {
        ("Option", [one]) => Ty::Option(inner(one)),
        ("Maybe", [one]) => Ty::Maybe(inner(one)),
        ("Vec", [one]) => Ty::List(inner(one)),
        ("BTreeMap", [_, value]) => Ty::Map(inner(value)),
        ("Box", [one]) => Ty::Boxed(inner(one)),
        ("Event", [one]) => Ty::Event(inner(one)),
        // A document may have a schema of this name.
        ("StatusCode", []) if matches!(segments[0].as_str(), "rt" | "cofferdam_runtime") => Ty::Status,
        (_, []) => plain(module, &segments, path),
        _ => Ty::Leaf(text(path)),
    }
}

/// Whether a type is reached by the runtime's name for crates that it brings along, or stands in a wrapper of its own.
fn is_brought(path: &syn::TypePath) -> bool {
    let mut segments = path.path.segments.iter().map(|segment| segment.ident.to_string());
    let first = segments.next();
    let outside = path.path.leading_colon.is_some() && first.as_deref() != Some("cofferdam_runtime");
    let root = first.is_some_and(|first| ["rt", "cofferdam_runtime"].contains(&first.as_str()));
    outside && !is_std(path) || root && segments.next().is_some_and(|second| second == "mapped")
}

/// The standard library's types keep their meaning.
fn is_std(path: &syn::TypePath) -> bool {
    path.path.segments.first().is_some_and(|first| ["std", "core", "alloc"].iter().any(|name| first.ident == name))
}

/// A path without arguments: a generated type, or one from outside.
fn plain(module: Module, segments: &[String], path: &syn::TypePath) -> Ty {
    let words: Vec<&str> = segments.iter().map(String::as_str).collect();
    match words.as_slice() {
        _ if path.path.leading_colon.is_some() => Ty::Leaf(text(path)),
        [.., "types", name] => Ty::Named(Module::Types, (*name).to_owned()),
        [.., "operations", name] => Ty::Named(Module::Operations, (*name).to_owned()),
        ["rt", ..] => Ty::Leaf(text(path)),
        ["std" | "core" | "alloc" | "cofferdam_runtime", ..] => Ty::Leaf(text(path)),
        ["super" | "self", .., name] => Ty::Named(module, (*name).to_owned()),
        [name] if !is_prelude(name) => Ty::Named(module, (*name).to_owned()),
        _ => Ty::Leaf(text(path)),
    }
}

fn is_prelude(name: &str) -> bool {
    const PRELUDE: [&str; 16] = [
        "String", "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "u128",
        "usize",
    ];
    PRELUDE.contains(&name)
}

/// Source text without the spaces that tokens are printed with, and without the leading `::`.
fn text(tokens: &impl ToTokens) -> String {
    let mut text = String::new();
    for piece in tokens.to_token_stream().to_string().split(' ') {
        if text.ends_with(',') {
            text.push(' ');
        }
        // The name by which generated modules know the runtime.
        text.push_str(if piece == "rt" { "cofferdam_runtime" } else { piece });
    }
    text.trim_start_matches("::").to_owned()
}

impl Ty {
    /// How many types stand within each other; names count as one.
    pub(crate) fn depth(&self) -> usize {
        match self {
            Self::Option(inner) | Self::Maybe(inner) | Self::List(inner) | Self::Map(inner) | Self::Boxed(inner) => {
                1 + inner.depth()
            }
            Self::Tuple(parts) => 1 + parts.iter().map(Self::depth).max().unwrap_or_default(),
            Self::Event(inner) => inner.depth(),
            Self::Named(..) | Self::Status | Self::Leaf(_) => 1,
        }
    }
}

/// Whether a type from outside the generated modules is copied by `*`.
pub(crate) fn is_copy_leaf(name: &str) -> bool {
    // What is brought along by the runtime for type mappings, but for the one that holds its time zone's name.
    let brought = name.strip_prefix("cofferdam_runtime::wire::AsText<").unwrap_or(name);
    if let Some(own) = brought.strip_prefix("cofferdam_runtime::mapped::") {
        return !own.starts_with("jiff::ZonedDateTime");
    }
    let of_runtime = |last: &str| ["DateTime", "Date", "Uuid"].contains(&last);
    is_prelude(name) && name != "String"
        || name == "()"
        || name == "std::time::Duration"
        || name.strip_prefix("cofferdam_runtime::").is_some_and(of_runtime)
}

/// Whether a type from outside the generated modules is a type of the project's own.
pub(crate) fn is_own_leaf(name: &str) -> bool {
    let of_runtime = name.strip_prefix("cofferdam_runtime::");
    let wrapped = of_runtime.is_some_and(|path| path.starts_with("wire::AsText<") || path.starts_with("wire::Serde<"));
    wrapped || of_runtime.is_none() && name.contains("::") && !is_copy_leaf(name)
}
