//! The types of the crate `jiff`.

use ::jiff::{
    Timestamp, ZonedDateTime,
    civil::{Date, DateTime as CivilDateTime, Time},
    tz::{Offset, TimeZone},
};
use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Timelike};
use serde_json::Value;

use crate::wire::{DecodeError, EncodeError, Wire};

const YEARS: &str = "RFC 3339 knows the years 0 to 9999 only";

/// RFC 3339, with the offset and the fraction kept: what is read has a time zone of a fixed offset. A leap second, which
/// the crate has no place for, is refused.
impl Wire for ZonedDateTime {
    fn encode(&self) -> Result<Value, EncodeError> {
        written(self.timestamp(), self.offset().seconds())
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        let (timestamp, seconds) = read(value)?;
        let offset = Offset::from_seconds(seconds);
        let offset =
            offset.map_err(|_| DecodeError::mismatch("a date-time with a zone of less than 26 hours", value))?;
        Ok(Self::new(timestamp, TimeZone::fixed(offset)))
    }
}

/// RFC 3339, always written in UTC: the offset that was read is not kept.
impl Wire for Timestamp {
    fn encode(&self) -> Result<Value, EncodeError> {
        written(*self, 0)
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        read(value).map(|(timestamp, _)| timestamp)
    }
}

fn written(timestamp: Timestamp, offset: i32) -> Result<Value, EncodeError> {
    let nanos = timestamp.as_nanosecond();
    let (seconds, nanos) = (nanos.div_euclid(1_000_000_000), nanos.rem_euclid(1_000_000_000));
    let time = i64::try_from(seconds).ok().zip(u32::try_from(nanos).ok());
    let time = time.and_then(|(seconds, nanos)| DateTime::from_timestamp(seconds, nanos));
    let (time, zone) = time.zip(FixedOffset::east_opt(offset)).ok_or_else(|| EncodeError::new(YEARS))?;
    time.with_timezone(&zone).encode()
}

fn read(value: &Value) -> Result<(Timestamp, i32), DecodeError> {
    let time = DateTime::<FixedOffset>::decode(value)?;
    let nanos = i32::try_from(time.timestamp_subsec_nanos()).ok().filter(|nanos| *nanos < 1_000_000_000);
    nanos
        .and_then(|nanos| Timestamp::new(time.timestamp(), nanos).ok())
        .map(|timestamp| (timestamp, time.offset().local_minus_utc()))
        .ok_or_else(|| DecodeError::mismatch("a date-time with a zone, not of a leap second", value))
}

/// `2024-02-29`.
impl Wire for Date {
    fn encode(&self) -> Result<Value, EncodeError> {
        naive_date(*self).ok_or_else(|| EncodeError::new(YEARS))?.encode()
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        date_of(NaiveDate::decode(value)?).ok_or_else(|| DecodeError::mismatch("a date (YYYY-MM-DD)", value))
    }
}

/// `2024-01-02T03:04:05.5`, without a zone.
impl Wire for CivilDateTime {
    fn encode(&self) -> Result<Value, EncodeError> {
        let local = naive_date(self.date()).zip(naive_time(self.time()));
        let (date, time) = local.ok_or_else(|| EncodeError::new(YEARS))?;
        date.and_time(time).encode()
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        let local = NaiveDateTime::decode(value)?;
        date_of(local.date())
            .zip(time_of(local.time()))
            .map(|(date, time)| Self::from_parts(date, time))
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
    let part = |number: u32| i8::try_from(number).ok();
    Date::new(i16::try_from(date.year()).ok()?, part(date.month())?, part(date.day())?).ok()
}

/// `None` within a leap second.
fn time_of(time: NaiveTime) -> Option<Time> {
    let part = |number: u32| i8::try_from(number).ok();
    let nanos = i32::try_from(time.nanosecond()).ok()?;
    Time::new(part(time.hour())?, part(time.minute())?, part(time.second())?, nanos).ok()
}

fn naive_date(date: Date) -> Option<NaiveDate> {
    let part = |number: i8| u32::try_from(number).ok();
    NaiveDate::from_ymd_opt(date.year().into(), part(date.month())?, part(date.day())?)
}

fn naive_time(time: Time) -> Option<NaiveTime> {
    let part = |number: i8| u32::try_from(number).ok();
    let nanos = u32::try_from(time.subsec_nanosecond()).ok()?;
    NaiveTime::from_hms_nano_opt(part(time.hour())?, part(time.minute())?, part(time.second())?, nanos)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::wire::mapped::tests::{DATE_TIMES, DATES, LOCAL, NO_DATE_TIMES, round_trips};

    #[test]
    fn what_is_read_is_written_again() {
        round_trips::<ZonedDateTime>(&DATE_TIMES);
        round_trips::<Date>(&DATES);
        round_trips::<CivilDateTime>(&LOCAL.map(|time| format!("2024-02-29T{time}")));
        round_trips::<Time>(&LOCAL);
        let time = Timestamp::decode(&json!("2024-01-02T03:04:05.5+02:00")).unwrap();
        assert_eq!(time.encode().unwrap(), json!("2024-01-02T01:04:05.500Z"));
    }

    #[test]
    fn what_cannot_be_held_is_refused() {
        for text in NO_DATE_TIMES {
            assert!(ZonedDateTime::decode(&json!(text)).is_err(), "{text}");
        }
        assert!(Time::decode(&json!("23:59:60")).is_err());
        assert!(CivilDateTime::decode(&json!("2016-12-31T23:59:60")).is_err());
        assert!(Timestamp::MIN.encode().is_err() && Date::MIN.encode().is_err());
    }
}
