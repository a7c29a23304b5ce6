use std::fmt;

/// The types of JSON, `null` apart: nullability is said in too many ways to be one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Bool,
    Int,
    Float,
    Text,
    Array,
    Object,
}

/// A set of [`Kind`]s. Every integer is a number, so `number` holds [`Kind::Int`] too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const BOOL: Self = Self(1);
    pub(crate) const INT: Self = Self(2);
    pub(crate) const NUMBER: Self = Self(2 | 4);
    pub(crate) const TEXT: Self = Self(8);
    pub(crate) const ARRAY: Self = Self(16);
    pub(crate) const OBJECT: Self = Self(32);
    pub(crate) const ALL: Self = Self(63);

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn holds(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The kinds in the order of this enum; `number` counts once, as [`Kind::Float`].
    pub(crate) fn list(self) -> Vec<Kind> {
        let number = if self.holds(Self::NUMBER) { Kind::Float } else { Kind::Int };
        [(Self::BOOL, Kind::Bool), (Self::INT, number), (Self::TEXT, Kind::Text), (Self::ARRAY, Kind::Array)]
            .into_iter()
            .chain([(Self::OBJECT, Kind::Object)])
            .filter(|(kind, _)| self.holds(*kind))
            .map(|(_, kind)| kind)
            .collect()
    }
}

impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NONE {
            return f.write_str("nothing");
        }
        let names: Vec<_> = self.list().into_iter().map(Kind::name).collect();
        f.write_str(&names.join(" or "))
    }
}

impl fmt::Debug for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kinds({self})")
    }
}

impl Kind {
    /// The name JSON Schema gives it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Bool => "boolean",
            Kind::Int => "integer",
            Kind::Float => "number",
            Kind::Text => "string",
            Kind::Array => "array",
            Kind::Object => "object",
        }
    }
}

/// What a `type` word means, `null` apart. Besides JSON Schema's words, those that people write by mistake: the second
/// member then is the word they meant.
pub(crate) fn kinds_of_word(word: &str) -> Option<(Kinds, Option<&'static str>)> {
    let (kinds, meant) = match word {
        "boolean" => (Kinds::BOOL, None),
        "integer" => (Kinds::INT, None),
        "number" => (Kinds::NUMBER, None),
        "string" => (Kinds::TEXT, None),
        "array" => (Kinds::ARRAY, None),
        "object" => (Kinds::OBJECT, None),
        "bool" => (Kinds::BOOL, Some("boolean")),
        "int" | "long" | "int32" | "int64" => (Kinds::INT, Some("integer")),
        "float" | "double" | "decimal" => (Kinds::NUMBER, Some("number")),
        "str" | "text" | "file" | "date" | "date-time" | "datetime" | "uuid" | "uri" => (Kinds::TEXT, Some("string")),
        "list" => (Kinds::ARRAY, Some("array")),
        "map" | "dict" => (Kinds::OBJECT, Some("object")),
        "any" => (Kinds::ALL, Some("no `type` at all")),
        _ => return None,
    };
    Some((kinds, meant))
}

/// The words of `type`, for a message that names the nearest.
pub(crate) const WORDS: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_integer_is_a_number() {
        assert_eq!(Kinds::NUMBER.and(Kinds::INT), Kinds::INT);
        assert_eq!(Kinds::NUMBER.list(), [Kind::Float]);
        assert_eq!(Kinds::INT.list(), [Kind::Int]);
        assert_eq!(Kinds::INT.or(Kinds::NUMBER).list(), [Kind::Float]);
    }

    #[test]
    fn disjoint_kinds_meet_in_nothing() {
        assert_eq!(Kinds::TEXT.and(Kinds::OBJECT), Kinds::NONE);
        assert_eq!(Kinds::TEXT.or(Kinds::INT).to_string(), "integer or string");
    }
}
