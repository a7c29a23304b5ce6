//! The README's first adapter, done as it says: its files, its commands, its output.

use crate::page::{fenced, file};
use crate::workshop::{Workshop, root};

#[test]
fn the_first_adapter_works_as_the_readme_says() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let workshop = Workshop::empty();
    workshop.make_crate("shop", "2024", false);
    let tokio = "[dependencies]\ntokio = { version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }\n";
    workshop.edit("Cargo.toml", "[dependencies]\n", tokio);
    for name in ["rates.openapi.yaml", "cofferdam.toml", "resilience.yaml", "src/main.rs"] {
        workshop.write(name, &file(&readme, name));
    }
    workshop.cofferdam(&["generate"]).well();
    let plan = workshop.cofferdam(&["plan"]).well();
    let (_, promised) = readme.split_once("`cofferdam plan` shows").unwrap();
    for promised in fenced(promised).lines() {
        let words: Vec<&str> = promised.split_whitespace().collect();
        let told = plan.lines().any(|line| {
            let mut told = line.split_whitespace();
            words.iter().all(|word| told.any(|other| other == *word))
        });
        assert!(told, "{promised}\n{plan}");
    }
    let ran = workshop.cargo(&["run", "--quiet"]);
    assert_eq!(ran.said, "", "no warning either");
    let printed = ran.well();
    let (_, promised) = readme.split_once("`cargo run` says").unwrap();
    assert_eq!(without_number(&printed), without_number(&fenced(promised)));
}

/// The number of "connection refused" differs between operating systems.
fn without_number(text: &str) -> String {
    let (before, after) = text.split_once("(os error ").unwrap_or((text, ""));
    format!("{before}{}", after.trim_start_matches(|c: char| c.is_ascii_digit()))
}
