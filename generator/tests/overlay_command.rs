//! Overlays from the project file to the generated code, through the command and the build script's builder.

#![allow(clippy::unwrap_used)] // a test that cannot go on should stop

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const DOCUMENT: &str = "\
openapi: 3.0.3
info: {title: Pets, version: '1'}
servers: [{url: https://pets.test}]
paths:
  /pets:
    get:
      operationId: get_pets_v2_final
      responses:
        '204': {description: none}
  /pets/{id}:
    get:
      operationId: getPet
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
      responses:
        '204': {description: there}
";

/// A project of one system, patched by the given actions.
fn project(actions: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("pets.yaml", DOCUMENT);
    write("ours.yaml", &format!("overlay: 1.1.0\ninfo: {{title: ours, version: '1'}}\nactions:\n{actions}"));
    write("cofferdam.toml", "[systems.pets]\nspec = \"pets.yaml\"\noverlay = \"ours.yaml\"\nout = \"out\"\n");
    folder
}

fn cofferdam(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cofferdam")).current_dir(folder).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The text of every file below a folder.
fn everything(folder: &Path) -> String {
    let mut all = String::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        all += &if entry.is_dir() { everything(&entry) } else { fs::read_to_string(&entry).unwrap() };
    }
    all
}

const RENAME: &str = "  - target: $.paths['/pets'].get.operationId\n    update: listPets\n";

#[test]
fn the_generated_method_follows_the_overlay() {
    let folder = project(RENAME);
    let ran = cofferdam(folder.path(), &["generate"]);
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    let code = everything(&folder.path().join("out"));
    assert!(code.contains("pub async fn list_pets("), "{code}");
    assert!(!code.contains("get_pets_v2_final"), "{code}");
    let unpatched = fs::read_to_string(folder.path().join("pets.yaml")).unwrap();
    assert_eq!(unpatched, DOCUMENT, "the vendor's document is left alone");

    // Without the overlay the name is the vendor's again.
    fs::write(folder.path().join("cofferdam.toml"), "[systems.pets]\nspec = \"pets.yaml\"\nout = \"plain\"\n").unwrap();
    let ran = cofferdam(folder.path(), &["generate"]);
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    assert!(everything(&folder.path().join("plain")).contains("pub async fn get_pets_v2_final("));
}

#[test]
fn the_plan_shows_the_patched_document() {
    let folder = project(&format!("{RENAME}  - target: $.paths['/pets/{{id}}']\n    remove: true\n"));
    let ran = cofferdam(folder.path(), &["plan", "--format", "json"]);
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    let plan: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    let operations = plan["systems"][0]["operations"].as_array().unwrap();
    let ids: Vec<&str> = operations.iter().filter_map(|operation| operation["id"].as_str()).collect();
    assert_eq!(ids, ["listPets"]);
}

#[test]
fn a_fault_that_an_overlay_makes_is_told_in_the_overlay() {
    let folder = project(
        "  - target: $.paths\n    update:\n      /cats: {}\n  - target: $.paths['/cats']\n    copy: $.paths['/pets']\n",
    );
    let ran = cofferdam(folder.path(), &["generate"]);
    assert!(!ran.status.success());
    let said = text(&ran.stderr);
    let wanted = "ours.yaml:8:11: error[CD-OPERATION-ID] /actions/1/copy: \"get_pets_v2_final\" is already used by \
                  GET /pets (line 7 of ./pets.yaml) (/paths/~1cats/get/operationId in ./pets.yaml as patched)";
    assert!(said.replace("./", "").contains(&wanted.replace("./", "")), "{said}");
    assert!(!folder.path().join("out").exists());
}

#[test]
fn with_a_broken_overlay_nothing_is_written() {
    let folder = project("  - target: $.paths[\n    remove: true\n");
    let ran = cofferdam(folder.path(), &["generate"]);
    assert!(!ran.status.success());
    let said = text(&ran.stderr);
    assert!(said.contains("ours.yaml:4:13: error[CD-OVERLAY-TARGET] /actions/0/target: this is no JSONPath"), "{said}");
    assert!(!folder.path().join("out").exists());
}

#[test]
fn a_build_depends_on_its_overlays() {
    let folder = project(RENAME);
    let out = folder.path().join("build");
    let build = cofferdam::Build::new(folder.path().join("cofferdam.toml")).out_dir(&out).rerun_if_changed(false);
    let built = build.run().unwrap();
    let names: Vec<_> = built.inputs.iter().map(|input| input.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["cofferdam.toml", "pets.yaml", "ours.yaml"]);
    assert!(fs::read_to_string(&built.files["pets"]).unwrap().contains("pub async fn list_pets("));
}
