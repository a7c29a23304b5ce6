//! The types of the crate `time`.

use ::time::{Date, Month, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset};
use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Timelike};
use serde_json::Value;

use crate::wire::{DecodeError, EncodeError, Wire};

/// RFC 3339, with the offset and the fraction kept. A leap second, which the crate has no place for, is refused.
impl Wire for OffsetDateTime {
    fn encode(&self) -> Result<Value, EncodeError> {
        let zone = FixedOffset::east_opt(self.offset().whole_seconds());
        let time = DateTime::from_timestamp(self.unix_timestamp(), self.nanosecond()).zip(zone);
        let (time, zone) = time.ok_or_else(|| EncodeError::new("RFC 3339 knows the years 0 to 9999 only"))?;
        time.with_timezone(&zone).encode()
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        let time = DateTime::<FixedOffset>::decode(value)?;
        let (date, time_of_day) = (time.date_naive(), time.time());
        let offset = UtcOffset::from_whole_seconds(time.offset().local_minus_utc()).ok();
        let local = date_of(date).zip(time_of(time_of_day));
        local
            .zip(offset)
            .map(|((date, time), offset)| PrimitiveDateTime::new(date, time).assume_offset(offset))
            .ok_or_else(|| DecodeError::mismatch("a date-time with a zone, not of a leap second", value))
    }
}

/// `2024-02-29`.
impl Wire for Date {
    fn encode(&self) -> Result<Value, EncodeError> {
        naive_date(*self).ok_or_else(|| EncodeError::new("RFC 3339 knows the years 0 to 9999 only"))?.encode()
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        date_of(NaiveDate::decode(value)?).ok_or_else(|| DecodeError::mismatch("a date (YYYY-MM-DD)", value))
    }
}

/// `2024-01-02T03:04:05.5`, without a zone.
impl Wire for PrimitiveDateTime {
    fn encode(&self) -> Result<Value, EncodeError> {
        let local = naive_date(self.date()).zip(naive_time(self.time()));
        let (date, time) = local.ok_or_else(|| EncodeError::new("RFC 3339 knows the years 0 to 9999 only"))?;
        date.and_time(time).encode()
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        let local = NaiveDateTime::decode(value)?;
        date_of(local.date())
            .zip(time_of(local.time()))
            .map(|(date, time)| Self::new(date, time))
            .ok_or_else(|| DecodeError::mismatch("a date-time without a zone, not of a leap second", value))
    }
}

/// `03:04:05.5`, without a zone.
impl Wire for Time {
    fn encode(&self) -> Result<Value, EncodeError> {
        naive_time(*self).ok_or_else(|| EncodeError::new("a time of day that does not exist"))?.encode()
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        time_of(NaiveTime::decode(value)?)
            .ok_or_else(|| DecodeError::mismatch("a time without a zone, not of a leap second", value))
    }
}

fn date_of(date: NaiveDate) -> Option<Date> {
    let month = Month::try_from(u8::try_from(date.month()).ok()?).ok()?;
    Date::from_calendar_date(date.year(), month, u8::try_from(date.day()).ok()?).ok()
}

/// `None` within a leap second.
fn time_of(time: NaiveTime) -> Option<Time> {
    let part = |number: u32| u8::try_from(number).ok();
    Time::from_hms_nano(part(time.hour())?, part(time.minute())?, part(time.second())?, time.nanosecond()).ok()
}

fn naive_date(date: Date) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(date.year(), u32::from(u8::from(date.month())), u32::from(date.day()))
}

fn naive_time(time: Time) -> Option<NaiveTime> {
    let (hour, minute, second, nanosecond) = time.as_hms_nano();
    NaiveTime::from_hms_nano_opt(hour.into(), minute.into(), second.into(), nanosecond)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::wire::mapped::tests::{DATE_TIMES, DATES, LOCAL, NO_DATE_TIMES, round_trips};

    #[test]
    fn what_is_read_is_written_again() {
        round_trips::<OffsetDateTime>(&DATE_TIMES);
        round_trips::<Date>(&DATES);
        round_trips::<PrimitiveDateTime>(&LOCAL.map(|time| format!("2024-02-29T{time}")));
        round_trips::<Time>(&LOCAL);
    }

    #[test]
    fn what_cannot_be_held_is_refused() {
        for text in NO_DATE_TIMES {
            assert!(OffsetDateTime::decode(&json!(text)).is_err(), "{text}");
        }
        assert!(Time::decode(&json!("23:59:60")).is_err());
        assert!(PrimitiveDateTime::decode(&json!("2016-12-31T23:59:60")).is_err());
        let odd = UtcOffset::from_whole_seconds(3661).unwrap();
        assert!(OffsetDateTime::UNIX_EPOCH.to_offset(odd).encode().is_err());
        assert!(Date::MIN.encode().is_err() && PrimitiveDateTime::MIN.encode().is_err());
    }
}
