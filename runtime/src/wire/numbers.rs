//! Integers and floats.
//!
//! - An integer may be written with an empty fraction (`3.0`, `3e2`): many serialisers know only floats. Beyond 2^53 such
//!   a number is refused, because a float no longer tells neighbouring integers apart.
//! - Out of range is an error, never a wrap or a clamp.
//! - An `f32` is written with the digits that name it (`0.1`), not with those of the nearest `f64`.
//! - A whole float is written without a fraction (`3`, not `3.0`), as long as no neighbour shares it: schemas that want a
//!   whole number want it so, and JSON knows one kind of number. Minus zero keeps its sign, which needs the fraction.
//! - NaN and the infinities have no JSON form: an error when written.

use serde_json::{Number, Value};

use super::{DecodeError, EncodeError, Wire};

/// Beyond it, neighbouring integers share one float.
const LAST_EXACT: f64 = 9_007_199_254_740_992.0;

/// The integer a JSON number is, if it is one.
fn integer(value: &Value, expected: &'static str) -> Result<i128, DecodeError> {
    let Value::Number(number) = value else {
        return Err(DecodeError::mismatch(expected, value));
    };
    if let Some(integer) = number.as_i128() {
        return Ok(integer);
    }
    match number.as_f64() {
        Some(float) if float.fract() == 0.0 && float.abs() < LAST_EXACT =>
        {
            #[expect(clippy::cast_possible_truncation, reason = "integral and below 2^53")]
            Ok(float as i128)
        }
        _ => Err(DecodeError::mismatch(expected, value)),
    }
}

macro_rules! integers {
    ($($ty:ty: $expected:literal),+ $(,)?) => {$(
        impl Wire for $ty {
            fn encode(&self) -> Result<Value, EncodeError> {
                Ok(Value::Number(Number::from(*self)))
            }

            fn decode(value: &Value) -> Result<Self, DecodeError> {
                <$ty>::try_from(integer(value, $expected)?).map_err(|_| DecodeError::mismatch($expected, value))
            }
        }
    )+};
}

integers! {
    i8: "an integer from -128 to 127",
    i16: "an integer from -32768 to 32767",
    i32: "a 32-bit integer",
    i64: "a 64-bit integer",
    u8: "an integer from 0 to 255",
    u16: "an integer from 0 to 65535",
    u32: "an unsigned 32-bit integer",
    u64: "an unsigned 64-bit integer",
}

/// As wide as [`Value`] allows: from `i64::MIN` to `u64::MAX`, and whole with the feature `exact-numbers`.
impl Wire for i128 {
    fn encode(&self) -> Result<Value, EncodeError> {
        let number = Number::from_i128(*self).ok_or_else(|| EncodeError::new("an integer beyond 64 bits"))?;
        Ok(Value::Number(number))
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        integer(value, "an integer")
    }
}

fn float(value: &Value) -> Result<f64, DecodeError> {
    match value {
        Value::Number(number) => number.as_f64().filter(|float| float.is_finite()),
        _ => None,
    }
    .ok_or_else(|| DecodeError::mismatch("a number", value))
}

fn finite(float: f64) -> Result<Value, EncodeError> {
    let is_minus_zero = float == 0.0 && float.is_sign_negative();
    if float.fract() == 0.0 && float.abs() < LAST_EXACT && !is_minus_zero {
        #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
        return Ok(Value::from(float as i64));
    }
    Number::from_f64(float).map(Value::Number).ok_or_else(|| EncodeError::new(format!("{float} has no JSON form")))
}

impl Wire for f64 {
    fn encode(&self) -> Result<Value, EncodeError> {
        finite(*self)
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        float(value)
    }
}

impl Wire for f32 {
    fn encode(&self) -> Result<Value, EncodeError> {
        // The shortest digits that name this f32 name an f64 too, and that one is printed with the same digits.
        let digits: Result<f64, _> = self.to_string().parse();
        finite(digits.unwrap_or(f64::from(*self)))
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        #[expect(clippy::cast_possible_truncation, reason = "the nearest f32 is meant, infinity is caught below")]
        let nearest = float(value)? as f32;
        if nearest.is_finite() { Ok(nearest) } else { Err(DecodeError::mismatch("a 32-bit float", value)) }
    }
}
