//! Decimal numbers, with the digits that were sent.

use rust_decimal::Decimal;
use serde_json::{Number, Value};

use crate::wire::{DecodeError, EncodeError, Wire};

/// A JSON number, never by way of a float: `1.10` is read as `1.10` and written as `1.10`. A number with more digits than
/// a `Decimal` has is refused, not rounded. A decimal that travels as text is [`AsText<Decimal>`](crate::wire::AsText).
impl Wire for Decimal {
    fn encode(&self) -> Result<Value, EncodeError> {
        let number: Result<Number, _> = self.to_string().parse();
        number.map(Value::Number).map_err(|_| EncodeError::new("a decimal that is no JSON number"))
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        let exact = match value {
            Value::Number(number) => exact(&number.to_string()),
            _ => return Err(DecodeError::mismatch("a number", value)),
        };
        exact.ok_or_else(|| DecodeError::mismatch("a number of at most 28 digits", value))
    }
}

/// The decimal that a number's text is, if there is exactly one.
fn exact(text: &str) -> Option<Decimal> {
    let Some((digits, exponent)) = text.split_once(['e', 'E']) else { return Decimal::from_str_exact(text).ok() };
    let digits = Decimal::from_str_exact(digits).ok()?;
    let exponent: i64 = exponent.parse().ok()?;
    let scale = i64::from(digits.scale()).checked_sub(exponent)?;
    if digits.is_zero() {
        return Some(digits);
    }
    if let Ok(scale) = u32::try_from(scale) {
        let mut moved = digits.normalize();
        let scale = scale.checked_sub(digits.scale() - moved.scale())?;
        moved.set_scale(scale).ok()?;
        return Some(moved);
    }
    let mut moved = digits;
    moved.set_scale(0).ok()?;
    // Not even the largest has more than 29 digits.
    for _ in scale.max(-30)..0 {
        moved = moved.checked_mul(Decimal::TEN)?;
    }
    Some(moved)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::wire::{AsText, text};

    fn number(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn every_digit_is_kept() {
        for text in ["0", "0.1", "1.10", "-12.340", "79228162514264337593543950335", "0.0000000000000000000000000001"] {
            let decimal = Decimal::decode(&number(text)).unwrap();
            assert_eq!(decimal.to_string(), text);
            assert_eq!(serde_json::to_string(&decimal.encode().unwrap()).unwrap(), text);
        }
    }

    #[test]
    fn an_exponent_moves_the_point() {
        for (text, wanted) in [
            ("1e3", "1000"),
            ("1.5E+2", "150"),
            ("12e-1", "1.2"),
            ("1.50e-2", "0.0150"),
            ("0e999", "0"),
            ("7.9e28", "79000000000000000000000000000"),
            ("1e-28", "0.0000000000000000000000000001"),
        ] {
            assert_eq!(Decimal::decode(&number(text)).unwrap(), wanted.parse().unwrap(), "{text}");
        }
    }

    #[test]
    fn what_a_decimal_cannot_hold_is_refused() {
        for text in
            ["79228162514264337593543950336", "1e29", "1e-29", "0.00000000000000000000000000001", "1e999999999999"]
        {
            assert!(Decimal::decode(&number(text)).is_err(), "{text}");
        }
        assert!(Decimal::decode(&json!("1.5")).is_err());
    }

    #[test]
    fn a_decimal_may_travel_as_text_and_in_a_header() {
        let decimal = AsText::<Decimal>::decode(&json!("1.10")).unwrap();
        assert_eq!(decimal.encode().unwrap(), json!("1.10"));
        assert_eq!(text::decode_simple::<Decimal>("1.10").unwrap().to_string(), "1.10");
        assert_eq!(text::decode_simple::<AsText<Decimal>>("1.10").unwrap(), decimal);
    }
}
