use serde_json::Value;

use crate::diagnose::Report;
use crate::model::{Extra, Origin, SchemaDef, SchemaKind, Type};
use crate::plan::SystemPlan;
use crate::resolve::{Documents, Findings, Node};

/// How far references and `allOf` are followed for one value, and how many schemas may describe it.
const FAR: usize = 24;
const MANY: usize = 64;

/// A plan beside the documents it was made from.
#[derive(Clone, Copy)]
pub(crate) struct Schemas<'a> {
    pub(crate) plan: &'a SystemPlan,
    pub(crate) documents: &'a Documents,
}

/// All that the documents say of one value: the schemas that describe it together, through `$ref` and `allOf`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Said<'a> {
    schemas: Vec<Node<'a>>,
}

impl<'a> Said<'a> {
    /// The schemas, those nearest to the value first.
    pub(super) fn schemas(&self) -> &[Node<'a>] {
        &self.schemas
    }

    /// A keyword, from every schema that has it.
    pub(super) fn keyword<'s>(&'s self, key: &'s str) -> impl Iterator<Item = &'a Value> + 's {
        self.schemas.iter().filter_map(move |schema| schema.value.get(key))
    }

    /// Whether a property must be there.
    pub(super) fn requires(&self, property: &str) -> bool {
        self.keyword("required").filter_map(Value::as_array).flatten().any(|name| name.as_str() == Some(property))
    }

    fn knows(&self, origin: &Origin) -> bool {
        self.schemas.iter().any(|schema| schema.origin == *origin)
    }
}

impl<'a> Schemas<'a> {
    /// What stands at a place, past references.
    pub(crate) fn at(&self, origin: &Origin) -> Option<Node<'a>> {
        self.peeled(&self.documents.at(origin)?)
    }

    /// A thing, past references to it.
    pub(super) fn peeled(&self, node: &Node<'a>) -> Option<Node<'a>> {
        let mut unheard = Report::default();
        self.documents.peel(node, &mut Findings::new(&mut unheard))
    }

    /// What is said of a value of a type. `at` is where the type is used; the type's own schema is looked at besides.
    pub(crate) fn of_type(&self, at: Option<&Node<'a>>, ty: &Type) -> Said<'a> {
        let mut said = Said::default();
        if let Some(node) = at {
            self.gather(&mut said, node, FAR);
        }
        self.with_own(said, ty)
    }

    /// Adds what the schema of a named type says.
    fn with_own(&self, mut said: Said<'a>, ty: &Type) -> Said<'a> {
        if let Type::Named(id) = ty.on_the_wire()
            && let Some(node) = self.documents.at(&self.plan.api.schema(*id).origin)
        {
            self.gather(&mut said, &node, FAR);
        }
        said
    }

    fn gather(&self, said: &mut Said<'a>, node: &Node<'a>, far: usize) {
        if far == 0 || said.schemas.len() >= MANY || !node.value.is_object() || said.knows(&node.origin) {
            return;
        }
        said.schemas.push(node.clone());
        if let Some(target) = self.target(node) {
            self.gather(said, &target, far - 1);
        }
        for part in children(node, "allOf") {
            self.gather(said, &part, far - 1);
        }
    }

    /// What a schema's own reference leads to. That it leads somewhere was seen when the document was lowered.
    fn target(&self, node: &Node<'a>) -> Option<Node<'a>> {
        let reference = node.value.get("$ref").and_then(Value::as_str).filter(|text| !text.trim().is_empty())?;
        let mut unheard = Report::default();
        self.documents.resolve(reference, &node.at("$ref"), &mut Findings::new(&mut unheard))
    }

    /// What is said of a property of an object. `origin` is where the model found it.
    pub(super) fn property(&self, said: &Said<'a>, name: &str, origin: &Origin, ty: &Type) -> Said<'a> {
        let mut inner = Said::default();
        let declared = said.schemas.iter().filter_map(|schema| schema.get("properties")?.get(name));
        for node in self.documents.at(origin).into_iter().chain(declared) {
            self.gather(&mut inner, &node, FAR);
        }
        self.with_own(inner, ty)
    }

    /// What is said of an item of an array.
    pub(super) fn item(&self, said: &Said<'a>, index: usize, ty: &Type) -> Said<'a> {
        let of = |schema: &Node<'a>| {
            let items = schema.get("items");
            let listed = schema.get("prefixItems").or_else(|| items.clone().filter(|items| items.value.is_array()));
            listed.and_then(|listed| listed.get(&index.to_string())).or(items)
        };
        self.inside(said.schemas.iter().filter_map(of), ty)
    }

    /// What is said of an undeclared property of an object.
    pub(super) fn rest(&self, said: &Said<'a>, ty: &Type) -> Said<'a> {
        let of = |schema: &Node<'a>| {
            let patterns = schema.get("patternProperties").into_iter();
            let patterns = patterns.flat_map(|patterns| members(&patterns));
            let rest = ["additionalProperties", "unevaluatedProperties"].into_iter().filter_map(|key| schema.get(key));
            rest.chain(patterns).collect::<Vec<_>>()
        };
        self.inside(said.schemas.iter().flat_map(of), ty)
    }

    fn inside(&self, nodes: impl Iterator<Item = Node<'a>>, ty: &Type) -> Said<'a> {
        let mut inner = Said::default();
        nodes.for_each(|node| self.gather(&mut inner, &node, FAR));
        self.with_own(inner, ty)
    }

    /// What is said of a value that is the given branch of a union: all that is said of the union, and of the branch.
    pub(super) fn branch(&self, said: &Said<'a>, index: usize, count: usize, ty: &Type) -> Said<'a> {
        let mut inner = said.clone();
        for schema in &said.schemas {
            for key in ["oneOf", "anyOf"] {
                let branches: Vec<_> =
                    children(schema, key).into_iter().filter(|branch| !self.is_only_null(branch)).collect();
                // The model may have merged or dropped some: then it is not known which is which.
                if branches.len() == count
                    && let Some(branch) = branches.get(index)
                {
                    self.gather(&mut inner, branch, FAR);
                }
            }
        }
        self.with_own(inner, ty)
    }

    fn is_only_null(&self, node: &Node<'a>) -> bool {
        let value = node.value;
        value.get("type").is_some_and(|said| said == "null" || said.is_null())
            || value.get("const").is_some_and(Value::is_null)
            || value.get("enum").and_then(Value::as_array).is_some_and(|listed| listed.iter().all(Value::is_null))
            || value.as_object().is_some_and(|map| map.len() == 1 && map.get("nullable") == Some(&Value::Bool(true)))
    }

    /// The definition of a named type, past its other names.
    pub(super) fn definition(&self, ty: &Type) -> Option<&'a SchemaDef> {
        crate::analyse::telling::definition(&self.plan.api, ty)
    }

    /// Whether an object keeps properties it does not declare, and as what.
    pub(super) fn kept<'m>(&self, extra: &'m Extra) -> Option<&'m crate::model::TypeUse> {
        match extra {
            Extra::Kept(ty) => Some(ty),
            Extra::Ignored | Extra::Closed => None,
        }
    }

    /// The kind of a named type, past its other names.
    pub(super) fn kind(&self, ty: &Type) -> Option<&'a SchemaKind> {
        self.definition(ty.on_the_wire()).map(|def| &def.kind)
    }
}

/// The items of a list that a schema holds.
pub(super) fn children<'a>(node: &Node<'a>, key: &str) -> Vec<Node<'a>> {
    let Some(list) = node.get(key) else { return Vec::new() };
    let count = list.value.as_array().map_or(0, Vec::len);
    (0..count).filter_map(|index| list.raw(&index.to_string())).collect()
}

/// The members of an object.
pub(super) fn members<'a>(node: &Node<'a>) -> Vec<Node<'a>> {
    let map = node.value.as_object();
    map.into_iter().flat_map(|map| map.iter().map(|(key, value)| node.child(key, value))).collect()
}
