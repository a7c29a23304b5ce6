//! The built-in templates, compiled into the program. A template sees one variable, `view`.
//!
//! They are written in what askama and minijinja have in common, so that a team can start a template of its own from a
//! built-in one: what is printed from a view is the same text in both.

use askama::Template;
use serde::{Serialize, Serializer};

use crate::view::{
    AdapterView, ContractView, DomainView, HeaderView, ManifestView, MapperView, MissingView, ModuleRootView, PortView,
    ResilienceView, StubRootView, TrialView,
};

macro_rules! templates {
    (
        parts { $($part:literal,)* }
        $($(#[$docs:meta])* $function:ident, $template:ident, $view:ident, $path:literal;)*
    ) => {
        /// The built-in templates: path below `templates/` and text. Parts and insertion points are among them.
        pub const BUILT_IN: &[(&str, &str)] = &[
            $(($path, include_str!(concat!("../../../templates/", $path))),)*
            $(($part, include_str!(concat!("../../../templates/", $part))),)*
        ];

        /// The view of a built-in template: what it prints.
        #[derive(Debug, Clone, Copy)]
        #[non_exhaustive]
        pub enum View<'a> {
            $($(#[$docs])* $template(&'a $view),)*
        }

        impl View<'_> {
            /// The template that prints it: path below `templates/`.
            #[must_use]
            pub fn template(&self) -> &'static str {
                match self {
                    $(Self::$template(_) => $path,)*
                }
            }

            /// The text that the built-in template makes of it.
            ///
            /// # Errors
            /// Never, as long as the views are plain data: writing text to memory does not fail.
            pub fn built_in(&self) -> Result<String, askama::Error> {
                match self {
                    $(Self::$template(view) => $function(view),)*
                }
            }
        }

        /// The JSON Schema of the view of a built-in template.
        #[cfg(feature = "cli")]
        #[must_use]
        pub fn schema(template: &str) -> Option<schemars::Schema> {
            match template {
                $($path => Some(schemars::schema_for!($view)),)*
                _ => None,
            }
        }

        impl Serialize for View<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$template(view) => view.serialize(serializer),)*
                }
            }
        }

        $(
            impl<'a> From<&'a $view> for View<'a> {
                fn from(view: &'a $view) -> Self {
                    Self::$template(view)
                }
            }

            #[derive(Template)]
            #[template(path = $path, escape = "none")]
            struct $template<'a> {
                #[allow(dead_code, reason = "an empty insertion point prints nothing of it")]
                view: &'a $view,
            }

            $(#[$docs])*
            ///
            /// # Errors
            /// Never, as long as the views are plain data: writing text to memory does not fail.
            pub fn $function(view: &$view) -> Result<String, askama::Error> {
                // Both engines drop the line end at the end of a template.
                $template { view }.render().map(|text| text + "\n")
            }
        )*
    };
}

templates! {
    parts {
        "stubs/parts-types.rs.jinja",
        "stubs/parts-mappings.rs.jinja",
        "points/adapter-attributes.rs.jinja",
        "points/adapter-end.rs.jinja",
        "points/adapter-fields.rs.jinja",
        "points/adapter-imports.rs.jinja",
        "points/adapter-methods.rs.jinja",
        "points/adapter-values.rs.jinja",
        "points/domain-attributes.rs.jinja",
        "points/domain-end.rs.jinja",
        "points/manifest-dependencies.toml.jinja",
        "points/mapper-end.rs.jinja",
        "points/method-after.rs.jinja",
        "points/method-before.rs.jinja",
        "points/port-end.rs.jinja",
        "points/root-end.rs.jinja",
    }
    /// The adapter of a system.
    adapter, Adapter, AdapterView, "generated/adapter.rs.jinja";
    /// The root of a system's generated modules.
    module_root, ModuleRoot, ModuleRootView, "generated/mod.rs.jinja";
    /// The contract tests of a system.
    contract, Contract, ContractView, "crate/contract.rs.jinja";
    /// The resilience tests of a system.
    resilience, Resilience, ResilienceView, "crate/resilience.rs.jinja";
    /// What the resilience tests of a system run with.
    trial, Trial, TrialView, "stubs/trial.rs.jinja";
    /// The manifest of a system that is a crate.
    manifest, Manifest, ManifestView, "crate/Cargo.toml.jinja";
    /// The root of a system's hand-written modules.
    stub_root, StubRoot, StubRootView, "stubs/mod.rs.jinja";
    /// The domain types of a system.
    domain, Domain, DomainView, "stubs/domain.rs.jinja";
    /// The mapper of a system.
    mapper, Mapper, MapperView, "stubs/mapper.rs.jinja";
    /// What a mapper does not map yet.
    missing, Missing, MissingView, "stubs/missing.rs.jinja";
    /// The lines of a team's own below the first line of every generated Rust file.
    header, Header, HeaderView, "points/header.rs.jinja";
    /// The port of a system.
    port, Port, PortView, "stubs/port.rs.jinja";
}
