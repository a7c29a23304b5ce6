//! What a vector asks for, as the types of the generated code want it.

use std::fmt::Display;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cofferdam_runtime::http::{ClientCredentials, Credentials};
use cofferdam_runtime::http::{FilePart, HttpClient};
use cofferdam_runtime::wire::Wire;
use cofferdam_runtime::{Bytes, IdempotencyKey, Maybe, Settings};
use serde_json::{Value, json};

/// The types have no place for what a vector asks for.
pub type Unfit = String;

/// A vector, and where its servers are.
pub struct Ask {
    pub vector: Value,
    base_url: String,
    token_url: String,
}

impl Ask {
    pub fn new(vector: Value, server: String, token_url: String) -> Self {
        let base_url = match vector["setup"]["base_url"].as_str() {
            Some(wanted) => wanted.replace("{test}", &server),
            None => server,
        };
        Self { vector, base_url, token_url }
    }

    pub fn is(&self, key: &str, text: &str) -> bool {
        self.vector[key] == text
    }

    /// How many calls are made at once.
    pub fn calls(&self) -> usize {
        self.vector["concurrent_calls"].as_u64().unwrap_or(1) as usize
    }

    pub fn is_protected(&self) -> bool {
        self.is("kind", "attempts")
    }

    /// Whether headers count that come with the bytes of a reply: only a stream of them has those that nothing documents.
    pub fn wants_all_headers(&self) -> bool {
        let ok = &self.vector["expect_outcome"]["ok"];
        ok.get("base64").is_some() && ok.get("headers").is_some()
    }

    pub fn settings(&self, system: &str) -> Result<Settings, Unfit> {
        self.settings_at(system, &self.base_url)
    }

    fn settings_at(&self, system: &str, base_url: &str) -> Result<Settings, Unfit> {
        let attempts = self.vector["setup"]["retry"]["max_attempts"].as_u64().unwrap_or(1);
        let settings = json!({ "systems": { system: {
            "base-url": base_url,
            "retry": { "max-attempts": attempts, "wait-duration": "10ms" },
        } } });
        Settings::parse(&settings.to_string(), "vectors.yaml").map_err(unfit)
    }

    pub fn http(&self, system: &str, credentials: impl Into<Credentials>) -> Result<HttpClient, Unfit> {
        self.http_at(system, &self.base_url, credentials)
    }

    pub fn http_at(
        &self,
        system: &str,
        base_url: &str,
        credentials: impl Into<Credentials>,
    ) -> Result<HttpClient, Unfit> {
        let settings = self.settings_at(system, base_url)?;
        HttpClient::new(&settings.system(system).map_err(unfit)?, credentials.into()).map_err(unfit)
    }

    pub fn credential(&self, scheme: &str) -> Option<&Value> {
        self.vector["setup"]["credentials"].get(scheme)
    }

    pub fn client_credentials(&self, given: &Value) -> ClientCredentials {
        ClientCredentials::new(text(&given["client_id"]), text(&given["client_secret"]))
            .token_url(format!("{}/token", self.token_url))
    }

    fn argument(&self, place: &str, name: &str) -> Option<&Value> {
        let given = self.vector["arguments"].get(place)?.as_object()?;
        let same = |other: &str| if place == "header" { other.eq_ignore_ascii_case(name) } else { other == name };
        given.iter().find(|(other, _)| same(other)).map(|(_, value)| value)
    }

    pub fn required<T: Wire>(&self, place: &str, name: &str) -> Result<T, Unfit> {
        decoded(self.argument(place, name).unwrap_or(&Value::Null))
    }

    pub fn optional<T: Wire>(&self, place: &str, name: &str) -> Result<Option<T>, Unfit> {
        self.argument(place, name).filter(|value| !value.is_null()).map(decoded).transpose()
    }

    pub fn key(&self, place: &str, name: &str) -> Option<IdempotencyKey> {
        self.argument(place, name).map(|value| IdempotencyKey::from_value(value))
    }

    pub fn has_body(&self) -> bool {
        self.vector.get("body").is_some_and(|body| !body.is_null())
    }

    pub fn media_type(&self) -> &str {
        self.vector["body"]["media_type"].as_str().unwrap_or_default()
    }

    /// The body in its JSON form, or as text.
    pub fn body<T: Wire>(&self) -> Result<T, Unfit> {
        let body = &self.vector["body"];
        decoded(body.get("json").or(body.get("text")).or(body.get("fields")).unwrap_or(&Value::Null))
    }

    /// A body that may be `null`, and may be left out.
    pub fn maybe_body<T: Wire>(&self) -> Result<Maybe<T>, Unfit> {
        match self.vector.get("body") {
            None => Ok(Maybe::Absent),
            Some(body) if body["json"].is_null() => Ok(Maybe::Null),
            Some(_) => self.body().map(Maybe::Value),
        }
    }

    pub fn bytes(&self) -> Result<Bytes, Unfit> {
        bytes(&self.vector["body"])
    }

    /// The tag of the branch that the body is to be built of by its type.
    pub fn branch(&self) -> Option<&str> {
        self.vector["body"]["variant"].as_str()
    }

    /// A branch whose caller never set the tag.
    pub fn without_tag<T: Wire>(&self, property: &str) -> Result<T, Unfit> {
        let mut members = self.vector["body"]["json_without_tag"].clone();
        decoded(&members).or_else(|_| {
            // A field of text has to hold something.
            members[property] = json!("");
            decoded(&members)
        })
    }

    fn field(&self, name: &str) -> Option<&Value> {
        self.vector["body"]["fields"].get(name)
    }

    pub fn part<T: Wire>(&self, name: &str) -> Result<T, Unfit> {
        decoded(self.field(name).unwrap_or(&Value::Null))
    }

    pub fn maybe_part<T: Wire>(&self, name: &str) -> Result<Maybe<T>, Unfit> {
        match self.field(name) {
            None => Ok(Maybe::Absent),
            Some(Value::Null) => Ok(Maybe::Null),
            Some(value) => decoded(value).map(Maybe::Value),
        }
    }

    pub fn files<T: Files>(&self, name: &str) -> Result<T, Unfit> {
        T::of(self.field(name))
    }
}

/// What a property of files may be.
pub trait Files: Sized {
    fn of(given: Option<&Value>) -> Result<Self, Unfit>;
}

impl Files for FilePart {
    fn of(given: Option<&Value>) -> Result<Self, Unfit> {
        let given = given.ok_or("a file is missing")?;
        let text = |name: &str| given[name].as_str().map(str::to_owned);
        Ok(Self { filename: text("filename"), content_type: text("content_type"), content: bytes(given)? })
    }
}

impl<F: Files> Files for Vec<F> {
    fn of(given: Option<&Value>) -> Result<Self, Unfit> {
        given.and_then(Value::as_array).into_iter().flatten().map(|file| F::of(Some(file))).collect()
    }
}

impl<F: Files> Files for Option<F> {
    fn of(given: Option<&Value>) -> Result<Self, Unfit> {
        given.filter(|given| !given.is_null()).map(|given| F::of(Some(given))).transpose()
    }
}

impl<F: Files> Files for Maybe<F> {
    fn of(given: Option<&Value>) -> Result<Self, Unfit> {
        Ok(match given {
            Some(Value::Null) => Self::Null,
            given => Option::<F>::of(given)?.map_or(Self::Absent, Self::Value),
        })
    }
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn bytes(given: &Value) -> Result<Bytes, Unfit> {
    match (given.get("base64"), given.get("text")) {
        (None, Some(text)) => Ok(self::text(text).as_bytes().to_vec().into()),
        (base64, _) => STANDARD.decode(base64.map(text).unwrap_or_default()).map(Bytes::from).map_err(unfit),
    }
}

fn decoded<T: Wire>(value: &Value) -> Result<T, Unfit> {
    T::decode(value).map_err(unfit)
}

pub fn unfit(error: impl Display) -> Unfit {
    error.to_string()
}
