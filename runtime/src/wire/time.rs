//! Dates and points in time.

use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, SecondsFormat};
use serde_json::Value;

use super::{DecodeError, EncodeError, Wire, scalars};

/// RFC 3339, with the zone and the fraction kept. A zone is required; `t` and `z` may be lower case; the leap second
/// `:60` is understood; digits beyond nanoseconds are cut.
impl Wire for DateTime<FixedOffset> {
    fn encode(&self) -> Result<Value, EncodeError> {
        if !(0..=9999).contains(&self.year()) {
            return Err(EncodeError::new("RFC 3339 knows the years 0 to 9999 only"));
        }
        if self.offset().local_minus_utc() % 60 != 0 {
            return Err(EncodeError::new("RFC 3339 knows offsets of whole minutes only"));
        }
        Ok(Value::String(self.to_rfc3339_opts(SecondsFormat::AutoSi, true)))
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        const EXPECTED: &str = "a date-time with a zone (RFC 3339)";
        let text = scalars::as_text(value, EXPECTED)?;
        // chrono also takes a space for the T, which RFC 3339 leaves to the parties.
        if !matches!(text.as_bytes().get(10), Some(b'T' | b't')) {
            return Err(DecodeError::mismatch(EXPECTED, value));
        }
        Self::parse_from_rfc3339(text).map_err(|_| DecodeError::mismatch(EXPECTED, value))
    }
}

/// `2024-02-29`: four, two and two digits, and a day that exists.
impl Wire for NaiveDate {
    fn encode(&self) -> Result<Value, EncodeError> {
        if !(0..=9999).contains(&self.year()) {
            return Err(EncodeError::new("RFC 3339 knows the years 0 to 9999 only"));
        }
        Ok(Value::String(self.to_string()))
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        const EXPECTED: &str = "a date (YYYY-MM-DD)";
        full_date(scalars::as_text(value, EXPECTED)?).ok_or_else(|| DecodeError::mismatch(EXPECTED, value))
    }
}

/// chrono's own parser takes signs, blanks and fewer digits.
fn full_date(text: &str) -> Option<NaiveDate> {
    let shape = text.bytes().enumerate().all(|(index, byte)| match index {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    if text.len() != 10 || !shape {
        return None;
    }
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<u32>().ok();
    NaiveDate::from_ymd_opt(i32::try_from(number(0, 4)?).ok()?, number(5, 7)?, number(8, 10)?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    type Time = DateTime<FixedOffset>;

    #[test]
    fn a_date_time_keeps_offset_and_fraction() {
        for text in [
            "2024-01-02T03:04:05Z",
            "2024-01-02T03:04:05.123456789+02:00",
            "2024-01-02T03:04:05.123-11:30",
            "2016-12-31T23:59:60Z",
            "0000-01-01T00:00:00Z",
            "9999-12-31T23:59:59.999999999+00:01",
        ] {
            let time = Time::decode(&json!(text)).unwrap();
            assert_eq!(time.encode().unwrap(), json!(text));
        }
    }

    #[test]
    fn a_date_time_is_read_in_either_case() {
        let time = Time::decode(&json!("2024-01-02t03:04:05.5z")).unwrap();
        assert_eq!(time.encode().unwrap(), json!("2024-01-02T03:04:05.500Z"));
    }

    #[test]
    fn a_date_time_needs_a_zone_and_its_exact_form() {
        for text in [
            "2024-01-02T03:04:05",
            "2024-01-02 03:04:05Z",
            "2024-01-02T03:04Z",
            "2024-01-02T03:04:05+0200",
            "2024-01-02T24:00:00Z",
            "2024-02-30T00:00:00Z",
            "2024-01-02",
            "+2024-01-02T03:04:05Z",
            "2024-01-02T03:04:05Z ",
            "2024-01-02T03:04:0éZ",
            "",
        ] {
            let error = Time::decode(&json!(text)).unwrap_err();
            assert!(error.to_string().starts_with("expected a date-time with a zone (RFC 3339), found "), "{text}");
        }
        assert!(Time::decode(&json!(1_704_164_645)).is_err());
    }

    #[test]
    fn a_date_time_beyond_rfc_3339_is_not_written() {
        let odd = FixedOffset::east_opt(3661).unwrap();
        let time = Time::decode(&json!("2024-01-02T03:04:05Z")).unwrap();
        assert!(time.with_timezone(&odd).encode().is_err());
        assert!(time.with_year(12_024).unwrap().encode().is_err());
        assert!(time.with_year(-1).unwrap().encode().is_err());
    }

    #[test]
    fn a_date_is_strict() {
        assert_eq!(NaiveDate::decode(&json!("2024-02-29")).unwrap().encode().unwrap(), json!("2024-02-29"));
        for text in
            ["2024-02-30", "2023-02-29", "2024-2-9", "24-02-09", "2024-02-29T00:00:00Z", "+024-02-02", " 2024-2-02"]
        {
            assert!(NaiveDate::decode(&json!(text)).is_err(), "{text}");
        }
        let far = NaiveDate::from_ymd_opt(10_000, 1, 1).unwrap();
        assert!(far.encode().is_err());
    }
}
