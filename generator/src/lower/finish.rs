//! What can only be said once every schema is lowered: which admit `null`, and which are made of nothing but themselves.

use crate::model::{
    Content, ContentKind, Exemplified, Extra, Operation, Origin, SchemaDef, SchemaId, SchemaKind, TextFormat, Type,
    TypeUse,
};
use crate::resolve::{Findings, pointer};

/// Carries the nullability of named schemas to whatever is the same by another name, and to every use.
pub(super) fn spread_nullable(
    schemas: &mut [SchemaDef],
    operations: &mut [Operation],
    exemplified: &mut [Exemplified],
) {
    let mut seen_through: Vec<Vec<usize>> = vec![Vec::new(); schemas.len()];
    for (index, def) in schemas.iter().enumerate() {
        for id in passes_through(def) {
            if let Some(holders) = seen_through.get_mut(id.index()) {
                holders.push(index);
            }
        }
    }
    let mut open: Vec<usize> = (0..schemas.len()).filter(|index| is_nullable(schemas, *index)).collect();
    while let Some(index) = open.pop() {
        for holder in seen_through.get(index).into_iter().flatten() {
            if let Some(def) = schemas.get_mut(*holder)
                && !def.nullable
            {
                def.nullable = true;
                open.push(*holder);
            }
        }
    }
    let nullable: Vec<bool> = schemas.iter().map(|def| def.nullable).collect();
    for def in schemas {
        uses_of_kind(&mut def.kind, &nullable);
    }
    for operation in operations {
        uses_of_operation(operation, &nullable);
    }
    for schema in exemplified {
        spread(&mut schema.ty, &nullable);
    }
}

fn is_nullable(schemas: &[SchemaDef], index: usize) -> bool {
    schemas.get(index).is_some_and(|def| def.nullable)
}

/// The named schemas whose values are values of this one as they stand.
pub(super) fn passes_through(def: &SchemaDef) -> Vec<SchemaId> {
    let named = |used: &TypeUse| match used.ty {
        Type::Named(id) => Some(id),
        _ => None,
    };
    match &def.kind {
        SchemaKind::Alias(used) => named(used).into_iter().collect(),
        SchemaKind::Union { branches, .. } => branches.iter().filter_map(|branch| named(&branch.ty)).collect(),
        _ => Vec::new(),
    }
}

fn uses_of_kind(kind: &mut SchemaKind, nullable: &[bool]) {
    match kind {
        // The alias and the union say it themselves.
        SchemaKind::Alias(used) => spread_inside(&mut used.ty, nullable),
        SchemaKind::Union { branches, .. } => {
            for branch in branches {
                spread_inside(&mut branch.ty.ty, nullable);
            }
        }
        SchemaKind::Object { fields, extra } => {
            for field in fields {
                spread(&mut field.ty, nullable);
            }
            if let Extra::Kept(values) = extra {
                spread(values, nullable);
            }
        }
        SchemaKind::TextEnum(_) | SchemaKind::IntEnum(_) | SchemaKind::Const(_) => {}
    }
}

fn uses_of_operation(operation: &mut Operation, nullable: &[bool]) {
    for parameter in &mut operation.parameters {
        spread(&mut parameter.ty, nullable);
    }
    let bodies = operation.body.iter_mut().flat_map(|body| &mut body.contents);
    let mut headers = Vec::new();
    let mut replies = Vec::new();
    for response in &mut operation.responses {
        headers.extend(&mut response.headers);
        replies.extend(&mut response.contents);
    }
    for content in bodies.chain(replies) {
        spread(&mut content.ty, nullable);
    }
    for header in headers {
        spread(&mut header.ty, nullable);
    }
}

fn spread(used: &mut TypeUse, nullable: &[bool]) {
    if let Type::Named(id) = used.ty {
        used.nullable |= nullable.get(id.index()).copied().unwrap_or(false);
    }
    spread_inside(&mut used.ty, nullable);
}

fn spread_inside(ty: &mut Type, nullable: &[bool]) {
    match ty {
        Type::Array(inner) | Type::Map(inner) => spread(inner, nullable),
        Type::Tuple(items) => items.iter_mut().for_each(|item| spread(item, nullable)),
        _ => {}
    }
}

/// Tells of schemas that no value could ever satisfy, because they are only another name of themselves.
pub(super) fn find_empty_cycles(schemas: &[SchemaDef], findings: &mut Findings<'_>) {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        No,
        Open,
        Done,
    }
    let mut seen = vec![Seen::No; schemas.len()];
    for start in 0..schemas.len() {
        let mut way: Vec<(usize, Vec<SchemaId>)> = Vec::new();
        let enter = |index: usize, seen: &mut Vec<Seen>, way: &mut Vec<(usize, Vec<SchemaId>)>| {
            if let (Some(mark), Some(def)) = (seen.get_mut(index), schemas.get(index)) {
                *mark = Seen::Open;
                way.push((index, passes_through(def)));
            }
        };
        if seen.get(start) == Some(&Seen::No) {
            enter(start, &mut seen, &mut way);
        }
        while let Some((index, next)) = way.last_mut() {
            let index = *index;
            match next.pop().map(SchemaId::index) {
                Some(next) => match seen.get(next) {
                    Some(Seen::No) => enter(next, &mut seen, &mut way),
                    Some(Seen::Open) => {
                        if let Some(def) = schemas.get(next) {
                            let message = "this schema is only another name of itself: no value could satisfy it";
                            findings.error("CD-SCHEMA-CYCLE", &def.origin, message, "refer to something else");
                        }
                    }
                    _ => {}
                },
                None => {
                    if let Some(mark) = seen.get_mut(index) {
                        *mark = Seen::Done;
                    }
                    way.pop();
                }
            }
        }
    }
}

/// Fits the types of bodies to how they travel, now that named schemas are known: what describes raw bytes travels as
/// bytes, and text is either one scalar or just text.
pub(super) fn settle_contents(schemas: &[SchemaDef], operations: &mut [Operation], findings: &mut Findings<'_>) {
    for operation in operations {
        if let Some(body) = &mut operation.body {
            let at = body.origin.clone();
            body.contents.iter_mut().for_each(|content| settle(content, schemas, &at, findings));
        }
        for response in &mut operation.responses {
            let at = response.origin.clone();
            response.contents.iter_mut().for_each(|content| settle(content, schemas, &at, findings));
        }
    }
}

fn settle(content: &mut Content, schemas: &[SchemaDef], at: &Origin, findings: &mut Findings<'_>) {
    let ty = unaliased(schemas, &content.ty.ty).cloned();
    let travels_as_json = matches!(content.kind, ContentKind::Json | ContentKind::Text);
    if travels_as_json && ty == Some(Type::Binary) {
        content.kind = ContentKind::Binary;
        content.ty = TypeUse { ty: Type::Binary, nullable: false };
    }
    if content.kind == ContentKind::Text && !is_scalar(schemas, ty.as_ref()) {
        let at =
            Origin { file: at.file, pointer: pointer::join(&format!("{}/content", at.pointer), &content.media_type) };
        let message = "a text body that is not one simple value is carried as text: its schema is not used";
        findings.count("CD-TEXT-SCHEMA", &at, message, "");
        content.ty = TypeUse { ty: Type::Text(TextFormat::Plain), nullable: false };
    }
}

/// The type behind aliases; `None` for an alias that leads back to itself.
fn unaliased<'t>(schemas: &'t [SchemaDef], ty: &'t Type) -> Option<&'t Type> {
    let mut ty = ty;
    for _ in 0..=schemas.len() {
        let Type::Named(id) = ty else { return Some(ty) };
        match schemas.get(id.index()).map(|def| &def.kind) {
            Some(SchemaKind::Alias(used)) => ty = &used.ty,
            _ => return Some(ty),
        }
    }
    None
}

fn is_scalar(schemas: &[SchemaDef], ty: Option<&Type>) -> bool {
    match ty {
        // Before schemas are mapped, only formats are.
        Some(Type::Bool | Type::Int(_) | Type::Float(_) | Type::Text(_) | Type::Own(_)) => true,
        Some(Type::Named(id)) => {
            let kind = schemas.get(id.index()).map(|def| &def.kind);
            matches!(kind, Some(SchemaKind::TextEnum(_) | SchemaKind::IntEnum(_) | SchemaKind::Const(_)))
        }
        _ => false,
    }
}
