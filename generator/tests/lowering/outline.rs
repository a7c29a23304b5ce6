//! A model as text, one line a fact, for snapshots.

use std::fmt::Write as _;

use cofferdam::diagnose::{Report, Severity};
use cofferdam::model::{
    Api, Branch, Content, Docs, EnumValue, Extra, Field, FloatWidth, IntWidth, NameSource, Operation, Parameter,
    PathSegment, Requirement, SchemaDef, SchemaId, SchemaKind, SecurityKind, Server, Status, TextFormat, Type, TypeUse,
    UnionKind,
};

pub(crate) fn outline(api: &Api) -> String {
    let mut out = String::new();
    let o = &mut out;
    let _ = writeln!(o, "api {} {}", api.title, api.version);
    api.servers.iter().for_each(|server| self::server(o, server, ""));
    for scheme in &api.security_schemes {
        let _ = writeln!(o, "scheme {}: {}", scheme.name, security_kind(&scheme.kind));
    }
    for operation in &api.operations {
        self::operation(api, o, operation);
    }
    for def in &api.schemas {
        schema(api, o, def);
    }
    let roots: Vec<_> = api.roots.iter().map(|id| name(api, *id)).collect();
    let _ = writeln!(o, "roots: {}", roots.join(", "));
    out
}

pub(crate) fn remarks(report: &Report) -> String {
    let mut out = String::new();
    for remark in report.diagnostics() {
        let word = match remark.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let at = remark.origin.as_ref().map(|origin| format!("{}#{}", origin.file, origin.pointer)).unwrap_or_default();
        let _ = writeln!(out, "{word} [{}] {at}: {}", remark.code, remark.message);
        if let Some(help) = &remark.help {
            let _ = writeln!(out, "    help: {help}");
        }
    }
    out
}

fn server(o: &mut String, server: &Server, indent: &str) {
    let description = server.description.as_deref().map(|d| format!(" ({d})")).unwrap_or_default();
    let _ = writeln!(o, "{indent}server {}{description}", server.url);
    for variable in &server.variables {
        let _ = writeln!(o, "{indent}  {} = {} {:?}", variable.name, variable.default, variable.allowed);
    }
}

fn security_kind(kind: &SecurityKind) -> String {
    match kind {
        SecurityKind::ApiKey { place, name } => format!("key {name} in {place:?}"),
        SecurityKind::ClientCredentials { token_url } => format!("client credentials at {token_url}"),
        other => format!("{other:?}"),
    }
}

fn operation(api: &Api, o: &mut String, operation: &Operation) {
    let derived = if operation.id_derived { " (derived)" } else { "" };
    let _ = writeln!(o, "\n{} {}: {:?}{derived}", operation.method, path(operation), operation.id);
    docs(o, &operation.docs, "  ");
    if !operation.tags.is_empty() {
        let _ = writeln!(o, "  tags {}", operation.tags.join(", "));
    }
    operation.servers.iter().for_each(|server| self::server(o, server, "  "));
    if let Some(security) = &operation.security {
        let _ = writeln!(o, "  security {}", alternatives(security));
    }
    operation.parameters.iter().for_each(|parameter| self::parameter(api, o, parameter));
    if let Some(body) = &operation.body {
        let _ = writeln!(o, "  body{}", if body.required { "" } else { "?" });
        body.contents.iter().for_each(|content| self::content(api, o, content));
    }
    for response in &operation.responses {
        let _ = writeln!(o, "  {}", status(response.status));
        for header in &response.headers {
            let mark = if header.required { "" } else { "?" };
            let _ = writeln!(o, "    header {}{mark}: {}", header.name, use_of(api, &header.ty));
        }
        response.contents.iter().for_each(|content| self::content(api, o, content));
    }
}

fn path(operation: &Operation) -> String {
    let segments = operation.path.segments.iter().map(|segment| match segment {
        PathSegment::Literal(text) => text.clone(),
        PathSegment::Parameter(name) => format!("{{{name}}}"),
    });
    segments.collect()
}

fn alternatives(security: &[Requirement]) -> String {
    if security.is_empty() {
        return "none".to_owned();
    }
    let all = |requirement: &Requirement| {
        let schemes: Vec<_> = requirement
            .schemes
            .iter()
            .map(
                |(name, scopes)| if scopes.is_empty() { name.clone() } else { format!("{name}[{}]", scopes.join(",")) },
            )
            .collect();
        if schemes.is_empty() { "anonymous".to_owned() } else { schemes.join(" + ") }
    };
    security.iter().map(all).collect::<Vec<_>>().join(" | ")
}

fn parameter(api: &Api, o: &mut String, parameter: &Parameter) {
    let mark = if parameter.required { "" } else { "?" };
    let explode = if parameter.explode { "*" } else { "" };
    let reserved = if parameter.allow_reserved { " reserved" } else { "" };
    let content = parameter.content.as_deref().map(|content| format!(" as {content}")).unwrap_or_default();
    let default = parameter.default.as_ref().map(|default| format!(" = {default}")).unwrap_or_default();
    let ty = use_of(api, &parameter.ty);
    let _ = writeln!(
        o,
        "  {:?} {}{mark}: {ty}{default} ({:?}{explode}{reserved}{content})",
        parameter.place, parameter.name, parameter.style
    );
    docs(o, &parameter.docs, "    ");
}

fn content(api: &Api, o: &mut String, content: &Content) {
    let _ = writeln!(o, "    {} {:?}: {}", content.media_type, content.kind, use_of(api, &content.ty));
    for (property, encoding) in &content.encoding {
        let _ = writeln!(
            o,
            "      {property}: {:?} {:?} {:?} {}",
            encoding.content_types, encoding.style, encoding.explode, encoding.allow_reserved
        );
    }
}

fn status(status: Status) -> String {
    match status {
        Status::Code(code) => code.to_string(),
        Status::Range(range) => format!("{range}XX"),
        Status::Default => "default".to_owned(),
    }
}

fn schema(api: &Api, o: &mut String, def: &SchemaDef) {
    let null = if def.nullable { " | null" } else { "" };
    let _ = writeln!(o, "\n{}{null} ({}#{})", name(api, def.id), def.origin.file, def.origin.pointer);
    docs(o, &def.docs, "  ");
    match &def.kind {
        SchemaKind::Alias(used) => {
            let _ = writeln!(o, "  = {}", use_of(api, used));
        }
        SchemaKind::Object { fields, extra } => {
            fields.iter().for_each(|field| self::field(api, o, field));
            let _ = match extra {
                Extra::Ignored => Ok(()),
                Extra::Kept(values) => writeln!(o, "  ..: {}", use_of(api, values)),
                Extra::Closed => writeln!(o, "  .. closed"),
            };
        }
        SchemaKind::TextEnum(values) => values.iter().for_each(|value| listed(o, value)),
        SchemaKind::IntEnum(values) => values.iter().for_each(|value| listed(o, value)),
        SchemaKind::Const(value) => {
            let _ = writeln!(o, "  const {value}");
        }
        SchemaKind::Union { kind, branches, discriminator } => {
            let kind = match kind {
                UnionKind::OneOf => "one of",
                UnionKind::AnyOf => "any of",
            };
            let by = discriminator.as_ref().map(|d| format!(" by {}", d.property)).unwrap_or_default();
            let default =
                discriminator.as_ref().and_then(|d| d.default).map(|d| format!(" else {d}")).unwrap_or_default();
            let _ = writeln!(o, "  {kind}{by}{default}");
            branches.iter().for_each(|branch| self::branch(api, o, branch));
        }
    }
}

fn field(api: &Api, o: &mut String, field: &Field) {
    let mark = if field.required { "" } else { "?" };
    let default = field.default.as_ref().map(|default| format!(" = {default}")).unwrap_or_default();
    let read = if field.read_only { " read-only" } else { "" };
    let write = if field.write_only { " write-only" } else { "" };
    let _ = writeln!(o, "  {:?}{mark}: {}{default}{read}{write}", field.wire, use_of(api, &field.ty));
    docs(o, &field.docs, "    ");
}

fn listed<V: std::fmt::Debug>(o: &mut String, value: &EnumValue<V>) {
    let name = value.name.as_deref().map(|name| format!(" {name}")).unwrap_or_default();
    let description = value.description.as_deref().map(|d| format!(" ({d})")).unwrap_or_default();
    let _ = writeln!(o, "  {:?}{name}{description}", value.value);
}

fn branch(api: &Api, o: &mut String, branch: &Branch) {
    let name = branch.name.as_deref().map(|name| format!("{name}: ")).unwrap_or_default();
    let tags = if branch.tags.is_empty() { String::new() } else { format!(" {:?}", branch.tags) };
    let _ = writeln!(o, "    {name}{}{tags}", use_of(api, &branch.ty));
}

fn docs(o: &mut String, docs: &Docs, indent: &str) {
    for (mark, text) in [("/", &docs.summary), ("//", &docs.description)] {
        if let Some(text) = text {
            let text: String = text.chars().take(120).collect();
            let _ = writeln!(o, "{indent}{mark} {text:?}");
        }
    }
    if docs.deprecated {
        let _ = writeln!(o, "{indent}deprecated");
    }
}

fn name(api: &Api, id: SchemaId) -> String {
    match &api.schema(id).name {
        NameSource::Component(name) => name.clone(),
        NameSource::Inside(parent, words) if *parent == id => format!("<itself>.{}", words.join(".")),
        NameSource::Inside(parent, words) => format!("{}.{}", name(api, *parent), words.join(".")),
        NameSource::Operation(operation, words) => format!("({operation}).{}", words.join(".")),
    }
}

fn use_of(api: &Api, used: &TypeUse) -> String {
    let ty = type_of(api, &used.ty);
    if used.nullable { format!("{ty} | null") } else { ty }
}

fn type_of(api: &Api, ty: &Type) -> String {
    match ty {
        Type::Any => "any".to_owned(),
        Type::Null => "null".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Int(width) => match width {
            IntWidth::I8 => "i8",
            IntWidth::I16 => "i16",
            IntWidth::I32 => "i32",
            IntWidth::I64 => "i64",
            IntWidth::U8 => "u8",
            IntWidth::U16 => "u16",
            IntWidth::U32 => "u32",
            IntWidth::U64 => "u64",
        }
        .to_owned(),
        Type::Float(FloatWidth::F32) => "f32".to_owned(),
        Type::Float(FloatWidth::F64) => "f64".to_owned(),
        Type::Text(TextFormat::Plain) => "text".to_owned(),
        Type::Text(format) => format!("text/{format:?}"),
        Type::Binary => "bytes".to_owned(),
        Type::Array(item) => format!("[{}]", use_of(api, item)),
        Type::Tuple(items) => {
            format!("({})", items.iter().map(|item| use_of(api, item)).collect::<Vec<_>>().join(", "))
        }
        Type::Map(value) => format!("{{{}}}", use_of(api, value)),
        Type::Named(id) => name(api, *id),
        Type::Own(used) => used.own.path.clone(),
    }
}
