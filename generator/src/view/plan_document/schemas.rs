//! Schemas and what their types are made of.

use serde::Serialize;
use serde_json::Value;

use crate::model::{EnumValue, SchemaDef, SchemaKind};
use crate::plan::SystemPlan;
use crate::render;

/// A schema and its type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SchemaDocument {
    /// Where it is written: a JSON pointer, after the file where it is not the root document.
    pub pointer: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// `object`, `text-enum`, `integer-enum`, `const`, `union`, or `alias`.
    pub kind: &'static str,
    /// Of an object: its fields. Properties that this direction leaves out have none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldDocument>,
    /// Of an object that keeps them: the field of its undeclared properties.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra: Option<String>,
    /// Of an enum: its listed values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<ValueDocument>,
    /// Of a union: its branches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<BranchDocument>,
    /// Of a union: the property that names the branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discriminator: Option<String>,
    /// Of an enum or union: the variant that keeps what the document does not list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

/// A field of an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct FieldDocument {
    /// The property.
    pub name: String,
    /// The field.
    pub field: String,
    /// Its type, `Option` and `Maybe` included.
    #[serde(rename = "type")]
    pub ty: String,
}

/// A listed value of an enum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ValueDocument {
    /// The value on the wire.
    pub value: Value,
    /// Its variant.
    pub variant: String,
}

/// A branch of a union.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct BranchDocument {
    /// Its variant.
    pub variant: String,
    /// What the variant holds.
    #[serde(rename = "type")]
    pub ty: String,
    /// The values of the discriminator that choose it.
    pub tags: Vec<String>,
}

pub(super) fn documents(plan: &SystemPlan, files: &[String]) -> Vec<SchemaDocument> {
    let reached = plan.api.schemas.iter().zip(&plan.reached).filter(|(_, reached)| **reached);
    reached.filter_map(|(schema, _)| document(plan, schema, files)).collect()
}

fn document(plan: &SystemPlan, schema: &SchemaDef, files: &[String]) -> Option<SchemaDocument> {
    let name = plan.names.types.get(schema.id.index())?;
    let members = plan.names.members.get(schema.id.index())?;
    let pointer = match schema.origin.file {
        0 => schema.origin.pointer.clone(),
        file => format!("{}#{}", files.get(file).map_or("", String::as_str), schema.origin.pointer),
    };
    let mut document = SchemaDocument {
        pointer,
        ty: format!("types::{name}"),
        kind: "alias",
        fields: Vec::new(),
        extra: members.extra.clone(),
        values: Vec::new(),
        branches: Vec::new(),
        discriminator: None,
        unknown: members.unknown.clone(),
    };
    match &schema.kind {
        SchemaKind::Alias(_) => {}
        SchemaKind::Const(_) => document.kind = "const",
        SchemaKind::Object { .. } => {
            document.kind = "object";
            let fields = render::object_fields(plan, schema).into_iter();
            document.fields = fields.map(|(name, field, ty)| FieldDocument { name, field, ty }).collect();
        }
        SchemaKind::TextEnum(values) => {
            document.kind = "text-enum";
            document.values = listed(values, &members.variants, |value| Value::from(value.as_str()));
        }
        SchemaKind::IntEnum(values) => {
            document.kind = "integer-enum";
            document.values = listed(values, &members.variants, |value| integer(*value));
        }
        SchemaKind::Union { branches, discriminator, .. } => {
            document.kind = "union";
            let branch = |(branch, variant): (&crate::model::Branch, &String)| BranchDocument {
                variant: variant.clone(),
                ty: render::type_path(plan, &branch.ty),
                tags: branch.tags.clone(),
            };
            document.branches = branches.iter().zip(&members.variants).map(branch).collect();
            document.discriminator = discriminator.as_ref().map(|discriminator| discriminator.property.clone());
        }
    }
    Some(document)
}

fn listed<V>(values: &[EnumValue<V>], variants: &[String], on_wire: impl Fn(&V) -> Value) -> Vec<ValueDocument> {
    let named = values.iter().zip(variants);
    named.map(|(value, variant)| ValueDocument { value: on_wire(&value.value), variant: variant.clone() }).collect()
}

/// What fits no integer of JSON was refused before.
fn integer(value: i128) -> Value {
    match (i64::try_from(value), u64::try_from(value)) {
        (Ok(value), _) => Value::from(value),
        (_, Ok(value)) => Value::from(value),
        _ => Value::from(value.to_string()),
    }
}
