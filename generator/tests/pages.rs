//! Pages declared in a project file, held against the document.

#![allow(clippy::unwrap_used, reason = "in a test it is an assertion")]

use std::fs;

use cofferdam::diagnose::{Report, Severity};
use cofferdam::load::Sources;
use cofferdam::lower::{LowerOptions, lower};
use cofferdam::plan::{PageNext, PagePlan, PageSize, PlannedOperation, choose_operations};
use cofferdam::project::Project;

const DOCUMENT: &str = r##"
openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders:
    get:
      operationId: list
      parameters:
        - { name: cursor, in: query, schema: { type: string } }
        - { name: page, in: query, schema: { type: integer } }
        - { name: page_size, in: query, schema: { type: integer } }
        - { name: tenant, in: header, schema: { type: string } }
      responses:
        "200":
          description: A page.
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Page" }
    post:
      operationId: create
      responses: { "200": { description: Made. } }
  /names:
    get:
      operationId: names
      parameters:
        - { name: page, in: query, schema: { type: integer } }
      responses:
        "200":
          description: A page.
          content:
            application/json:
              schema: { type: array, items: { type: string } }
  /log:
    get:
      operationId: log
      responses:
        "200":
          description: Lines.
          content:
            application/jsonl: {}
  /text:
    get:
      operationId: text
      responses:
        "200":
          description: Text.
          content:
            text/plain: {}
components:
  schemas:
    Page:
      oneOf:
        - { $ref: "#/components/schemas/Orders" }
        - type: object
          required: [kind]
          properties: { kind: { type: string }, more: { type: string } }
    Orders:
      type: object
      required: [orders]
      properties:
        orders: { type: array, items: {} }
        others: { type: array, items: {} }
        is_last: { type: boolean }
        next_cursor: { type: [string, "null"] }
        meta: { type: object, additionalProperties: { type: string } }
        raw: {}
"##;

/// The plan of an operation whose pages are declared so, or the errors.
fn planned(operation: &str, pages: &str) -> Result<PagePlan, Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("shop.yaml"), DOCUMENT).unwrap();
    let project = format!("[systems.shop]\nspec = \"shop.yaml\"\noperations.{operation}.pages = {pages}\n");
    fs::write(folder.path().join("cofferdam.toml"), project).unwrap();
    let mut report = Report::default();
    let project = Project::load(&folder.path().join("cofferdam.toml"), &mut report);
    let project = project.unwrap_or_else(|| panic!("{:?}", report.diagnostics()));
    let system = &project.systems[0];
    let mut sources = Sources::open_root(&system.spec.value, &mut report).unwrap();
    let api = lower(&mut sources, &LowerOptions::of(system), &mut report).unwrap();
    let chosen = choose_operations(&api, system, &mut report);
    let errors = report.diagnostics().iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let errors: Vec<String> = errors
        .map(|error| {
            assert_eq!(error.location.as_ref().map(|location| location.line), Some(3), "{error:?}");
            format!("{} ({})", error.message, error.help.clone().unwrap_or_default())
        })
        .collect();
    match chosen {
        Some(operations) => {
            assert!(errors.is_empty(), "{errors:?}");
            let with_pages = |planned: PlannedOperation| planned.pages;
            Ok(operations.into_iter().find_map(with_pages).unwrap())
        }
        None => Err(errors),
    }
}

fn steps(path: &str) -> Vec<String> {
    path.split('.').map(str::to_owned).collect()
}

#[test]
fn what_the_document_has_is_taken() {
    let next = |pages: &str| planned("list", pages).unwrap().next;
    let cursor = |from: &str| PageNext::Cursor { from: steps(from), to: "cursor".to_owned() };
    for from in ["next_cursor", "meta.anything", "raw.not.known", "more"] {
        assert_eq!(next(&format!("{{ cursor = {{ from = {from:?}, to = \"cursor\" }} }}")), cursor(from));
    }
    assert_eq!(next("{ link = \"next_cursor\" }"), PageNext::LinkField { from: steps("next_cursor") });
    assert_eq!(planned("text", "{ link = true }"), Ok(PagePlan { next: PageNext::LinkHeader, items: None }));
    let numbered = |size| PageNext::Number { parameter: "page".to_owned(), first: 1, size };
    let by_size = PageSize::Parameter("page_size".to_owned());
    assert_eq!(
        planned("list", "{ page = { parameter = \"page\", size = \"page_size\" }, items = \"orders\" }"),
        Ok(PagePlan { next: numbered(by_size), items: Some(steps("orders")) })
    );
    let unknown = PagePlan { next: numbered(PageSize::Unknown), items: Some(Vec::new()) };
    assert_eq!(planned("names", "{ page = { parameter = \"page\" } }"), Ok(unknown), "the reply is the list");
}

#[test]
fn what_it_does_not_have_is_an_error_with_the_nearest_name() {
    for (operation, pages, error) in [
        (
            "list",
            "{ cursor = { from = \"next_cursr\", to = \"curser\" } }",
            "`next_cursr` is not a field of the reply of `list` (did you mean `next_cursor`?)\n\
             `list` has no query parameter `curser` (did you mean `cursor`?)",
        ),
        (
            "list",
            "{ cursor = { from = \"orders\", to = \"tenant\" } }",
            "`orders` in the reply of `list` cannot be that: a cursor is a text or a number ()\n\
             `list` has no query parameter `tenant` (there is `cursor`, `page`, `page_size`)",
        ),
        (
            "list",
            "{ cursor = { from = \"is_last.x\", to = \"cursor\" } }",
            "`is_last.x` is not a field of the reply of `list` (what `x` would be in is no object)",
        ),
        (
            "list",
            "{ page = { parameter = \"page\", size = \"pagesize\" }, items = \"order\" }",
            "`order` is not a field of the reply of `list` (did you mean `orders`?)\n\
             `list` has no query parameter `pagesize` (did you mean `page_size`?)",
        ),
        (
            "list",
            "{ link = true, items = \"next_cursor\" }",
            "`next_cursor` in the reply of `list` cannot be that: items are a list ()",
        ),
        (
            "create",
            "{ link = true }",
            "`create` is no read: fetching its pages would do again what it does (declare `kind = \"read\"` with its \
             reason if it changes nothing, or take `pages` out)",
        ),
        ("log", "{ link = true }", "`log` answers item by item: it has no pages (take `pages` out)"),
        (
            "text",
            "{ link = \"next\" }",
            "`text` documents no reply in JSON that could say where the next page is (only `link = true` needs none)",
        ),
    ] {
        assert_eq!(planned(operation, pages).unwrap_err().join("\n"), error, "{operation}: {pages}");
    }
}
