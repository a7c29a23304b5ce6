//! The guide's first adapter, done as the page says: its files, its commands, its tests, the change of its document.

use crate::page;
use crate::workshop::{Workshop, root};

const FILES: [&str; 8] = [
    "courier.openapi.yaml",
    "cofferdam.toml",
    "resilience.yaml",
    "src/lib.rs",
    "src/courier/domain.rs",
    "src/courier/mapper.rs",
    "src/courier/port.rs",
    "tests/courier.rs",
];

#[test]
fn the_guide_s_first_adapter_works_as_it_says() {
    let guide = std::fs::read_to_string(root().join("docs/first-adapter.md")).unwrap();
    let workshop = Workshop::empty();
    workshop.make_crate("shop", "2024", false);
    let testing = root().join("testing");
    workshop.edit(
        "Cargo.toml",
        "[dependencies]\n",
        &format!(
            "[dev-dependencies]\ncofferdam-testing = {{ path = {testing:?} }}\nserde_json = \"1\"\n\n[dependencies]\n\
             tokio = {{ version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }}\n"
        ),
    );
    let (inputs, own) = FILES.split_at(3);
    workshop.write(inputs[0], &page::file(&guide, inputs[0]));
    workshop.write("src/lib.rs", "");
    workshop.cofferdam(&["init", inputs[0]]).well();
    for name in &inputs[1..] {
        workshop.write(name, &page::file(&guide, name));
    }
    let plan = workshop.cofferdam(&["plan"]).well();
    let (_, promised) = guide.split_once("`cofferdam plan` tells").unwrap();
    for promised in page::fenced(promised).lines() {
        assert!(plan.lines().any(|line| line.trim() == promised), "{promised}\n{plan}");
    }
    workshop.cofferdam(&["generate"]).well();
    for name in own {
        assert_eq!(name.starts_with("src/"), workshop.path(name).exists(), "{name}");
        workshop.write(name, &page::file(&guide, name));
    }
    let tested = workshop.cargo(&["test", "--quiet", "--tests"]);
    assert!(!tested.said.contains("warning"), "{}", tested.said);
    assert!(tested.well().contains("test result: ok. 2 passed"));

    let state = "        state: { type: string, enum";
    let field = "        fetched-at: { type: string, format: date-time }\n";
    workshop.edit("courier.openapi.yaml", state, &format!("{field}{state}"));
    workshop.cofferdam(&["check"]).badly();
    workshop.cofferdam(&["generate"]).well();
    let said = workshop.cargo(&["check", "--quiet"]).badly();
    let (_, promised) = guide.split_once("has to decide").unwrap();
    for promised in page::fenced(promised).lines() {
        assert!(said.contains(promised), "{promised}\n{said}");
    }
}
