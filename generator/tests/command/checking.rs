use std::fs;

use crate::sandbox::Sandbox;

#[test]
fn drift_is_found_and_nothing_is_written() {
    let sandbox = Sandbox::project();
    let ended = sandbox.run(&["check"]).faults();
    assert!(ended.out.contains("src/integrations/stock/mapper.rs is missing\n"), "{}", ended.out);
    assert!(!sandbox.path("src").exists());

    sandbox.run(&["generate"]).well();
    assert_eq!(sandbox.run(&["check"]).well().out, "up to date\n");

    sandbox.replace("specs/stock.yaml", "operationId: level", "operationId: stockLevel");
    let before = sandbox.files("src");
    let ended = sandbox.run(&["check"]).faults();
    assert!(ended.out.contains("stock/generated/operations.rs is out of date\n"), "{}", ended.out);
    assert!(ended.out.contains("stock: `stockLevel` is not mapped yet"), "{}", ended.out);
    assert_eq!(sandbox.files("src"), before);
}

#[test]
fn edited_and_removed_files_are_found() {
    let sandbox = Sandbox::project();
    sandbox.run(&["generate"]).well();
    fs::remove_file(sandbox.path("src/integrations/stock/generated/types.rs")).unwrap();
    let ended = sandbox.run(&["check"]).faults();
    assert!(ended.out.contains("types.rs is missing\n"), "{}", ended.out);
    sandbox.run(&["generate"]).well();
    sandbox.write("src/integrations/stock/generated/types.rs", "// mine\n");
    assert!(sandbox.run(&["check"]).faults().err.contains("was edited"));
}
