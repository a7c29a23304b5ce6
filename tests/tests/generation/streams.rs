//! Streams, bytes and pages, generated and used: strict with itself, and against a server that breaks off.

use crate::workshop::{Workshop, root};

fn streaming(edition: &str) -> Workshop {
    let workshop = Workshop::empty();
    let fixture = |name: &str| std::fs::read_to_string(root().join("tests/fixtures/streams").join(name)).unwrap();
    for name in ["feed.openapi.yaml", "cofferdam.toml", "resilience.yaml"] {
        workshop.write(&format!("specs/{name}"), &fixture(name));
    }
    workshop.on_specs("generate").well();
    workshop.make_crate("streaming", edition, false);
    let server = root().join("testing");
    let tests = format!(
        "[dev-dependencies]\ncofferdam-testing = {{ path = {server:?} }}\nserde_json = \"1\"\n\
         tokio = {{ version = \"1\", features = [\"macros\", \"rt\"] }}\n\n[workspace]"
    );
    workshop.edit("Cargo.toml", "[workspace]", &tests);
    workshop.write("src/lib.rs", "//! Strict.\n#![deny(warnings)]\n\npub mod feed;\n");
    workshop.write("tests/flow.rs", &fixture("flow.rs"));
    workshop
}

#[test]
fn they_compile_with_warnings_denied_and_do_as_they_should() {
    let workshop = streaming("2024");
    workshop.cargo(&["clippy", "--quiet", "--lib", "--", "-D", "warnings"]).well();
    workshop.cargo(&["test", "--quiet"]).well();
}

#[test]
fn they_compile_in_the_edition_before_too() {
    streaming("2021").cargo(&["check", "--quiet"]).well();
}
