//! What has not changed is not made again, and nobody can tell from what is printed or written.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use cofferdam::Build;

use crate::sandbox::Sandbox;

/// A project whose documents have something to be said of them.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::project();
    sandbox.replace("specs/stock.yaml", "type: integer", "type: integer, maximum: 9");
    sandbox
}

const RECEIPT: &str = ".cofferdam/stock.json";

/// Makes the receipts say something that only a run that believes them can repeat.
fn mark(sandbox: &Sandbox) {
    sandbox.replace(RECEIPT, "stock: 1 operation (1 read)", "stock: by the receipt");
}

fn is_believed(sandbox: &Sandbox, arguments: &[&str]) -> bool {
    sandbox.run(arguments).well().out.contains("stock: by the receipt")
}

#[test]
fn a_second_run_says_the_same_and_touches_nothing() {
    let sandbox = sandbox();
    let first = sandbox.run(&["generate"]).well();
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    let all: Vec<PathBuf> = sandbox.files("src").iter().map(|(name, _)| sandbox.path("src").join(name)).collect();
    let ours = ["cofferdam.lock", RECEIPT, ".cofferdam/payments.json", ".cofferdam/.gitignore"];
    let all: Vec<PathBuf> = all.into_iter().chain(ours.map(|name| sandbox.path(name))).collect();
    for path in &all {
        fs::File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
    }
    let second = sandbox.run(&["generate"]).well();
    assert_eq!(first.err, second.err);
    assert!(second.err.contains("note[CD-CONSTRAINT]"), "{}", second.err);
    assert!(second.out.starts_with("payments: 3 operations"), "{}", second.out);
    assert!(second.out.ends_with("nothing changed\n"), "{}", second.out);
    for path in &all {
        assert_eq!(fs::metadata(path).unwrap().modified().unwrap(), long_ago, "{}", path.display());
    }
}

#[test]
fn only_what_is_unchanged_is_believed() {
    let sandbox = sandbox();
    sandbox.run(&["generate"]).well();
    mark(&sandbox);
    assert!(is_believed(&sandbox, &["generate"]));
    assert!(is_believed(&sandbox, &["generate", "--system", "stock"]));
    assert!(is_believed(&sandbox, &["generate", "--force"]));
    assert!(!is_believed(&sandbox, &["generate", "--with-tests"]), "another option");
    sandbox.run(&["generate"]).well();
    mark(&sandbox);
    sandbox.replace("specs/stock.yaml", "maximum: 9", "maximum: 8");
    assert!(!is_believed(&sandbox, &["generate"]), "another document");
    mark(&sandbox);
    sandbox.replace("cofferdam.toml", "[systems.stock]", "# A remark.\n[systems.stock]");
    assert!(!is_believed(&sandbox, &["generate"]), "declared elsewhere");
    mark(&sandbox);
    sandbox.replace("specs/payments.yaml", "openapi: 3", "# A remark.\nopenapi: 3");
    assert!(is_believed(&sandbox, &["generate"]), "the document of another system");
}

#[test]
fn an_output_that_was_edited_or_removed_is_found() {
    let sandbox = sandbox();
    sandbox.run(&["generate"]).well();
    let types = "src/integrations/stock/generated/types.rs";
    let text = sandbox.read(types);
    sandbox.write(types, &format!("{text}// Mine.\n"));
    let ended = sandbox.run(&["generate"]).faults();
    assert!(
        ended.err.contains("this file is generated, but was edited") && ended.err.contains("-// Mine."),
        "{}",
        ended.err
    );
    sandbox.run(&["check"]).faults();
    fs::remove_file(sandbox.path(types)).unwrap();
    assert!(sandbox.run(&["generate"]).well().out.contains(&format!("  created {types}\n")));
    assert_eq!(sandbox.read(types), text);
    fs::remove_file(sandbox.path("src/integrations/stock/port.rs")).unwrap();
    assert!(sandbox.run(&["generate"]).well().out.contains("created src/integrations/stock/port.rs"));
}

#[test]
fn a_check_believes_no_receipt() {
    let sandbox = sandbox();
    sandbox.run(&["generate"]).well();
    // A receipt that says of a changed document that all was made of it.
    let (before, generated) = (sandbox.read("specs/stock.yaml"), sandbox.read("cofferdam.lock"));
    sandbox.replace("specs/stock.yaml", "type: integer", "type: string");
    sandbox.run(&["generate"]).well();
    let forged = sandbox.read(RECEIPT);
    sandbox.write("specs/stock.yaml", &before);
    sandbox.run(&["generate"]).well();
    assert_eq!(sandbox.read("cofferdam.lock"), generated);
    sandbox.replace("specs/stock.yaml", "type: integer", "type: string");
    sandbox.write(RECEIPT, &forged);
    assert!(sandbox.run(&["check"]).faults().err.contains("is out of date"));
}

#[test]
fn what_is_not_mapped_is_told_in_every_run() {
    let sandbox = sandbox();
    sandbox.run(&["generate"]).well();
    mark(&sandbox);
    sandbox.replace("src/integrations/stock/mapper.rs", "impl Mapping<", "impl Other<");
    let ended = sandbox.run(&["generate"]).well();
    assert!(ended.out.contains("by the receipt") && ended.err.contains("is not mapped yet"), "{ended:?}");
}

#[test]
fn a_build_script_has_the_same_memory() {
    let sandbox = sandbox();
    let out = tempfile::tempdir().unwrap();
    let build = || {
        let build = Build::new(sandbox.path("cofferdam.toml")).out_dir(out.path()).stubs_dir(sandbox.path("hand"));
        build.rerun_if_changed(false).run().unwrap()
    };
    let first = build();
    let receipt = out.path().join(RECEIPT);
    let file = &first.files["stock"];
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    fs::File::options().write(true).open(file).unwrap().set_modified(long_ago).unwrap();
    assert_eq!(build(), first, "files, inputs and remarks");
    assert_eq!(fs::metadata(file).unwrap().modified().unwrap(), long_ago);
    // Where the receipt is believed its remarks are told: a forged one shows that it was asked.
    let text = fs::read_to_string(&receipt).unwrap();
    fs::write(&receipt, text.replace("\"severity\":0", "\"severity\":1")).unwrap();
    assert!(build().remarks.len() > first.remarks.len());
    fs::write(file, "edited").unwrap();
    assert_eq!(build().remarks, first.remarks);
    assert_ne!(fs::read_to_string(file).unwrap(), "edited");
    fs::remove_file(sandbox.path("hand/stock/mapper.rs")).unwrap();
    build();
    assert!(sandbox.path("hand/stock/mapper.rs").exists());
}
