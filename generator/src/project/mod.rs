//! The project file, `cofferdam.toml`: which systems there are, and what their documents do not say.
//!
//! It is read as a whole: everything wrong with it is reported at once, each at its line. What depends on a system's
//! document (does this operation exist?) is left to the plan; every declaration keeps its place for that.

mod declarations;
mod declared_names;
mod extras;
mod names;
mod output_pattern;
mod own_crate;
mod pages;
mod pattern;
mod read;
mod rust_path;
mod section;
mod templates;
mod types;

use std::path::{Path, PathBuf};

pub use extras::Extra;
pub(crate) use names::is_system_name;
pub use names::module_name;
pub use output_pattern::{OutputPattern, Per, path_fault};
pub use own_crate::OwnCrate;
pub use pages::{DeclaredNext, DeclaredPages, DeclaredSize};
pub use pattern::PathPattern;
pub use templates::{ExtraTemplate, TemplateSettings};
pub use types::{TypeMapping, TypeMappings};

use crate::diagnose::{Location, Report, Unsupported};

/// A project: the systems to generate for.
#[derive(Debug, Clone)]
pub struct Project {
    /// The project file itself.
    pub file: PathBuf,
    /// `settings`: the run-time settings, as a path that can be opened.
    pub settings: Option<Declared<PathBuf>>,
    /// The folder of files for the project as a whole, as a path that can be opened.
    pub out: PathBuf,
    /// Templates for the project as a whole.
    pub templates: TemplateSettings,
    /// The systems, in the order of the file.
    pub systems: Vec<System>,
}

impl Project {
    /// Reads a project file. Paths in it are relative to its own folder. Faults go to the report.
    pub fn load(path: &Path, report: &mut Report) -> Option<Self> {
        read::load(path, report)
    }
}

/// Something declared in the project file, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared<T> {
    /// What is declared.
    pub value: T,
    /// Its place in the project file.
    pub at: Location,
}

/// `[systems.NAME]`.
#[derive(Debug, Clone)]
pub struct System {
    /// Its name: settings section, metrics. [`module_name`] makes it a Rust module and the folder of one.
    pub name: String,
    /// Where it is declared.
    pub at: Location,
    /// Its OpenAPI document, as a path that can be opened.
    pub spec: Declared<PathBuf>,
    /// The overlays that are applied to it, in their order, as paths that can be opened.
    pub overlays: Vec<Declared<PathBuf>>,
    /// The folder its files are written to, as a path that can be opened.
    pub out: PathBuf,
    /// A crate of its own is written, not a module of another.
    pub own_crate: Option<OwnCrate>,
    /// Which presets its settings start from.
    pub profile: Profile,
    /// What two operations with one id mean.
    pub on_duplicate: OnDuplicate,
    /// What to do about what of the document cannot be honoured.
    pub unsupported: Unsupported,
    /// The operations to generate.
    pub select: Select,
    /// Credentials that travel in the body.
    pub credentials: Vec<BodyCredential>,
    /// Types of the project's own in the place of generated ones.
    pub types: TypeMappings,
    /// What types and operations are called.
    pub names: Vec<DeclaredName>,
    /// What is declared of single operations.
    pub operations: Vec<OperationDeclaration>,
    /// Templates of a team's own: the system's first, then the project's.
    pub templates: TemplateSettings,
}

impl System {
    /// A system without a project file: every operation of one document, nothing declared. `None`, with a reason in
    /// the report, when the name cannot be a system's.
    pub fn single(name: &str, spec: &Path, out: &Path, report: &mut Report) -> Option<Self> {
        let at = Location::default();
        names::check(name, &at, report)?;
        Some(Self {
            name: name.to_owned(),
            at: at.clone(),
            spec: Declared { value: spec.to_owned(), at },
            overlays: Vec::new(),
            out: out.to_owned(),
            own_crate: None,
            profile: Profile::default(),
            on_duplicate: OnDuplicate::default(),
            unsupported: Unsupported::default(),
            select: Select::default(),
            credentials: Vec::new(),
            types: TypeMappings::default(),
            names: Vec::new(),
            operations: Vec::new(),
            templates: TemplateSettings::default(),
        })
    }

    /// What is declared of an operation.
    #[must_use]
    pub fn operation(&self, id: &str) -> Option<&OperationDeclaration> {
        self.operations.iter().find(|operation| operation.id == id)
    }
}

/// Which presets a system's settings start from (R-RES-WHERE-1, R-RES-WHERE-2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// A system of somebody else, over the internet.
    #[default]
    External,
    /// A supplier whose answers people wait for: short timeouts, quick to open.
    Supplier,
    /// A service of our own.
    Internal,
}

impl Profile {
    /// The word in project files and settings.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::External => "external",
            Self::Supplier => "supplier",
            Self::Internal => "internal",
        }
    }
}

/// What two operations with one id mean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum OnDuplicate {
    /// The document is wrong.
    #[default]
    Error,
    /// Later ones get `_2`, `_3`, with a warning.
    Suffix,
}

/// `[systems.NAME.select]`: an operation is generated when any of these names it. Without any, all are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Select {
    /// Operation ids.
    pub ids: Vec<Declared<String>>,
    /// Tags.
    pub tags: Vec<Declared<String>>,
    /// Patterns of paths.
    pub paths: Vec<Declared<PathPattern>>,
}

impl Select {
    /// Whether nothing is chosen by name, so that every operation is.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.ids.is_empty() && self.tags.is_empty() && self.paths.is_empty()
    }

    /// Whether an operation is chosen. `path` is the template as the document writes it.
    #[must_use]
    pub fn takes(&self, id: &str, tags: &[String], path: &str) -> bool {
        self.is_everything()
            || self.ids.iter().any(|declared| declared.value == id)
            || self.tags.iter().any(|declared| tags.contains(&declared.value))
            || self.paths.iter().any(|declared| declared.value.matches(path))
    }
}

/// `[systems.NAME.credentials.LABEL]`: fields of the body that are credentials. The client fills them, no mapper does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyCredential {
    /// Its name; the builder method of the system's credentials.
    pub label: String,
    /// The body's fields, filled together.
    pub fields: Vec<Declared<String>>,
    /// Where it is declared.
    pub at: Location,
}

/// `[systems.NAME.names]`: the name of a type or a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredName {
    /// The JSON pointer of a schema or an operation in the document.
    pub pointer: String,
    /// What it is called in Rust. Whether the document has it is for the plan to say.
    pub name: Declared<String>,
}

/// `[systems.NAME.operations.ID]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationDeclaration {
    /// The operation's id. Whether the document has it is for the plan to say.
    pub id: String,
    /// Where it is declared.
    pub at: Location,
    /// `kind`.
    pub kind: Option<Declared<DeclaredKind>>,
    /// `idempotency-key`.
    pub key: Option<Declared<DeclaredKey>>,
    /// `reason`.
    pub reason: Option<Declared<String>>,
    /// `pages`.
    pub pages: Option<DeclaredPages>,
}

/// What a project file may say of an operation's kind; that it is keyed is said by its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeclaredKind {
    /// It changes nothing although its method says otherwise: may be repeated.
    Read,
    /// It changes something although its method says otherwise: sent once.
    Once,
}

/// Where an operation's idempotency key travels.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum DeclaredKey {
    /// In a header of this name.
    Header(String),
    /// In a query parameter of this name.
    Query(String),
    /// In a field of the body: property names from its root.
    Body(Vec<String>),
}
