use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::wire::Maybe;

fn writer() -> RequestWriter {
    RequestWriter::new("GET")
}

fn target(parts: &RequestParts) -> String {
    format!("{}?{}", parts.path, parts.query)
}

fn path_of(write: impl FnOnce(&mut RequestWriter) -> Result<(), BuildError>) -> Result<String, BuildError> {
    let mut out = writer();
    write(&mut out)?;
    out.finish().map(|parts| parts.path)
}

#[test]
fn literals_and_values_make_a_path() {
    let path = path_of(|out| {
        out.path("/shelf/");
        out.path_value("shelf-id", &"a/b?c#d %".to_owned(), Style::Simple, false)?;
        out.path("/item/");
        out.path_value("itemId", &-9_007_199_254_740_993_i64, Style::Simple, false)?;
        out.path("/");
        out.path_value("tags", &vec!["x".to_owned(), "y,z".to_owned()], Style::Simple, false)
    });
    assert_eq!(path.unwrap(), "/shelf/a%2Fb%3Fc%23d%20%25/item/-9007199254740993/x,y%2Cz");
}

#[test]
fn literals_are_escaped_where_a_url_needs_it() {
    let path = |literal| {
        path_of(|out| {
            out.path(literal);
            Ok(())
        })
        .unwrap()
    };
    assert_eq!(path("/users/"), "/users/");
    assert_eq!(path("/v1.0/a-b:c@d"), "/v1.0/a-b:c@d");
    assert_eq!(path("/a b/é/{x}/%2F/%zz"), "/a%20b/%C3%A9/%7Bx%7D/%2F/%25zz");
    assert_eq!(path(""), "/");
    assert_eq!(path("ping"), "/ping");
}

#[test]
fn a_query_or_fragment_in_the_path_template() {
    let mut out = writer();
    out.path("/jobs?action=stop now&id=");
    out.path_value("id", &"a&b".to_owned(), Style::Simple, false).unwrap();
    out.path("#second");
    out.query("force", &true, Style::Form, true, false).unwrap();
    assert_eq!(target(&out.finish().unwrap()), "/jobs?action=stop%20now&id=a%26b&force=true");
}

#[test]
fn an_empty_or_missing_value_is_no_path() {
    let error = path_of(|out| {
        out.path("/x/");
        out.path_value("id", &String::new(), Style::Simple, false)
    });
    assert_eq!(error.unwrap_err().to_string(), "path parameter `id`: a value in the path cannot be empty");
    assert!(path_of(|out| out.path_value("id", &None::<i64>, Style::Simple, false)).is_err());
    assert!(path_of(|out| out.path_value("id", &Vec::<i64>::new(), Style::Matrix, false)).is_err());
}

#[test]
fn a_dot_segment_is_no_path() {
    let dotted = |before: &'static str, value: &str, after: &'static str, style| {
        path_of(|out| {
            out.path(before);
            out.path_value("id", &value.to_owned(), style, false)?;
            out.path(after);
            Ok(())
        })
    };
    for (before, value, after, style) in [
        ("/a/", ".", "/b", Style::Simple),
        ("/a/", "..", "", Style::Simple),
        ("/a/.", ".", "/", Style::Simple),
        ("/a/", "", "", Style::Label),
        ("/a/", ".", "/c", Style::Label),
        ("/a/%2e", ".", "", Style::Simple),
    ] {
        let error = dotted(before, value, after, style).unwrap_err();
        assert_eq!((error.place, error.name.as_ref()), (Place::Path, "id"), "{before}{value}{after}");
    }
    assert!(dotted("/a/", "...", "/b", Style::Simple).is_ok());
    assert!(dotted("/a/", ".", ".json", Style::Simple).is_ok());
    assert!(dotted("/./", "x", "", Style::Simple).is_ok(), "a literal is the document's own");
    let exploded = path_of(|out| {
        out.path("/a/");
        out.path_value("id", &vec![".".to_owned()], Style::Label, true)
    });
    assert!(exploded.is_err(), "`.%2E` is folded too");
}

#[test]
fn absent_values_write_nothing() {
    let mut out = writer();
    out.path("/find");
    out.query("a", &None::<String>, Style::Form, true, false).unwrap();
    out.query("b", &Maybe::Absent::<String>, Style::Form, true, false).unwrap();
    out.query("c", &Vec::<i64>::new(), Style::PipeDelimited, false, false).unwrap();
    out.query("page", &BTreeMap::<String, i64>::new(), Style::DeepObject, false, false).unwrap();
    out.query_json("j", &None::<i64>).unwrap();
    out.header("h", &None::<String>, false).unwrap();
    out.header_json("h", &None::<String>).unwrap();
    out.cookie("k", &None::<String>, true).unwrap();
    out.cookie_json("k", &Maybe::Null::<String>).unwrap();
    let parts = out.finish().unwrap();
    assert_eq!(target(&parts), "/find?");
    assert!(parts.headers.is_empty());
}

#[test]
fn one_name_in_many_places() {
    let mut out = writer();
    out.path("/v/");
    out.path_value("version", &3_i64, Style::Simple, false).unwrap();
    out.query("version", &"q".to_owned(), Style::Form, true, false).unwrap();
    out.query("filter", &BTreeMap::from([("state".to_owned(), "open".to_owned())]), Style::DeepObject, true, false)
        .unwrap();
    out.query_json("json", &json!({"a": [1]})).unwrap();
    out.query_text("key", "a b").unwrap();
    out.header("version", &"h".to_owned(), false).unwrap();
    out.header_json("X-Json", &json!(["é"])).unwrap();
    out.cookie("version", &"c d".to_owned(), true).unwrap();
    out.cookie("other", &vec![1, 2], false).unwrap();
    let parts = out.finish().unwrap();
    assert_eq!(target(&parts), "/v/3?version=q&filter%5Bstate%5D=open&json=%7B%22a%22%3A%5B1%5D%7D&key=a%20b");
    assert_eq!(parts.headers["version"], "h");
    assert_eq!(parts.headers["x-json"].as_bytes(), "[\"é\"]".as_bytes());
    assert_eq!(parts.headers["cookie"], "version=c%20d; other=1,2");
}

#[test]
fn headers_are_not_escaped_but_checked() {
    let header = |text: &str| {
        let mut out = writer();
        out.header("X-Token", &text.to_owned(), false)?;
        out.finish().map(|parts| parts.headers["x-token"].as_bytes().to_vec())
    };
    assert_eq!(header("a b%é,=;").unwrap(), "a b%é,=;".as_bytes());
    assert_eq!(header("").unwrap(), b"");
    for bad in ["a\r\nEvil: 1", "a\u{0}", "\u{7f}", " secret", "secret\t"] {
        let error = header(bad).unwrap_err();
        assert_eq!((error.place, error.name.as_ref()), (Place::Header, "X-Token"));
        assert!(!error.to_string().contains("secret"), "{error}");
    }
    assert!(writer().header("no name", &1_i64, false).is_err());
}

#[test]
fn faults_of_values_never_show_them() {
    let error = writer().json("application/json", &vec![f64::NAN]).unwrap_err();
    assert_eq!(error.to_string(), "body: /0: NaN has no JSON form");
    assert!(writer().query("q", &f64::INFINITY, Style::Form, true, false).is_err());
    assert!(RequestWriter::new("G T").finish().is_err());
}

#[test]
fn bodies_name_their_type() {
    let sent = |write: &dyn Fn(&mut RequestWriter) -> Result<(), BuildError>| {
        let mut out = writer();
        write(&mut out).unwrap();
        let parts = out.finish().unwrap();
        let body = match parts.body {
            RequestBody::Json(value) => value.to_string().into_bytes(),
            RequestBody::Form(fields) => format!("{fields:?}").into_bytes(),
            RequestBody::Bytes(bytes) => bytes.to_vec(),
            other => panic!("{other:?}"),
        };
        (parts.headers["content-type"].to_str().unwrap().to_owned(), body)
    };
    let json = sent(&|out| out.json("application/merge-patch+json", &json!({"b": 1, "a": null})));
    assert_eq!(json, ("application/merge-patch+json".to_owned(), br#"{"b":1,"a":null}"#.to_vec()));
    let form = sent(&|out| out.form(&json!({"title": "t t", "parts": ["a", "b"]}), &[]));
    let fields = br#"[("title", "t t"), ("parts", "a"), ("parts", "b")]"#;
    assert_eq!(form, ("application/x-www-form-urlencoded".to_owned(), fields.to_vec()));
    let bytes = sent(&|out| out.bytes("application/octet-stream", Bytes::from_static(b"\xff\xfe\0")));
    assert_eq!(bytes, ("application/octet-stream".to_owned(), b"\xff\xfe\0".to_vec()));
    let text = |media_type: &'static str, text: &'static str| sent(&|out| out.text(media_type, text));
    assert_eq!(text("text/plain", "a"), ("text/plain".to_owned(), b"a".to_vec()));
    assert_eq!(text("text/plain", "é"), ("text/plain; charset=utf-8".to_owned(), "é".as_bytes().to_vec()));
    let level = sent(&|out| out.text_value("text/plain", &10_i64));
    assert_eq!(level, ("text/plain".to_owned(), b"10".to_vec()));
    let latin = "text/plain; charset=ISO-8859-1";
    assert_eq!(text(latin, "é"), (latin.to_owned(), b"\xe9".to_vec()));
    assert!(writer().text(latin, "€").is_err());
    let binary = sent(&|out| out.binary("application/octet-stream", b"\xff\0".as_slice().into()));
    assert_eq!(binary, ("application/octet-stream".to_owned(), b"\xff\0".to_vec()));
    let lines = sent(&|out| out.json_lines("application/jsonl", &[json!({"a": "\n"}), json!(2)]));
    assert_eq!(lines, ("application/jsonl".to_owned(), b"{\"a\":\"\\n\"}\n2\n".to_vec()));
    let records = sent(&|out| out.json_lines("application/json-seq", &[json!([1])]));
    assert_eq!(records, ("application/json-seq".to_owned(), b"\x1e[1]\n".to_vec()));
    let error = writer().json_lines("application/jsonl", &[1.0, f64::NAN]).unwrap_err();
    assert_eq!(error.to_string(), "body: /1: NaN has no JSON form");
    assert!(writer().bytes("text/\n", Bytes::new()).is_err());
}

#[test]
fn debug_shows_no_values() {
    let mut out = writer();
    out.path("/x/");
    out.path_value("id", &"hunter2".to_owned(), Style::Simple, false).unwrap();
    out.query_text("token", "hunter2").unwrap();
    out.header_text("x-key", "hunter2").unwrap();
    out.cookie("session", &"hunter2".to_owned(), true).unwrap();
    out.json("application/json", &"hunter2".to_owned()).unwrap();
    assert!(!format!("{out:?}").contains("hunter2"));
    assert!(!format!("{:?}", out.finish().unwrap()).contains("hunter2"));
}

proptest! {
    /// Whatever the value, the URL that the client makes has the segments and pairs that were meant.
    #[test]
    fn a_url_keeps_what_was_meant(segment: String, value: String) {
        let mut out = writer();
        out.path("/a/");
        let written = out.path_value("id", &segment, Style::Simple, false);
        out.path("/b");
        out.query("q", &value, Style::Form, true, false).unwrap();
        match written.and_then(|()| out.finish()) {
            Ok(parts) => {
                let url = url::Url::parse(&format!("http://h.test/base{}?{}", parts.path, parts.query)).unwrap();
                let segments: Vec<_> = url.path_segments().unwrap().collect();
                prop_assert_eq!(segments.len(), 4);
                let decoded = percent_encoding::percent_decode_str(segments[2]).decode_utf8().unwrap();
                prop_assert_eq!(decoded.as_ref(), segment.as_str());
                let pairs: Vec<_> = url.query_pairs().into_owned().collect();
                prop_assert_eq!(pairs, [("q".to_owned(), value)]);
                prop_assert!(url.fragment().is_none());
            }
            Err(_) => prop_assert!(matches!(segment.as_str(), "" | "." | "..")),
        }
    }
}
