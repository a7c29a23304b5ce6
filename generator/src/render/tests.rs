//! What small models come out as. Each snapshot is the text of whole modules.

use std::collections::BTreeMap;

use crate::analyse::analyse;
use crate::diagnose::Report;
use crate::format;
use crate::model::testing::{
    alias, any, api, array, component, field, map, named, object, operation, origin, plain, text, text_enum, union,
};
use crate::model::{
    Api, ApiKeyPlace, Body, Branch, Content, ContentKind, Discriminator, Docs, EnumValue, Extra, Field, FloatWidth,
    Header, IntWidth, Parameter, ParameterPlace, PathSegment, PathTemplate, Requirement, Response, SchemaDef,
    SchemaKind, SecurityKind, SecurityScheme, Server, ServerVariable, Status, Style, TextFormat, Type, TypeUse,
    UnionKind,
};
use crate::plan::{KeyPlace, OperationKind, PlannedOperation, SystemPlan};

fn plan(api: Api, keys: &[(usize, KeyPlace)]) -> SystemPlan {
    let selected: Vec<usize> = (0..api.operations.len()).collect();
    let analysis = analyse(&api, &selected, &mut Report::default());
    let operations = selected
        .iter()
        .map(|index| {
            let key = keys.iter().find(|(keyed, _)| keyed == index).map(|(_, key)| key.clone());
            let is_read = api.operations[*index].method == "GET";
            let kind = match (is_read, &key) {
                (true, _) => OperationKind::Read,
                (false, Some(_)) => OperationKind::Keyed,
                (false, None) => OperationKind::Once,
            };
            PlannedOperation { index: *index, kind, reason: "because".to_owned(), key, pages: None }
        })
        .collect();
    SystemPlan {
        system: "test".to_owned(),
        type_prefix: "Test".to_owned(),
        document: "test.yaml".to_owned(),
        names: analysis.names,
        operations,
        reached: analysis.reached,
        boxed: analysis.boxed,
        newtypes: analysis.newtypes,
        implied: analysis.implied,
        directions: analysis.directions,
        features: std::collections::BTreeSet::new(),
        extras: BTreeMap::new(),
        gates: None,
        dependencies: Vec::new(),
        api,
    }
}

/// The texts of the modules, by name.
fn texts(plan: &SystemPlan) -> BTreeMap<String, String> {
    let mut report = Report::default();
    let modules = super::modules(plan, &mut report);
    let texts = format::print_all(plan, &modules, &mut report).unwrap_or_default();
    assert!(!report.has_errors(), "{:?}", report.diagnostics());
    if let Ok(folder) = std::env::var("EMIT_OUT") {
        for (module, text) in modules.iter().zip(&texts) {
            let path = std::path::Path::new(&folder).join(module.file());
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
    }
    modules.iter().map(|module| module.path.join("::")).zip(texts).collect()
}

/// A module without what every module has: the header, the lints, the runtime.
fn module(plan: &SystemPlan, name: &str) -> String {
    let text = texts(plan).remove(name).unwrap_or_default();
    let start = text.find("use ::").unwrap_or_default();
    text[start..].to_owned()
}

fn types_of(schemas: Vec<SchemaDef>) -> String {
    module(&plan(api(schemas), &[]), "types")
}

fn required(field: Field) -> Field {
    Field { required: true, ..field }
}

fn nullable(ty: TypeUse) -> TypeUse {
    TypeUse { nullable: true, ..ty }
}

fn integer() -> TypeUse {
    plain(Type::Int(IntWidth::I64))
}

fn struct_of(name: &str, fields: Vec<Field>, extra: Extra) -> SchemaDef {
    component(name, SchemaKind::Object { fields, extra })
}

#[test]
fn the_four_forms_of_a_field() {
    let profile = struct_of(
        "ProfilePatch",
        vec![
            required(field("revision", integer())),
            required(field("owner", nullable(text()))),
            field("nickname", text()),
            Field {
                docs: Docs { description: Some("Three states.".to_owned()), ..Docs::default() },
                default: Some("`a`".into()),
                ..field("avatar", nullable(text()))
            },
            field("tags", nullable(array(nullable(text())))),
        ],
        Extra::Kept(integer()),
    );
    insta::assert_snapshot!(types_of(vec![profile]));
}

#[test]
fn formats_aliases_and_constants() {
    let formats = [TextFormat::DateTime, TextFormat::Date, TextFormat::Uuid, TextFormat::Uri, TextFormat::Base64];
    let fields = formats.map(|format| field(&format!("{format:?}"), plain(Type::Text(format))));
    let schemas = vec![
        struct_of("F", fields.to_vec(), Extra::Ignored),
        alias("Names", array(text())),
        alias("Matrix", array(named(2))),
        alias("Loose", map(any())),
        component("Kind", SchemaKind::Const("parcel".into())),
        component("Seven", SchemaKind::Const(7.into())),
        component("Bare", SchemaKind::Const(serde_json::json!({}))),
        component("Pair", SchemaKind::Const(serde_json::json!({"a": [true, null, 1.5]}))),
        struct_of("Nothing", vec![], Extra::Ignored),
        alias("Raw", plain(Type::Binary)),
        alias("Ratio", plain(Type::Float(FloatWidth::F64))),
        alias("Long", plain(Type::Tuple(vec![integer(); 13]))),
        alias("Point", plain(Type::Tuple(vec![integer(), nullable(text())]))),
    ];
    insta::assert_snapshot!(types_of(schemas));
}

#[test]
fn enums_of_text_and_of_integers() {
    let value = |value: i128, name: &str| EnumValue { value, name: Some(name.to_owned()), description: None };
    let schemas = vec![
        text_enum("Operator", &["", ">=", "a", "A", "Unknown"]),
        component("Level", SchemaKind::IntEnum(vec![value(-1, "Off"), value(10, "Top")])),
    ];
    insta::assert_snapshot!(types_of(schemas));
}

fn branch(id: u32, tags: &[&str]) -> Branch {
    Branch { ty: named(id), name: None, tags: tags.iter().map(|tag| (*tag).to_owned()).collect() }
}

#[test]
fn a_union_with_a_discriminator() {
    let number = plain(Type::Float(FloatWidth::F64));
    let schemas = vec![
        component(
            "Shape",
            SchemaKind::Union {
                kind: UnionKind::OneOf,
                branches: vec![branch(1, &["disc"]), branch(2, &["slab", "plank"])],
                discriminator: Some(Discriminator { property: "shapeKind".to_owned(), default: None }),
            },
        ),
        struct_of(
            "Disc",
            vec![required(field("shapeKind", text())), required(field("radius", number))],
            Extra::Ignored,
        ),
        struct_of("Slab", vec![required(field("shapeKind", named(3))), field("inner", named(0))], Extra::Ignored),
        text_enum("SlabKind", &["slab", "plank"]),
    ];
    insta::assert_snapshot!(types_of(schemas));
}

#[test]
fn a_union_with_a_default_branch_that_is_a_union_by_the_same_property() {
    let tagged = |name: &str, branches: Vec<Branch>, default| {
        let discriminator = Some(Discriminator { property: "kind".to_owned(), default });
        component(name, SchemaKind::Union { kind: UnionKind::OneOf, branches, discriminator })
    };
    let schemas = vec![
        tagged("Pet", vec![branch(1, &[]), branch(2, &["fish"])], None),
        tagged("Cat", vec![branch(3, &["lion"]), branch(4, &["base"])], Some(1)),
        object("Fish", vec![]),
        object("Lion", vec![]),
        object("Base", vec![("kind", text())]),
    ];
    insta::assert_snapshot!(types_of(schemas));
}

#[test]
fn unions_told_apart_by_what_they_demand() {
    let name = || required(field("name", text()));
    let schemas = vec![
        union("Contact", vec![named(1), named(2)]),
        struct_of("Short", vec![name()], Extra::Ignored),
        struct_of("Full", vec![name(), required(field("phones", array(text())))], Extra::Ignored),
        union("Scalar", vec![any(), text(), integer(), named(4), array(integer())]),
        text_enum("Word", &["a", "b"]),
        union("Meeting", vec![named(6), named(7)]),
        object("Left", vec![("a", text()), ("b", text())]),
        object("Right", vec![("a", text()), ("c", text())]),
        union("Told", vec![named(9), named(10)]),
        struct_of("Call", vec![required(field("type", named(11)))], Extra::Ignored),
        struct_of("Message", vec![required(field("type", named(12)))], Extra::Ignored),
        text_enum("CallType", &["call"]),
        component("MessageType", SchemaKind::Const("message".into())),
        union("Choice", vec![named(4), integer()]),
    ];
    insta::assert_snapshot!(types_of(schemas));
}

fn parameter(name: &str, place: ParameterPlace, required: bool, ty: TypeUse) -> Parameter {
    let style = match place {
        ParameterPlace::Path | ParameterPlace::Header => Style::Simple,
        ParameterPlace::Query | ParameterPlace::Cookie => Style::Form,
    };
    Parameter {
        name: name.to_owned(),
        place,
        required,
        ty,
        style,
        explode: style == Style::Form,
        allow_reserved: false,
        content: None,
        docs: Docs::default(),
        default: None,
        origin: origin(name),
    }
}

fn content(media_type: &str, kind: ContentKind, ty: TypeUse) -> Content {
    Content { media_type: media_type.to_owned(), kind, ty, encoding: Default::default() }
}

fn json(ty: TypeUse) -> Content {
    content("application/json", ContentKind::Json, ty)
}

fn response(status: Status, contents: Vec<Content>) -> Response {
    Response { status, docs: Docs::default(), headers: vec![], contents, origin: origin("responses") }
}

fn body(required: bool, contents: Vec<Content>) -> Body {
    Body { required, contents, docs: Docs::default(), origin: origin("requestBody") }
}

/// One of everything operations can have.
fn busy() -> SystemPlan {
    let mut api = api(vec![
        struct_of("Parcel", vec![required(field("id", text()))], Extra::Ignored),
        struct_of("Fault", vec![required(field("code", integer()))], Extra::Ignored),
        struct_of(
            "Upload",
            vec![
                required(field("title", text())),
                required(field("main", plain(Type::Binary))),
                field("extras", array(plain(Type::Binary))),
                field("cover", nullable(plain(Type::Binary))),
            ],
            Extra::Kept(text()),
        ),
    ]);
    let header =
        |name: &str, required| Header { name: name.to_owned(), required, ty: integer(), docs: Docs::default() };
    let mut register = operation("registerParcel", "POST", "/parcels");
    register.docs.summary = Some("Registers [a] <parcel>.".to_owned());
    register.body = Some(body(true, vec![json(named(0))]));
    register.parameters = vec![parameter("idempotency-key", ParameterPlace::Header, false, text())];
    register.security = Some(vec![Requirement { schemes: vec![("gate".to_owned(), vec!["w".to_owned()])] }]);
    register.responses = vec![
        response(Status::Code(200), vec![json(named(0))]),
        Response {
            headers: vec![header("Location", false), header("body", true)],
            ..response(Status::Code(202), vec![json(text())])
        },
        response(Status::Code(204), vec![]),
        response(Status::Code(401), vec![]),
        response(Status::Range(4), vec![json(named(1))]),
        response(Status::Default, vec![json(named(1)), content("text/plain", ContentKind::Text, text())]),
    ];
    let mut find = operation("findParcels", "GET", "/parcels/{parcel-id}/{self}");
    find.path = PathTemplate {
        raw: "/parcels/{parcel-id}/{self}".to_owned(),
        segments: vec![
            PathSegment::Literal("/parcels/".to_owned()),
            PathSegment::Parameter("parcel-id".to_owned()),
            PathSegment::Literal("/".to_owned()),
            PathSegment::Parameter("self".to_owned()),
        ],
    };
    find.parameters = vec![
        parameter("parcel-id", ParameterPlace::Path, true, text()),
        parameter("self", ParameterPlace::Path, true, integer()),
        parameter("self", ParameterPlace::Query, false, array(text())),
        parameter("body", ParameterPlace::Cookie, false, text()),
        Parameter {
            content: Some("application/json".to_owned()),
            ..parameter("filter", ParameterPlace::Query, true, named(0))
        },
    ];
    find.responses = vec![response(Status::Default, vec![json(array(named(0)))])];
    let mut edit = operation("edit", "PATCH", "/edit");
    edit.body = Some(body(
        false,
        vec![
            json(named(0)),
            content("application/x-www-form-urlencoded", ContentKind::Form, named(0)),
            content("multipart/form-data", ContentKind::Multipart, named(2)),
            content("multipart/mixed", ContentKind::Multipart, any()),
            content("image/*", ContentKind::Binary, any()),
        ],
    ));
    edit.responses = vec![response(Status::Code(200), vec![content("image/png", ContentKind::Binary, any())])];
    let mut ping = operation("ping", "GET", "/ping");
    ping.responses = vec![response(Status::Code(204), vec![])];
    let mut null = operation("null", "PUT", "/null");
    null.body = Some(body(false, vec![json(nullable(named(0)))]));
    let mut charge = operation("charge", "POST", "/charge");
    charge.parameters = vec![parameter("key", ParameterPlace::Query, true, text())];
    charge.responses = vec![response(Status::Range(2), vec![]), response(Status::Code(503), vec![])];
    api.operations = vec![register, find, edit, ping, null, charge];
    let scheme =
        |name: &str, kind| SecurityScheme { name: name.to_owned(), kind, docs: Docs::default(), origin: origin(name) };
    api.security_schemes = vec![
        scheme("gate", SecurityKind::ClientCredentials { token_url: "/token".to_owned() }),
        scheme("default", SecurityKind::Basic),
        scheme("bearer", SecurityKind::Bearer),
        scheme("gate-key", SecurityKind::ApiKey { place: ApiKeyPlace::Header, name: "X-Gate".to_owned() }),
    ];
    let variable = |name: &str, default: &str, allowed: &[&str]| ServerVariable {
        name: name.to_owned(),
        default: default.to_owned(),
        allowed: allowed.iter().map(|value| (*value).to_owned()).collect(),
    };
    api.servers = vec![
        Server {
            url: "https://{region}.api.test:{port}/{odd/}".to_owned(),
            description: None,
            variables: vec![variable("region", "us-east", &["eu", "us-east"]), variable("port", "443", &[])],
        },
        Server {
            url: "https://sandbox.test/v2".to_owned(),
            description: Some("Sandbox".to_owned()),
            variables: vec![],
        },
    ];
    let header = KeyPlace::Header { name: "Idempotency-Key".to_owned(), required: false };
    let query = KeyPlace::Query { name: "key".to_owned(), required: true };
    plan(api, &[(0, header), (5, query)])
}

#[test]
fn operations_with_all_they_can_have() {
    insta::assert_snapshot!(module(&busy(), "operations"));
}

#[test]
fn the_client_its_credentials_and_the_servers() {
    insta::assert_snapshot!(module(&busy(), "client"));
}

#[test]
fn many_types_are_split_by_their_first_letter_and_keep_their_paths() {
    let mut schemas: Vec<SchemaDef> = (0..70).map(|n| object(&format!("A{n}"), vec![])).collect();
    schemas.push(object("Last", vec![("first", named(0))]));
    let texts = texts(&plan(api(schemas), &[]));
    assert_eq!(texts.keys().collect::<Vec<_>>(), ["client", "operations", "types", "types::a", "types::l"]);
    assert!(texts["types"].contains("mod a;\nmod l;\n"), "{}", texts["types"]);
    let unused = "#[allow(unused_imports, reason = \"whoever uses none of them is not to be told\")]\npub use ";
    assert_eq!(texts["types"].matches(unused).count(), 2, "{}", texts["types"]);
    assert!(texts["types"].contains("pub use l::*;"), "{}", texts["types"]);
    assert!(texts["types::l"].contains("pub first: Option<super::A0>"), "{}", texts["types::l"]);
}

#[test]
fn the_text_is_the_same_in_every_run() {
    assert_eq!(texts(&busy()), texts(&busy()));
}

#[test]
fn paths_are_whole_seen_from_the_root() {
    let plan = busy();
    let list = nullable(array(map(nullable(named(0)))));
    assert_eq!(
        super::type_path(&plan, &list),
        "Option<Vec<::std::collections::BTreeMap<String, Option<types::Parcel>>>>"
    );
    let paths = super::body_paths(&plan, &plan.operations[2]);
    assert_eq!(paths.request[3], ("multipart/mixed".to_owned(), "::cofferdam_runtime::http::Multipart".to_owned()));
    assert_eq!(paths.responses[0], [("image/png".to_owned(), "::cofferdam_runtime::Bytes".to_owned())]);
}
