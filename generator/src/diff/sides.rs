//! One side of a comparison: a plan, the types that are rendered from it, and the functions of its stubs.

use std::collections::BTreeMap;

use super::Version;
use crate::analyse::OperationNames;
use crate::diagnose::Report;
use crate::model::{Operation, SchemaDef, SchemaKind};
use crate::plan::{Direction, PlannedOperation, Policy, SystemPlan};
use crate::stubs::shapes::{Shape, ShapeKind, Shapes};
use crate::stubs::ty::{Module, Ty};
use crate::stubs::{StubFunctions, functions};
use crate::{Planned, output};

/// A generated type by its module and name.
pub(super) type Item = (Module, String);

/// A plan with all that is compared.
pub(super) struct Side<'p> {
    pub(super) plan: &'p SystemPlan,
    pub(super) policies: &'p [Policy],
    pub(super) shapes: Shapes,
    pub(super) functions: StubFunctions,
    /// The schema behind each type.
    schemas: BTreeMap<&'p str, usize>,
    /// What the types of the module `operations` are for.
    roles: BTreeMap<String, (usize, Role)>,
}

/// What a type of the module `operations` is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// All that an operation takes.
    Request,
    /// Its body, where there are several media types.
    Body,
    /// All that it answers.
    Reply,
    /// How it fails.
    Rejection,
    /// A part of a response: body and headers, or the choice of media types. By the position of the response.
    Part(usize),
}

/// What the document says of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fact {
    /// Its name on the wire.
    pub(super) wire: String,
    /// It has to be there.
    pub(super) required: bool,
    /// It may be `null`.
    pub(super) nullable: bool,
}

impl<'p> Side<'p> {
    /// Renders what is to be compared.
    pub(super) fn of(planned: &'p Planned, report: &mut Report) -> Option<Self> {
        let plan = &planned.plan;
        let shapes = Shapes::of(&output::items(plan, report)?);
        let functions = functions(plan, &shapes);
        let named = plan.api.schemas.iter().filter(|schema| plan.reached.get(schema.id.index()) == Some(&true));
        let schemas = named
            .filter_map(|schema| Some((plan.names.types.get(schema.id.index())?.as_str(), schema.id.index())))
            .collect();
        Some(Self { plan, policies: &planned.policies, shapes, functions, schemas, roles: roles(plan) })
    }

    pub(super) fn version(&self) -> Version {
        let api = &self.plan.api;
        Version { title: api.title.clone(), version: api.version.clone(), operations: self.plan.operations.len() }
    }

    /// An operation of the plan, by its position there.
    pub(super) fn operation(&self, at: usize) -> Option<(&'p PlannedOperation, &'p Operation, &'p OperationNames)> {
        let planned = self.plan.operations.get(at)?;
        let names = self.plan.names.operations.get(planned.index)?;
        Some((planned, self.plan.api.operations.get(planned.index)?, names))
    }

    pub(super) fn shape(&self, item: &Item) -> Option<&Shape> {
        self.shapes.get(item.0, &item.1)
    }

    /// Whether anything has this path.
    pub(super) fn has(&self, item: &Item) -> bool {
        self.shape(item).is_some()
    }

    /// The schema behind a type.
    pub(super) fn schema(&self, item: &Item) -> Option<&'p SchemaDef> {
        match item.0 {
            Module::Types => self.plan.api.schemas.get(*self.schemas.get(item.1.as_str())?),
            Module::Operations => None,
        }
    }

    /// What a type of the module `operations` is for: the operation's position in the plan, and the role.
    pub(super) fn role(&self, item: &Item) -> Option<(usize, Role)> {
        match item.0 {
            Module::Operations => self.roles.get(&item.1).copied(),
            Module::Types => None,
        }
    }

    /// Which way a type travels. What only stands in the document may be used either way.
    pub(super) fn way(&self, item: &Item) -> Direction {
        match (self.role(item), self.schema(item)) {
            (Some((_, Role::Request | Role::Body)), _) => Direction { request: true, reply: false },
            (Some(_), _) => Direction { request: false, reply: true },
            (None, Some(schema)) => match self.plan.directions.get(schema.id.index()).copied().unwrap_or_default() {
                Direction { request: false, reply: false } => Direction { request: true, reply: true },
                way => way,
            },
            (None, None) => Direction { request: true, reply: true },
        }
    }

    /// What the document says of a field of a type.
    pub(super) fn fact(&self, item: &Item, member: &str) -> Option<Fact> {
        if let Some(schema) = self.schema(item) {
            let SchemaKind::Object { fields, .. } = &schema.kind else { return None };
            let names = self.plan.names.members.get(schema.id.index())?;
            let at = names.fields.iter().position(|name| name == member)?;
            let field = fields.get(at)?;
            return Some(Fact { wire: field.wire.clone(), required: field.required, nullable: field.ty.nullable });
        }
        let (at, role) = self.role(item)?;
        let (_, operation, names) = self.operation(at)?;
        if role != Role::Request {
            return None;
        }
        if let Some(at) = names.parameters.iter().position(|name| name == member) {
            let parameter = operation.parameters.get(at)?;
            let (wire, required) = (parameter.name.clone(), parameter.required);
            return Some(Fact { wire, required, nullable: parameter.ty.nullable });
        }
        let body = operation.body.as_ref().filter(|_| names.body == member)?;
        Some(Fact { wire: "body".to_owned(), required: body.required, nullable: false })
    }

    /// A type with its other names taken away, in whatever it stands.
    pub(super) fn canonical(&self, ty: &Ty) -> Ty {
        let inner = |ty: &Ty| Box::new(self.canonical(ty));
        match self.shapes.resolved(ty) {
            Ty::Option(ty) => Ty::Option(inner(&ty)),
            Ty::Maybe(ty) => Ty::Maybe(inner(&ty)),
            Ty::List(ty) => Ty::List(inner(&ty)),
            Ty::Map(ty) => Ty::Map(inner(&ty)),
            Ty::Boxed(ty) => Ty::Boxed(inner(&ty)),
            Ty::Event(ty) => Ty::Event(inner(&ty)),
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|part| self.canonical(part)).collect()),
            other => other,
        }
    }

    /// Whether a type of the module `operations` is another name of some type, in the end.
    pub(super) fn is_alias(&self, item: &Item) -> bool {
        matches!(self.shape(item).map(|shape| &shape.kind), Some(ShapeKind::Alias(_)))
    }
}

fn roles(plan: &SystemPlan) -> BTreeMap<String, (usize, Role)> {
    let mut roles = BTreeMap::new();
    for (at, planned) in plan.operations.iter().enumerate() {
        let Some(names) = plan.names.operations.get(planned.index) else { continue };
        for (index, part) in names.response_parts.iter().enumerate() {
            for name in [&part.with_headers, &part.body_type] {
                roles.insert(name.clone(), (at, Role::Part(index)));
            }
        }
        let stream = names.stream.as_ref().map(|stream| (&stream.reply, Role::Reply));
        let own = [
            (&names.body_type, Role::Body),
            (&names.rejection, Role::Rejection),
            (&names.reply, Role::Reply),
            (&names.request, Role::Request),
        ];
        for (name, role) in stream.into_iter().chain(own) {
            roles.insert(name.clone(), (at, role));
        }
    }
    roles
}
