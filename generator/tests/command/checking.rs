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
