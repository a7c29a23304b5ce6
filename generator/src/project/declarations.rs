//! What a project file declares of a system: which operations, which credentials, which keys and kinds.

use super::names::is_label;
use super::pages::pages;
use super::section::{Reading, Section};
use super::{BodyCredential, Declared, DeclaredKey, DeclaredKind, OperationDeclaration, PathPattern, Select};
use crate::diagnose::{Location, Severity, Unsupported};

/// `[systems.NAME.select]`
pub(super) fn select(system: &Section<'_>, reading: &mut Reading<'_>) -> Select {
    let Some(section) = system.section("select", reading) else { return Select::default() };
    let before = reading.report.diagnostics().len();
    section.known_keys(&["ids", "tags", "paths"], reading);
    let select = Select {
        ids: section.texts("ids", reading),
        tags: section.texts("tags", reading),
        paths: section.texts("paths", reading).into_iter().filter_map(|path| pattern(path, reading)).collect(),
    };
    if select.is_everything() && reading.report.diagnostics().len() == before {
        let help = "name operations by `ids`, `tags` or `paths`, or remove the section to take all";
        reading.error("CD-PROJECT-VALUE", &section.at, "nothing is selected", help);
    }
    select
}

/// `deny-unsupported` and `allow-unsupported`
pub(super) fn unsupported(system: &Section<'_>, reading: &mut Reading<'_>) -> Unsupported {
    let deny = system.flag("deny-unsupported", "write `deny-unsupported = true`", reading);
    let mut unsupported = Unsupported { deny: deny.is_some_and(|deny| deny.value), ..Unsupported::default() };
    for code in system.texts("allow-unsupported", reading) {
        match Unsupported::check(&code.value) {
            Some((message, help)) => reading.error("CD-PROJECT-VALUE", &code.at, message, &help),
            None => drop(unsupported.allow.insert(code.value)),
        }
    }
    unsupported
}

fn pattern(path: Declared<String>, reading: &mut Reading<'_>) -> Option<Declared<PathPattern>> {
    match PathPattern::parse(&path.value) {
        Ok(value) => Some(Declared { value, at: path.at }),
        Err(fault) => {
            let help = "`*` stands for text within a segment, `**` for any number of segments: `/orders/**`";
            reading.error("CD-PROJECT-VALUE", &path.at, format!("{:?}: {fault}", path.value), help);
            None
        }
    }
}

/// `[systems.NAME.credentials.LABEL]`
pub(super) fn credentials(system: &Section<'_>, reading: &mut Reading<'_>) -> Vec<BodyCredential> {
    let Some(section) = system.section("credentials", reading) else { return Vec::new() };
    let mut credentials: Vec<BodyCredential> = Vec::new();
    for (label, section) in section.sections(reading) {
        section.known_keys(&["body"], reading);
        if !is_label(&label) {
            let help = "letters, digits, `-` and `_`: it becomes a method";
            let message = format!("{label:?} cannot be the name of a credential");
            reading.error("CD-PROJECT-NAME", &section.at, message, help);
        }
        let before = reading.report.diagnostics().len();
        let fields = section.texts("body", reading);
        if fields.is_empty() {
            if reading.report.diagnostics().len() == before {
                let help = "add `body = [\"…\"]`, the fields of the body that the client fills";
                reading.error("CD-PROJECT-MISSING", &section.at, "the credential has no field", help);
            }
            continue;
        }
        let names = |credential: &BodyCredential| {
            credential.fields.iter().map(|field| field.value.clone()).collect::<std::collections::BTreeSet<_>>()
        };
        let credential = BodyCredential { label, fields, at: section.at };
        if let Some(other) = credentials.iter().find(|other| names(other) == names(&credential)) {
            let message = format!("the credential `{}` has the same fields", other.label);
            reading.error("CD-PROJECT-VALUE", &credential.at, message, "remove one of the two");
        }
        credentials.push(credential);
    }
    credentials
}

/// `[systems.NAME.operations.ID]`
pub(super) fn operations(system: &Section<'_>, reading: &mut Reading<'_>) -> Vec<OperationDeclaration> {
    let Some(section) = system.section("operations", reading) else { return Vec::new() };
    let sections = section.sections(reading);
    sections.into_iter().map(|(id, section)| operation(id, &section, reading)).collect()
}

fn operation(id: String, section: &Section<'_>, reading: &mut Reading<'_>) -> OperationDeclaration {
    let before = reading.report.diagnostics().len();
    section.known_keys(&["idempotency-key", "kind", "reason", "pages"], reading);
    let operation = OperationDeclaration {
        id,
        at: section.at.clone(),
        kind: kind(section, reading),
        key: key(section, reading),
        reason: section.text("reason", reading),
        pages: pages(section, reading),
    };
    // What could not be read would only give misleading complaints.
    if reading.report.diagnostics().len() == before {
        lint(&operation, reading);
    }
    operation
}

fn kind(section: &Section<'_>, reading: &mut Reading<'_>) -> Option<Declared<DeclaredKind>> {
    let text = section.text("kind", reading)?;
    if text.value == "keyed" {
        let help = "declare the key itself: `idempotency-key = { header = \"…\" }`, or `query`, or `body`";
        reading.error("R-RES-RE-1", &text.at, "that an operation is keyed follows from its key", help);
        return None;
    }
    section.word("kind", &[("read", DeclaredKind::Read), ("once", DeclaredKind::Once)], reading)
}

fn key(section: &Section<'_>, reading: &mut Reading<'_>) -> Option<Declared<DeclaredKey>> {
    let help = "one of `{ header = \"…\" }`, `{ query = \"…\" }`, `{ body = \"…\" }`";
    let place = section.section_or("idempotency-key", help, reading)?;
    place.known_keys(&["header", "query", "body"], reading);
    let named: Vec<&str> = ["header", "query", "body"].into_iter().filter(|key| place.contains(key)).collect();
    let [only] = named.as_slice() else {
        let message = if named.is_empty() { "the key has no place" } else { "the key has more than one place" };
        reading.error("CD-PROJECT-VALUE", &place.at, message, help);
        return None;
    };
    if *only == "body" {
        let Declared { value, at } = place.steps("body", "the body", reading)?;
        return Some(Declared { value: DeclaredKey::Body(value), at });
    }
    let text = place.text(only, reading)?;
    let value = if *only == "header" { header(&text, reading)? } else { DeclaredKey::Query(text.value) };
    Some(Declared { value, at: text.at })
}

fn header(text: &Declared<String>, reading: &mut Reading<'_>) -> Option<DeclaredKey> {
    let is_token = text.value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte));
    if !is_token {
        let message = format!("{:?} cannot be the name of a header", text.value);
        reading.error("CD-PROJECT-VALUE", &text.at, message, "letters, digits and `-`");
        return None;
    }
    let taken = ["authorization", "content-type", "content-length", "cookie", "host", "accept"];
    if taken.contains(&text.value.to_ascii_lowercase().as_str()) {
        let message = format!("the header {:?} means something else", text.value);
        reading.error("CD-PROJECT-VALUE", &text.at, message, "name the header that carries the key");
        return None;
    }
    Some(DeclaredKey::Header(text.value.clone()))
}

/// What a declaration must not say, and what it must say beside it.
fn lint(operation: &OperationDeclaration, reading: &mut Reading<'_>) {
    let OperationDeclaration { id, at, kind, key, reason, pages } = operation;
    match (kind, key, reason) {
        (Some(kind), Some(_), _) => key_beside_kind(id, kind, reading),
        (Some(Declared { value: DeclaredKind::Read, at }), None, None) => {
            let message = format!("`{id}` is declared a read without a reason");
            let help = "add `reason = \"…\"`: what guarantees that a repeated call changes nothing?";
            reading.error("R-RES-RE-X1", at, message, help);
        }
        (Some(Declared { value: DeclaredKind::Once, at }), None, None) => {
            let message = format!("`{id}` is declared to be sent once, nobody says why");
            reading.report.at(
                Severity::Note,
                "R-RES-RE-1",
                at.clone(),
                message,
                "add `reason = \"…\"` for the next reader",
            );
        }
        (None, None, Some(reason)) => explains_nothing(&reason.at, reading),
        (None, None, None) if pages.is_none() => {
            let message = format!("nothing is declared of `{id}`");
            let help = "add `kind`, `idempotency-key` or `pages`, or remove the section";
            reading.report.at(Severity::Warning, "CD-PROJECT-VALUE", at.clone(), message, help);
        }
        _ => {}
    }
}

fn key_beside_kind(id: &str, kind: &Declared<DeclaredKind>, reading: &mut Reading<'_>) {
    let (message, help) = match kind.value {
        DeclaredKind::Once => (
            format!("`{id}` has an idempotency key and is declared to be sent once: a key is there to allow repeating"),
            "remove `kind`, or the key",
        ),
        DeclaredKind::Read => (
            format!("`{id}` has an idempotency key and is declared a read: a read needs no key"),
            "remove `kind` if the operation changes anything, else the key",
        ),
    };
    reading.error("R-RES-RE-1", &kind.at, message, help);
}

fn explains_nothing(at: &Location, reading: &mut Reading<'_>) {
    let help = "add the `kind` or the `idempotency-key` that it is the reason for";
    reading.error("CD-PROJECT-VALUE", at, "the reason explains nothing", help);
}
