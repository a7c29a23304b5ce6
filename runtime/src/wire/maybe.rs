use serde_json::Value;

use super::{DecodeError, EncodeError, Wire};

/// A member that may be left out, `null`, or a value: three different things on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Maybe<T> {
    /// Left out.
    #[default]
    Absent,
    /// Written as `null`.
    Null,
    /// A value.
    Value(T),
}

impl<T> Maybe<T> {
    /// `None` stands for left out.
    pub fn or_absent(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Self::Value)
    }

    /// `None` stands for `null`.
    pub fn or_null(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::Value)
    }

    /// Whether it is left out.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The value, if there is one: left out and `null` fall together.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Null | Self::Absent => None,
        }
    }

    /// Left out is the outer `None`, `null` the inner one.
    pub fn present(self) -> Option<Option<T>> {
        match self {
            Self::Absent => None,
            Self::Null => Some(None),
            Self::Value(value) => Some(Some(value)),
        }
    }

    /// The same state around a borrowed value.
    pub fn as_ref(&self) -> Maybe<&T> {
        match self {
            Self::Absent => Maybe::Absent,
            Self::Null => Maybe::Null,
            Self::Value(value) => Maybe::Value(value),
        }
    }

    /// The same state around a changed value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Maybe<U> {
        match self {
            Self::Absent => Maybe::Absent,
            Self::Null => Maybe::Null,
            Self::Value(value) => Maybe::Value(change(value)),
        }
    }
}

impl<T> From<T> for Maybe<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

/// Outside an object nothing can be left out: there, absent is written as `null` (parameters leave `null` out).
impl<T: Wire> Wire for Maybe<T> {
    fn encode(&self) -> Result<Value, EncodeError> {
        match self {
            Self::Value(value) => value.encode(),
            Self::Null | Self::Absent => Ok(Value::Null),
        }
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        match value {
            Value::Null => Ok(Self::Null),
            value => T::decode(value).map(Self::Value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_say_which_state_none_means() {
        assert_eq!(Maybe::or_absent(None::<i32>), Maybe::Absent);
        assert_eq!(Maybe::or_null(None::<i32>), Maybe::Null);
        assert_eq!(Maybe::from(1).present(), Some(Some(1)));
        assert_eq!(Maybe::Null::<i32>.present(), Some(None));
        assert_eq!(Maybe::Null::<i32>.value(), None);
        assert_eq!(Maybe::Value("a").map(str::len), Maybe::Value(1));
    }
}
