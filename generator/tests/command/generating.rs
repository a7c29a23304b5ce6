use std::fs;
use std::time::{Duration, SystemTime};

use crate::sandbox::{PROJECT, Sandbox};

fn names(files: &[(String, String)]) -> Vec<&str> {
    files.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn first_run_writes_ours_and_theirs_and_the_lock() {
    let sandbox = Sandbox::project();
    let ended = sandbox.run(&["generate"]).well();
    assert!(ended.out.contains("payments: 3 operations (1 read, 1 keyed, 1 once)"), "{}", ended.out);
    assert!(ended.out.contains("stock: 1 operation (1 read)"), "{}", ended.out);
    assert!(ended.out.contains("  created src/integrations/payments/mapper.rs\n"), "{}", ended.out);
    assert_eq!(
        names(&sandbox.files("src/integrations/payments")),
        [
            "domain.rs",
            "generated/adapter.rs",
            "generated/client.rs",
            "generated/mod.rs",
            "generated/operations.rs",
            "generated/types.rs",
            "mapper.rs",
            "mod.rs",
            "port.rs"
        ]
    );
    let lock: serde_json::Value = serde_json::from_str(&sandbox.read("cofferdam.lock")).unwrap();
    let adapter = &lock["files"]["src/integrations/payments/generated/adapter.rs"];
    assert_eq!((adapter["system"].as_str(), adapter["kind"].as_str()), (Some("payments"), Some("generated")));
    assert_eq!(lock["files"]["src/integrations/payments/mapper.rs"]["kind"], "hand-written");
    assert_eq!(lock["names"]["payments"]["/components/schemas/Receipt"], "Receipt");
}

#[test]
fn second_run_touches_nothing() {
    let sandbox = Sandbox::project();
    sandbox.run(&["generate"]).well();
    let all = || sandbox.files("src").into_iter().map(|(name, _)| sandbox.path("src").join(name));
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    for path in all().chain([sandbox.path("cofferdam.lock")]) {
        fs::File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
    }
    assert!(sandbox.run(&["generate"]).well().out.ends_with("nothing changed\n"));
    for path in all().chain([sandbox.path("cofferdam.lock")]) {
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), long_ago, "{}", path.display());
    }
}

#[test]
fn edited_mapper_survives_and_a_new_operation_is_told_in_one_line() {
    let sandbox = Sandbox::project();
    sandbox.run(&["generate"]).well();
    sandbox.replace("src/integrations/payments/mapper.rs", "Translates between", "EDITED BY HAND");
    let edited = sandbox.read("src/integrations/payments/mapper.rs");
    sandbox.replace(
        "specs/payments.yaml",
        "/payments/{id}:\n",
        "/refunds:\n    post: {operationId: refund, responses: {\"204\": {description: done}}}\n  /payments/{id}:\n",
    );
    let ended = sandbox.run(&["generate"]).well();
    assert_eq!(sandbox.read("src/integrations/payments/mapper.rs"), edited);
    assert!(sandbox.read("src/integrations/payments/generated/adapter.rs").contains("pub async fn refund("));
    let told: Vec<&str> = ended.out.lines().filter(|line| line.contains("not mapped yet")).collect();
    assert_eq!(told, ["payments: `refund` is not mapped yet; `cofferdam stubs --system payments` has its stub"]);
}

#[test]
fn r_res_oas_x1_edited_generated_file_stops_the_run_with_a_diff() {
    let sandbox = Sandbox::project();
    sandbox.run(&["generate"]).well();
    let file = "src/integrations/payments/generated/types.rs";
    let ours = sandbox.read(file);
    sandbox.write(file, &format!("{ours}// mine\n"));
    sandbox.replace("specs/stock.yaml", "operationId: level", "operationId: stockLevel");
    let before = sandbox.files("src");
    let ended = sandbox.run(&["generate"]).faults();
    assert!(ended.err.contains("types.rs is generated, but was edited (R-RES-OAS-X1)"), "{}", ended.err);
    assert!(ended.err.contains("\n-// mine"), "{}", ended.err);
    assert_eq!(sandbox.files("src"), before, "not even the other system is written");
    sandbox.run(&["generate", "--force"]).well();
    assert_eq!(sandbox.read(file), ours);
}

#[test]
fn nothing_is_written_when_any_system_is_wrong_and_all_is_told_at_once() {
    let sandbox = Sandbox::project();
    sandbox.replace("specs/stock.yaml", "type: integer", "$ref: '#/components/schemas/Level'");
    sandbox.write(
        "cofferdam.toml",
        &PROJECT.replace(
            "spec = \"specs/payments.yaml\"\n",
            "spec = \"specs/payments.yaml\"\noperations.pai.kind = \"once\"\nselect = { tags = [\"mony\"] }\n",
        ),
    );
    let ended = sandbox.run(&["generate"]).faults();
    assert!(ended.err.contains("cofferdam.toml:5:") && ended.err.contains("did you mean `pay`?"), "{}", ended.err);
    assert!(ended.err.contains("did you mean `money`?"), "{}", ended.err);
    assert!(
        ended.err.contains("specs/stock.yaml:5:") && ended.err.contains("/components/schemas/Level"),
        "{}",
        ended.err
    );
    assert!(ended.err.ends_with("nothing was written\n"), "{}", ended.err);
    assert!(!sandbox.path("src").exists() && !sandbox.path("cofferdam.lock").exists());
}

#[test]
fn only_the_systems_that_are_named_are_written_and_the_others_stay() {
    let sandbox = Sandbox::project();
    sandbox.run(&["generate", "--system", "stock"]).well();
    assert!(!sandbox.path("src/integrations/payments").exists());
    sandbox.run(&["generate", "--system", "payments"]).well();
    assert!(sandbox.path("src/integrations/stock/generated/mod.rs").exists());
    assert!(sandbox.run(&["check"]).well().out.contains("up to date"));
    let ended = sandbox.run(&["generate", "--system", "stok"]).usage();
    assert!(ended.err.contains("did you mean `stock`?"), "{}", ended.err);
}

#[test]
fn system_that_is_gone_takes_its_generated_files_with_it_and_leaves_what_is_hand_written() {
    let sandbox = Sandbox::project();
    sandbox.run(&["generate"]).well();
    let kept = PROJECT.split("\n[systems.stock]").next().unwrap().to_owned();
    sandbox.write("cofferdam.toml", &kept);
    let ended = sandbox.run(&["generate"]).well();
    assert!(ended.out.contains("removed src/integrations/stock/generated/mod.rs"), "{}", ended.out);
    assert_eq!(names(&sandbox.files("src/integrations/stock")), ["domain.rs", "mapper.rs", "mod.rs", "port.rs"]);
}

#[test]
fn one_document_becomes_a_module_a_crate_or_either_with_stubs() {
    let sandbox = Sandbox::project();
    let spec = ["generate", "--spec", "specs/payments.yaml", "--system", "payments", "--out"];
    let run = |out: &str, more: &[&str]| sandbox.run(&[&spec[..], &[out], more].concat()).well();
    run("plain", &[]);
    assert_eq!(
        names(&sandbox.files("plain")),
        ["adapter.rs", "client.rs", "cofferdam.lock", "mod.rs", "operations.rs", "types.rs"]
    );
    run("made", &["--crate", "--runtime-path", "runtime"]);
    assert_eq!(
        names(&sandbox.files("made")),
        [
            "Cargo.toml",
            "cofferdam.lock",
            "src/adapter.rs",
            "src/client.rs",
            "src/lib.rs",
            "src/operations.rs",
            "src/types.rs"
        ]
    );
    let manifest = sandbox.read("made/Cargo.toml");
    assert!(manifest.contains("name = \"payments\"\n"), "{manifest}");
    assert!(manifest.contains("cofferdam-runtime = { path = \"../runtime\" }\n"), "{manifest}");
    assert!(manifest.contains("edition = \"2024\"\n") && manifest.ends_with("[workspace]\n"), "{manifest}");
    for module in ["adapter", "client", "operations", "types"] {
        assert!(sandbox.read("made/src/lib.rs").contains(&format!("pub mod {module};\n")));
    }
    run("published", &["--crate"]);
    let version = format!("cofferdam-runtime = \"{}\"\n", env!("CARGO_PKG_VERSION"));
    assert!(sandbox.read("published/Cargo.toml").contains(&version));
    run("full", &["--with-stubs"]);
    assert!(sandbox.read("full/mod.rs").contains("pub mod mapper;\n"));
    assert!(sandbox.read("full/mapper.rs").contains("use super::{operations, types};\n"));
}

#[test]
fn command_line_that_makes_no_sense_is_refused() {
    let sandbox = Sandbox::project();
    for arguments in [
        &["generate", "--spec", "specs/stock.yaml"][..],
        &["generate", "--spec", "specs/stock.yaml", "--system", "stock"],
        &["generate", "--spec", "specs/stock.yaml", "--system", "a", "--system", "b", "--out", "x"],
        &["generate", "--spec", "specs/stock.yaml", "--system", "Not a name", "--out", "x"],
        &["generate", "--crate"],
        &["generate", "--out", "x"],
        &["generate", "--project", "cofferdam.toml", "--spec", "specs/stock.yaml", "--system", "s", "--out", "x"],
        &["generate", "--spec", "specs/stock.yaml", "--system", "s", "--out", "x", "--runtime-path", "y"],
        &["stubs", "--write", "x.rs"],
        &["plan", "--format", "xml"],
        &["bild"],
        &[],
    ] {
        sandbox.run(arguments).usage();
    }
    assert!(!sandbox.path("x").exists());
}

#[test]
fn project_or_document_that_is_not_there_is_a_fault() {
    let sandbox = Sandbox::project();
    assert!(sandbox.run(&["plan", "--project", "absent.toml"]).faults().err.contains("absent.toml"));
    assert!(sandbox.run(&["plan", "--spec", "absent.yaml", "--system", "x"]).faults().err.contains("absent.yaml"));
}

#[test]
fn file_of_somebody_else_in_the_place_of_ours_is_refused() {
    let sandbox = Sandbox::project();
    sandbox.write("src/integrations/stock/generated/types.rs", "pub struct Theirs;\n");
    let ended = sandbox.run(&["generate"]).faults();
    assert!(ended.err.contains("is in the way: cofferdam did not write it"), "{}", ended.err);
    assert!(!sandbox.path("src/integrations/payments").exists());
}

#[test]
fn broken_lock_is_told_and_nothing_is_written() {
    let sandbox = Sandbox::project();
    sandbox.write("cofferdam.lock", "<<<<<<< HEAD\n");
    assert!(sandbox.run(&["generate"]).faults().err.contains("cofferdam.lock cannot be used"));
    assert!(!sandbox.path("src").exists());
}

#[test]
fn module_in_its_other_form_is_not_made_twice() {
    let sandbox = Sandbox::project();
    sandbox.write("src/integrations/stock.rs", "pub mod generated;\n");
    sandbox.write("src/integrations/stock/mapper/mod.rs", "// mine\n");
    sandbox.run(&["generate"]).well();
    let stock = sandbox.files("src/integrations/stock");
    let hand_written: Vec<&str> = names(&stock).into_iter().filter(|name| !name.starts_with("generated/")).collect();
    assert_eq!(hand_written, ["domain.rs", "mapper/mod.rs", "port.rs"]);
    assert!(sandbox.run(&["generate"]).well().out.contains("nothing changed\n"));
}

#[test]
fn later_collision_renames_no_earlier_type() {
    let sandbox = Sandbox::project();
    let schemas = |list: &[&str]| {
        let all: String = list
            .iter()
            .map(|name| format!("    {name}: {{type: object, properties: {{a: {{type: string}}}}}}\n"))
            .collect();
        format!("openapi: 3.0.3\ninfo: {{title: t, version: \"1\"}}\npaths: {{}}\ncomponents:\n  schemas:\n{all}")
    };
    let types = || sandbox.read("src/integrations/stock/generated/types.rs");
    sandbox.write("specs/stock.yaml", &schemas(&["stock_level"]));
    sandbox.run(&["generate"]).well();
    assert!(types().contains("pub struct StockLevel {"), "{}", types());
    // It wants the very name, and comes first.
    sandbox.write("specs/stock.yaml", &schemas(&["StockLevel", "stock_level"]));
    sandbox.run(&["generate"]).well();
    let lock: serde_json::Value = serde_json::from_str(&sandbox.read("cofferdam.lock")).unwrap();
    let names = &lock["names"]["stock"];
    assert_eq!(names["/components/schemas/stock_level"], "StockLevel");
    assert_ne!(names["/components/schemas/StockLevel"], "StockLevel");
    assert!(sandbox.run(&["generate"]).well().out.contains("nothing changed\n"));

    let out = tempfile::tempdir().unwrap();
    let build = cofferdam::Build::new(sandbox.path("cofferdam.toml")).system("stock").out_dir(out.path());
    let built = std::fs::read_to_string(&build.rerun_if_changed(false).run().unwrap().files["stock"]).unwrap();
    let other = names["/components/schemas/StockLevel"].as_str().unwrap();
    assert!(built.contains(&format!("pub struct {other} {{")), "a build script keeps the same names");
}

#[test]
fn first_run_says_what_to_do_next_and_the_second_does_not() {
    let sandbox = Sandbox::project();
    sandbox.write("cofferdam.toml", "[systems.spare-parts]\nspec = \"specs/stock.yaml\"\nout = \"src/spare_parts\"\n");
    let hint = "spare-parts: declare it with `pub mod spare_parts;` in the module above its folder\n";
    assert!(sandbox.run(&["generate"]).well().out.contains(hint));
    assert!(!sandbox.run(&["generate"]).well().out.contains("declare it"));

    let document = ["generate", "--spec", "specs/stock.yaml", "--system", "stock", "--out", "alone"];
    assert!(sandbox.run(&document).well().out.contains("`--with-stubs`"));
    assert!(!sandbox.run(&document).well().out.contains("`--with-stubs`"));
}

#[test]
fn folder_of_a_system_is_its_module() {
    let sandbox = Sandbox::project();
    sandbox.write("cofferdam.toml", "out = \"src\"\n[systems.spare-parts]\nspec = \"specs/stock.yaml\"\n");
    sandbox.run(&["generate"]).well();
    assert!(sandbox.path("src/spare_parts/generated/adapter.rs").exists());
}
