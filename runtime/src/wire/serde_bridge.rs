/// What the expansion of [`serde_through_wire!`](crate::serde_through_wire) refers to.
#[doc(hidden)]
pub mod __private {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _, ser::Error as _};
    use serde_json::Value;

    pub use serde;

    use crate::wire::Wire;

    pub fn serialize<T: Wire, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        value.encode().map_err(S::Error::custom)?.serialize(serializer)
    }

    pub fn deserialize<'de, T: Wire, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::decode(&Value::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Implements serde's `Serialize` and `Deserialize` for types that implement [`Wire`](crate::wire::Wire), by way of it.
///
/// ```
/// use cofferdam_runtime::{Value, wire::{DecodeError, EncodeError, Wire}};
///
/// struct Id(i64);
/// impl Wire for Id {
///     fn encode(&self) -> Result<Value, EncodeError> { self.0.encode() }
///     fn decode(value: &Value) -> Result<Self, DecodeError> { i64::decode(value).map(Self) }
/// }
/// cofferdam_runtime::serde_through_wire!(Id);
///
/// let ids: Vec<Id> = serde_json::from_str("[1, 2.0]").unwrap();
/// assert_eq!(serde_json::to_string(&ids).unwrap(), "[1,2]");
/// ```
#[macro_export]
macro_rules! serde_through_wire {
    ($($ty:ty),* $(,)?) => {$(
        impl $crate::wire::__private::serde::Serialize for $ty {
            fn serialize<S: $crate::wire::__private::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::wire::__private::serialize(self, serializer)
            }
        }

        impl<'de> $crate::wire::__private::serde::Deserialize<'de> for $ty {
            fn deserialize<D: $crate::wire::__private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::wire::__private::deserialize(deserializer)
            }
        }
    )*};
}
