//! Types of a service's own, and of rust_decimal, time, jiff and chrono, in the place of generated ones.

use crate::workshop::{Workshop, root};

fn mapping(edition: &str) -> Workshop {
    let workshop = Workshop::empty();
    let fixture = |name: &str| std::fs::read_to_string(root().join("tests/fixtures/mapping").join(name)).unwrap();
    for name in ["orders.openapi.yaml", "cofferdam.toml", "resilience.yaml"] {
        workshop.write(&format!("specs/{name}"), &fixture(name));
    }
    workshop.cofferdam(&["generate", "--project", "specs/cofferdam.toml", "--with-tests"]).well();
    workshop.make_crate("mapping", edition, false);
    let runtime = root().join("runtime");
    let features =
        ", features = [\"jiff\", \"rust_decimal\", \"time\"] }\nserde = { version = \"1\", features = [\"derive\"] }";
    workshop.edit("Cargo.toml", &format!("{runtime:?} }}"), &format!("{runtime:?}{features}"));
    let (server, testing) = (root().join("tests"), root().join("testing"));
    let tests = format!(
        "[dev-dependencies]\ncofferdam-tests = {{ path = {server:?} }}\nserde_json = \"1\"\n\
         cofferdam-testing = {{ path = {testing:?}, features = [\"trial\"] }}\n\
         tokio = {{ version = \"1\", features = [\"macros\", \"rt\"] }}\n\n[workspace]"
    );
    workshop.edit("Cargo.toml", "[workspace]", &tests);
    workshop.write("src/lib.rs", "//! Strict.\n#![deny(warnings)]\n\npub mod orders;\npub mod own;\n");
    workshop.write("src/own.rs", &fixture("own.rs"));
    workshop.write("tests/flow.rs", &fixture("flow.rs"));
    workshop
}

#[test]
fn they_are_exact_on_the_wire_and_clippy_is_clean() {
    let workshop = mapping("2024");
    let types = workshop.read("src/orders/generated/types.rs");
    for gone in ["struct Money", "struct Label", "Colour =", "struct Card"] {
        assert!(!types.contains(gone), "{gone} is generated and nothing uses it:\n{types}");
    }
    workshop.cargo(&["clippy", "--quiet", "--lib", "--", "-D", "warnings"]).well();
    workshop.cargo(&["test", "--quiet"]).well();
}

#[test]
fn they_compile_in_the_edition_before_too() {
    mapping("2021").cargo(&["check", "--quiet"]).well();
}
