use super::*;
use std::path::Path;

use crate::diagnose::{Location, Report, Severity};
use crate::model::{
    Body, Content, ContentKind, Docs, Extra, Field, IntWidth, NameSource, Origin, Parameter, ParameterPlace,
    PathTemplate, SchemaDef, SchemaKind, Style, TextFormat, Type, TypeUse,
};
use crate::project::{Declared, DeclaredKey, DeclaredKind, OperationDeclaration, System};

fn text() -> TypeUse {
    TypeUse { ty: Type::Text(TextFormat::Plain), nullable: false }
}

fn parameter(place: ParameterPlace, name: &str, required: bool) -> Parameter {
    Parameter {
        name: name.to_owned(),
        place,
        required,
        ty: text(),
        style: Style::Simple,
        explode: false,
        allow_reserved: false,
        content: None,
        docs: Docs::default(),
        default: None,
        origin: Origin::default(),
    }
}

fn operation(id: &str, method: &str, path: &str) -> Operation {
    Operation {
        id: id.to_owned(),
        id_derived: false,
        method: method.to_owned(),
        path: PathTemplate { raw: path.to_owned(), segments: Vec::new() },
        tags: Vec::new(),
        docs: Docs::default(),
        parameters: Vec::new(),
        body: None,
        responses: Vec::new(),
        security: None,
        servers: Vec::new(),
        origin: Origin::default(),
    }
}

fn with(mut operation: Operation, parameter: Parameter) -> Operation {
    operation.parameters.push(parameter);
    operation
}

fn api(operations: Vec<Operation>) -> Api {
    Api { operations, ..Api::default() }
}

fn system() -> System {
    let mut report = Report::default();
    System::single("wallet", Path::new("wallet.yaml"), Path::new("out"), &mut report).expect("a name")
}

fn declared<T>(value: T) -> Declared<T> {
    Declared { value, at: Location::default() }
}

fn declare(operation: &str, kind: Option<DeclaredKind>, key: Option<DeclaredKey>, reason: Option<&str>) -> System {
    let declaration = OperationDeclaration {
        id: operation.to_owned(),
        at: Location::default(),
        kind: kind.map(declared),
        key: key.map(declared),
        reason: reason.map(|reason| declared(reason.to_owned())),
        pages: None,
    };
    System { operations: vec![declaration], ..system() }
}

fn body_key(path: &str) -> DeclaredKey {
    DeclaredKey::Body(path.split('.').map(str::to_owned).collect())
}

fn plan(api: &Api, system: &System) -> Result<Vec<PlannedOperation>, Report> {
    let mut report = Report::default();
    choose_operations(api, system, &mut report).ok_or(report)
}

fn only(api: &Api, system: &System) -> PlannedOperation {
    let planned = plan(api, system).unwrap_or_else(|report| panic!("{:?}", report.diagnostics()));
    assert_eq!(planned.len(), 1);
    planned.into_iter().next().expect("one")
}

/// The one error of a plan: its message and help.
fn fault(api: &Api, system: &System) -> (String, String) {
    let report = plan(api, system).expect_err("a plan that must fail");
    let errors: Vec<_> = report.diagnostics().iter().filter(|d| d.severity == Severity::Error).collect();
    assert_eq!(errors.len(), 1, "{errors:?}");
    (errors[0].message.clone(), errors[0].help.clone().unwrap_or_default())
}

/// `charge`: a POST with a form `{order: {number, note?}, amount, comment?}`.
fn api_with_body() -> Api {
    let field = |wire: &str, ty: Type, required: bool| Field {
        wire: wire.to_owned(),
        ty: TypeUse { ty, nullable: false },
        required,
        read_only: false,
        write_only: false,
        docs: Docs::default(),
        default: None,
        origin: Origin::default(),
    };
    let object = |id: u32, name: &str, fields: Vec<Field>| SchemaDef {
        id: SchemaId(id),
        origin: Origin::default(),
        name: NameSource::Component(name.to_owned()),
        docs: Docs::default(),
        kind: SchemaKind::Object { fields, extra: Extra::Ignored },
        nullable: false,
    };
    let plain = || Type::Text(TextFormat::Plain);
    let form = object(
        0,
        "Form",
        vec![
            field("order", Type::Named(SchemaId(1)), true),
            field("amount", Type::Int(IntWidth::I64), true),
            field("comment", plain(), false),
            field("tags", Type::Array(Box::new(text())), true),
        ],
    );
    let order = object(1, "Order", vec![field("number", plain(), true), field("note", plain(), false)]);
    let mut charge = operation("charge", "POST", "/charge");
    charge.body = Some(Body {
        required: true,
        contents: vec![Content {
            media_type: "application/json".to_owned(),
            kind: ContentKind::Json,
            ty: TypeUse { ty: Type::Named(SchemaId(0)), nullable: false },
            encoding: indexmap::IndexMap::new(),
        }],
        docs: Docs::default(),
        origin: Origin::default(),
    });
    Api { operations: vec![charge], schemas: vec![form, order], ..Api::default() }
}

mod kinds {
    use super::*;

    #[test]
    fn r_res_re_1_safe_methods_are_reads() {
        for method in ["GET", "HEAD", "OPTIONS", "QUERY"] {
            let planned = only(&api(vec![operation("a", method, "/a")]), &system());
            assert_eq!(planned.kind, OperationKind::Read, "{method}");
            assert!(planned.reason.contains(method), "{}", planned.reason);
        }
    }

    #[test]
    fn r_res_re_x1_writes_without_a_key_are_sent_once_put_and_delete_too() {
        for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE", "LINK"] {
            let planned = only(&api(vec![operation("a", method, "/a")]), &system());
            assert_eq!(planned.kind, OperationKind::Once, "{method}");
            assert_eq!(planned.key, None);
        }
    }

    #[test]
    fn r_res_re_1_documented_key_headers_make_a_write_keyed_whatever_their_case() {
        for name in ["Idempotency-Key", "idempotency-key", "X-IDEMPOTENCY-KEY", "Idempotence-Key", "PayPal-Request-Id"]
        {
            let charge = with(operation("a", "POST", "/a"), parameter(ParameterPlace::Header, name, true));
            let planned = only(&api(vec![charge]), &system());
            assert_eq!(planned.kind, OperationKind::Keyed, "{name}");
            assert_eq!(planned.key, Some(KeyPlace::Header { name: name.to_owned(), required: true }));
        }
    }

    #[test]
    fn r_res_re_1_optional_key_says_that_a_call_without_it_is_sent_once() {
        let charge = with(operation("a", "POST", "/a"), parameter(ParameterPlace::Header, "Idempotency-Key", false));
        let planned = only(&api(vec![charge]), &system());
        assert_eq!(planned.kind, OperationKind::Keyed);
        assert!(planned.reason.ends_with("a call without one is sent once"), "{}", planned.reason);
    }

    #[test]
    fn r_res_re_x1_correlation_ids_and_keys_outside_headers_do_not_make_a_write_keyed() {
        for (place, name) in [
            (ParameterPlace::Header, "X-Request-Id"),
            (ParameterPlace::Header, "X-Correlation-Id"),
            (ParameterPlace::Query, "Idempotency-Key"),
            (ParameterPlace::Cookie, "Idempotency-Key"),
        ] {
            let charge = with(operation("a", "POST", "/a"), parameter(place, name, true));
            assert_eq!(only(&api(vec![charge]), &system()).kind, OperationKind::Once, "{name}");
        }
    }

    #[test]
    fn r_res_re_x1_key_header_that_is_no_scalar_does_not_count() {
        let mut list = parameter(ParameterPlace::Header, "Idempotency-Key", true);
        list.ty.ty = Type::Array(Box::new(text()));
        let charge = with(operation("a", "POST", "/a"), list);
        assert_eq!(only(&api(vec![charge]), &system()).kind, OperationKind::Once);
    }

    #[test]
    fn r_res_re_1_get_with_a_key_stays_a_read() {
        let get = with(operation("a", "GET", "/a"), parameter(ParameterPlace::Header, "Idempotency-Key", true));
        let planned = only(&api(vec![get]), &system());
        assert_eq!((planned.kind, planned.key), (OperationKind::Read, None));
    }
}

mod declarations {
    use super::*;

    #[test]
    fn r_res_re_1_get_with_side_effects_can_be_declared_once() {
        let api = api(vec![operation("a", "GET", "/a")]);
        let planned = only(&api, &declare("a", Some(DeclaredKind::Once), None, Some("it books a seat")));
        assert_eq!(planned.kind, OperationKind::Once);
        assert_eq!(planned.reason, "declared: it books a seat");
    }

    #[test]
    fn r_res_re_1_post_that_reads_needs_the_reason_in_writing() {
        let api = api(vec![operation("status", "POST", "/status")]);
        let planned = only(&api, &declare("status", Some(DeclaredKind::Read), None, Some("documented as a query")));
        assert_eq!(planned.kind, OperationKind::Read);
        assert_eq!(planned.reason, "declared: documented as a query");
        for reason in [None, Some(" ")] {
            let (message, help) = fault(&api, &declare("status", Some(DeclaredKind::Read), None, reason));
            assert!(message.contains("without a reason") && help.contains("reason ="), "{message} {help}");
        }
    }

    #[test]
    fn r_res_re_1_documented_key_can_be_declared_away() {
        let charge = with(operation("a", "POST", "/a"), parameter(ParameterPlace::Header, "Idempotency-Key", true));
        let planned = only(&api(vec![charge]), &declare("a", Some(DeclaredKind::Once), None, None));
        assert_eq!((planned.kind, planned.key), (OperationKind::Once, None));
    }

    #[test]
    fn r_res_re_1_kind_and_key_that_contradict_are_refused() {
        let api = api(vec![operation("a", "POST", "/a")]);
        let key = DeclaredKey::Header("Idempotency-Key".to_owned());
        for kind in [DeclaredKind::Read, DeclaredKind::Once] {
            let (message, _) = fault(&api, &declare("a", Some(kind), Some(key.clone()), Some("because")));
            assert!(message.contains("given an idempotency key"), "{message}");
        }
    }

    #[test]
    fn r_res_re_1_key_for_a_read_is_refused_and_not_ignored() {
        let api = api(vec![operation("a", "GET", "/a")]);
        let key = DeclaredKey::Header("Idempotency-Key".to_owned());
        assert!(fault(&api, &declare("a", None, Some(key), None)).0.contains("only reads"));
    }

    #[test]
    fn r_res_re_1_query_key_only_by_declaration() {
        let charge = with(operation("a", "POST", "/a"), parameter(ParameterPlace::Query, "requestId", true));
        let key = DeclaredKey::Query("requestId".to_owned());
        let planned = only(&api(vec![charge]), &declare("a", None, Some(key), None));
        assert_eq!(planned.key, Some(KeyPlace::Query { name: "requestId".to_owned(), required: true }));
    }

    #[test]
    fn r_res_re_1_header_key_is_found_in_any_case_a_slip_is_an_error_and_an_unknown_one_a_note() {
        let charge = with(operation("a", "POST", "/a"), parameter(ParameterPlace::Header, "X-Dedup-Token", true));
        let api = api(vec![charge]);
        let header = |name: &str| declare("a", None, Some(DeclaredKey::Header(name.to_owned())), None);
        let planned = only(&api, &header("x-dedup-token"));
        assert_eq!(planned.key, Some(KeyPlace::Header { name: "X-Dedup-Token".to_owned(), required: true }));
        assert_eq!(fault(&api, &header("X-Dedupe-Token")).1, "did you mean `X-Dedup-Token`?");

        let mut report = Report::default();
        let planned = choose_operations(&api, &header("Once-Only"), &mut report).expect("taken at their word");
        assert_eq!(planned[0].key, Some(KeyPlace::Header { name: "Once-Only".to_owned(), required: false }));
        assert_eq!(report.diagnostics()[0].severity, Severity::Note);
        assert!(fault(&api, &header("not a header")).0.contains("no header"));
    }

    #[test]
    fn r_res_re_1_body_key_is_a_path_of_properties() {
        let body = |path: &str| declare("charge", None, Some(super::body_key(path)), None);
        let planned = only(&api_with_body(), &body("order.number"));
        let path = vec!["order".to_owned(), "number".to_owned()];
        assert_eq!(planned.key, Some(KeyPlace::Body { path }));
        assert_eq!(planned.reason, "`order.number` in the body is its idempotency key, as declared");
        assert!(only(&api_with_body(), &body("comment")).reason.ends_with("without one is sent once"));
    }

    #[test]
    fn r_res_re_1_body_key_that_leads_nowhere_names_the_nearest_field() {
        let body = |path: &str| declare("charge", None, Some(super::body_key(path)), None);
        let api = api_with_body();
        assert_eq!(fault(&api, &body("order.numbr")).1, "did you mean `number`?");
        assert_eq!(fault(&api, &body("amount.x")).1, "`amount` is not an object with declared properties");
        assert_eq!(fault(&api, &body("tags")).1, "an idempotency key is a text or an integer");
        assert_eq!(fault(&api, &body("order")).1, "an idempotency key is a text or an integer");
        let bare = super::api(vec![operation("charge", "POST", "/charge")]);
        assert!(fault(&bare, &body("amount")).0.contains("no body"));
    }

    #[test]
    fn declaration_for_an_unknown_operation_names_the_nearest() {
        let api = api(vec![operation("registerOrder", "POST", "/a")]);
        let wishes = declare("registerOrdr", Some(DeclaredKind::Once), None, None);
        assert_eq!(fault(&api, &wishes).1, "did you mean `registerOrder`?");
    }

    #[test]
    fn operation_can_be_named_by_method_and_path_and_not_declared_twice() {
        let api = api(vec![operation("a", "POST", "/a/{id}")]);
        let mut wishes = declare("POST /a/{id}", Some(DeclaredKind::Once), None, None);
        assert!(only(&api, &wishes).reason.starts_with("declared"));
        wishes.operations.extend(declare("a", Some(DeclaredKind::Once), None, None).operations);
        assert!(fault(&api, &wishes).0.contains("twice"));
    }
}

mod selection {
    use super::*;

    fn shop() -> Api {
        let mut list = operation("listOrders", "GET", "/v1/orders");
        list.tags.push("orders".to_owned());
        let mut show = operation("showOrder", "GET", "/v1/orders/{id}");
        show.tags.push("orders".to_owned());
        let cancel = operation("cancelOrder", "DELETE", "/v1/orders/{id}");
        let ping = operation("ping", "GET", "/ping");
        api(vec![list, show, cancel, ping])
    }

    /// A system of a project file with this selection.
    fn selecting(select: &str) -> System {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("shop.yaml"), "openapi: 3.0.3\n").unwrap();
        let file = folder.path().join("cofferdam.toml");
        std::fs::write(&file, format!("[systems.shop]\nspec = \"shop.yaml\"\nselect = {select}\n")).unwrap();
        let mut report = Report::default();
        let project = crate::project::Project::load(&file, &mut report);
        project.unwrap_or_else(|| panic!("{:?}", report.diagnostics())).systems.remove(0)
    }

    fn chosen(select: &str) -> Result<Vec<usize>, Report> {
        plan(&shop(), &selecting(select)).map(|planned| planned.iter().map(|operation| operation.index).collect())
    }

    #[test]
    fn ids_tags_and_paths_add_up_in_document_order() {
        assert_eq!(chosen(r#"{ ids = ["ping", "listOrders"] }"#).unwrap(), [0, 3]);
        assert_eq!(chosen(r#"{ ids = ["DELETE /v1/orders/{id}"], tags = ["orders"] }"#).unwrap(), [0, 1, 2]);
        assert_eq!(chosen(r#"{ paths = ["/v1/**"], ids = ["ping"] }"#).unwrap(), [0, 1, 2, 3]);
        assert_eq!(plan(&shop(), &system()).unwrap().len(), 4);
    }

    #[test]
    fn wish_that_chooses_nothing_is_an_error_with_the_nearest_name() {
        let help = |outcome: Result<Vec<usize>, Report>| {
            let report = outcome.expect_err("an error");
            assert_eq!(report.diagnostics().len(), 1);
            let diagnostic = &report.diagnostics()[0];
            assert_eq!(diagnostic.location.as_ref().map(|location| location.line), Some(3));
            diagnostic.help.clone().unwrap_or_default()
        };
        assert_eq!(help(chosen(r#"{ ids = ["showOrdr"] }"#)), "did you mean `showOrder`?");
        assert_eq!(help(chosen(r#"{ tags = ["order"] }"#)), "did you mean `orders`?");
        assert_eq!(help(chosen(r#"{ paths = ["/v1/order"] }"#)), "did you mean `/v1/orders`?");
        assert!(help(chosen(r#"{ ids = ["strange"] }"#)).starts_with("there is `listOrders`, "));
    }

    #[test]
    fn every_wrong_wish_is_told_in_one_run() {
        let report = chosen(r#"{ ids = ["x1", "x2"], tags = ["x3"], paths = ["/x4"] }"#).expect_err("errors");
        assert_eq!(report.diagnostics().len(), 4);
    }

    #[test]
    fn declaration_of_an_operation_that_is_not_chosen_is_a_warning() {
        let mut system = declare("cancelOrder", Some(DeclaredKind::Once), None, None);
        system.select.ids.push(declared("ping".to_owned()));
        let mut report = Report::default();
        assert!(choose_operations(&shop(), &system, &mut report).is_some());
        assert_eq!(report.diagnostics()[0].severity, Severity::Warning);
    }
}
