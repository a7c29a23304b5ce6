use std::time::{Duration, SystemTime};

use http::HeaderMap;
use http::header::{DATE, HeaderName, RETRY_AFTER};

/// How long the server asks us to stay away, in either form of `Retry-After`. A date is counted from the reply's own
/// `Date`, so that a clock that is off does not matter; a date that has passed is zero.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than fit is "never", not "now".
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let then = httpdate::parse_http_date(text).ok()?;
    let now = date(headers, DATE).unwrap_or_else(SystemTime::now);
    Some(then.duration_since(now).unwrap_or_default())
}

fn date(headers: &HeaderMap, name: HeaderName) -> Option<SystemTime> {
    httpdate::parse_http_date(headers.get(name)?.to_str().ok()?.trim()).ok()
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn asked(value: &'static str, date: Option<&'static str>) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, HeaderValue::from_static(value));
        if let Some(date) = date {
            headers.insert(DATE, HeaderValue::from_static(date));
        }
        retry_after(&headers)
    }

    #[test]
    fn both_forms_are_understood() {
        assert_eq!(asked("120", None), Some(Duration::from_secs(120)));
        assert_eq!(asked(" 0 ", None), Some(Duration::ZERO));
        let date = Some("Wed, 21 Oct 2026 07:28:00 GMT");
        assert_eq!(asked("Wed, 21 Oct 2026 07:28:03 GMT", date), Some(Duration::from_secs(3)));
        assert_eq!(asked("Wednesday, 21-Oct-26 07:28:03 GMT", date), Some(Duration::from_secs(3)));
        assert_eq!(asked("Wed, 21 Oct 2026 07:27:00 GMT", date), Some(Duration::ZERO));
        assert_eq!(asked("Thu, 01 Jan 1970 00:00:00 GMT", None), Some(Duration::ZERO));
    }

    #[test]
    fn nonsense_is_no_wish() {
        for nonsense in ["", "soon", "-1", "1.5", "1 2"] {
            assert_eq!(asked(nonsense, None), None, "{nonsense}");
        }
        assert_eq!(asked("99999999999999999999999", None), Some(Duration::from_secs(u64::MAX)));
    }
}
