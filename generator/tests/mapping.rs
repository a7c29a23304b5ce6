//! Type mappings that name nothing, cannot stand where they are named for, or are used by nothing.

#![allow(clippy::unwrap_used)] // a test that cannot go on should stop

use std::collections::BTreeSet;
use std::fs;

use cofferdam::diagnose::{Report, render};
use cofferdam::load::Sources;
use cofferdam::plan::Governed;
use cofferdam::project::Project;
use cofferdam::render::type_path;

const SPEC: &str = r##"openapi: 3.0.3
info: {title: Shop, version: "1"}
paths:
  /orders:
    get:
      operationId: listOrders
      parameters:
        - {name: since, in: query, schema: {type: string, format: date-time}}
      responses:
        "200": {description: all, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}
  /files:
    post:
      operationId: upload
      requestBody: {content: {multipart/form-data: {schema: {$ref: "#/components/schemas/Upload"}}}}
      responses: {"204": {description: done}}
components:
  schemas:
    Order:
      type: object
      properties:
        total: {$ref: "#/components/schemas/Money"}
        placed: {type: string, format: date-time}
        blob: {type: string, format: binary}
        weight: {type: integer, format: grams}
    Money: {type: object, properties: {minor: {type: integer}}}
    Upload: {type: object, properties: {name: {type: string}}}
"##;

/// Plans the document with these types; gives the plan, and what there was to say that is no note.
fn plan(types: &str, select: &str) -> (Option<cofferdam::Planned>, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("shop.yaml"), SPEC).unwrap();
    let file = folder.path().join("cofferdam.toml");
    fs::write(&file, format!("[systems.shop]\nspec = \"shop.yaml\"\n{select}\n[systems.shop.types]\n{types}")).unwrap();
    let mut report = Report::default();
    let project = Project::load(&file, &mut report);
    let (mut sources, mut planned) = (Sources::default(), None);
    if let Some(system) = project.as_ref().map(|project| &project.systems[0]) {
        planned = cofferdam::plan(system, &Governed::by(system.profile), &mut sources, &mut report);
    }
    let mut found = report.located(&sources);
    found.retain(|one| one.severity > cofferdam::diagnose::Severity::Note);
    let said = render(&found, |_| None).replace(&format!("{}/", folder.path().display()), "");
    (planned.filter(|_| !report.has_errors()), said)
}

fn said(types: &str) -> String {
    plan(types, "").1
}

#[test]
fn what_the_document_does_not_have_is_told_with_the_nearest_name() {
    assert_eq!(
        said("schemas = { Mony = \"crate::Money\" }"),
        "cofferdam.toml:5:20: error[CD-TYPE-MAPPING] systems.shop.types.schemas.Mony: \"Mony\": the document has no \
         component of this name\n  help: did you mean `Money`?\n"
    );
    let pointer = said("schemas = { \"/components/schemas/Mony\" = \"crate::Money\" }");
    assert!(pointer.contains("did you mean \"/components/schemas/Money\"?"), "{pointer}");
    let property = said("properties = { \"/components/schemas/Oder/properties/total\" = \"crate::Money\" }");
    assert!(property.contains("no property and no parameter there"), "{property}");
    assert!(property.contains("did you mean \"/components/schemas/Order/properties/total\"?"), "{property}");
}

#[test]
fn what_nothing_uses_is_told() {
    let format = said("formats = { gram = \"crate::Grams\" }");
    assert!(format.contains("\"gram\": nothing that is generated uses this mapping"), "{format}");
    let (_, left_out) = plan("schemas = { Money = \"crate::Money\" }", "select = { ids = [\"upload\"] }");
    assert!(left_out.contains("choose an operation that uses it"), "{left_out}");
    let inside = said("schemas = { Money = \"crate::Money\", Order = \"crate::Order\" }");
    assert!(inside.contains("\"Money\": nothing that is generated uses"), "only the mapped order used it: {inside}");
}

#[test]
fn what_cannot_stand_there_is_told() {
    let refused = [
        ("schemas = { Upload = \"crate::Upload\" }", "written part by part"),
        ("schemas = { Money = \"rust_decimal\" }", "a decimal stands for a number, or for text"),
        ("schemas = { Money = \"time\" }", "which type of `time` is meant is not clear"),
        ("properties.\"/components/schemas/Order/properties/blob\" = \"crate::Blob\"", "raw bytes travel as they are"),
        ("properties.\"/components/schemas/Order/properties/weight\" = \"jiff\"", "which type of `jiff` is meant"),
    ];
    for (types, message) in refused {
        assert!(said(types).contains(message), "{types}: {}", said(types));
    }
}

#[test]
fn the_more_special_mapping_goes_before_and_features_are_gathered() {
    let types = "formats = { date-time = \"time\", grams = \"u32\" }\n\
                 properties.\"/components/schemas/Order/properties/placed\" = \"jiff\"\n\
                 properties.\"#/paths/~1orders/get/parameters/0/schema\" = \"chrono::DateTime<chrono::Utc>\"";
    // Every date-time has a mapping of its own, so that of the format is not used.
    assert!(said(types).contains("\"date-time\": nothing that is generated uses this mapping"), "{}", said(types));

    let (planned, said) = plan(&types.replace("date-time = \"time\", ", ""), "");
    assert_eq!(said, "");
    let plan = planned.unwrap().plan;
    assert_eq!(plan.features, BTreeSet::from(["jiff"]));
    let parameter = &plan.api.operations[0].parameters[0];
    let utc = "::cofferdam_runtime::mapped::chrono::DateTime<::cofferdam_runtime::mapped::chrono::Utc>";
    assert_eq!(type_path(&plan, &parameter.ty), utc);
}

#[test]
fn a_mapped_schema_is_generated_no_more() {
    let (planned, said) = plan("schemas = { Money = \"crate::Money\" }", "");
    assert_eq!(said, "");
    let plan = planned.unwrap().plan;
    let named = plan.given_names(|_| "");
    assert!(named.contains_key("/components/schemas/Order") && !named.contains_key("/components/schemas/Money"));
}

#[test]
fn derives_and_attributes_are_added_by_name_pointer_and_pattern() {
    let types = "[systems.shop.types.extra]\n\
                 Money = { derive = [\"Hash\", \"schemars::JsonSchema\", \"Debug\"] }\n\
                 \"O*er\" = { attributes = [\"#[non_exhaustive]\"] }\n\
                 \"*\" = { derive = [\"schemars::JsonSchema\"] }\n\
                 \"/components/schemas/Order\" = { attributes = [\"#[schemars(rename = \\\"order\\\")]\"] }";
    let (planned, said) = plan(types, "");
    assert_eq!(said, "");
    let text = types_of(&planned.unwrap());
    let money =
        "#[derive(Hash, ::schemars::JsonSchema)]\n#[derive(Debug, Clone, PartialEq, Default)]\npub struct Money {";
    assert!(text.contains(money), "{text}");
    let order = "#[derive(::schemars::JsonSchema)]\n#[non_exhaustive]\n#[schemars(rename = \"order\")]\n\
                 #[derive(Debug, Clone, PartialEq, Default)]\npub struct Order {";
    assert!(text.contains(order), "{text}");
}

fn types_of(planned: &cofferdam::Planned) -> String {
    let layout = cofferdam::output::Layout::Module { with_stubs: false };
    let mut report = Report::default();
    let tree = cofferdam::generate(planned, &layout, std::path::Path::new("."), "x", &mut report).unwrap();
    tree.iter()
        .find(|(path, _)| path.ends_with("types.rs"))
        .and_then(|(_, body)| body.text.as_deref().map(str::to_owned))
        .unwrap()
}

#[test]
fn additions_to_what_is_not_generated_are_told() {
    let nothing = said("extra.Mony = { derive = [\"Hash\"] }");
    assert!(
        nothing.contains("no schema whose type is generated has this name") && nothing.contains("`Money`?"),
        "{nothing}"
    );
    let pattern = said("extra.\"Zoo*\" = { derive = [\"Hash\"] }");
    assert!(pattern.contains("\"Zoo*\": no schema whose type is generated"), "{pattern}");
    let mapped = said("extra.Money = { derive = [\"Hash\"] }\nschemas.Money = \"crate::Money\"");
    assert!(mapped.contains("\"Money\": no schema whose type is generated"), "{mapped}");
}
