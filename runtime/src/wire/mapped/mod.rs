//! Types of well-known crates that a project may take instead of the generated ones, each exact on the wire: what is
//! read is written again with the same value, the same offset and the same digits, or refused.
//!
//! They are read and written through the types that stand for their formats otherwise, so that the text is the same
//! whichever crate a project chose. Their crates are re-exported in [`crate::mapped`].

mod calendar;
#[cfg(feature = "rust_decimal")]
mod decimal;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(feature = "time")]
mod time;

#[cfg(all(test, any(feature = "time", feature = "jiff")))]
mod tests {
    use serde_json::json;

    use crate::wire::Wire;

    /// What a date-time is written as again, to the last digit.
    pub(super) const DATE_TIMES: [&str; 5] = [
        "2024-01-02T03:04:05Z",
        "2024-01-02T03:04:05.123456789+02:00",
        "1969-12-31T23:59:59.999-11:30",
        "0001-01-01T00:00:00Z",
        "9998-12-31T23:59:59.999999999+00:01",
    ];

    /// What is no date-time, or none that can be held.
    pub(super) const NO_DATE_TIMES: [&str; 5] =
        ["2016-12-31T23:59:60Z", "2024-01-02T03:04:05", "2024-01-02 03:04:05Z", "2024-02-30T00:00:00Z", ""];

    pub(super) const DATES: [&str; 3] = ["2024-02-29", "0000-01-01", "9999-12-31"];

    pub(super) const LOCAL: [&str; 3] = ["00:00:00", "23:59:59.123456789", "03:04:05.500"];

    #[allow(clippy::unwrap_used, reason = "a panic is a failure here")]
    pub(super) fn round_trips<T: Wire>(texts: &[impl AsRef<str>]) {
        for text in texts {
            let text = text.as_ref();
            assert_eq!(T::decode(&json!(text)).unwrap().encode().unwrap(), json!(text));
        }
    }
}
