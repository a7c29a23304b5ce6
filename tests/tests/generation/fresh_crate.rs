//! A crate outside the workspace that generates at build time, strict with itself: no warning, clippy included.

use crate::workshop::Workshop;

const BUILD: &str = r#"fn main() -> Result<(), cofferdam::BuildError> {
    cofferdam::Build::new("specs/cofferdam.toml").stubs_dir("src").run()?;
    Ok(())
}
"#;

const LIB: &str = r#"//! Strict.
#![deny(warnings)]

pub mod f6;
pub mod sber;

use cofferdam_runtime::Settings;
use sber::{SberAdapter, SberCredentials, SberMapping, SberPort};

/// Takes a payment through the port: adapter, mapping and settings as a service would put them together.
pub async fn pay(order_id: String) -> Result<(), Box<dyn std::error::Error>> {
    let settings = Settings::load("specs/resilience.yaml")?;
    let sber = SberAdapter::connect(&settings, SberCredentials::new().token("secret"), SberMapping)?;
    let command = sber::domain::DepositForm { order_id, amount: 15_000, language: None };
    SberPort::deposit(&sber, command).await.map_err(|error| error.to_string())?;
    Ok(())
}
"#;

fn fresh(name: &str, edition: &str) -> Workshop {
    let workshop = Workshop::with_specs();
    workshop.make_crate(name, edition, true);
    workshop.write("build.rs", BUILD);
    workshop.write("src/lib.rs", LIB);
    workshop
}

#[test]
fn it_compiles_with_warnings_denied_and_clippy_is_clean() {
    let workshop = fresh("fresh-2024", "2024");
    workshop.cargo(&["clippy", "--quiet", "--all-targets", "--", "-D", "warnings"]).well();
    // The hand-written halves are there; generated code is not in the source.
    assert!(workshop.path("src/sber/mapper.rs").exists());
    assert!(!workshop.path("src/sber/generated").exists());
}

#[test]
fn it_compiles_in_the_edition_before_too() {
    fresh("fresh-2021", "2021").cargo(&["check", "--quiet"]).well();
}

#[test]
fn it_is_built_again_when_a_document_changes_and_only_then() {
    let workshop = fresh("rebuilt", "2024");
    let checks = |workshop: &Workshop| {
        let ended = workshop.cargo(&["check"]);
        assert!(ended.ok, "{}", ended.said);
        ended.said.contains("rebuilt v")
    };
    assert!(checks(&workshop));
    assert!(!checks(&workshop), "nothing has changed");
    workshop.edit("specs/f6/f6.openapi.yaml", "  title: F6 supplier\n", "  title: F6, the supplier\n");
    assert!(checks(&workshop), "a document has changed");
    assert!(!checks(&workshop), "nothing has changed since");
}

#[test]
fn a_faulty_document_fails_the_build_with_its_line() {
    let workshop = fresh("faulty", "2024");
    workshop.edit(
        "specs/f6/f6.openapi.yaml",
        "$ref: \"#/components/schemas/NewOrder\"",
        "$ref: \"#/components/schemas/NoOrder\"",
    );
    let said = workshop.cargo(&["check"]).badly();
    assert!(said.contains("f6.openapi.yaml:1"), "{said}");
    assert!(said.contains("NoOrder"), "{said}");
}
