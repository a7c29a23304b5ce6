use std::{borrow::Cow, error::Error, fmt};

use serde_json::Value;

use super::path::{Path, Step, shorten, shorten_to};

/// How much of the reason why one branch of a union failed is shown, in characters.
const BRANCH: usize = 400;

/// Why a value could not be written. It never shows the value itself.
#[derive(Clone, PartialEq, Eq)]
pub struct EncodeError {
    inner: Box<EncodeProblem>,
}

#[derive(Clone, PartialEq, Eq)]
struct EncodeProblem {
    path: Path,
    message: Cow<'static, str>,
}

impl EncodeError {
    /// An error at the value at hand; callers add the way to it.
    #[must_use]
    pub fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self { inner: Box::new(EncodeProblem { path: Path::default(), message: message.into() }) }
    }

    /// The same error, seen from the object that holds the value as the member `name`.
    #[must_use]
    pub fn inside(mut self, name: &str) -> Self {
        self.inner.path.push_outer(Step::Member(name.to_owned()));
        self
    }

    /// The same error, seen from the array that holds the value as the item `index`.
    #[must_use]
    pub fn at_index(mut self, index: usize) -> Self {
        self.inner.path.push_outer(Step::Index(index));
        self
    }

    /// Where the value is, as a JSON pointer; empty at the root.
    #[must_use]
    pub fn pointer(&self) -> String {
        self.inner.path.pointer()
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.inner.path, self.inner.message)
    }
}

impl fmt::Debug for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EncodeError({:?})", self.to_string())
    }
}

impl Error for EncodeError {}

/// Why a value could not be read: where, what was expected, what was found.
///
/// It shows at most an excerpt of 40 characters of what was found, never a whole body.
#[derive(Clone, PartialEq, Eq)]
pub struct DecodeError {
    inner: Box<DecodeProblem>,
}

#[derive(Clone, PartialEq, Eq)]
struct DecodeProblem {
    path: Path,
    problem: Problem,
}

#[derive(Clone, PartialEq, Eq)]
enum Problem {
    Mismatch { expected: Cow<'static, str>, found: String },
    Missing { owner: Cow<'static, str> },
    Undeclared { owner: Cow<'static, str> },
    NoBranch { union: Cow<'static, str>, failures: Vec<(Cow<'static, str>, DecodeError)> },
    Other(String),
}

impl DecodeError {
    fn of(problem: Problem) -> Self {
        Self { inner: Box::new(DecodeProblem { path: Path::default(), problem }) }
    }

    /// Something else was expected than the value found: `expected an integer, found "x"`.
    #[must_use]
    pub fn mismatch(expected: impl Into<Cow<'static, str>>, found: &Value) -> Self {
        Self::of(Problem::Mismatch { expected: expected.into(), found: describe(found) })
    }

    /// As [`mismatch`](Self::mismatch), for text that is not a JSON value.
    #[must_use]
    pub fn mismatched_text(expected: impl Into<Cow<'static, str>>, found: &str) -> Self {
        Self::of(Problem::Mismatch { expected: expected.into(), found: format!("{:?}", shorten(found)) })
    }

    /// The member `name` that `owner` cannot do without is absent.
    #[must_use]
    pub fn missing(owner: impl Into<Cow<'static, str>>, name: &str) -> Self {
        Self::of(Problem::Missing { owner: owner.into() }).inside(name)
    }

    /// The header `name` that the document requires is absent.
    #[must_use]
    pub fn missing_header(name: &str) -> Self {
        Self::of(Problem::Missing { owner: "the reply".into() }).in_header(name)
    }

    /// The member `name` that the closed type `owner` does not declare is present.
    #[must_use]
    pub fn undeclared(owner: impl Into<Cow<'static, str>>, name: &str) -> Self {
        Self::of(Problem::Undeclared { owner: owner.into() }).inside(name)
    }

    /// No branch of `union` fits; for each tried branch, why not.
    #[must_use]
    pub fn no_branch(union: impl Into<Cow<'static, str>>, failures: Vec<(Cow<'static, str>, DecodeError)>) -> Self {
        Self::of(Problem::NoBranch { union: union.into(), failures })
    }

    /// Any other reason. The message must not hold more than an excerpt of the data.
    #[must_use]
    pub fn other(message: impl Into<String>) -> Self {
        Self::of(Problem::Other(message.into()))
    }

    /// The same error, seen from the object that holds the value as the member `name`.
    #[must_use]
    pub fn inside(mut self, name: &str) -> Self {
        self.inner.path.push_outer(Step::Member(name.to_owned()));
        self
    }

    /// The same error, seen from the array that holds the value as the item `index`.
    #[must_use]
    pub fn at_index(mut self, index: usize) -> Self {
        self.inner.path.push_outer(Step::Index(index));
        self
    }

    /// The same error, in the header `name`.
    #[must_use]
    pub fn in_header(mut self, name: &str) -> Self {
        self.inner.path.push_outer(Step::Header(name.to_owned()));
        self
    }

    /// Where in the value it went wrong, as a JSON pointer; empty at the root.
    #[must_use]
    pub fn pointer(&self) -> String {
        self.inner.path.pointer()
    }

    pub(super) fn steps(&self) -> impl Iterator<Item = &Step> {
        self.inner.path.steps()
    }

    /// Why each branch of a union failed, when that is what went wrong.
    pub fn branches(&self) -> impl Iterator<Item = (&str, &DecodeError)> {
        let failures = match &self.inner.problem {
            Problem::NoBranch { failures, .. } => failures.as_slice(),
            _ => &[],
        };
        failures.iter().map(|(name, error)| (name.as_ref(), error))
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DecodeProblem { path, problem } = &*self.inner;
        write!(f, "{path}")?;
        match problem {
            Problem::Mismatch { expected, found } => write!(f, "expected {expected}, found {found}"),
            Problem::Missing { owner } => write!(f, "required by {owner}, but missing"),
            Problem::Undeclared { owner } => write!(f, "not declared by {owner}, which allows no other members"),
            Problem::Other(message) => f.write_str(message),
            Problem::NoBranch { union, failures } => {
                write!(f, "fits no branch of {union}")?;
                for (index, (name, error)) in failures.iter().enumerate() {
                    let reason = shorten_to(BRANCH, &error.to_string());
                    write!(f, "{} {name} ({reason})", if index == 0 { ":" } else { ";" })?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Debug for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DecodeError({:?})", self.to_string())
    }
}

impl Error for DecodeError {}

/// What a value is, in a few words.
fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => shorten(&number.to_string()),
        Value::String(text) => format!("{:?}", shorten(text)),
        Value::Array(items) => format!("an array of {}", counted(items.len(), "item")),
        Value::Object(members) => format!("an object of {}", counted(members.len(), "member")),
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn says_where_what_was_expected_and_what_was_found() {
        let error = DecodeError::mismatch("an integer", &json!("x")).inside("level").at_index(3).inside("items");
        assert_eq!(error.to_string(), r#"/items/3/level: expected an integer, found "x""#);
        assert_eq!(error.pointer(), "/items/3/level");
    }

    #[test]
    fn never_shows_more_than_an_excerpt() {
        let long = "s".repeat(10_000);
        let error = DecodeError::mismatch("an integer", &json!(long)).inside(&long);
        assert!(error.to_string().chars().count() < 160, "{error}");
        assert!(format!("{error:?}").chars().count() < 180);
        let error = DecodeError::mismatch("text", &json!([1, [2, 3]]));
        assert_eq!(error.to_string(), "expected text, found an array of 2 items");
    }

    #[test]
    fn a_union_lists_each_branch() {
        let error = DecodeError::no_branch(
            "Contact",
            vec![
                ("Full".into(), DecodeError::missing("Full", "name")),
                ("Short".into(), DecodeError::missing("Short", "name")),
            ],
        );
        assert_eq!(
            error.inside("who").to_string(),
            "/who: fits no branch of Contact: Full (/name: required by Full, but missing); \
             Short (/name: required by Short, but missing)"
        );
    }
}
