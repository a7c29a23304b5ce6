//! Types of a service's own in the place of generated ones, where they do not implement [`Wire`] themselves.

use std::{
    fmt,
    ops::{Deref, DerefMut},
    str::FromStr,
};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{DecodeError, EncodeError, Wire, path::shorten_to, scalars::as_text};

/// How much of what another crate says of a fault is passed on, in characters.
const SAID: usize = 120;

/// A type that travels as its serde form.
///
/// Numbers go through `serde_json`'s own: an `f32` is written with the digits of the nearest `f64`, unlike in
/// generated types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Serde<T>(pub T);

impl<T: Serialize + DeserializeOwned> Wire for Serde<T> {
    fn encode(&self) -> Result<Value, EncodeError> {
        serde_json::to_value(&self.0).map_err(|error| EncodeError::new(said(&error)))
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        T::deserialize(value).map(Self).map_err(|error| DecodeError::other(said(&error)))
    }
}

/// A type that travels as text: as it is displayed, and read by [`FromStr`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct AsText<T>(pub T);

impl<T: fmt::Display + FromStr<Err: fmt::Display>> Wire for AsText<T> {
    fn encode(&self) -> Result<Value, EncodeError> {
        Ok(Value::String(self.0.to_string()))
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        let text = as_text(value, "text")?;
        text.parse().map(Self).map_err(|error: T::Err| DecodeError::other(said(&error)))
    }
}

/// What a fault of another crate says, cut to an excerpt: it may quote the data.
fn said(fault: &impl fmt::Display) -> String {
    shorten_to(SAID, &fault.to_string())
}

macro_rules! transparent {
    ($($name:ident),+) => {$(
        impl<T> $name<T> {
            /// The value itself.
            pub fn into_inner(self) -> T {
                self.0
            }
        }

        impl<T> From<T> for $name<T> {
            fn from(value: T) -> Self {
                Self(value)
            }
        }

        impl<T> Deref for $name<T> {
            type Target = T;

            fn deref(&self) -> &T {
                &self.0
            }
        }

        impl<T> DerefMut for $name<T> {
            fn deref_mut(&mut self) -> &mut T {
                &mut self.0
            }
        }

        impl<T: fmt::Debug> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl<T: fmt::Display> fmt::Display for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

transparent!(Serde, AsText);

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Money {
        minor_units: i64,
        currency: String,
    }

    #[test]
    fn a_type_goes_by_its_serde_form() {
        let wire = json!({"minorUnits": 150, "currency": "EUR"});
        let money = Serde::<Money>::decode(&wire).unwrap();
        assert_eq!(money.minor_units, 150);
        assert_eq!(money.encode().unwrap(), wire);
        assert_eq!(format!("{money:?}"), format!("{:?}", money.clone().into_inner()));
        let error = Serde::<Money>::decode(&json!({"minorUnits": 1})).unwrap_err();
        assert_eq!(error.to_string(), "missing field `currency`");
    }

    #[test]
    fn a_type_goes_by_its_text() {
        let address = AsText::<std::net::Ipv4Addr>::decode(&json!("10.0.0.1")).unwrap();
        assert_eq!((*address, address.encode().unwrap()), ([10, 0, 0, 1].into(), json!("10.0.0.1")));
        assert_eq!(AsText::<u8>::decode(&json!("x")).unwrap_err().to_string(), "invalid digit found in string");
        assert!(AsText::<u8>::decode(&json!(1)).is_err(), "a number is no text");
    }

    #[test]
    fn a_fault_quotes_no_more_than_an_excerpt() {
        let error = Serde::<u8>::decode(&json!("x".repeat(5000))).unwrap_err();
        assert!(error.to_string().chars().count() < 200, "{error}");
    }
}
