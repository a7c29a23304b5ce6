//! The built-in templates, compiled into the program. A template sees one variable, `view`.
//!
//! They are written in what askama and minijinja have in common, so that a team can start a template of its own from a
//! built-in one: what is printed from a view is the same text in both.

use askama::Template;

use crate::view::{
    AdapterView, ContractView, DomainView, ManifestView, MapperView, MissingView, ModuleRootView, PortView,
    ResilienceView, StubRootView, TrialView,
};

macro_rules! templates {
    ($($(#[$docs:meta])* $function:ident, $template:ident, $view:ty, $path:literal;)*) => {
        /// The built-in templates: path below `templates/` and text.
        pub const BUILT_IN: &[(&str, &str)] = &[
            $(($path, include_str!(concat!("../../../templates/", $path))),)*
            ("stubs/parts-types.rs.jinja", include_str!("../../../templates/stubs/parts-types.rs.jinja")),
            ("stubs/parts-mappings.rs.jinja", include_str!("../../../templates/stubs/parts-mappings.rs.jinja")),
        ];

        $(
            #[derive(Template)]
            #[template(path = $path, escape = "none")]
            struct $template<'a> {
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
    /// The adapter of a system.
    adapter, Adapter, AdapterView, "generated/adapter.rs.jinja";
    /// The root of a system's generated modules.
    module_root, ModuleRoot, ModuleRootView, "generated/mod.rs.jinja";
    /// The contract tests of a system.
    contract, ContractTemplate, ContractView, "crate/contract.rs.jinja";
    /// The resilience tests of a system.
    resilience, ResilienceTemplate, ResilienceView, "crate/resilience.rs.jinja";
    /// What the resilience tests of a system run with.
    trial, TrialTemplate, TrialView, "stubs/trial.rs.jinja";
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
    /// The port of a system.
    port, Port, PortView, "stubs/port.rs.jinja";
}
