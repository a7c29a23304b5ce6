use crate::sandbox::{PAYMENTS, Sandbox};

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
    assert!(sandbox.run(&["stubs"]).faults().err.contains("mapper.rs is no Rust that could be read"));
    assert!(sandbox.run(&["generate"]).well().out.contains("mapper.rs is no Rust that could be read"));
}

const LIST_BINS: &str = "paths:\n  /bins: {get: {operationId: listBins, responses: {\"200\": {description: ok, content: {application/json: {schema: {type: array, items: {type: object, properties: {name: {type: string}}}}}}}}}}\n";

#[test]
fn marked_places_are_added_to_and_the_rest_stays_byte_for_byte() {
    let sandbox = Sandbox::project();
    sandbox.run(&["generate"]).well();
    sandbox.replace("specs/stock.yaml", "paths:\n", LIST_BINS);
    sandbox.run(&["generate"]).well();
    let (mapper, domain) = ("src/integrations/stock/mapper.rs", "src/integrations/stock/domain.rs");
    let unmarked = sandbox.run(&["stubs", "--insert", "--system", "stock"]).faults();
    assert!(unmarked.err.contains("put the line `// cofferdam: mappings` into a Rust file below"), "{}", unmarked.err);

    let marked = format!("{}\n// Ours, above.\n// cofferdam: mappings\n\n// Ours, below.\n", sandbox.read(mapper));
    sandbox.write(mapper, &marked);
    let half = sandbox.run(&["stubs", "--insert", "--system", "stock"]).faults();
    assert!(half.err.contains("put the line `// cofferdam: types`"), "{}", half.err);
    assert_eq!(sandbox.read(mapper), marked, "nothing is done by halves");

    sandbox.write(domain, &format!("{}\n// cofferdam: types\n", sandbox.read(domain)));
    sandbox.run(&["stubs", "--insert", "--system", "stock"]).well();
    let after = sandbox.read(mapper);
    let (before_mark, after_mark) = marked.split_at(marked.find("// cofferdam").unwrap());
    assert!(after.starts_with(before_mark) && after.ends_with(after_mark), "{after}");
    assert!(after.contains("impl Mapping<operations::ListBins> for StockMapping {"), "{after}");
    assert!(sandbox.read(domain).contains("pub struct ListBinsOkItem {"));
    let again = sandbox.run(&["stubs", "--insert"]).well();
    assert!(again.err.contains("stock: everything is mapped"), "{}", again.err);
    assert_eq!(sandbox.read(mapper), after);
}

#[test]
fn what_is_not_needed_any_more_is_listed_and_left_alone() {
    let sandbox = Sandbox::project();
    sandbox.run(&["generate"]).well();
    let mapper = sandbox.read("src/integrations/payments/mapper.rs");
    let (head, tail) = PAYMENTS.split_once("    delete:\n").unwrap();
    let (_, components) = tail.split_once("components:\n").unwrap();
    sandbox.write("specs/payments.yaml", &format!("{head}components:\n{components}"));
    sandbox.run(&["generate"]).well();
    let err = sandbox.run(&["stubs", "--system", "payments"]).well().err;
    assert!(err.contains("payments: `Mapping<operations::CancelPayment>` in "), "{err}");
    assert!(err.contains("payments: `cancel_payment_command_to_wire` in "), "{err}");
    assert_eq!(err.matches("is not needed any more").count(), 2, "{err}");
    assert_eq!(sandbox.read("src/integrations/payments/mapper.rs"), mapper);
}
