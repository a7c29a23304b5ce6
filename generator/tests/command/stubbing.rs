use crate::sandbox::Sandbox;

#[test]
fn what_is_missing_is_printed_and_nothing_else() {
    let sandbox = Sandbox::project();
    sandbox.run(&["generate"]).well();
    let ended = sandbox.run(&["stubs"]).well();
    assert_eq!(ended.out, "");
    assert!(ended.err.contains("payments: everything is mapped"), "{}", ended.err);

    sandbox.replace("specs/stock.yaml", "paths:\n", "paths:\n  /bins: {get: {operationId: listBins, responses: {\"200\": {description: ok, content: {application/json: {schema: {type: array, items: {type: object, properties: {name: {type: string}}}}}}}}}}\n");
    sandbox.run(&["generate"]).well();
    let ended = sandbox.run(&["stubs", "--system", "stock"]).well();
    assert!(ended.out.contains("impl Mapping<operations::ListBins> for StockMapping {"), "{}", ended.out);
    assert!(ended.out.contains("pub struct ListBinsOkItem {"), "{}", ended.out);
    assert!(!ended.out.contains("operations::Level>"), "{}", ended.out);
}

#[test]
fn new_file_is_written_once() {
    let sandbox = Sandbox::project();
    sandbox.run(&["generate"]).well();
    let mapper = "src/integrations/stock/mapper.rs";
    let text = sandbox.read(mapper);
    let (head, _) = text.split_once("// `GET /level`").unwrap();
    sandbox.write(mapper, head);
    let write = ["stubs", "--system", "stock", "--write", "src/integrations/stock/more.rs"];
    sandbox.run(&write).well();
    let more = sandbox.read("src/integrations/stock/more.rs");
    assert!(more.contains("use super::mapper::StockMapping;\n"), "{more}");
    assert!(more.contains("impl Mapping<operations::Level> for StockMapping {"), "{more}");
    assert_eq!(sandbox.read(mapper), head);
    assert!(sandbox.run(&["stubs"]).well().out.is_empty(), "the new file is read too");
    sandbox.write("src/integrations/stock/more.rs", "// mine\n");
    assert!(sandbox.run(&write).faults().err.contains("is there already"));
    assert_eq!(sandbox.read("src/integrations/stock/more.rs"), "// mine\n");
}

#[test]
fn mapper_that_is_no_rust_is_told_instead_of_guessed_at() {
    let sandbox = Sandbox::project();
    sandbox.run(&["generate"]).well();
    sandbox.write("src/integrations/stock/mapper.rs", "impl Mapping<Level for\n");
    assert!(sandbox.run(&["stubs"]).faults().err.contains("mapper.rs: error[CD-STUB-UNREADABLE]: this is no Rust"));
    assert!(
        sandbox
            .run(&["generate"])
            .well()
            .err
            .contains("mapper.rs: warning[CD-STUB-UNREADABLE]: this is no Rust that could be read")
    );
}
