use std::sync::Arc;

use super::Type;

/// A Rust type of the project's choice in the place of the one that the document would get.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OwnType {
    /// Its path as source text. `crate::…` is the crate the code is generated into, `rt::…` the runtime.
    pub path: String,
    /// How its values get to JSON.
    pub through: Through,
    /// The feature of the runtime that it needs.
    pub feature: Option<&'static str>,
}

/// How a type gets to JSON and back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Through {
    /// It implements the runtime's `Wire`.
    #[default]
    Wire,
    /// It implements serde's traits.
    Serde,
    /// It is displayed, and read from text.
    Text,
}

/// A use of a type of the project's own.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnUse {
    /// The type.
    pub own: OwnType,
    /// What the document describes: the form on the wire.
    pub instead: Type,
    /// Which declaration of the project file it is by, as an index among them all.
    pub declaration: usize,
}

impl Type {
    /// The type with another in its place.
    #[must_use]
    pub fn mapped(self, own: OwnType, declaration: usize) -> Self {
        // Of two declarations that meet, the one that is more special comes later, and goes before.
        let instead = match self {
            Self::Own(before) => before.instead.clone(),
            other => other,
        };
        Self::Own(Arc::new(OwnUse { own, instead, declaration }))
    }

    /// What the document describes, whatever type of the project's stands in its place.
    #[must_use]
    pub fn on_the_wire(&self) -> &Self {
        match self {
            Self::Own(used) => &used.instead,
            other => other,
        }
    }
}
