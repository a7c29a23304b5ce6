use std::fs;

use crate::sandbox::Sandbox;

#[test]
fn drift_is_found_and_nothing_is_written() {
    let sandbox = Sandbox::project();
    let ended = sandbox.run(&["check"]).faults();
    let missing = "src/integrations/stock/mapper.rs: error[CD-DRIFT]: this file is missing\n";
    assert!(ended.err.contains(missing), "{}", ended.err);
    assert!(!sandbox.path("src").exists());

    sandbox.run(&["generate"]).well();
    assert_eq!(sandbox.run(&["check"]).well().out, "up to date\n");

    sandbox.replace("specs/stock.yaml", "operationId: level", "operationId: stockLevel");
    let before = sandbox.files("src");
    let ended = sandbox.run(&["check"]).faults();
    assert!(
        ended.err.contains("stock/generated/operations.rs: error[CD-DRIFT]: this file is out of date\n"),
        "{}",
        ended.err
    );
    assert!(ended.err.contains("stock: `stockLevel` is not mapped yet"), "{}", ended.err);
    assert_eq!(sandbox.files("src"), before);
}

#[test]
fn edited_and_removed_files_are_found() {
    let sandbox = Sandbox::project();
    sandbox.run(&["generate"]).well();
    fs::remove_file(sandbox.path("src/integrations/stock/generated/types.rs")).unwrap();
    let ended = sandbox.run(&["check"]).faults();
    assert!(ended.err.contains("types.rs: error[CD-DRIFT]: this file is missing\n"), "{}", ended.err);
    sandbox.run(&["generate"]).well();
    sandbox.write("src/integrations/stock/generated/types.rs", "// mine\n");
    assert!(sandbox.run(&["check"]).faults().err.contains("was edited"));
}

#[test]
fn differences_are_a_unified_diff_that_makes_the_files_right() {
    let sandbox = Sandbox::project();
    sandbox.run(&["generate"]).well();
    let before = sandbox.files("src");
    sandbox.replace("specs/stock.yaml", "type: integer", "type: string");
    let diff = sandbox.run(&["check"]).faults().out;
    let file = "src/integrations/stock/generated/operations.rs";
    assert!(diff.contains(&format!("--- a/{file}\n+++ b/{file}\n@@ ")), "{diff}");
    assert_eq!(sandbox.files("src"), before);
    sandbox.write("drift.diff", &diff);
    let patched =
        std::process::Command::new("patch").args(["-p1", "-i", "drift.diff"]).current_dir(sandbox.path(".")).output();
    // Not every machine has it.
    if let Ok(patched) = patched {
        assert!(patched.status.success(), "{patched:?}");
        let after = sandbox.read(file);
        sandbox.run(&["generate", "--force"]).well();
        assert!(sandbox.read(file) == after, "{after}");
    }
}

#[test]
fn what_nobody_maps_fails_a_check() {
    let sandbox = Sandbox::project();
    sandbox.run(&["generate"]).well();
    sandbox.replace("src/integrations/stock/mapper.rs", "impl Mapping<", "impl Other<");
    let ended = sandbox.run(&["check"]).faults();
    assert!(ended.err.contains("warning[CD-STUB-MISSING]: stock: `level` is not mapped yet"), "{}", ended.err);
    assert!(!ended.err.contains("CD-DRIFT") && ended.out.is_empty(), "{ended:?}");
    sandbox.run(&["check", "--allow", "CD-STUB-MISSING"]).well();
}

#[test]
fn warnings_fail_a_check_unless_they_are_allowed() {
    let sandbox = Sandbox::project();
    sandbox.replace("specs/stock.yaml", "operationId: level, ", "");
    sandbox.run(&["generate"]).well();
    let ended = sandbox.run(&["check"]).faults();
    assert!(ended.err.contains("warning[CD-OPERATION-ID-NONE]"), "{}", ended.err);
    assert!(ended.err.contains("warnings fail a check"), "{}", ended.err);
    assert_eq!(sandbox.run(&["check", "--allow", "cd-operation-id-none"]).well().out, "up to date\n");
    let ended = sandbox.run(&["check", "--allow", "CD-OPERATION-ID-NON", "--allow", "CD-Y"]).usage();
    assert!(ended.err.contains("`CD-OPERATION-ID-NONE` is meant?") && ended.err.contains("`CD-Y`"), "{}", ended.err);
}
