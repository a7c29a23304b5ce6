//! chrono's other types: points in time in UTC, and times without a zone.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use serde_json::Value;

use crate::wire::{DecodeError, EncodeError, Wire, scalars::as_text};

/// RFC 3339, always written in UTC: the offset that was read is not kept.
impl Wire for DateTime<Utc> {
    fn encode(&self) -> Result<Value, EncodeError> {
        self.fixed_offset().encode()
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        DateTime::<FixedOffset>::decode(value).map(|time| time.to_utc())
    }
}

/// `2024-01-02T03:04:05.5`: a date-time without a zone (`format: date-time-local`).
impl Wire for NaiveDateTime {
    fn encode(&self) -> Result<Value, EncodeError> {
        let (Value::String(date), Value::String(time)) = (self.date().encode()?, self.time().encode()?) else {
            return Err(EncodeError::new("a date and a time are text"));
        };
        Ok(Value::String(format!("{date}T{time}")))
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        const EXPECTED: &str = "a date-time without a zone (YYYY-MM-DDThh:mm:ss)";
        let mismatch = || DecodeError::mismatch(EXPECTED, value);
        let (date, time) = as_text(value, EXPECTED)?.split_once(['T', 't']).ok_or_else(mismatch)?;
        let date = NaiveDate::decode(&Value::from(date)).map_err(|_| mismatch())?;
        Ok(date.and_time(partial_time(time).ok_or_else(mismatch)?))
    }
}

/// `03:04:05.5`: a time of day without a zone (`format: time-local`).
impl Wire for NaiveTime {
    fn encode(&self) -> Result<Value, EncodeError> {
        Ok(Value::String(self.to_string()))
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        const EXPECTED: &str = "a time without a zone (hh:mm:ss)";
        partial_time(as_text(value, EXPECTED)?).ok_or_else(|| DecodeError::mismatch(EXPECTED, value))
    }
}

/// RFC 3339's `partial-time`; digits beyond nanoseconds are cut. chrono's own parser takes signs, blanks and fewer
/// digits.
fn partial_time(text: &str) -> Option<NaiveTime> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let shape = whole.bytes().enumerate().all(|(index, byte)| match index {
        2 | 5 => byte == b':',
        _ => byte.is_ascii_digit(),
    });
    if whole.len() != 8 || !shape || fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = |from: usize, to: usize| whole.get(from..to)?.parse::<u32>().ok();
    let nanos: u32 = format!("{:0<9}", fraction.get(..9).unwrap_or(fraction)).parse().ok()?;
    // chrono holds a leap second as the second before it, with a nanosecond count that runs over.
    let (second, nanos) = match number(6, 8)? {
        60 => (59, nanos + 1_000_000_000),
        second => (second, nanos),
    };
    NaiveTime::from_hms_nano_opt(number(0, 2)?, number(3, 5)?, second, nanos)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn utc_is_the_same_point_in_time() {
        let time = DateTime::<Utc>::decode(&json!("2024-01-02T03:04:05.5+02:00")).unwrap();
        assert_eq!(time.encode().unwrap(), json!("2024-01-02T01:04:05.500Z"));
    }

    #[test]
    fn times_without_a_zone_are_strict() {
        for text in ["00:00:00", "23:59:59.123456789", "03:04:05.500", "23:59:60"] {
            assert_eq!(NaiveTime::decode(&json!(text)).unwrap().encode().unwrap(), json!(text));
            let both = format!("2024-02-29T{text}");
            assert_eq!(NaiveDateTime::decode(&json!(both)).unwrap().encode().unwrap(), json!(both));
        }
        for text in
            ["3:04:05", "03:04", "03:04:05Z", "03:04:05+01:00", "24:00:00", "03:04:05.", "+3:04:05", "é3:04:5", ""]
        {
            assert!(NaiveTime::decode(&json!(text)).is_err(), "{text}");
        }
        for text in ["2024-02-29 03:04:05", "2024-02-29", "2024-02-30T03:04:05", "2024-02-29T03:04:05Z", "T03:04:05"] {
            assert!(NaiveDateTime::decode(&json!(text)).is_err(), "{text}");
        }
        assert!(NaiveDate::from_ymd_opt(10_000, 1, 1).unwrap().and_time(NaiveTime::MIN).encode().is_err());
    }
}
