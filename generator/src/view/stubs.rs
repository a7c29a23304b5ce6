use serde::Serialize;

use super::{VIEW_VERSION, literal};
use crate::plan::SystemPlan;

/// The root of a system's hand-written files: `mod.rs`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct StubRootView {
    /// [`VIEW_VERSION`].
    pub view_version: u32,
    /// `sber`
    pub system: String,
    /// The generated code is a file of the build's output, and not a folder beside this file.
    pub is_included: bool,
    /// The path of that file below `OUT_DIR`, quoted; empty otherwise.
    pub included: String,
    /// `SberAdapter`
    pub adapter: String,
    /// `SberCredentials`
    pub credentials: String,
    /// `SberMapping`
    pub mapping: String,
    /// `SberPort`
    pub port: String,
    /// `SberError`
    pub error: String,
}

/// The view of the hand-written root. `included` is the file below `OUT_DIR` that holds the generated code, if it is not
/// in files of its own.
#[must_use]
pub fn stub_root(plan: &SystemPlan, included: Option<&str>) -> StubRootView {
    let prefix = &plan.type_prefix;
    StubRootView {
        view_version: VIEW_VERSION,
        system: plan.system.clone(),
        is_included: included.is_some(),
        included: literal(&format!("/{}", included.unwrap_or_default())),
        adapter: format!("{prefix}Adapter"),
        credentials: format!("{prefix}Credentials"),
        mapping: format!("{prefix}Mapping"),
        port: format!("{prefix}Port"),
        error: format!("{prefix}Error"),
    }
}

/// `domain.rs`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct DomainView {
    /// [`VIEW_VERSION`].
    pub view_version: u32,
    /// `sber`
    pub system: String,
    /// Whether there is any type.
    pub has_types: bool,
    /// The types.
    pub types: Vec<DomainType>,
}

/// A domain type. Exactly one of `is_struct`, `is_empty`, `is_newtype`, `is_unit`, `is_enum` and `is_alias` holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct DomainType {
    /// Its name.
    pub name: String,
    /// Documentation lines, ready for `///`.
    pub docs: Vec<String>,
    /// Whether it derives anything.
    pub has_derives: bool,
    /// What it derives, separated by commas.
    pub derives: String,
    /// Has named fields.
    pub is_struct: bool,
    /// Has one unnamed field.
    pub is_newtype: bool,
    /// Has no field.
    pub is_unit: bool,
    /// Has variants.
    pub is_enum: bool,
    /// Another name of a type.
    pub is_alias: bool,
    /// A variant of it may be much larger than another.
    pub is_uneven: bool,
    /// It is the domain's word for a no.
    pub is_error: bool,
    /// A struct without fields.
    pub is_empty: bool,
    /// The fields of a struct.
    pub fields: Vec<DomainField>,
    /// The type of the only field of a newtype, or that an alias stands for.
    pub inner: String,
    /// The variants of an enum.
    pub variants: Vec<DomainVariant>,
}

/// A field of a domain type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct DomainField {
    /// Its name.
    pub name: String,
    /// Documentation lines, ready for `///`.
    pub docs: Vec<String>,
    /// Its type.
    pub ty: String,
    /// Lines of the field without its documentation.
    pub lines: Vec<String>,
}

/// A variant of a domain enum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct DomainVariant {
    /// Its name.
    pub name: String,
    /// Documentation lines, ready for `///`.
    pub docs: Vec<String>,
    /// Lines of the variant without its documentation, from its name to its comma.
    pub lines: Vec<String>,
    /// Its arm in a `match` that gives its name in words.
    pub display_lines: Vec<String>,
}

/// `mapper.rs`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct MapperView {
    /// [`VIEW_VERSION`].
    pub view_version: u32,
    /// `sber`
    pub system: String,
    /// `SberMapping`
    pub mapping: String,
    /// Whether the document uses names that clippy takes for placeholders, such as `foo`.
    pub has_placeholder_names: bool,
    /// `use` items, with empty lines between their groups.
    pub imports: Vec<String>,
    /// The implementations.
    pub mappings: Vec<MappingView>,
    /// The functions they share.
    pub conversions: Vec<ConversionView>,
}

/// The stubs of what a mapper does not map yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct MissingView {
    /// [`VIEW_VERSION`].
    pub view_version: u32,
    /// `sber`
    pub system: String,
    /// `SberMapping`
    pub mapping: String,
    /// They are a file of their own beside the mapper, and not to be pasted into it.
    pub is_own_file: bool,
    /// `use` items of a file of their own, with empty lines between their groups.
    pub imports: Vec<String>,
    /// Whether the domain lacks any type.
    pub has_types: bool,
    /// The types the domain lacks.
    pub types: Vec<DomainType>,
    /// The implementations that are missing.
    pub mappings: Vec<MappingView>,
    /// The functions they need.
    pub conversions: Vec<ConversionView>,
}

/// An implementation of `Mapping`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct MappingView {
    /// Its id in the document.
    pub id: String,
    /// `RegisterOrder`
    pub marker: String,
    /// `POST /register.do`
    pub call: String,
    /// Whether a success looks as if it could be an error.
    pub may_hide_errors: bool,
    /// The fields that make it look so.
    pub error_fields: String,
    /// The head of the implementation and its associated types, line by line.
    pub head_lines: Vec<String>,
    /// `fn request`, line by line.
    pub request_lines: Vec<String>,
    /// `fn outcome`, line by line.
    pub outcome_lines: Vec<String>,
    /// `fn rejection`, line by line.
    pub rejection_lines: Vec<String>,
}

/// A function of a mapper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ConversionView {
    /// Its name.
    pub name: String,
    /// All of it, line by line.
    pub lines: Vec<String>,
}

/// `port.rs`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PortView {
    /// [`VIEW_VERSION`].
    pub view_version: u32,
    /// `sber`
    pub system: String,
    /// `SberPort`
    pub port: String,
    /// `SberAdapter`
    pub adapter: String,
    /// `SberMapping`
    pub mapping: String,
    /// `SberError`
    pub error: String,
    /// `SberResult`
    pub result: String,
    /// `use` items, with empty lines between their groups.
    pub imports: Vec<String>,
    /// The operations in document order.
    pub operations: Vec<PortOperation>,
}

/// A method of the port.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PortOperation {
    /// `register_order`
    pub method: String,
    /// Documentation lines, ready for `///`.
    pub docs: Vec<String>,
    /// Not the first one.
    pub is_later: bool,
    /// Its declaration in the trait, line by line.
    pub declaration_lines: Vec<String>,
    /// All of it in the implementation, line by line.
    pub lines: Vec<String>,
}
