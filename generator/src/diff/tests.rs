use std::collections::BTreeMap;

use super::*;
use crate::load::Sources;
use crate::plan::Governed;
use crate::project::System;

fn planned(text: &str, folder: &std::path::Path) -> Planned {
    let file = folder.join("api.yaml");
    std::fs::write(&file, text).unwrap();
    let mut report = Report::default();
    let system = System::single("shop", &file, folder, &mut report).unwrap();
    let governed = Governed::by(system.profile);
    let planned = crate::plan_after(&system, &governed, &BTreeMap::new(), &mut Sources::default(), &mut report);
    planned.unwrap_or_else(|| panic!("{:?}", report.diagnostics()))
}

/// The changes between a document and its edited form, as `impact code subject`.
fn changes(text: &str, edits: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let new = edits.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    });
    let (old, new) = (planned(text, folder.path()), planned(&new, folder.path()));
    let diff = compare(&old, &new, &mut Report::default()).unwrap();
    let line = |change: &Change| format!("{:?} {} {}", change.impact, change.code, change.subject).to_lowercase();
    diff.changes.iter().map(line).collect()
}

const SHOP: &str = r##"openapi: 3.0.3
info: {title: Shop, version: "1"}
security: [{key: []}]
paths:
  /orders:
    get:
      operationId: listOrders
      parameters: [{name: page-size, in: query, schema: {type: integer}}]
      responses: {"200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Order"}}}}}}
    post:
      operationId: order
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/NewOrder"}}}}
      responses: {"201": {description: ok}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas:
    NewOrder: {type: object, required: [sku], properties: {sku: {type: string}, note: {type: string, nullable: true}}}
    Order: {type: object, required: [id, state], properties: {id: {type: string}, state: {type: string, enum: [open, sent]}, total: {type: integer, format: int32}}}
"##;

#[test]
fn what_requests_gain_and_replies_lose_is_breaking_and_the_other_way_round_it_is_not() {
    let required = changes(SHOP, &[("required: [sku]", "required: [sku, note]")]);
    assert_eq!(required, ["breaking field-presence-changed neworder"]);
    let missing = changes(SHOP, &[("required: [id, state]", "required: [id]")]);
    assert_eq!(missing, ["breaking field-presence-changed order"]);
    let freed = changes(SHOP, &[("required: [sku]", "required: []")]);
    assert_eq!(freed, ["mapper field-presence-changed neworder"]);
    let gained = changes(SHOP, &[("total: {", "paid: {type: boolean}, total: {")]);
    assert_eq!(gained, ["mapper field-added order"]);
    let lost = changes(SHOP, &[(", total: {type: integer, format: int32}", "")]);
    assert_eq!(lost, ["mapper field-removed order"]);
    let wider = changes(SHOP, &[("format: int32", "format: int64")]);
    assert_eq!(wider, ["breaking field-type-changed order"]);
}

#[test]
fn values_of_a_reply_are_open_and_those_of_a_request_are_not() {
    let more = changes(SHOP, &[("enum: [open, sent]", "enum: [open, sent, lost]")]);
    assert_eq!(more, ["mapper variant-added orderstate"]);
    let fewer = changes(SHOP, &[("enum: [open, sent]", "enum: [open]")]);
    assert_eq!(fewer, ["mapper variant-removed orderstate"]);
}

#[test]
fn what_compiles_and_is_not_understood_is_told() {
    assert_eq!(changes(SHOP, &[("page-size", "page_size")]), ["breaking wire-name-changed listorders"]);
    assert_eq!(changes(SHOP, &[("[open, sent]", "[OPEN, sent]")]), ["breaking wire-name-changed orderstate"]);
    assert_eq!(changes(SHOP, &[("\"201\"", "\"200\"")]), ["breaking status-changed order"]);
    assert_eq!(changes(SHOP, &[("name: X-Key", "name: X-Token")]), ["breaking credential-changed key"]);
    assert_eq!(
        changes(SHOP, &[("security: [{key: []}]", "security: [{}]")]),
        ["compatible security-changed listorders", "compatible security-changed order"]
    );
    assert_eq!(
        changes(SHOP, &[("  /orders:", "  /v2/orders:")]),
        ["breaking place-changed listorders", "breaking place-changed order"]
    );
    let form = changes(
        SHOP,
        &[(
            "requestBody: {required: true, content: {application/json",
            "requestBody: {required: true, content: {application/x-www-form-urlencoded",
        )],
    );
    assert_eq!(form, ["breaking media-type-removed order", "compatible media-type-added order"]);
}

#[test]
fn an_operation_without_an_id_that_begins_to_write_is_the_same_operation() {
    let text = SHOP
        .replace("      operationId: listOrders\n", "")
        .replace("    post:\n      operationId: order\n", "    put:\n      operationId: order\n");
    let found = changes(&text, &[("    get:\n", "    post:\n")]);
    assert_eq!(found[0], "protection kind-changed post /orders");
    assert!(found.contains(&"breaking place-changed post /orders".to_owned()), "{found:?}");
}

#[test]
fn a_type_with_another_name_is_renamed_and_not_gone() {
    let found = changes(SHOP, &[("    Order:", "    Purchase:"), ("schemas/Order\"", "schemas/Purchase\"")]);
    assert_eq!(found, ["mapper type-renamed purchase", "mapper type-renamed purchasestate"]);
}

#[test]
fn what_a_document_says_stays_one_line() {
    let text = SHOP.replace("operationId: order\n", "operationId: \"or\\u202eder\\n!\"\n");
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (planned(SHOP, folder.path()), planned(&text, folder.path()));
    let diff = compare(&old, &new, &mut Report::default()).unwrap();
    assert!(diff.changes.iter().any(|change| change.message.contains("or\\u{202e}der\\u{a}!")), "{diff:#?}");
    assert!(!super::text(&[diff]).contains('\u{202e}'));
}
