//! The three ways to the same code: a project, one document, and a build script.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cofferdam::diagnose::Report;
use cofferdam::load::Sources;
use cofferdam::output::Layout;
use cofferdam::plan::Governed;
use cofferdam::project::System;
use cofferdam::{Build, format};

use crate::sandbox::{Sandbox, files};

fn generated(sandbox: &Sandbox, folder: &str) -> BTreeMap<String, String> {
    let files = sandbox.files(folder).into_iter();
    files.filter(|(name, _)| name.ends_with(".rs")).collect()
}

#[test]
fn project_document_and_build_script_give_the_same_text() {
    let sandbox = Sandbox::project();
    sandbox.run(&["generate"]).well();
    let tree = generated(&sandbox, "src/integrations/payments/generated");

    let document = ["generate", "--spec", "specs/payments.yaml", "--system", "payments", "--out", "alone"];
    sandbox.run(&document).well();
    assert_eq!(generated(&sandbox, "alone"), tree);
    sandbox.run(&[&document[..6], &["made", "--crate"]].concat()).well();
    let mut made = generated(&sandbox, "made/src");
    let root = made.remove("lib.rs").unwrap();
    assert_eq!(root, tree["mod.rs"]);
    made.insert("mod.rs".to_owned(), root);
    assert_eq!(made, tree);

    let out = tempfile::tempdir().unwrap();
    let built = Build::new(sandbox.path("cofferdam.toml")).out_dir(out.path()).rerun_if_changed(false).run().unwrap();
    let one = std::fs::read_to_string(&built.files["payments"]).unwrap();
    let modules: BTreeMap<Vec<String>, String> = tree
        .iter()
        .filter(|(name, _)| *name != "mod.rs")
        .map(|(name, text)| (vec![name.trim_end_matches(".rs").to_owned()], text.clone()))
        .collect();
    // A file that is included takes no documentation of its own.
    assert_eq!(one, format::inline(&tree["mod.rs"].replace("\n//!", "\n//"), &modules));
    assert_eq!(
        files(out.path()).iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["payments.rs", "stock.rs"]
    );
}

#[test]
fn build_script_names_every_file_it_read_and_makes_stubs_once() {
    let sandbox = Sandbox::project();
    sandbox.write("specs/parts.yaml", "Level: {type: integer}\n");
    sandbox.replace("specs/stock.yaml", "type: integer", "$ref: 'parts.yaml#/Level'");
    let out = tempfile::tempdir().unwrap();
    let build = || {
        Build::new(sandbox.path("cofferdam.toml"))
            .system("stock")
            .out_dir(out.path())
            .stubs_dir(sandbox.path("src/integrations"))
            .rerun_if_changed(false)
    };
    let built = build().run().unwrap();
    let inputs: Vec<String> =
        built.inputs.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(inputs, ["cofferdam.toml", "stock.yaml", "parts.yaml"]);
    let root = sandbox.read("src/integrations/stock/mod.rs");
    assert!(root.contains("include!(concat!(env!(\"OUT_DIR\"), \"/stock.rs\"));"), "{root}");
    sandbox.write("src/integrations/stock/mapper.rs", "// mine\n");
    build().run().unwrap();
    assert_eq!(sandbox.read("src/integrations/stock/mapper.rs"), "// mine\n");
    assert!(!sandbox.path("src/integrations/cofferdam.lock").exists());
}

#[test]
fn build_script_fails_with_the_whole_report_and_writes_nothing() {
    let sandbox = Sandbox::project();
    sandbox.replace("specs/stock.yaml", "type: integer", "$ref: '#/nowhere'");
    sandbox.replace(
        "specs/payments.yaml",
        "$ref: \"#/components/schemas/Fault\"",
        "$ref: \"#/components/schemas/Falt\"",
    );
    let out = tempfile::tempdir().unwrap();
    let failed = Build::new(sandbox.path("cofferdam.toml")).out_dir(out.path()).rerun_if_changed(false).run();
    let message = failed.unwrap_err().to_string();
    assert!(message.contains("stock.yaml:5:") && message.contains("payments.yaml:15:"), "{message}");
    assert!(files(out.path()).is_empty());
    let unknown = Build::new(sandbox.path("cofferdam.toml")).system("stok").out_dir(out.path()).rerun_if_changed(false);
    assert!(unknown.run().unwrap_err().to_string().contains("no system `stok`"));
}

#[test]
fn build_script_takes_one_document_and_can_take_warnings_for_errors() {
    let sandbox = Sandbox::project();
    let out = tempfile::tempdir().unwrap();
    let build =
        || Build::from_spec(sandbox.path("specs/stock.yaml"), "stock").out_dir(out.path()).rerun_if_changed(false);
    assert!(build().run().unwrap().files["stock"].exists());
    sandbox.replace("specs/stock.yaml", "operationId: level, ", "");
    assert_eq!(build().run().unwrap().remarks.len(), 1);
    assert!(build().deny_warnings(true).run().unwrap_err().to_string().contains("CD-OPERATION-ID-NONE"));
}

/// The documents at hand: those of the examples, and those of the tests.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folders =
        ["specs/sber", "specs/f6", "tests/fixtures/cases", "tests/fixtures/compiled", "tests/fixtures/streams"];
    let mut files: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "yaml" || extension == "json"))
        .collect();
    files.sort();
    files
}

#[test]
fn command_library_and_build_script_give_the_same_bytes_for_every_document() {
    let sandbox = Sandbox::empty();
    let mut compared = 0;
    for (number, spec) in documents().iter().enumerate() {
        let (folder, spec_text) = (format!("out{number}"), spec.display().to_string());
        let ended = sandbox.run(&["generate", "--spec", &spec_text, "--system", "zoo", "--out", &folder]);
        let mut report = Report::default();
        let system = System::single("zoo", spec, Path::new(&folder), &mut report).unwrap();
        let governed = Governed::by(system.profile);
        let planned = cofferdam::plan(&system, &governed, &mut Sources::default(), &mut report);
        let layout = Layout::Module { with_stubs: false };
        let tree = planned.and_then(|planned| {
            cofferdam::generate(&planned, &layout, sandbox.path("").as_path(), &folder, &mut report)
        });
        let out = sandbox.path(&format!("built{number}"));
        let built = Build::from_spec(spec, "zoo").out_dir(&out).rerun_if_changed(false).run();
        let Some(tree) = tree.filter(|_| !report.has_errors()) else {
            assert_eq!((ended.code, built.is_err()), (1, true), "{spec_text}: {}", ended.err);
            continue;
        };
        let library: BTreeMap<String, String> = tree
            .iter()
            .filter_map(|(path, body)| {
                Some((path.strip_prefix(&format!("{folder}/"))?.to_owned(), body.text.as_ref()?.to_string()))
            })
            .collect();
        assert_eq!(generated(&sandbox, &folder), library, "{spec_text}");
        let one = std::fs::read_to_string(&built.unwrap().files["zoo"]).unwrap();
        let modules: BTreeMap<Vec<String>, String> = library
            .iter()
            .filter(|(name, _)| *name != "mod.rs")
            .map(|(name, text)| {
                let path = name.trim_end_matches(".rs").trim_end_matches("/mod");
                (path.split('/').map(str::to_owned).collect(), text.clone())
            })
            .collect();
        assert_eq!(one, format::inline(&library["mod.rs"].replace("\n//!", "\n//"), &modules), "{spec_text}");
        compared += 1;
    }
    assert!(compared >= 30, "only {compared} documents were compared");
}

#[test]
fn build_script_writes_below_its_output_folder_only() {
    let sandbox = Sandbox::project();
    let before = sandbox.files("");
    let out = tempfile::tempdir().unwrap();
    Build::new(sandbox.path("cofferdam.toml")).out_dir(out.path()).rerun_if_changed(false).run().unwrap();
    assert_eq!(sandbox.files(""), before);
    // What it keeps for the next time is there, too.
    assert!(out.path().join(cofferdam::receipt::RECEIPTS).is_dir());
}

#[test]
fn build_script_names_overlay_and_lock_and_each_file_once() {
    let sandbox = Sandbox::project();
    sandbox.write("specs/parts.yaml", "Level: {type: integer}\n");
    sandbox.replace("specs/stock.yaml", "type: integer", "$ref: 'parts.yaml#/Level'");
    let overlay =
        "overlay: 1.0.0\ninfo: {title: o, version: '1'}\nactions: [{target: $.info, update: {title: Bins}}]\n";
    sandbox.write("specs/stock.overlay.yaml", overlay);
    sandbox.replace(
        "cofferdam.toml",
        "spec = \"specs/stock.yaml\"\n",
        "spec = \"specs/stock.yaml\"\noverlay = \"specs/stock.overlay.yaml\"\n",
    );
    sandbox.run(&["generate"]).well();
    let out = tempfile::tempdir().unwrap();
    let build =
        || Build::new(sandbox.path("cofferdam.toml")).system("stock").out_dir(out.path()).rerun_if_changed(false);
    let names = |built: &cofferdam::Built| -> Vec<String> {
        built.inputs.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
    };
    let expected = ["cofferdam.toml", "cofferdam.lock", "stock.yaml", "stock.overlay.yaml", "parts.yaml"];
    assert_eq!(names(&build().run().unwrap()), expected);
    // Whether it is made anew or not, cargo has to know.
    assert_eq!(names(&build().run().unwrap()), expected);
}
