//! Type mappings of the project file put into the model: uses of what they name become uses of the project's own types.
//!
//! Formats were mapped while the document was lowered, which alone knows them. Here it is schemas, properties and
//! parameters, and whether every declaration found something.

mod extras;
mod uses;

pub use extras::{Extras, extras};

use std::collections::{BTreeMap, BTreeSet};

use crate::analyse::contents;
use crate::analyse::telling::behind;
use crate::diagnose::{Report, Severity, nearest};
use crate::model::{Api, ContentKind, NameSource, OwnType, SchemaId, Type, TypeUse};
use crate::plan::SystemPlan;
use crate::project::{TypeMapping, TypeMappings};

const CODE: &str = "CD-TYPE-MAPPING";

/// Puts the mappings of schemas and properties into a model. What names nothing, and what cannot stand where it is
/// named for, is an error; gives the numbers of the mappings that went in, or that lowering put in.
pub fn apply(api: &mut Api, mappings: &TypeMappings, report: &mut Report) -> BTreeSet<usize> {
    let offset = mappings.formats.len();
    let mut schemas: BTreeMap<SchemaId, (OwnType, usize)> = BTreeMap::new();
    for (index, mapping) in mappings.schemas.iter().enumerate() {
        let Some(id) = schema(api, mapping, report) else { continue };
        if is_multipart(api, id) {
            fault(mapping, "it is the body of a multipart request, which is written part by part", "", report);
            continue;
        }
        match mapping.own(behind(api, &Type::Named(id))) {
            Ok(own) => drop(schemas.insert(id, (own, offset + index))),
            Err(message) => fault(mapping, &message, "name the type by its path", report),
        }
    }
    // While every type is still what the document says.
    let properties = properties(api, mappings, report);
    uses::each(api, &mut |used| in_schemas(&mut used.ty, &schemas));
    let of_schemas = schemas.values().map(|(_, number)| *number);
    let numbers: Vec<usize> = of_schemas.chain(properties.iter().map(|(_, _, number)| *number)).collect();
    for (place, own, declaration) in properties {
        uses::at(api, &place, &mut |used| used.ty = used.ty.clone().mapped(own.clone(), declaration));
    }
    // What stands in the place of a schema everywhere leaves no reason to generate it.
    api.roots.retain(|id| !schemas.contains_key(id));
    (0..offset).chain(numbers).collect()
}

fn in_schemas(ty: &mut Type, schemas: &BTreeMap<SchemaId, (OwnType, usize)>) {
    match ty {
        Type::Named(id) => {
            if let Some((own, declaration)) = schemas.get(id) {
                *ty = Type::Named(*id).mapped(own.clone(), *declaration);
            }
        }
        Type::Array(inner) | Type::Map(inner) => in_schemas(&mut inner.ty, schemas),
        Type::Tuple(items) => items.iter_mut().for_each(|item| in_schemas(&mut item.ty, schemas)),
        _ => {}
    }
}

/// The schema that a mapping names.
fn schema(api: &Api, mapping: &TypeMapping, report: &mut Report) -> Option<SchemaId> {
    let key = mapping.key.strip_prefix('#').unwrap_or(&mapping.key);
    if key.starts_with('/') {
        let found = api.schemas.iter().find(|def| def.origin.file == 0 && def.origin.pointer == key);
        if found.is_none() {
            let pointers = api.schemas.iter().filter(|def| def.origin.file == 0).map(|def| def.origin.pointer.as_str());
            let help = match nearest_pointer(key, pointers) {
                Some(near) => format!("did you mean {near:?}?"),
                None => "a schema that is a type of its own, such as \"/components/schemas/Money\"".to_owned(),
            };
            fault(mapping, "the document has no schema there that would get a type of its own", &help, report);
        }
        return found.map(|def| def.id);
    }
    let components = api.schemas.iter().filter_map(|def| match &def.name {
        NameSource::Component(name) => Some((name.as_str(), def)),
        _ => None,
    });
    let components: Vec<_> = components.collect();
    match components.iter().filter(|(name, _)| *name == key).collect::<Vec<_>>().as_slice() {
        [(_, def)] => return Some(def.id),
        [] => {
            let near = nearest(key, components.iter().map(|(name, _)| *name));
            let help = near.map(|near| format!("did you mean `{near}`?")).unwrap_or_default();
            fault(mapping, "the document has no component of this name", &help, report);
        }
        [_, (_, other), ..] => {
            let help = format!("name it by its pointer, such as {:?}", other.origin.pointer);
            fault(mapping, "more than one schema has this name", &help, report);
        }
    }
    None
}

/// Whether a schema describes the body of a multipart request.
fn is_multipart(api: &Api, id: SchemaId) -> bool {
    let bodies = api.operations.iter().filter_map(|operation| operation.body.as_ref());
    let mut contents = bodies.flat_map(|body| &body.contents).filter(|content| content.kind == ContentKind::Multipart);
    contents.any(|content| content.ty.ty == Type::Named(id))
}

/// The places of mapped properties and parameters, each with its type and the number of its declaration.
fn properties(api: &Api, mappings: &TypeMappings, report: &mut Report) -> Vec<(String, OwnType, usize)> {
    let offset = mappings.formats.len() + mappings.schemas.len();
    let mut places = Vec::new();
    for (index, mapping) in mappings.properties.iter().enumerate() {
        let found = uses::find(api, &mapping.key);
        let Some(used) = found.first() else {
            let all = uses::places(api);
            let help = match nearest_pointer(&mapping.key, all.iter().map(String::as_str)) {
                Some(near) => format!("did you mean {near:?}?"),
                None => "a property or a parameter, such as \"/components/schemas/Order/properties/amount\"".to_owned(),
            };
            fault(mapping, "the document has no property and no parameter there", &help, report);
            continue;
        };
        let instead = behind(api, used.ty.on_the_wire());
        if matches!(instead, Type::Binary) {
            fault(mapping, "raw bytes travel as they are", "a mapping is for what has a form in JSON", report);
            continue;
        }
        match mapping.own(instead) {
            Ok(own) => places.push((mapping.key.clone(), own, offset + index)),
            Err(message) => fault(mapping, &message, "name the type by its path", report),
        }
    }
    places
}

/// The nearest pointer that ends alike, or else the nearest of all that is not too far.
fn nearest_pointer<'a>(key: &str, all: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let last = |pointer: &str| pointer.rsplit('/').next().unwrap_or_default().to_owned();
    let wanted = last(key);
    nearest(key, all.clone().filter(|pointer| last(pointer) == wanted)).or_else(|| nearest(key, all.take(20_000)))
}

fn fault(mapping: &TypeMapping, message: &str, help: &str, report: &mut Report) {
    let message = format!("{:?}: {message}", mapping.key);
    report.at(Severity::Error, CODE, mapping.at.clone(), message, help);
}

/// Tells which of these mappings nothing that is generated comes to use, and gives the features of the runtime that the
/// others need.
pub fn features(
    plan: &SystemPlan,
    mappings: &TypeMappings,
    applied: &BTreeSet<usize>,
    report: &mut Report,
) -> BTreeSet<&'static str> {
    let mut used = BTreeSet::new();
    let mut features = BTreeSet::new();
    let mut visit = |ty: &Type| {
        contents::own(ty, &mut |own| {
            used.insert(own.declaration);
            features.extend(own.own.feature);
        });
    };
    let emitted = plan.api.schemas.iter().filter(|def| plan.reached.get(def.id.index()) == Some(&true));
    for def in emitted {
        let members = contents::members(def).into_iter().map(|(_, used)| used);
        members.chain(contents::kept_extra(def)).for_each(|used: &TypeUse| visit(&used.ty));
    }
    for planned in &plan.operations {
        let (sent, received) = contents::of_operation(plan.operation(planned));
        sent.into_iter().chain(received).for_each(|used| visit(&used.ty));
    }
    for (number, mapping) in
        mappings.all().enumerate().filter(|(number, _)| applied.contains(number) && !used.contains(number))
    {
        let help = if number < mappings.formats.len() {
            "is the format written so in the document, and not as an `enum`?"
        } else {
            "choose an operation that uses it, or take the mapping out"
        };
        fault(mapping, "nothing that is generated uses this mapping", help, report);
    }
    features
}
