//! What fields and variants are called.

use super::collisions::{Scope, Wanted};
use super::identifiers::{Case, identifier};
use super::names::{MemberNames, Names, is_plain};
use super::telling;
use crate::model::{Api, Branch, EnumValue, Extra, Field, NameSource, Origin, SchemaDef, SchemaKind, TextFormat, Type};

/// Names the members of all schemas, by id.
pub(crate) fn choose(api: &Api, types: &[String]) -> Vec<MemberNames> {
    api.schemas.iter().map(|def| of_schema(api, types, def)).collect()
}

fn of_schema(api: &Api, types: &[String], def: &SchemaDef) -> MemberNames {
    match &def.kind {
        SchemaKind::Alias(_) | SchemaKind::Const(_) => MemberNames::default(),
        SchemaKind::Object { fields, extra } => of_object(fields, extra),
        SchemaKind::TextEnum(values) => of_enum(values, |value| value.clone()),
        SchemaKind::IntEnum(values) => of_enum(values, i128::to_string),
        SchemaKind::Union { branches, discriminator, .. } => {
            let mut scope = Scope::new(Case::Camel);
            let wanted: Vec<Wanted> = branches.iter().map(|branch| of_branch(api, types, branch)).collect();
            let variants = scope.assign(&wanted);
            let keeps_unknown = match discriminator {
                // A default branch takes every unknown tag.
                Some(discriminator) => discriminator.default.is_none(),
                None => telling::find(api, branches).is_some_and(|telling| telling.is_closed),
            };
            let unknown = keeps_unknown.then(|| unknown(&mut scope));
            MemberNames { variants, unknown, ..MemberNames::default() }
        }
    }
}

fn of_object(fields: &[Field], extra: &Extra) -> MemberNames {
    let mut scope = Scope::new(Case::Snake);
    let wanted: Vec<Wanted> = fields.iter().map(|field| Wanted::text(&field.wire, Case::Snake)).collect();
    let fields = scope.assign(&wanted);
    let extra = matches!(extra, Extra::Kept(_)).then(|| {
        let others = ["rest", "undeclared"].map(str::to_owned);
        scope.give(&Wanted::composed("extra".to_owned(), others.to_vec()))
    });
    MemberNames { fields, extra, ..MemberNames::default() }
}

fn of_enum<V>(values: &[EnumValue<V>], text: impl Fn(&V) -> String) -> MemberNames {
    let mut scope = Scope::new(Case::Camel);
    let wanted: Vec<Wanted> = values
        .iter()
        .map(|value| match &value.name {
            Some(name) => Wanted::text(name, Case::Camel),
            None => Wanted::value(&text(&value.value)),
        })
        .collect();
    let variants = scope.assign(&wanted);
    let unknown = Some(unknown(&mut scope));
    MemberNames { variants, unknown, ..MemberNames::default() }
}

/// The variant that keeps what the document does not list; the document may list `Unknown` itself.
fn unknown(scope: &mut Scope) -> String {
    let others = ["Other", "Unlisted"].map(str::to_owned);
    scope.give(&Wanted::composed("Unknown".to_owned(), others.to_vec()))
}

fn of_branch(api: &Api, types: &[String], branch: &Branch) -> Wanted {
    match &branch.name {
        Some(name) => Wanted::text(name, Case::Camel),
        None => Wanted::composed(word_for(api, types, &branch.ty.ty), Vec::new()),
    }
}

/// A word for a branch that has no name: what it is.
fn word_for(api: &Api, types: &[String], ty: &Type) -> String {
    match ty {
        Type::Any => "Any".to_owned(),
        Type::Null => "Null".to_owned(),
        Type::Bool => "Boolean".to_owned(),
        Type::Int(_) => "Integer".to_owned(),
        Type::Float(_) => "Number".to_owned(),
        Type::Text(TextFormat::Plain) => "Text".to_owned(),
        Type::Text(TextFormat::DateTime) => "DateTime".to_owned(),
        Type::Text(TextFormat::Date) => "Date".to_owned(),
        Type::Text(TextFormat::Uuid) => "Uuid".to_owned(),
        Type::Text(TextFormat::Uri) => "Uri".to_owned(),
        Type::Text(TextFormat::Base64) => "Base64".to_owned(),
        Type::Binary => "Bytes".to_owned(),
        Type::Array(item) => format!("{}List", word_for(api, types, &item.ty).trim_end_matches('_')),
        Type::Map(value) => format!("{}Map", word_for(api, types, &value.ty).trim_end_matches('_')),
        Type::Tuple(_) => "Tuple".to_owned(),
        Type::Own(used) => word_for(api, types, &used.instead),
        Type::Named(id) => match api.schemas.get(id.index()).map(|def| &def.name) {
            Some(NameSource::Component(name)) => identifier(name, Case::Camel),
            _ => types.get(id.index()).cloned().unwrap_or_default(),
        },
    }
}

/// Members of emitted types whose name is not plain casing.
pub(crate) fn renamed(api: &Api, names: &Names, reached: &[bool]) -> Vec<(Origin, String, String)> {
    let mut renamed = Vec::new();
    for (index, def) in api.schemas.iter().enumerate().filter(|(index, _)| reached[*index]) {
        let members = &names.members[index];
        match &def.kind {
            SchemaKind::Object { fields, .. } => {
                for (field, name) in fields.iter().zip(&members.fields) {
                    if !is_plain(&field.wire, name, Case::Snake) {
                        renamed.push((field.origin.clone(), field.wire.clone(), name.clone()));
                    }
                }
            }
            SchemaKind::TextEnum(values) => {
                let texts = values.iter().map(|value| value.name.as_ref().unwrap_or(&value.value).clone());
                renamed.extend(variants(def, texts, members));
            }
            SchemaKind::IntEnum(values) => {
                let texts = values.iter().map(|value| value.name.clone().unwrap_or_else(|| value.value.to_string()));
                renamed.extend(variants(def, texts, members));
            }
            SchemaKind::Alias(_) | SchemaKind::Const(_) | SchemaKind::Union { .. } => {}
        }
    }
    renamed
}

fn variants(
    def: &SchemaDef,
    texts: impl Iterator<Item = String>,
    members: &MemberNames,
) -> impl Iterator<Item = (Origin, String, String)> {
    let origin = Origin { file: def.origin.file, pointer: format!("{}/enum", def.origin.pointer) };
    texts
        .zip(&members.variants)
        .filter(|(text, name)| !is_plain(text, name, Case::Camel))
        .map(move |(text, name)| (origin.clone(), text, name.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{any, api, object, text_enum};

    fn members(def: SchemaDef) -> MemberNames {
        choose(&api(vec![def]), &["It".to_owned()]).remove(0)
    }

    #[test]
    fn the_map_of_undeclared_properties_avoids_the_fields() {
        let mut def = object("Meter", vec![("additional_properties", any()), ("extra", any())]);
        if let SchemaKind::Object { extra, .. } = &mut def.kind {
            *extra = Extra::Kept(any());
        }
        assert_eq!(members(def).extra.as_deref(), Some("rest"));
    }

    #[test]
    fn the_fallback_variant_avoids_the_listed_values() {
        assert_eq!(members(text_enum("E", &["a"])).unknown.as_deref(), Some("Unknown"));
        assert_eq!(members(text_enum("E", &["unknown"])).unknown.as_deref(), Some("Other"));
    }

    #[test]
    fn fields_called_self_twice_stay_apart() {
        let def = object("Words", vec![("self", any()), ("Self", any()), ("type", any())]);
        assert_eq!(members(def).fields, ["self_", "self_2", "r#type"]);
    }
}
