//! What a reference to another file may look like.

use std::path::{Component, Path, PathBuf};

use percent_encoding::percent_decode_str;

/// Why a reference names no file that is read here.
pub(super) struct Refused {
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) help: &'static str,
}

/// The relative path that a reference names (its fragment already cut off), percent-decoded.
pub(super) fn relative_path(reference: &str) -> Result<String, Refused> {
    if let Some(scheme) = scheme(reference) {
        let (code, help) = if scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https") {
            ("CD-REF-URL", "save that document beside this one and refer to it by a relative path")
        } else {
            ("CD-REF-URL", "refer to the file by a relative path")
        };
        return Err(Refused { code, message: format!("{reference:?} is a URL: nothing is fetched"), help });
    }
    if reference.starts_with(['/', '\\']) {
        return Err(Refused {
            code: "CD-REF-FILE",
            message: format!("{reference:?} is an absolute path: it holds on one machine only"),
            help: "refer to the file by a path relative to this one",
        });
    }
    let decoded = percent_decode_str(reference).decode_utf8();
    match decoded {
        Ok(path) if !path.contains('\0') => Ok(path.into_owned()),
        _ => Err(Refused {
            code: "CD-REF-FILE",
            message: format!("{reference:?} is no path once its percent escapes are decoded"),
            help: "write the path as it is",
        }),
    }
}

/// `https` of `https://…`. A drive letter is no scheme, and a colon in a file name needs none either.
fn scheme(reference: &str) -> Option<&str> {
    let (scheme, rest) = reference.split_once(':')?;
    let is_name = scheme.len() > 1
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    (is_name && (rest.starts_with('/') || scheme.eq_ignore_ascii_case("urn"))).then_some(scheme)
}

/// `specs/a/../b.yaml` as `specs/b.yaml`: for messages only, links are not followed.
pub(super) fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(tidy.components().next_back(), Some(Component::Normal(_))) => {
                tidy.pop();
            }
            other => tidy.push(other),
        }
    }
    tidy
}

#[cfg(test)]
mod tests {
    use super::{relative_path, scheme, tidy};
    use std::path::Path;

    #[test]
    fn paths_are_decoded() {
        assert_eq!(relative_path("a%20b/c.yaml").ok().as_deref(), Some("a b/c.yaml"));
        assert_eq!(relative_path("../c.yaml").ok().as_deref(), Some("../c.yaml"));
        assert_eq!(relative_path("a:b.yaml").ok().as_deref(), Some("a:b.yaml"));
    }

    #[test]
    fn what_is_no_relative_path_is_refused() {
        for refused in
            ["https://x.test/a.yaml", "FILE:///a.yaml", "urn:a:b", "/etc/passwd", "\\\\host\\x", "a%00b", "%ff"]
        {
            assert!(relative_path(refused).is_err(), "{refused}");
        }
        assert_eq!(scheme("C:/a.yaml"), None);
    }

    #[test]
    fn display_paths_are_tidy() {
        assert_eq!(tidy(Path::new("specs/a/../b.yaml")), Path::new("specs/b.yaml"));
        assert_eq!(tidy(Path::new("./../../b.yaml")), Path::new("../../b.yaml"));
    }
}
