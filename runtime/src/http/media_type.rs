//! Media types: what is before the parameters, and the one parameter that matters.

/// The type without parameters, in lower case; empty when there is none.
pub(super) fn essence(text: &str) -> String {
    text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The `charset` parameter in lower case.
pub(super) fn charset(text: &str) -> Option<String> {
    text.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let named = name.trim().eq_ignore_ascii_case("charset");
        named.then(|| value.trim().trim_matches('"').to_ascii_lowercase())
    })
}

/// Whether an essence says JSON.
pub(super) fn is_json(essence: &str) -> bool {
    matches!(essence, "application/json" | "text/json") || essence.ends_with("+json")
}

/// Whether an essence falls under a type or range such as `image/*`. Parameters and case do not count.
pub(super) fn falls_under(essence: &str, range: &str) -> bool {
    let range = self::essence(range);
    match range.strip_suffix("/*") {
        Some("*") => essence.contains('/'),
        Some(kind) => essence.split_once('/').is_some_and(|(its_kind, _)| its_kind == kind),
        None => essence == range,
    }
}

/// Text in the charset of a media type; UTF-8 without one. `None` when the charset cannot write it or is not known.
pub(super) fn to_charset(text: &str, charset: Option<&str>) -> Option<Vec<u8>> {
    match charset {
        None | Some("utf-8" | "utf8") => Some(text.as_bytes().to_vec()),
        Some("iso-8859-1" | "latin1" | "latin-1" | "l1") => {
            text.chars().map(|letter| u8::try_from(u32::from(letter)).ok()).collect()
        }
        Some(_) => text.is_ascii().then(|| text.as_bytes().to_vec()),
    }
}

/// The reverse of [`to_charset`]. What is all ASCII reads the same in every charset that web servers speak.
pub(super) fn from_charset(bytes: &[u8], charset: Option<&str>) -> Option<String> {
    match charset {
        None | Some("utf-8" | "utf8") => {
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            std::str::from_utf8(bytes).ok().map(str::to_owned)
        }
        Some("iso-8859-1" | "latin1" | "latin-1" | "l1") => Some(bytes.iter().copied().map(char::from).collect()),
        Some(charset) if charset.starts_with("utf-16") || charset.starts_with("utf-32") => None,
        Some(_) => bytes.is_ascii().then(|| String::from_utf8_lossy(bytes).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_and_case_do_not_count() {
        assert_eq!(essence(" Application/Vnd.Example.Doc+JSON ; charset=UTF-8"), "application/vnd.example.doc+json");
        assert_eq!(essence(""), "");
        assert_eq!(charset("text/plain; a=b; Charset=\"UTF-8\"").as_deref(), Some("utf-8"));
        assert_eq!(charset("text/plain"), None);
    }

    #[test]
    fn ranges_hold_types() {
        assert!(falls_under("image/png", "image/*"));
        assert!(falls_under("image/png", "IMAGE/PNG; q=1"));
        assert!(falls_under("image/png", "*/*"));
        assert!(!falls_under("imagex/png", "image/*"));
        assert!(!falls_under("image/gif", "image/png"));
        assert!(!falls_under("", "*/*"));
    }

    #[test]
    fn text_is_exact_in_its_charset_or_refused() {
        for (charset, bytes) in
            [(None, "é".as_bytes()), (Some("utf-8"), "é".as_bytes()), (Some("iso-8859-1"), b"\xe9".as_slice())]
        {
            assert_eq!(to_charset("é", charset).as_deref(), Some(bytes));
            assert_eq!(from_charset(bytes, charset).as_deref(), Some("é"));
        }
        assert_eq!(to_charset("é", Some("us-ascii")), None);
        assert_eq!(to_charset("€", Some("iso-8859-1")), None);
        assert_eq!(from_charset(b"\xe9", None), None);
        assert_eq!(from_charset(b"\xe9", Some("windows-1251")), None);
        assert_eq!(from_charset(b"ok", Some("windows-1251")).as_deref(), Some("ok"));
        assert_eq!(from_charset(b"ok", Some("utf-16le")), None);
    }
}
