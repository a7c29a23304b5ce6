//! The expression that turns one value into its mirror image.

use super::layout::Expr;
use super::ty::{Module, Ty};

/// Which way a value goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Way {
    /// From a domain value by reference to a transport value.
    ToWire,
    /// From an owned transport value to a domain value.
    FromWire,
}

/// What an expression needs to know of the types around it.
pub(crate) trait Naming {
    /// The function that converts a generated type, or `None` where domain and transport share the type.
    fn converter(&self, module: Module, name: &str, way: Way) -> Option<String>;
    /// A type with its other names taken away, at the top.
    fn resolved(&self, ty: &Ty) -> Ty;
}

/// Where the value is: a binding, or a place that can be borrowed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    /// A binding that is a reference.
    Reference,
    /// A binding or a place that owns it.
    Owned,
}

/// The mirror image of the binding `name`. It is a reference on the way to the wire, and owned on the way back.
pub(crate) fn convert(naming: &impl Naming, name: &str, ty: &Ty, way: Way) -> Expr {
    let held = match way {
        Way::ToWire => Held::Reference,
        Way::FromWire => Held::Owned,
    };
    Converter { naming, way }.expr(name, held, ty, 0)
}

struct Converter<'a, N> {
    naming: &'a N,
    way: Way,
}

impl<N: Naming> Converter<'_, N> {
    fn expr(&self, place: &str, held: Held, ty: &Ty, depth: usize) -> Expr {
        let ty = self.naming.resolved(ty);
        if self.is_same(&ty) {
            return self.same(place, held, &ty);
        }
        match &ty {
            Ty::Named(module, name) => match self.naming.converter(*module, name, self.way) {
                Some(function) => Expr::Call(function, Box::new(Expr::Text(self.argument(place, held)))),
                None => self.same(place, held, &ty),
            },
            Ty::Option(inner) | Ty::Maybe(inner) => self.mapped(place, inner, depth),
            Ty::List(inner) => {
                let calls = vec![self.iterate(), self.map_call("item", inner, depth), ".collect()".to_owned()];
                Expr::Chain(place.to_owned(), calls)
            }
            Ty::Map(inner) => {
                let calls = vec![self.iterate(), self.map_entries(inner, depth), ".collect()".to_owned()];
                Expr::Chain(place.to_owned(), calls)
            }
            Ty::Boxed(inner) => {
                let unboxed = match self.way {
                    // `&Box<T>` becomes `&T` by itself where a function takes it.
                    Way::ToWire => self.expr(place, held, inner, depth),
                    Way::FromWire => self.expr(&format!("*{place}"), held, inner, depth),
                };
                Expr::Call("Box::new".to_owned(), Box::new(unboxed))
            }
            Ty::Tuple(parts) => {
                let parts: Vec<String> = parts
                    .iter()
                    .enumerate()
                    .map(|(index, part)| self.expr(&format!("{place}.{index}"), Held::Owned, part, depth).one_line())
                    .collect();
                Expr::Text(format!("({})", parts.join(", ")))
            }
            Ty::Status => Expr::Text(format!("{place}.as_u16()")),
            Ty::Leaf(_) => self.same(place, held, &ty),
        }
    }

    /// Whether the domain has the very same type.
    fn is_same(&self, ty: &Ty) -> bool {
        match self.naming.resolved(ty) {
            Ty::Named(module, name) => self.naming.converter(module, &name, self.way).is_none(),
            Ty::Option(inner) | Ty::Maybe(inner) | Ty::List(inner) | Ty::Map(inner) | Ty::Boxed(inner) => {
                self.is_same(&inner)
            }
            Ty::Tuple(parts) => parts.iter().all(|part| self.is_same(part)),
            Ty::Status => false,
            Ty::Leaf(_) => true,
        }
    }

    fn same(&self, place: &str, held: Held, ty: &Ty) -> Expr {
        match (self.way, held) {
            (Way::FromWire, _) => Expr::Text(place.to_owned()),
            (Way::ToWire, Held::Reference) if ty.is_copy() => Expr::Text(format!("*{place}")),
            (Way::ToWire, Held::Owned) if ty.is_copy() => Expr::Text(place.to_owned()),
            (Way::ToWire, _) => Expr::Text(format!("{place}.clone()")),
        }
    }

    fn argument(&self, place: &str, held: Held) -> String {
        match (self.way, held) {
            (Way::ToWire, Held::Owned) => format!("&{place}"),
            _ => place.to_owned(),
        }
    }

    fn iterate(&self) -> String {
        match self.way {
            Way::ToWire => ".iter()".to_owned(),
            Way::FromWire => ".into_iter()".to_owned(),
        }
    }

    /// `.map(…)` over what is inside an option.
    fn mapped(&self, place: &str, inner: &Ty, depth: usize) -> Expr {
        let mut calls = Vec::new();
        if self.way == Way::ToWire {
            calls.push(".as_ref()".to_owned());
        }
        calls.push(self.map_call("value", inner, depth));
        Expr::Chain(place.to_owned(), calls)
    }

    /// `.map(function)`, or a closure where it needs more than one function.
    fn map_call(&self, word: &str, inner: &Ty, depth: usize) -> String {
        let held = match self.way {
            Way::ToWire => Held::Reference,
            Way::FromWire => Held::Owned,
        };
        let binding = nested(word, depth);
        match self.expr(&binding, held, inner, depth + 1) {
            Expr::Call(function, argument) if *argument == Expr::Text(binding.clone()) => format!(".map({function})"),
            other => format!(".map(|{binding}| {})", other.one_line()),
        }
    }

    fn map_entries(&self, inner: &Ty, depth: usize) -> String {
        let (key, value) = (nested("key", depth), nested("value", depth));
        match self.way {
            Way::ToWire => {
                let inner = self.expr(&value, Held::Reference, inner, depth + 1).one_line();
                format!(".map(|({key}, {value})| ({key}.clone(), {inner}))")
            }
            Way::FromWire => {
                let inner = self.expr(&value, Held::Owned, inner, depth + 1).one_line();
                format!(".map(|({key}, {value})| ({key}, {inner}))")
            }
        }
    }
}

/// Names of nested closures do not hide each other.
fn nested(word: &str, depth: usize) -> String {
    match depth {
        0 => word.to_owned(),
        1 => format!("inner_{word}"),
        deeper => format!("inner_{word}_{deeper}"),
    }
}
