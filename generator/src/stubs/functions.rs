//! Which functions of the stubs stand at which generated type: what stops compiling when the type changes.

use std::collections::BTreeMap;

use super::expressions::Way;
use super::mirror::{Item, Mirror};
use super::shapes::Shapes;
use super::ty::{Module, Ty};
use super::{Existing, conversions, mapped, renamed, wanted};
use crate::plan::SystemPlan;

/// The functions of a system's stubs, by what they convert.
#[derive(Debug, Clone, Default)]
pub(crate) struct StubFunctions {
    /// The functions that convert a type, field by field or variant by variant.
    conversions: BTreeMap<Item, Vec<(Way, String)>>,
    /// The functions that convert lists, maps and the like, with the types that they name.
    composites: Vec<(Vec<Item>, String)>,
}

/// The functions that the first run would write.
pub(crate) fn functions(plan: &SystemPlan, shapes: &Shapes) -> StubFunctions {
    let mirror = Mirror::new(shapes, &renamed(plan), None);
    let wanted = wanted(plan, &Existing::default());
    mapped(plan, &wanted, &mirror);
    // Writing the functions asks for those that they call.
    let _ = conversions::functions(&mirror);
    let mut functions = StubFunctions::default();
    let mut index = 0;
    while let Some((ty, way)) = mirror.conversion(index) {
        index += 1;
        let name = mirror.function(&ty, way);
        match ty {
            Ty::Named(module, item) => {
                functions.conversions.entry((module, item)).or_default().push((way, name));
            }
            composite => {
                let mut items = Vec::new();
                named(&composite, &mut items);
                functions.composites.push((items, name));
            }
        }
    }
    functions
}

impl StubFunctions {
    /// The functions that convert a type, in their order.
    pub(crate) fn of(&self, module: Module, name: &str) -> &[(Way, String)] {
        self.conversions.get(&(module, name.to_owned())).map_or(&[], Vec::as_slice)
    }

    /// The functions whose signature names a type as a part of another.
    pub(crate) fn naming(&self, module: Module, name: &str) -> impl Iterator<Item = &str> {
        let item = (module, name.to_owned());
        self.composites.iter().filter(move |(items, _)| items.contains(&item)).map(|(_, name)| name.as_str())
    }
}

/// The generated types within a type.
fn named(ty: &Ty, items: &mut Vec<Item>) {
    match ty {
        Ty::Named(module, name) => items.push((*module, name.clone())),
        Ty::Option(inner)
        | Ty::Maybe(inner)
        | Ty::List(inner)
        | Ty::Map(inner)
        | Ty::Boxed(inner)
        | Ty::Event(inner) => {
            named(inner, items);
        }
        Ty::Tuple(parts) => parts.iter().for_each(|part| named(part, items)),
        Ty::Status | Ty::Leaf(_) => {}
    }
}
