use proptest::prelude::*;
use serde_json::json;

use super::*;

/// The values of OpenAPI's own table.
fn table() -> [Value; 7] {
    [
        json!(null),
        json!(""),
        json!("blue"),
        json!([]),
        json!(["blue", "black", "brown"]),
        json!({}),
        json!({"R": 100, "G": 200, "B": 150}),
    ]
}

type Written = Result<&'static str, &'static str>;

const EMPTY: Written = Err("a value in the path cannot be empty");

#[test]
fn every_style_of_the_path() {
    let rows: [(Style, bool, [Written; 7]); 6] = [
        (
            Style::Simple,
            false,
            [EMPTY, EMPTY, Ok("blue"), EMPTY, Ok("blue,black,brown"), EMPTY, Ok("R,100,G,200,B,150")],
        ),
        (
            Style::Simple,
            true,
            [EMPTY, EMPTY, Ok("blue"), EMPTY, Ok("blue,black,brown"), EMPTY, Ok("R=100,G=200,B=150")],
        ),
        (
            Style::Label,
            false,
            [EMPTY, Ok("."), Ok(".blue"), EMPTY, Ok(".blue,black,brown"), EMPTY, Ok(".R,100,G,200,B,150")],
        ),
        (
            Style::Label,
            true,
            [EMPTY, Ok("."), Ok(".blue"), EMPTY, Ok(".blue.black.brown"), EMPTY, Ok(".R=100.G=200.B=150")],
        ),
        (
            Style::Matrix,
            false,
            [
                EMPTY,
                Ok(";color"),
                Ok(";color=blue"),
                EMPTY,
                Ok(";color=blue,black,brown"),
                EMPTY,
                Ok(";color=R,100,G,200,B,150"),
            ],
        ),
        (
            Style::Matrix,
            true,
            [
                EMPTY,
                Ok(";color"),
                Ok(";color=blue"),
                EMPTY,
                Ok(";color=blue;color=black;color=brown"),
                EMPTY,
                Ok(";R=100;G=200;B=150"),
            ],
        ),
    ];
    for (style, explode, expected) in rows {
        for (value, expected) in table().iter().zip(expected) {
            let written = path("color", value, style, explode);
            assert_eq!(written.as_deref().map_err(AsRef::as_ref), expected, "{style:?} {explode} {value}");
        }
    }
}

#[test]
fn every_style_of_the_query() {
    let form_exploded = ["", "color=", "color=blue", "", "color=blue&color=black&color=brown", "", "R=100&G=200&B=150"];
    let rows: [(Style, bool, [&str; 7]); 8] = [
        (Style::Form, true, form_exploded),
        (Style::Form, false, ["", "color=", "color=blue", "", "color=blue,black,brown", "", "color=R,100,G,200,B,150"]),
        (
            Style::SpaceDelimited,
            false,
            ["", "color=", "color=blue", "", "color=blue%20black%20brown", "", "color=R%20100%20G%20200%20B%20150"],
        ),
        (Style::SpaceDelimited, true, form_exploded),
        (
            Style::PipeDelimited,
            false,
            ["", "color=", "color=blue", "", "color=blue%7Cblack%7Cbrown", "", "color=R%7C100%7CG%7C200%7CB%7C150"],
        ),
        (Style::PipeDelimited, true, form_exploded),
        (
            Style::DeepObject,
            true,
            [
                "",
                "color=",
                "color=blue",
                "",
                "color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown",
                "",
                "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
            ],
        ),
        (
            Style::DeepObject,
            false,
            [
                "",
                "color=",
                "color=blue",
                "",
                "color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown",
                "",
                "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
            ],
        ),
    ];
    for (style, explode, expected) in rows {
        for (value, expected) in table().iter().zip(expected) {
            assert_eq!(sent(value, style, explode, false), expected, "{style:?} {explode} {value}");
        }
    }
}

#[test]
fn every_value_of_a_header() {
    let rows: [(bool, [Option<&str>; 7]); 2] = [
        (false, [None, Some(""), Some("blue"), None, Some("blue,black,brown"), None, Some("R,100,G,200,B,150")]),
        (true, [None, Some(""), Some("blue"), None, Some("blue,black,brown"), None, Some("R=100,G=200,B=150")]),
    ];
    for (explode, expected) in rows {
        for (value, expected) in table().iter().zip(expected) {
            assert_eq!(header(value, explode).unwrap().as_deref(), expected, "{explode} {value}");
        }
    }
}

#[test]
fn every_value_of_a_cookie() {
    let rows: [(bool, [&str; 7]); 2] = [
        (true, ["", "color=", "color=blue", "", "color=blue; color=black; color=brown", "", "R=100; G=200; B=150"]),
        (false, ["", "color=", "color=blue", "", "color=blue,black,brown", "", "color=R,100,G,200,B,150"]),
    ];
    for (explode, expected) in rows {
        for (value, expected) in table().iter().zip(expected) {
            let written = joined(cookie("color", value, explode).unwrap(), "; ");
            assert_eq!(written, expected, "{explode} {value}");
        }
    }
}

#[test]
fn a_style_stays_in_its_place() {
    let value = json!("x");
    for style in [Style::Form, Style::SpaceDelimited, Style::PipeDelimited, Style::DeepObject] {
        assert!(path("p", &value, style, false).is_err(), "{style:?}");
    }
    for style in [Style::Simple, Style::Label, Style::Matrix] {
        assert!(query("p", &value, style, false, false).is_err(), "{style:?}");
    }
}

#[test]
fn all_but_unreserved_characters_are_escaped() {
    let unreserved = "AZaz09-._~";
    let others = " !\"#$%&'()*+,/:;<=>?@[\\]^`{|}é\u{0}\n";
    let escaped = "%20%21%22%23%24%25%26%27%28%29%2A%2B%2C%2F%3A%3B%3C%3D%3E%3F%40%5B%5C%5D%5E%60%7B%7C%7D%C3%A9%00%0A";
    let value = json!(format!("{unreserved}{others}"));
    let expected = format!("{unreserved}{escaped}");
    assert_eq!(path("p", &value, Style::Simple, false).unwrap(), expected);
    assert_eq!(sent(&value, Style::Form, true, false), format!("color={expected}"));
    assert_eq!(joined(cookie("p", &value, true).unwrap(), ""), format!("p={expected}"));
    let name = query(others, &json!(1), Style::Form, true, true).unwrap();
    assert_eq!(joined(name, "&"), format!("{escaped}=1"));
}

#[test]
fn allow_reserved_keeps_what_cannot_change_the_meaning() {
    let value = json!(":/?#[]@!$&'()*+,;= %é");
    assert_eq!(sent(&value, Style::Form, true, true), "color=:/?%23[]@!$%26'()*%2B,;=%20%25%C3%A9");
    let list = json!(["a,b", "c/d"]);
    assert_eq!(sent(&list, Style::Form, false, true), "color=a%2Cb,c/d");
    assert_eq!(sent(&list, Style::Form, true, true), "color=a,b&color=c/d");
}

#[test]
fn inner_delimiters_are_escaped_where_they_can_be() {
    let list = json!(["x,1", "y;z=.w"]);
    assert_eq!(path("p", &list, Style::Simple, false).unwrap(), "x%2C1,y%3Bz%3D.w");
    assert_eq!(path("p", &list, Style::Label, true).unwrap(), ".x%2C1.y%3Bz%3D%2Ew");
    assert_eq!(path("p", &list, Style::Matrix, false).unwrap(), ";p=x%2C1,y%3Bz%3D.w");
    assert_eq!(path("p", &json!({"a=b": "c,d"}), Style::Simple, true).unwrap(), "a%3Db=c%2Cd");
    assert_eq!(sent(&list, Style::Form, false, false), "color=x%2C1,y%3Bz%3D.w");
    assert_eq!(sent(&json!(["a b", "c|d"]), Style::Form, false, false), "color=a%20b,c%7Cd");
}

#[test]
fn inner_delimiters_are_refused_where_they_cannot_be_escaped() {
    let refused = |style, value| query("p", &value, style, false, false).is_err();
    assert!(refused(Style::SpaceDelimited, json!(["a b", "c"])));
    assert!(refused(Style::SpaceDelimited, json!(["a b"])));
    assert!(refused(Style::PipeDelimited, json!({"k": "a|b"})));
    assert!(!refused(Style::PipeDelimited, json!(["a b", "c"])));
    assert!(!refused(Style::PipeDelimited, json!("a|b")), "a scalar is not split");
    assert!(header(&json!(["a,b"]), false).is_err());
    assert!(header(&json!({"k": "a,b"}), true).is_err());
    assert!(header(&json!({"k=": "a"}), true).is_err());
    assert_eq!(header(&json!({"k": "a=b"}), true).unwrap().as_deref(), Some("k=a=b"));
    assert_eq!(header(&json!("a,b"), false).unwrap().as_deref(), Some("a,b"));
    let secret = header(&json!(["hunter2,x"]), false).unwrap_err();
    assert!(!secret.contains("hunter2"));
}

#[test]
fn scalars_are_written_plainly() {
    for (value, text) in [
        (json!(true), "true"),
        (json!(false), "false"),
        (json!(-7), "-7"),
        (json!(u64::MAX), "18446744073709551615"),
        (json!(3.0), "3"),
        (json!(0.5), "0.5"),
        (json!(-0.25), "-0.25"),
    ] {
        assert_eq!(sent(&value, Style::Form, true, false), format!("color={text}"));
    }
}

#[test]
fn names_and_items_with_reserved_characters() {
    let pairs = query("f[]", &json!(["x", "&=#+ é"]), Style::Form, true, false).unwrap();
    assert_eq!(joined(pairs, "&"), "f%5B%5D=x&f%5B%5D=%26%3D%23%2B%20%C3%A9");
    let since = json!({"min-age": 3, "since": "2024-01-02T03:04:05+02:00"});
    let pairs = query("filter", &since, Style::DeepObject, true, false).unwrap();
    assert_eq!(joined(pairs, "&"), "filter%5Bmin-age%5D=3&filter%5Bsince%5D=2024-01-02T03%3A04%3A05%2B02%3A00");
}

#[test]
fn null_members_are_skipped() {
    assert_eq!(sent(&json!([null, "a", null]), Style::Form, false, false), "color=a");
    assert_eq!(sent(&json!([null]), Style::Form, true, false), "");
    assert_eq!(sent(&json!({"a": null, "b": 1}), Style::DeepObject, true, false), "color%5Bb%5D=1");
    assert_eq!(path("p", &json!({"a": null, "b": 1}), Style::Simple, false).unwrap(), "b,1");
    assert!(path("p", &json!([null]), Style::Simple, false).is_err());
}

#[test]
fn nested_values() {
    let nested = json!({"state": "open", "tags": ["a", "b"], "at": {"min": 1, "in": {"x": [{"y": true}]}}});
    assert_eq!(
        sent(&nested, Style::DeepObject, true, false).replace("%5B", "[").replace("%5D", "]"),
        "color[state]=open&color[tags][0]=a&color[tags][1]=b&color[at][min]=1&color[at][in][x][0][y]=true"
    );
    assert_eq!(sent(&json!({"sort": ["a", "b"], "page": 0}), Style::Form, true, false), "sort=a&sort=b&page=0");
    assert_eq!(sent(&json!({"o": {"k": 1}}), Style::Form, true, false), "o=%7B%22k%22%3A1%7D");
    assert_eq!(sent(&json!([[1, 2]]), Style::Form, false, false), "color=%5B1%2C2%5D");
    assert_eq!(sent(&json!({"a": {}, "b": []}), Style::DeepObject, true, false), "");
}

fn sent(value: &Value, style: Style, explode: bool, allow_reserved: bool) -> String {
    joined(query("color", value, style, explode, allow_reserved).unwrap(), "&")
}

fn joined(pairs: Vec<(String, String)>, between: &str) -> String {
    pairs.iter().map(|(name, text)| format!("{name}={text}")).collect::<Vec<_>>().join(between)
}

fn unescape(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8().unwrap().into_owned()
}

fn words() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec(any::<String>(), 1..6)
}

fn record() -> impl Strategy<Value = Vec<(String, String)>> {
    proptest::collection::btree_map(any::<String>(), any::<String>(), 1..6).prop_map(|map| map.into_iter().collect())
}

fn object(record: &[(String, String)]) -> Value {
    Value::Object(record.iter().map(|(name, text)| (name.clone(), json!(text))).collect())
}

proptest! {
    #[test]
    fn a_query_parses_back_to_its_pairs(name in any::<String>(), items in words(), reserved: bool) {
        let exploded = sent_as(&name, &json!(items), Style::Form, true, reserved);
        let pairs: Vec<_> = url::form_urlencoded::parse(exploded.as_bytes()).into_owned().collect();
        let expected: Vec<_> = items.iter().map(|item| (name.clone(), item.clone())).collect();
        prop_assert_eq!(pairs, expected);

        let listed = sent_as(&name, &json!(items), Style::Form, false, reserved);
        let (_, text) = listed.split_once('=').unwrap();
        let parsed: Vec<_> = text.split(',').map(unescape).collect();
        prop_assert_eq!(parsed, items);
    }

    #[test]
    fn a_query_object_parses_back(record in record(), reserved: bool) {
        let exploded = sent_as("o", &object(&record), Style::Form, true, reserved);
        let pairs: Vec<_> = url::form_urlencoded::parse(exploded.as_bytes()).into_owned().collect();
        prop_assert_eq!(&pairs, &record);

        let deep = sent_as("o", &object(&record), Style::DeepObject, true, reserved);
        let pairs: Vec<_> = url::form_urlencoded::parse(deep.as_bytes())
            .map(|(name, text)| (name[2..name.len() - 1].to_owned(), text.into_owned()))
            .collect();
        prop_assert_eq!(&pairs, &record);
    }

    #[test]
    fn delimited_lists_parse_back_or_are_refused(items in words()) {
        for (style, delimiter) in [(Style::SpaceDelimited, ' '), (Style::PipeDelimited, '|')] {
            match query("p", &json!(items), style, false, false) {
                Ok(pairs) => {
                    let parsed: Vec<_> = unescape(&pairs[0].1).split(delimiter).map(str::to_owned).collect();
                    prop_assert_eq!(parsed, items.clone());
                }
                Err(_) => prop_assert!(items.iter().any(|item| item.contains(delimiter))),
            }
        }
    }

    #[test]
    fn a_path_parses_back_and_stays_one_segment(items in words(), record in record()) {
        let list = json!(items);
        if let Ok(text) = path("p", &list, Style::Simple, false) {
            prop_assert!(!text.contains(['/', '?', '#']) && text.is_ascii());
            prop_assert_eq!(text.split(',').map(unescape).collect::<Vec<_>>(), items.clone());
        } else {
            prop_assert_eq!(items.concat(), "");
        }
        let label = path("p", &list, Style::Label, true).unwrap();
        prop_assert_eq!(label.split('.').skip(1).map(unescape).collect::<Vec<_>>(), items.clone());
        let matrix = path("p", &list, Style::Matrix, true).unwrap();
        let parsed = matrix.split(';').skip(1).map(|pair| unescape(pair.split_once('=').map_or("", |(_, text)| text)));
        prop_assert_eq!(parsed.collect::<Vec<_>>(), items);
        let simple = path("p", &object(&record), Style::Simple, true).unwrap();
        let parsed: Vec<_> = simple
            .split(',')
            .map(|pair| pair.split_once('=').map(|(name, text)| (unescape(name), unescape(text))).unwrap())
            .collect();
        prop_assert_eq!(parsed, record);
    }

    #[test]
    fn a_header_parses_back_or_is_refused(items in words()) {
        match header(&json!(items), false) {
            Ok(text) => prop_assert_eq!(text.unwrap().split(',').map(str::to_owned).collect::<Vec<_>>(), items),
            Err(_) => prop_assert!(items.iter().any(|item| item.contains(','))),
        }
    }
}

fn sent_as(name: &str, value: &Value, style: Style, explode: bool, allow_reserved: bool) -> String {
    joined(query(name, value, style, explode, allow_reserved).unwrap(), "&")
}
