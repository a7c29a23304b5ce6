//! Which generated types get a mirror image in the domain, and what it is called.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use heck::ToSnakeCase;

use super::expressions::{Naming, Way};
use super::shapes::{Shape, ShapeKind, Shapes};
use super::ty::{Module, Ty};

/// A generated type by its module and name.
pub(crate) type Item = (Module, String);

/// The types that stubs need, found while their code is written.
pub(crate) struct Mirror<'a> {
    shapes: &'a Shapes,
    /// Domain names of generated types.
    names: BTreeMap<Item, String>,
    /// Converters by type and way.
    functions: BTreeMap<(Item, Way), String>,
    /// What was asked for, in the order it was asked for first.
    wanted: RefCell<Wanted>,
}

#[derive(Debug, Default)]
struct Wanted {
    conversions: Vec<(Item, Way)>,
    seen: BTreeSet<(Item, Way)>,
}

impl<'a> Mirror<'a> {
    /// `renamed` are the types of operations that the domain calls otherwise (`…Request` is a `…Command` there).
    pub(crate) fn new(shapes: &'a Shapes, renamed: &BTreeMap<String, String>) -> Self {
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
        let mut taken = BTreeSet::new();
        let mut functions = BTreeMap::new();
        for (item, name) in &names {
            let stem = unused(name.to_snake_case(), &mut taken);
            functions.insert((item.clone(), Way::ToWire), format!("{stem}_to_wire"));
            functions.insert((item.clone(), Way::FromWire), format!("{stem}_from_wire"));
        }
        Self { shapes, names, functions, wanted: RefCell::default() }
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
    pub(crate) fn conversion(&self, index: usize) -> Option<(Item, Way)> {
        self.wanted.borrow().conversions.get(index).cloned()
    }

    /// The function of a conversion.
    pub(crate) fn function(&self, item: &Item, way: Way) -> String {
        self.functions.get(&(item.clone(), way)).cloned().unwrap_or_default()
    }

    /// A type as the domain writes it; `prefix` goes before the names of mirrored types.
    pub(crate) fn domain_type(&self, ty: &Ty, prefix: &str) -> String {
        let inner = |ty: &Ty| self.domain_type(ty, prefix);
        match self.resolved(ty) {
            Ty::Named(module, name) => {
                let item = (module, name);
                match self.shape(&item) {
                    Some(_) => format!("{prefix}{}", self.domain_name(&item)),
                    None => item.1,
                }
            }
            Ty::Option(ty) => format!("Option<{}>", inner(&ty)),
            Ty::Maybe(ty) => format!("cofferdam_runtime::Maybe<{}>", inner(&ty)),
            Ty::List(ty) => format!("Vec<{}>", inner(&ty)),
            Ty::Map(ty) => format!("std::collections::BTreeMap<String, {}>", inner(&ty)),
            Ty::Boxed(ty) => format!("Box<{}>", inner(&ty)),
            Ty::Tuple(parts) => format!("({})", parts.iter().map(inner).collect::<Vec<_>>().join(", ")),
            Ty::Status => "u16".to_owned(),
            Ty::Leaf(text) => text,
        }
    }

    /// A type with its other names taken away, at the top.
    pub(crate) fn resolved_type(&self, ty: &Ty) -> Ty {
        self.shapes.resolved(ty)
    }

    /// The path of a generated type.
    pub(crate) fn wire_path(&self, ty: &Ty) -> String {
        match self.shapes.resolved(ty) {
            Ty::Named(module, name) => format!("{}::{name}", module.name()),
            _ => String::new(),
        }
    }

    /// Whether a type is a constant of the document: the domain has no field for what is always the same.
    pub(crate) fn is_constant(&self, ty: &Ty) -> bool {
        match self.resolved(ty) {
            Ty::Named(module, name) => {
                matches!(self.shape(&(module, name)), Some(Shape { kind: ShapeKind::Unit, .. }))
            }
            _ => false,
        }
    }
}

impl Naming for Mirror<'_> {
    fn converter(&self, module: Module, name: &str, way: Way) -> Option<String> {
        let item = (module, name.to_owned());
        self.shape(&item)?;
        let key = (item, way);
        let mut wanted = self.wanted.borrow_mut();
        if wanted.seen.insert(key.clone()) {
            wanted.conversions.push(key.clone());
        }
        self.functions.get(&key).cloned()
    }

    fn resolved(&self, ty: &Ty) -> Ty {
        self.shapes.resolved(ty)
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
