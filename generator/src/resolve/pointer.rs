//! JSON pointers (RFC 6901), also in their URI fragment form.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

/// Escapes one segment: `~` and `/` have their own spelling.
pub(crate) fn escape(segment: &str) -> Cow<'_, str> {
    if segment.contains(['~', '/']) {
        Cow::Owned(segment.replace('~', "~0").replace('/', "~1"))
    } else {
        Cow::Borrowed(segment)
    }
}

/// The pointer to a member of what `pointer` points to.
pub(crate) fn join(pointer: &str, segment: &str) -> String {
    let segment = escape(segment);
    let mut joined = String::with_capacity(pointer.len() + 1 + segment.len());
    joined.push_str(pointer);
    joined.push('/');
    joined.push_str(&segment);
    joined
}

/// The segments of a pointer, unescaped. The empty pointer has none.
pub(crate) fn segments(pointer: &str) -> impl Iterator<Item = Cow<'_, str>> {
    pointer.split('/').skip(1).map(unescape)
}

fn unescape(segment: &str) -> Cow<'_, str> {
    if segment.contains('~') {
        Cow::Owned(segment.replace("~1", "/").replace("~0", "~"))
    } else {
        Cow::Borrowed(segment)
    }
}

/// The last segment, unescaped.
pub(crate) fn last(pointer: &str) -> Option<Cow<'_, str>> {
    segments(pointer).last()
}

/// Undoes percent-encoding; what is not valid UTF-8 afterwards is kept with replacement characters.
pub(crate) fn percent_decode(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8_lossy()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaping_round_trips() {
        let pointer = join(&join("", "paths"), "/a~b/{x}");
        assert_eq!(pointer, "/paths/~1a~0b~1{x}");
        assert_eq!(segments(&pointer).collect::<Vec<_>>(), ["paths", "/a~b/{x}"]);
        assert_eq!(last(&pointer).as_deref(), Some("/a~b/{x}"));
    }

    #[test]
    fn tilde_one_after_tilde_zero_is_not_a_slash() {
        assert_eq!(segments("/~01").collect::<Vec<_>>(), ["~1"]);
    }

    #[test]
    fn the_empty_pointer_has_no_segment() {
        assert_eq!(segments("").count(), 0);
        assert_eq!(last(""), None);
    }
}
