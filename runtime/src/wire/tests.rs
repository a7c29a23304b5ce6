use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Map, json};

use super::*;

/// The type of the contract: each kind of field once.
#[derive(Debug, Clone, PartialEq)]
struct Profile {
    revision: i64,
    owner: Option<String>,
    nickname: Option<String>,
    avatar: Maybe<String>,
    tags: Maybe<Vec<Option<String>>>,
    extra: BTreeMap<String, i64>,
}

const DECLARED: [&str; 5] = ["revision", "owner", "nickname", "avatar", "tags"];

impl Wire for Profile {
    fn encode(&self) -> Result<Value, EncodeError> {
        let mut object = ObjectWriter::new();
        object.required("revision", &self.revision)?;
        object.required("owner", &self.owner)?;
        object.optional("nickname", &self.nickname)?;
        object.maybe("avatar", &self.avatar)?;
        object.maybe("tags", &self.tags)?;
        object.rest(&self.extra)?;
        Ok(object.finish())
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        let mut object = ObjectReader::new("Profile", value)?;
        Ok(Self {
            revision: object.required("revision")?,
            owner: object.required_nullable("owner")?,
            nickname: object.optional("nickname")?,
            avatar: object.maybe("avatar")?,
            tags: object.maybe("tags")?,
            extra: object.rest(&DECLARED)?,
        })
    }
}

crate::serde_through_wire!(Profile);

fn round_trip(text: &str) -> String {
    json::decode::<Profile>(text.as_bytes()).unwrap().encode().unwrap().to_string()
}

fn failure<T: Wire + std::fmt::Debug>(value: Value) -> String {
    T::decode(&value).unwrap_err().to_string()
}

#[test]
fn the_states_of_a_member_survive_a_round_trip() {
    for text in [
        r#"{"revision":1,"owner":null}"#,
        r#"{"revision":1,"owner":null,"avatar":null}"#,
        r#"{"revision":1,"owner":"o","avatar":"a"}"#,
        r#"{"revision":1,"owner":null,"avatar":null,"tags":null}"#,
        r#"{"revision":1,"owner":null,"tags":["a",null]}"#,
        r#"{"revision":9007199254740993,"owner":"o","nickname":"n","avatar":"a","tags":[],"x":-9007199254740993}"#,
    ] {
        assert_eq!(round_trip(text), text);
    }
    assert_eq!(round_trip(r#"{"nickname":null,"owner":null,"revision":1.0}"#), r#"{"revision":1,"owner":null}"#);
}

#[test]
fn errors_name_the_member() {
    assert_eq!(failure::<Profile>(json!({"revision": 1})), "/owner: required by Profile, but missing");
    assert_eq!(failure::<Profile>(json!({"owner": null})), "/revision: required by Profile, but missing");
    assert_eq!(
        failure::<Profile>(json!({"revision": null, "owner": null})),
        "/revision: expected a 64-bit integer, found null"
    );
    assert_eq!(
        failure::<Profile>(json!({"revision": 1, "owner": null, "tags": ["a", 2]})),
        "/tags/1: expected text, found 2"
    );
    assert_eq!(
        failure::<Profile>(json!({"revision": 1, "owner": null, "x": "no"})),
        r#"/x: expected a 64-bit integer, found "no""#
    );
    assert_eq!(failure::<Profile>(json!([1])), "expected an object (Profile), found an array of 1 item");
}

#[test]
fn a_key_of_a_declared_field_is_the_fields() {
    let mut profile: Profile = json::decode(br#"{"revision":1,"owner":null}"#).unwrap();
    profile.extra = BTreeMap::from([("avatar".to_owned(), 1), ("revision".to_owned(), 2), ("x".to_owned(), 3)]);
    assert_eq!(profile.encode().unwrap().to_string(), r#"{"revision":1,"owner":null,"x":3}"#);
}

#[test]
fn a_closed_object_refuses_undeclared_members() {
    let value = json!({"revision": 1, "other": 2});
    let mut object = ObjectReader::new("Closed", &value).unwrap();
    assert!(object.deny_unknown(&["revision", "other"]).is_ok());
    let error = object.deny_unknown(&["revision"]).unwrap_err();
    assert_eq!(error.to_string(), "/other: not declared by Closed, which allows no other members");
}

#[test]
fn an_optional_member_that_may_be_anything_keeps_null() {
    let value = json!({"any": null, "nothing": null});
    let mut object = ObjectReader::new("Types", &value).unwrap();
    assert_eq!(object.optional::<Value>("any").unwrap(), Some(Value::Null));
    assert_eq!(object.optional::<()>("nothing").unwrap(), Some(()));
    assert_eq!(object.optional::<i64>("any").unwrap(), None);
    assert_eq!(object.optional::<Value>("absent").unwrap(), None);
    let error = ObjectReader::new("Types", &json!({"nothing": 1})).unwrap().optional::<()>("nothing").unwrap_err();
    assert_eq!(error.to_string(), "/nothing: expected null, found 1");
}

#[test]
fn serde_goes_through_wire() {
    let text = r#"[{"revision":1,"owner":null,"avatar":null,"x":2}]"#;
    let profiles: Vec<Profile> = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&profiles).unwrap(), text);
    let error = serde_json::from_str::<Profile>("{}").unwrap_err();
    assert!(error.to_string().contains("/revision: required by Profile"), "{error}");
}

#[test]
fn integers_take_empty_fractions_and_no_other() {
    assert_eq!(i64::decode(&json!(3.0)).unwrap(), 3);
    assert_eq!(i32::decode(&json!(-2e3)).unwrap(), -2000);
    assert_eq!(u8::decode(&json!(-0.0)).unwrap(), 0);
    assert_eq!(i64::decode(&json!(9_007_199_254_740_991.0)).unwrap(), 9_007_199_254_740_991);
    for value in [json!(3.5), json!(9_007_199_254_740_992.0), json!(1e300), json!("3"), json!(true), json!(null)] {
        assert!(failure::<i64>(value.clone()).starts_with("expected a 64-bit integer, found "), "{value}");
    }
    assert_eq!(failure::<i64>(json!("-1")), r#"expected a 64-bit integer, found "-1""#);
}

#[test]
fn integers_stay_in_their_range() {
    fn edges<T: Wire + PartialEq + Copy + std::fmt::Debug>(least: T, most: T, below: &str, above: &str) {
        for edge in [least, most] {
            assert_eq!(T::decode(&edge.encode().unwrap()).unwrap(), edge);
        }
        for beyond in [below, above] {
            assert!(json::decode::<T>(beyond.as_bytes()).is_err(), "{beyond}");
        }
    }
    edges(i8::MIN, i8::MAX, "-129", "128");
    edges(i16::MIN, i16::MAX, "-32769", "32768");
    edges(i32::MIN, i32::MAX, "-2147483649", "2147483648");
    edges(i64::MIN, i64::MAX, "-9223372036854775809", "9223372036854775808");
    edges(u8::MIN, u8::MAX, "-1", "256");
    edges(u16::MIN, u16::MAX, "-1", "65536");
    edges(u32::MIN, u32::MAX, "-1", "4294967296");
    edges(u64::MIN, u64::MAX, "-1", "18446744073709551616");
}

#[test]
fn integers_beyond_64_bits_are_never_rounded() {
    let big = 10_i128.pow(30);
    #[cfg(feature = "exact-numbers")]
    {
        assert_eq!(i128::decode(&big.encode().unwrap()).unwrap(), big);
        let text = "12345678901234567890.1234567890";
        assert_eq!(json::parse(text.as_bytes()).unwrap().to_string(), text);
    }
    #[cfg(not(feature = "exact-numbers"))]
    {
        assert!(big.encode().is_err());
        assert!(json::decode::<i128>(big.to_string().as_bytes()).is_err());
    }
}

#[test]
fn floats_are_written_with_the_digits_that_name_them() {
    let text = |value: Result<Value, EncodeError>| value.unwrap().to_string();
    assert_eq!(text(0.1_f32.encode()), "0.1");
    assert_eq!(text(16_777_216_f32.encode()), "16777216");
    assert_eq!(text(f32::MAX.encode()), text(Wire::encode(&3.402_823_5e38_f64)));
    assert_eq!(text(0.1_f64.encode()), "0.1");
    assert_eq!(text(2.5_f64.encode()), "2.5");
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(odd.encode().is_err());
        #[expect(clippy::cast_possible_truncation, reason = "stays what it is")]
        let odd = odd as f32;
        assert!(odd.encode().is_err());
    }
    let error = vec![1.0, f64::NAN].encode().unwrap_err();
    assert_eq!(error.to_string(), "/1: NaN has no JSON form");
    assert_eq!(error.pointer(), "/1");
}

#[test]
fn whole_floats_have_no_fraction() {
    let text = |value: f64| value.encode().unwrap().to_string();
    let small = |value: f32| value.encode().unwrap().to_string();
    for (value, expected) in [(0.0, "0"), (3.0, "3"), (-42.0, "-42"), (100_000_000.0, "100000000")] {
        assert_eq!(text(f64::from(value)), expected);
        assert_eq!(small(value), expected);
    }
    assert_eq!(text(9_007_199_254_740_991.0), "9007199254740991");
    assert_eq!(text(-9_007_199_254_740_991.0), "-9007199254740991");
    // From here on neighbours share a float: the digits would claim more than is known.
    assert_eq!(text(9_007_199_254_740_992.0), "9007199254740992.0");
    assert_eq!((text(-0.0), small(-0.0)), ("-0.0".to_owned(), "-0.0".to_owned()));
    assert!(f64::decode(&json!(-0.0)).unwrap().is_sign_negative());
}

#[test]
fn floats_are_read_from_any_number() {
    assert_eq!(f64::decode(&json!(3)).unwrap(), 3.0);
    assert_eq!(f32::decode(&json!(0.1)).unwrap(), 0.1);
    assert!(f32::decode(&json!(1e39)).is_err());
    assert!(f64::decode(&json!("1")).is_err());
}

#[test]
fn tuples_have_their_length() {
    type Pair = (String, i64);
    let pair: Pair = ("a".to_owned(), 1);
    assert_eq!(pair.encode().unwrap(), json!(["a", 1]));
    assert_eq!(Pair::decode(&json!(["a", 1])).unwrap(), pair);
    assert_eq!(failure::<Pair>(json!(["a", "b"])), r#"/1: expected a 64-bit integer, found "b""#);
    assert_eq!(failure::<Pair>(json!(["a"])), "expected an array of exactly 2, found an array of 1 item");
    assert!(Pair::decode(&json!(["a", 1, 2])).is_err());
    assert!(<(bool,)>::decode(&json!([true])).unwrap().0);
}

#[test]
fn uuids_are_hyphenated() {
    let text = "67e55044-10b1-426f-9247-bb680e5fe0c8";
    assert_eq!(Uuid::decode(&json!(text)).unwrap().encode().unwrap(), json!(text));
    assert!(Uuid::decode(&json!(text.to_uppercase())).is_ok());
    for other in ["nope", "67e5504410b1426f9247bb680e5fe0c8", "{67e55044-10b1-426f-9247-bb680e5fe0c8}", ""] {
        assert_eq!(failure::<Uuid>(json!(other)), format!("expected a UUID, found {other:?}"));
    }
}

#[test]
fn maps_and_any_objects_want_objects() {
    type Anything = Map<String, Value>;
    assert!(Anything::decode(&json!([1])).is_err());
    let value = json!({"z": 1, "a": {"k": null}});
    assert_eq!(Anything::decode(&value).unwrap().encode().unwrap().to_string(), value.to_string());
    assert_eq!(failure::<BTreeMap<String, bool>>(json!({"a/b": 1})), "/a~1b: expected true or false, found 1");
    assert_eq!(Option::<bool>::decode(&json!(null)).unwrap(), None);
    assert_eq!(*Box::<i64>::decode(&json!(1)).unwrap(), 1);
}

/// A union told apart by shape: the more demanding branch is tried first.
#[derive(Debug, PartialEq)]
enum Contact {
    Full { name: String, phones: Vec<String> },
    Short { name: String },
}

struct Full(String, Vec<String>);
struct Short(String);

impl Wire for Full {
    fn encode(&self) -> Result<Value, EncodeError> {
        let mut object = ObjectWriter::new();
        object.required("name", &self.0)?;
        object.required("phones", &self.1)?;
        Ok(object.finish())
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        let mut object = ObjectReader::new("Full", value)?;
        Ok(Self(object.required("name")?, object.required("phones")?))
    }
}

impl Wire for Short {
    fn encode(&self) -> Result<Value, EncodeError> {
        let mut object = ObjectWriter::new();
        object.required("name", &self.0)?;
        Ok(object.finish())
    }

    fn decode(value: &Value) -> Result<Self, DecodeError> {
        ObjectReader::new("Short", value)?.required("name").map(Self)
    }
}

fn contact(value: &Value) -> Result<Contact, DecodeError> {
    let mut branches = UnionReader::new("Contact", value);
    if let Some(Full(name, phones)) = branches.attempt("Full") {
        return Ok(Contact::Full { name, phones });
    }
    if let Some(Short(name)) = branches.attempt("Short") {
        return Ok(Contact::Short { name });
    }
    Err(branches.failed())
}

#[test]
fn the_demanding_branch_comes_first_and_failures_are_listed() {
    let name = || "n".to_owned();
    let full = Contact::Full { name: name(), phones: vec!["1".to_owned()] };
    assert_eq!(contact(&json!({"name": "n", "phones": ["1"], "since": 2019})).unwrap(), full);
    assert_eq!(contact(&json!({"name": "n"})).unwrap(), Contact::Short { name: name() });
    assert_eq!(
        contact(&json!({"phones": []})).unwrap_err().to_string(),
        "fits no branch of Contact: Full (/name: required by Full, but missing); \
         Short (/name: required by Short, but missing)"
    );
    let error = contact(&json!({"phones": []})).unwrap_err();
    assert_eq!(error.branches().map(|(name, _)| name).collect::<Vec<_>>(), ["Full", "Short"]);
    let written = with_tag(Full(name(), vec![]).encode().unwrap(), "kind", "full").unwrap();
    assert_eq!(written.to_string(), r#"{"kind":"full","name":"n","phones":[]}"#);
    let written = with_tag(Short(name()).encode().unwrap(), "name", "m").unwrap();
    assert_eq!(written.to_string(), r#"{"name":"m"}"#);
}

#[test]
fn a_branch_that_was_tried_twice_is_listed_once() {
    let value = json!({"a": 1});
    let mut branches = UnionReader::new("Either", &value);
    let read = |_: &Value| Err(DecodeError::other("no"));
    assert_eq!(branches.keeping_most::<i64>(&[Candidate { name: "A", declared: &["a"], read }]), None);
    assert_eq!(branches.attempt::<i64>("A"), None);
    assert_eq!(branches.attempt::<i64>("B"), None);
    assert_eq!(branches.failed().branches().map(|(name, _)| name).collect::<Vec<_>>(), ["A", "B"]);
}

#[test]
fn a_nested_union_keeps_its_reasons() {
    struct Outer;
    impl Wire for Outer {
        fn encode(&self) -> Result<Value, EncodeError> {
            Ok(Value::Null)
        }
        fn decode(value: &Value) -> Result<Self, DecodeError> {
            let mut branches = UnionReader::new("Outer", value);
            if branches.attempt::<Maybe<bool>>("Flag").is_some() {
                return Ok(Self);
            }
            match contact(value) {
                Ok(_) => Ok(Self),
                Err(error) => Err(error.inside("contact")),
            }
        }
    }
    let error = Outer::decode(&json!({"phones": 1})).err().unwrap().to_string();
    assert!(error.contains("/contact: fits no branch of Contact: Full (/name: required"), "{error}");
    assert!(Outer::decode(&json!({"name": "n"})).is_ok());
    assert!(Outer::decode(&json!(true)).is_ok());
}

fn any_profile() -> impl Strategy<Value = Profile> {
    let maybe = |present: Option<Option<String>>| match present {
        None => Maybe::Absent,
        Some(value) => Maybe::or_null(value),
    };
    let tags = any::<Option<Option<Vec<Option<String>>>>>().prop_map(|tags| tags.map_or(Maybe::Absent, Maybe::or_null));
    (
        any::<i64>(),
        any::<Option<String>>(),
        any::<Option<String>>(),
        any::<Option<Option<String>>>().prop_map(maybe),
        tags,
        any::<BTreeMap<String, i64>>(),
    )
        .prop_map(|(revision, owner, nickname, avatar, tags, mut extra)| {
            extra.retain(|name, _| !DECLARED.contains(&name.as_str()));
            Profile { revision, owner, nickname, avatar, tags, extra }
        })
}

fn survives<T: Wire + PartialEq + std::fmt::Debug>(value: &T) -> Result<(), TestCaseError> {
    let text = json::print(&value.encode().unwrap());
    prop_assert_eq!(&json::decode::<T>(&text).unwrap(), value);
    Ok(())
}

proptest! {
    #[test]
    fn objects_survive(profile in any_profile()) {
        survives(&profile)?;
    }

    #[test]
    fn numbers_survive(small: f32, float: f64, signed: i64, unsigned: u64, byte: u8) {
        prop_assume!(small.is_finite() && float.is_finite());
        survives(&(small, float, signed, unsigned, byte))?;
    }

    #[test]
    fn text_and_bytes_survive(text: String, bytes: Vec<u8>, id: u128, flag: bool) {
        survives(&(text, Base64::from(bytes), Uuid::from_u128(id), flag, vec![()]))?;
    }

    #[test]
    fn times_survive(seconds in -62_167_219_200_i64..253_402_300_800, nanos in 0..1_000_000_000_u32, minutes in -1439..1440) {
        let zone = chrono::FixedOffset::east_opt(minutes * 60).unwrap();
        let time = chrono::DateTime::from_timestamp(seconds, nanos).unwrap().with_timezone(&zone);
        match time.encode() {
            Ok(_) => survives(&(time, time.date_naive()))?,
            Err(_) => prop_assert!(!(0..=9999).contains(&chrono::Datelike::year(&time))),
        }
    }

    #[test]
    fn any_text_is_parsed_or_refused(bytes: Vec<u8>) {
        if let Ok(value) = json::parse(&bytes) {
            prop_assert_eq!(json::parse(&json::print(&value)).unwrap(), value);
        }
    }

    #[test]
    fn loose_text_never_fails_on_strings(value: String) {
        prop_assert_eq!(text::decode_simple::<String>(&value).unwrap(), value);
    }
}
