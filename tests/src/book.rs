//! The guide's Rust, compiled: each page is the documentation of a module.

macro_rules! pages {
    ($($page:ident: $file:literal,)*) => {
        $(
            #[doc = include_str!(concat!("../../docs/", $file))]
            mod $page {}
        )*
    };
}

pages! {
    build_script: "build-script.md",
    credentials: "credentials.md",
    health: "health.md",
    layers: "layers.md",
    migration: "migration.md",
    observability: "observability.md",
    streams: "streams.md",
    templates: "templates.md",
}
