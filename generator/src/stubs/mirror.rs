//! Which generated types get a mirror image in the domain, and what it is called.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use heck::ToSnakeCase;

use super::expressions::{Naming, Way, is_same};
use super::shapes::{Shape, ShapeKind, Shapes};
use super::ty::{Module, Ty};

/// A generated type by its module and name.
pub(crate) type Item = (Module, String);

/// The types that stubs need, found while their code is written.
pub(crate) struct Mirror<'a> {
    shapes: &'a Shapes,
    /// Domain names of generated types.
    names: BTreeMap<Item, String>,
    /// What the functions of each type are called after: names in snake case, and different for each.
    stems: RefCell<Stems>,
    /// Domain types that stand in the mapper's own file, and so need no path there.
    own: BTreeSet<String>,
    /// What was asked for, in the order it was asked for first.
    wanted: RefCell<Wanted>,
}

/// Where a domain type is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// In the module `domain`.
    Domain,
    /// In a mapper or a port.
    Mapper,
}

#[derive(Debug, Default)]
struct Stems {
    given: BTreeMap<Ty, String>,
    taken: BTreeSet<String>,
}

#[derive(Debug, Default)]
struct Wanted {
    conversions: Vec<(Ty, Way)>,
    seen: BTreeSet<(Ty, Way)>,
}

impl<'a> Mirror<'a> {
    /// `renamed` are the types of operations that the domain calls otherwise (`…Request` is a `…Command` there).
    ///
    /// With `existing` types, every other one stands in the mapper's own file.
    pub(crate) fn new(
        shapes: &'a Shapes,
        renamed: &BTreeMap<String, String>,
        existing: Option<&BTreeSet<String>>,
    ) -> Self {
        let mut taken = BTreeSet::new();
        let mut names = BTreeMap::new();
        // Types of the document keep their names: it is theirs that the domain knows.
        for item in shapes.items() {
            let wanted = match item.0 {
                Module::Types => item.1.clone(),
                Module::Operations => renamed.get(&item.1).unwrap_or(&item.1).clone(),
            };
            names.insert(item.clone(), unused(wanted, &mut taken));
        }
        let mut stems = Stems::default();
        for (item, name) in &names {
            let stem = unused(name.to_snake_case(), &mut stems.taken);
            stems.given.insert(Ty::Named(item.0, item.1.clone()), stem);
        }
        let own = match existing {
            Some(existing) => names.values().filter(|name| !existing.contains(*name)).cloned().collect(),
            None => BTreeSet::new(),
        };
        Self { shapes, names, stems: RefCell::new(stems), own, wanted: RefCell::default() }
    }

    /// The shape of a type.
    pub(crate) fn shape(&self, item: &Item) -> Option<&'a Shape> {
        self.shapes.get(item.0, &item.1)
    }

    /// The name of a type in the domain.
    pub(crate) fn domain_name<'b>(&'b self, item: &'b Item) -> &'b str {
        self.names.get(item).map_or(item.1.as_str(), String::as_str)
    }

    /// The next conversion that was asked for and is not written yet.
    pub(crate) fn conversion(&self, index: usize) -> Option<(Ty, Way)> {
        self.wanted.borrow().conversions.get(index).cloned()
    }

    /// The name of the function that converts a type.
    pub(crate) fn function(&self, ty: &Ty, way: Way) -> String {
        let ending = match way {
            Way::ToWire => "to_wire",
            Way::FromWire => "from_wire",
        };
        let stem = self.stem(ty);
        // The snake case of `_3rdParty` begins with the digit.
        let mark = if stem.starts_with(|first: char| first.is_alphabetic()) { "" } else { "_" };
        format!("{mark}{stem}_{ending}")
    }

    fn stem(&self, ty: &Ty) -> String {
        let ty = self.resolved(ty);
        if let Some(stem) = self.stems.borrow().given.get(&ty) {
            return stem.clone();
        }
        let wanted = match &ty {
            Ty::Option(inner) => format!("optional_{}", self.stem(inner)),
            Ty::Maybe(inner) => format!("maybe_{}", self.stem(inner)),
            Ty::List(inner) => format!("{}_list", self.stem(inner)),
            Ty::Map(inner) => format!("{}_map", self.stem(inner)),
            Ty::Boxed(inner) => format!("boxed_{}", self.stem(inner)),
            Ty::Event(inner) => format!("{}_event", self.stem(inner)),
            Ty::Tuple(parts) => parts.iter().map(|part| self.stem(part)).collect::<Vec<_>>().join("_and_"),
            Ty::Status => "status".to_owned(),
            Ty::Named(_, text) | Ty::Leaf(text) => text.to_snake_case(),
        };
        let mut stems = self.stems.borrow_mut();
        let stem = unused(wanted, &mut stems.taken);
        stems.given.insert(ty, stem.clone());
        stem
    }

    /// A domain type as it is written on a side.
    pub(crate) fn domain_type(&self, ty: &Ty, side: Side) -> String {
        self.written(ty, &|item| match self.shape(item) {
            Some(_) => self.domain_path(item, side),
            None => item.1.clone(),
        })
    }

    /// The path of a mirrored type on a side.
    pub(crate) fn domain_path(&self, item: &Item, side: Side) -> String {
        let name = self.domain_name(item);
        match side {
            Side::Mapper if !self.own.contains(name) => format!("domain::{name}"),
            Side::Mapper | Side::Domain => name.to_owned(),
        }
    }

    /// A type as a mapper writes it for the transport side.
    pub(crate) fn wire_type(&self, ty: &Ty) -> String {
        match self.resolved(ty) {
            Ty::Status => "StatusCode".to_owned(),
            other => self.written(&other, &|item| format!("{}::{}", item.0.name(), item.1)),
        }
    }

    fn written(&self, ty: &Ty, named: &dyn Fn(&Item) -> String) -> String {
        let inner = |ty: &Ty| self.written(ty, named);
        match self.resolved(ty) {
            Ty::Named(module, name) => named(&(module, name)),
            Ty::Option(ty) => format!("Option<{}>", inner(&ty)),
            Ty::Maybe(ty) => format!("cofferdam_runtime::Maybe<{}>", inner(&ty)),
            Ty::List(ty) => format!("Vec<{}>", inner(&ty)),
            Ty::Map(ty) => format!("std::collections::BTreeMap<String, {}>", inner(&ty)),
            Ty::Boxed(ty) => format!("Box<{}>", inner(&ty)),
            Ty::Event(ty) => inner(&ty),
            Ty::Tuple(parts) => tuple(&parts.iter().map(inner).collect::<Vec<_>>()),
            Ty::Status => "u16".to_owned(),
            Ty::Leaf(text) => text,
        }
    }

    /// The path of a constant, as an expression and as a pattern.
    pub(crate) fn constant(&self, ty: &Ty) -> Option<String> {
        let Ty::Named(module, name) = self.resolved(ty) else { return None };
        let path = format!("{}::{name}", module.name());
        matches!(self.shape(&(module, name)), Some(Shape { kind: ShapeKind::Unit, .. })).then_some(path)
    }
}

impl Naming for Mirror<'_> {
    fn converter(&self, ty: &Ty, way: Way) -> Option<String> {
        match ty {
            Ty::Named(module, name) => self.shape(&(*module, name.clone())).map(|_| ())?,
            Ty::Leaf(_) => return None,
            composite if is_same(self, composite, way) => return None,
            _ => {}
        }
        Some(self.function(ty, way))
    }

    fn resolved(&self, ty: &Ty) -> Ty {
        self.shapes.resolved(ty)
    }

    fn want(&self, ty: &Ty, way: Way) {
        let key = (self.resolved(ty), way);
        let mut wanted = self.wanted.borrow_mut();
        if wanted.seen.insert(key.clone()) {
            wanted.conversions.push(key);
        }
    }
}

/// A tuple of one keeps its comma.
pub(crate) fn tuple(parts: &[String]) -> String {
    match parts {
        [only] => format!("({only},)"),
        several => format!("({})", several.join(", ")),
    }
}

fn unused(wanted: String, taken: &mut BTreeSet<String>) -> String {
    let mut name = wanted.clone();
    let mut number = 2;
    while !taken.insert(name.clone()) {
        name = format!("{wanted}{number}");
        number += 1;
    }
    name
}
