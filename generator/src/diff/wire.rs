//! What changed on the wire without a change in Rust types: code compiles, and the old one is not understood.

use super::matching::{Matching, place};
use super::renames::Renames;
use super::sides::{Item, Side};
use super::{Change, Impact};
use crate::model::{
    Body, Content, Operation, Parameter, ParameterPlace, Requirement, SchemaKind, SecurityScheme, Status,
};
use crate::stubs::shapes::ShapeKind;

pub(super) fn changes(old: &Side<'_>, new: &Side<'_>, matching: &Matching) -> Vec<Change> {
    let mut changes = Vec::new();
    for (before, now) in &matching.pairs {
        let (Some((_, was, was_names)), Some((_, is, is_names))) = (old.operation(*before), new.operation(*now)) else {
            continue;
        };
        let mut found = Found { id: &is.id, changes: Vec::new() };
        found.place(was, is);
        found.parameters(&named(was, &was_names.parameters), &named(is, &is_names.parameters));
        found.body(was.body.as_ref(), is.body.as_ref());
        found.replies(was, is);
        found.security(was.security.as_deref(), is.security.as_deref());
        changes.append(&mut found.changes);
    }
    changes.extend(credentials(&old.plan.api.security_schemes, &new.plan.api.security_schemes));
    changes.extend(servers(old, new));
    changes
}

fn named<'a>(operation: &'a Operation, names: &'a [String]) -> Vec<(&'a str, &'a Parameter)> {
    names.iter().map(String::as_str).zip(&operation.parameters).collect()
}

/// What is found of one operation.
struct Found<'a> {
    id: &'a str,
    changes: Vec<Change>,
}

impl Found<'_> {
    fn breaking(&mut self, code: &'static str, message: String) {
        self.changes.push(Change::new(Impact::Breaking, code, self.id, message));
    }

    fn compatible(&mut self, code: &'static str, message: String) {
        self.changes.push(Change::new(Impact::Compatible, code, self.id, message));
    }

    fn place(&mut self, was: &Operation, is: &Operation) {
        if place(was) != place(is) {
            let call = |operation: &Operation| format!("`{} {}`", operation.method, operation.path.raw);
            self.breaking("place-changed", format!("`{}` was {} and is {} now", self.id, call(was), call(is)));
        }
    }

    fn parameters(&mut self, was: &[(&str, &Parameter)], is: &[(&str, &Parameter)]) {
        for (name, now) in is {
            let Some((_, before)) = was.iter().find(|(other, _)| other == name) else { continue };
            let id = self.id;
            if before.place != now.place {
                let message = format!(
                    "The parameter `{}` of `{id}` goes into the {} now; it went into the {}",
                    now.name,
                    place_word(now.place),
                    place_word(before.place)
                );
                self.breaking("parameter-moved", message);
            } else if before.name != now.name && now.place != ParameterPlace::Path {
                let message = format!("The parameter `{}` of `{id}` is `{}` on the wire now", before.name, now.name);
                self.breaking("wire-name-changed", message);
            }
            let form = |parameter: &Parameter| (parameter.style, parameter.explode, parameter.content.clone());
            if before.place == now.place && form(before) != form(now) {
                let message = format!("The parameter `{}` of `{id}` is written in another style now", now.name);
                self.breaking("parameter-style-changed", message);
            }
        }
    }

    fn body(&mut self, was: Option<&Body>, is: Option<&Body>) {
        let (Some(was), Some(is)) = (was, is) else { return };
        self.media_types("the body", &was.contents, &is.contents);
    }

    fn media_types(&mut self, what: &str, was: &[Content], is: &[Content]) {
        let types = |contents: &[Content]| contents.iter().map(|one| one.media_type.clone()).collect::<Vec<_>>();
        let (was, is) = (types(was), types(is));
        let id = self.id;
        for gone in was.iter().filter(|one| !is.contains(one)) {
            self.breaking("media-type-removed", format!("`{id}`: {what} is not `{gone}` any more"));
        }
        for added in is.iter().filter(|one| !was.contains(one)) {
            self.compatible("media-type-added", format!("`{id}`: {what} may be `{added}` now"));
        }
    }

    fn replies(&mut self, was: &Operation, is: &Operation) {
        for before in &was.responses {
            if let Some(now) = is.responses.iter().find(|now| now.status == before.status) {
                let what = format!("the reply {}", status(before.status));
                self.media_types(&what, was.contents(before), is.contents(now));
            }
        }
        // Where there are several, each has a variant, which is told by itself.
        let alone = |operation: &Operation| {
            let mut codes = operation.responses.iter().map(|one| one.status).filter(|one| operation.is_success(*one));
            codes.next().filter(|_| codes.next().is_none())
        };
        if let (Some(before), Some(now)) = (alone(was), alone(is))
            && before != now
        {
            let (before, now) = (status(before), status(now));
            self.breaking("status-changed", format!("`{}` answers {now} now; it answered {before}", self.id));
        }
    }

    fn security(&mut self, was: Option<&[Requirement]>, is: Option<&[Requirement]>) {
        if was == is {
            return;
        }
        let words = |all: Option<&[Requirement]>| match all {
            None | Some([]) => "nothing".to_owned(),
            Some(all) => all.iter().map(requirement).collect::<Vec<_>>().join(", or "),
        };
        let message = format!("`{}` asks for {} now; it asked for {}", self.id, words(is), words(was));
        if still_allowed(was.unwrap_or_default(), is.unwrap_or_default()) {
            self.compatible("security-changed", message);
        } else {
            self.breaking("security-changed", message);
        }
    }
}

fn place_word(place: ParameterPlace) -> &'static str {
    match place {
        ParameterPlace::Path => "path",
        ParameterPlace::Query => "query",
        ParameterPlace::Header => "headers",
        ParameterPlace::Cookie => "cookies",
    }
}

fn status(status: Status) -> String {
    match status {
        Status::Code(code) => code.to_string(),
        Status::Range(class) => format!("{class}XX"),
        Status::Default => "default".to_owned(),
    }
}

/// `` `key`, with `orders:read` ``
fn requirement(requirement: &Requirement) -> String {
    if requirement.schemes.is_empty() {
        return "nothing".to_owned();
    }
    let scheme = |(name, scopes): &(String, Vec<String>)| match scopes.as_slice() {
        [] => format!("`{name}`"),
        scopes => format!("`{name}` ({})", scopes.join(", ")),
    };
    requirement.schemes.iter().map(scheme).collect::<Vec<_>>().join(" with ")
}

/// Whether every way that was enough is enough still.
fn still_allowed(was: &[Requirement], is: &[Requirement]) -> bool {
    let anonymous = [Requirement::default()];
    let or_anonymous = |all: &[Requirement]| if all.is_empty() { anonymous.to_vec() } else { all.to_vec() };
    let covers = |before: &Requirement, now: &Requirement| {
        now.schemes.iter().all(|(name, scopes)| {
            let had = before.schemes.iter().find(|(other, _)| other == name);
            had.is_some_and(|(_, had)| scopes.iter().all(|scope| had.contains(scope)))
        })
    };
    let (was, is) = (or_anonymous(was), or_anonymous(is));
    was.iter().all(|before| is.iter().any(|now| covers(before, now)))
}

fn credentials(was: &[SecurityScheme], is: &[SecurityScheme]) -> Vec<Change> {
    let find =
        |all: &'_ [SecurityScheme], name: &str| all.iter().find(|one| one.name == name).map(|one| one.kind.clone());
    let mut changes = Vec::new();
    for scheme in was {
        let name = &scheme.name;
        let (code, message) = match find(is, name) {
            None => ("credential-removed", format!("The credential `{name}` is gone")),
            Some(kind) if kind != scheme.kind => {
                ("credential-changed", format!("The credential `{name}` is given in another way now"))
            }
            Some(_) => continue,
        };
        changes.push(Change::new(Impact::Breaking, code, name, message));
    }
    for scheme in is.iter().filter(|scheme| find(was, &scheme.name).is_none()) {
        let message = format!("The credential `{}` is new", scheme.name);
        changes.push(Change::new(Impact::Compatible, "credential-added", &scheme.name, message));
    }
    changes
}

fn servers(old: &Side<'_>, new: &Side<'_>) -> Option<Change> {
    let urls = |side: &Side<'_>| {
        let urls = side.plan.api.servers.iter().map(|server| server.url.clone());
        urls.collect::<Vec<_>>().join(", ")
    };
    let (was, is) = (urls(old), urls(new));
    let message = "The servers of the document are others; where calls go is said by `base-url` in the settings";
    let change = || Change::new(Impact::Compatible, "servers-changed", &new.plan.system, message);
    (was != is).then(|| change().detail(format!("`{was}` → `{is}`")))
}

/// What changed on the wire within types.
pub(super) fn of_types(old: &Side<'_>, new: &Side<'_>, renames: &Renames) -> Vec<Change> {
    let mut changes = Vec::new();
    for item in old.shapes.items() {
        let now = renames.now(item);
        let (Some(before), Some(after)) = (old.schema(item), new.schema(now)) else { continue };
        let mut breaking = |code, message: String| {
            changes.push(Change::new(Impact::Breaking, code, &now.1, message));
        };
        match (&before.kind, &after.kind) {
            (SchemaKind::Const(was), SchemaKind::Const(is)) if was != is => {
                breaking("value-changed", format!("`{}` is always {is} now; it was {was}", now.1));
            }
            (SchemaKind::Union { discriminator: was, .. }, SchemaKind::Union { discriminator: is, .. }) => {
                let property = |one: &Option<crate::model::Discriminator>| one.as_ref().map(|one| one.property.clone());
                if property(was) != property(is) {
                    let message = format!("`{}` tells its alternatives apart by another field now", now.1);
                    breaking("discriminator-changed", message);
                }
            }
            _ => {}
        }
        for (name, was, is) in kept_names(old, item, new, now) {
            breaking("wire-name-changed", format!("`{name}` of `{}` is {is} on the wire now; it was {was}", now.1));
        }
    }
    changes
}

/// Fields and values that are called the same in Rust, and otherwise on the wire.
fn kept_names(old: &Side<'_>, item: &Item, new: &Side<'_>, now: &Item) -> Vec<(String, String, String)> {
    let names: Vec<&String> = match old.shape(item).map(|shape| &shape.kind) {
        Some(ShapeKind::Struct(members)) => members.iter().map(|member| &member.name).collect(),
        Some(ShapeKind::Enum(variants)) => variants.iter().map(|variant| &variant.name).collect(),
        _ => return Vec::new(),
    };
    let on_wire = |side: &Side<'_>, item: &Item, name: &str| {
        let field = side.fact(item, name).map(|fact| format!("`{}`", fact.wire));
        field.or_else(|| value_of(side, item, name))
    };
    let changed = |name: &&String| {
        let (was, is) = (on_wire(old, item, name)?, on_wire(new, now, name)?);
        (was != is).then(|| ((*name).clone(), was, is))
    };
    names.iter().filter_map(changed).collect()
}

/// The value on the wire of an enum's variant, as JSON.
pub(super) fn value_of(side: &Side<'_>, item: &Item, variant: &str) -> Option<String> {
    let schema = side.schema(item)?;
    let names = side.plan.names.members.get(schema.id.index())?;
    let at = names.variants.iter().position(|name| name == variant)?;
    match &schema.kind {
        SchemaKind::TextEnum(values) => values.get(at).map(|value| format!("`{}`", value.value)),
        SchemaKind::IntEnum(values) => values.get(at).map(|value| format!("`{}`", value.value)),
        _ => None,
    }
}
