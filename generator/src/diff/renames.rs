//! Which type of the old document is which of the new one.

use std::collections::{BTreeMap, BTreeSet};

use super::matching::Matching;
use super::shapes::differences;
use super::sides::{Item, Side};
use crate::analyse::OperationNames;
use crate::model::Origin;
use crate::stubs::shapes::{Shape, ShapeKind};
use crate::stubs::ty::{Module, Ty};

/// The types that are called otherwise now.
#[derive(Debug, Default)]
pub(super) struct Renames {
    now: BTreeMap<Item, Item>,
}

impl Renames {
    /// A type is known by its name; where that is gone, by the operation that it belongs to, by its place in the
    /// document, or by looking just like the only new type that looks like it.
    pub(super) fn of(old: &Side<'_>, new: &Side<'_>, matching: &Matching) -> Self {
        let mut renames = Self::default();
        for (before, now) in &matching.pairs {
            if let (Some((_, _, before)), Some((_, _, now))) = (old.operation(*before), new.operation(*now)) {
                renames.operation(before, now);
            }
        }
        renames.now.retain(|before, now| before != now && old.has(before) && new.has(now));
        let mut open = Open::of(old, new, &renames);
        renames.by_place(old, new, &mut open);
        renames.by_shape(old, new, &mut open);
        renames
    }

    fn operation(&mut self, old: &OperationNames, new: &OperationNames) {
        let item = |name: &String| (Module::Operations, name.clone());
        let stream = old.stream.as_ref().zip(new.stream.as_ref()).map(|(old, new)| (&old.reply, &new.reply));
        let own = [
            (&old.request, &new.request),
            (&old.body_type, &new.body_type),
            (&old.reply, &new.reply),
            (&old.rejection, &new.rejection),
        ];
        let variant = |names: &OperationNames, at: usize| names.responses.get(at).cloned();
        for (at, part) in old.response_parts.iter().enumerate() {
            let same = (0..new.responses.len()).find(|now| variant(new, *now) == variant(old, at));
            if let Some(now) = same.and_then(|now| new.response_parts.get(now)) {
                self.now.insert(item(&part.with_headers), item(&now.with_headers));
                self.now.insert(item(&part.body_type), item(&now.body_type));
            }
        }
        self.now.extend(own.into_iter().chain(stream).map(|(old, new)| (item(old), item(new))));
    }

    fn by_place(&mut self, old: &Side<'_>, new: &Side<'_>, open: &mut Open) {
        let places = |side: &Side<'_>, items: &BTreeSet<Item>| -> BTreeMap<Origin, Item> {
            let placed = items.iter().filter_map(|item| Some((side.schema(item)?.origin.clone(), item.clone())));
            placed.collect()
        };
        let now = places(new, &open.added);
        for (origin, before) in places(old, &open.gone) {
            if let Some(now) = now.get(&origin) {
                self.take(open, before, now.clone());
            }
        }
    }

    fn by_shape(&mut self, old: &Side<'_>, new: &Side<'_>, open: &mut Open) {
        // Types hold types: what is found makes more of them alike.
        loop {
            let mut found = Vec::new();
            for before in &open.gone {
                let like = |now: &&Item| self.is_like(old, new, before, now);
                let mut alike = open.added.iter().filter(like);
                if let (Some(now), None) = (alike.next(), alike.next())
                    && !found.iter().any(|(_, taken)| taken == now)
                {
                    found.push((before.clone(), now.clone()));
                }
            }
            if found.is_empty() {
                return;
            }
            for (before, now) in found {
                self.take(open, before, now);
            }
        }
    }

    fn is_like(&self, old: &Side<'_>, new: &Side<'_>, before: &Item, now: &Item) -> bool {
        let (Some(before_shape), Some(now_shape)) = (old.shape(before), new.shape(now)) else { return false };
        // Two types with the same one field may well be two.
        if before.0 != now.0 || size(before_shape) < 2 || size(before_shape) != size(now_shape) {
            return false;
        }
        let same = |old_ty: &Ty, new_ty: &Ty| {
            let ty = self.translated(&old.canonical(old_ty), &|item| (item == before).then(|| now.clone()));
            ty == new.canonical(new_ty)
        };
        differences(before_shape, now_shape, &same).is_empty()
    }

    fn take(&mut self, open: &mut Open, before: Item, now: Item) {
        open.gone.remove(&before);
        open.added.remove(&now);
        self.now.insert(before, now);
    }

    /// What an old type is called now; itself where it is called the same or is gone.
    pub(super) fn now<'a>(&'a self, item: &'a Item) -> &'a Item {
        self.now.get(item).unwrap_or(item)
    }

    /// Every type that is called otherwise, with its name of today.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Item, &Item)> {
        self.now.iter()
    }

    /// Whether an old type is a new one.
    pub(super) fn same(&self, old: &Side<'_>, new: &Side<'_>, before: &Ty, now: &Ty) -> bool {
        self.translated(&old.canonical(before), &|_| None) == new.canonical(now)
    }

    /// An old type under the names of today.
    pub(super) fn translated(&self, ty: &Ty, more: &dyn Fn(&Item) -> Option<Item>) -> Ty {
        let inner = |ty: &Ty| Box::new(self.translated(ty, more));
        match ty {
            Ty::Named(module, name) => {
                let item = (*module, name.clone());
                let (module, name) = more(&item).unwrap_or_else(|| self.now(&item).clone());
                Ty::Named(module, name)
            }
            Ty::Option(ty) => Ty::Option(inner(ty)),
            Ty::Maybe(ty) => Ty::Maybe(inner(ty)),
            Ty::List(ty) => Ty::List(inner(ty)),
            Ty::Map(ty) => Ty::Map(inner(ty)),
            Ty::Boxed(ty) => Ty::Boxed(inner(ty)),
            Ty::Event(ty) => Ty::Event(inner(ty)),
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|part| self.translated(part, more)).collect()),
            Ty::Status => Ty::Status,
            Ty::Leaf(text) => Ty::Leaf(text.clone()),
        }
    }
}

/// The types that have no counterpart yet.
struct Open {
    gone: BTreeSet<Item>,
    added: BTreeSet<Item>,
}

impl Open {
    fn of(old: &Side<'_>, new: &Side<'_>, renames: &Renames) -> Self {
        let taken: BTreeSet<&Item> = renames.now.values().collect();
        let is_alias = |side: &Side<'_>, item: &Item| side.is_alias(item);
        let gone = old.shapes.items().filter(|item| !new.has(item) && !renames.now.contains_key(*item));
        let added = new.shapes.items().filter(|item| !old.has(item) && !taken.contains(item));
        Self {
            gone: gone.filter(|item| !is_alias(old, item)).cloned().collect(),
            added: added.filter(|item| !is_alias(new, item)).cloned().collect(),
        }
    }
}

fn size(shape: &Shape) -> usize {
    match &shape.kind {
        ShapeKind::Struct(members) => members.len(),
        ShapeKind::Enum(variants) => variants.len(),
        ShapeKind::Newtype(_) | ShapeKind::Unit | ShapeKind::Alias(_) => 0,
    }
}
