//! OpenAPI's parameter styles, over plain values.
//!
//! What OpenAPI leaves open is decided here:
//! - `null`, and an array or object in which nothing is left, is not written at all (RFC 6570's "undefined"); `null`
//!   inside an array or object is skipped. An empty string is written, as an empty value.
//! - An array or object inside an array or object has no form in most styles: it is written as JSON text. Two exceptions:
//!   an array inside an exploded `form` object repeats its name (`sort=a&sort=b`), and `deepObject` nests
//!   (`filter[a][b]=1`, arrays by index: `filter[ids][0]=7`).
//! - `explode` on `spaceDelimited` and `pipeDelimited` means what it means on `form`; `deepObject` always explodes.
//! - A number without fraction is written without one (`3`, not `3.0`).
//! - Where a style has no way to escape its delimiter (pipes, spaces, headers), a value that holds it is an error: it
//!   would arrive as another value.
//! - Reserved characters that `allowReserved` keeps are those that cannot change the meaning of the query: `#`, `&`, `+`
//!   and the style's own delimiter stay escaped, and so does `%`.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

/// How arrays and objects are written in a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// `;a=1`
    Matrix,
    /// `.1`
    Label,
    /// `a=1`
    Form,
    /// `1`
    Simple,
    /// `a=1 2`
    SpaceDelimited,
    /// `a=1|2`
    PipeDelimited,
    /// `a[b]=1`
    DeepObject,
}

/// Why a value cannot be written in a style. It never shows the value.
pub type StyleError = Cow<'static, str>;

/// All but the unreserved characters of RFC 3986.
const DATA: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// [`DATA`] without what `allowReserved` keeps.
const RESERVED_KEPT: &AsciiSet = &DATA
    .remove(b':')
    .remove(b'/')
    .remove(b'?')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b'[')
    .remove(b']');

/// How text is escaped where it is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escape {
    /// Everything but unreserved characters, as `%XX`.
    Data,
    /// As [`Data`](Self::Data), but keeps reserved characters.
    Reserved,
    /// `application/x-www-form-urlencoded` as browsers write it: a space is `+`.
    Form,
    /// As [`Form`](Self::Form), but keeps reserved characters.
    FormReserved,
    /// Not yet: somebody else will escape names and values as a whole.
    Plain,
}

impl Escape {
    /// The text escaped; `delimiter` is escaped in any case.
    pub(crate) fn apply(self, text: &str, delimiter: Option<&str>) -> String {
        let escaped = match self {
            Self::Data => utf8_percent_encode(text, DATA).to_string(),
            Self::Reserved => utf8_percent_encode(text, RESERVED_KEPT).to_string(),
            Self::Form => url::form_urlencoded::byte_serialize(text.as_bytes()).collect(),
            Self::FormReserved => utf8_percent_encode(text, RESERVED_KEPT).to_string().replace("%20", "+"),
            Self::Plain => text.to_owned(),
        };
        match delimiter {
            Some(",") => escaped.replace(',', "%2C"),
            Some(_) | None => escaped,
        }
    }

    /// For names, whose reserved characters are never kept.
    pub(crate) fn name(self, text: &str) -> String {
        match self {
            Self::Data | Self::Reserved => Self::Data.apply(text, None),
            Self::Form | Self::FormReserved => Self::Form.apply(text, None),
            Self::Plain => text.to_owned(),
        }
    }
}

/// A value as the styles see it.
enum Shape<'v> {
    Undefined,
    Scalar(Cow<'v, str>),
    List(Vec<Cow<'v, str>>),
    Record(Vec<(&'v str, Cow<'v, str>)>),
}

impl<'v> Shape<'v> {
    fn of(value: &'v Value) -> Self {
        match value {
            Value::Null => Self::Undefined,
            Value::Array(items) => {
                let items: Vec<_> = items.iter().filter_map(plain_text).collect();
                if items.is_empty() { Self::Undefined } else { Self::List(items) }
            }
            Value::Object(members) => {
                let members: Vec<_> =
                    members.iter().filter_map(|(name, value)| Some((name.as_str(), plain_text(value)?))).collect();
                if members.is_empty() { Self::Undefined } else { Self::Record(members) }
            }
            scalar => plain_text(scalar).map_or(Self::Undefined, Self::Scalar),
        }
    }
}

/// A scalar as plain text, an array or object as JSON text, nothing for `null`.
pub(crate) fn plain_text(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Number(number) => {
            let mut digits = number.to_string();
            if digits.ends_with(".0") {
                digits.truncate(digits.len() - 2);
            }
            Some(Cow::Owned(digits))
        }
        other => Some(Cow::Owned(other.to_string())),
    }
}

/// `k,v,k,v`, each piece escaped.
fn flat<'r>(record: &'r [(&str, Cow<'_, str>)]) -> impl Iterator<Item = &'r str> {
    record.iter().flat_map(|(name, text)| [*name, text.as_ref()])
}

fn join<'t>(pieces: impl Iterator<Item = &'t str>, delimiter: &str) -> String {
    pieces.map(|piece| Escape::Data.apply(piece, None)).collect::<Vec<_>>().join(delimiter)
}

/// A value in the path, escaped. `Simple`, `Label` and `Matrix` only.
///
/// An empty outcome is an error: it would make another path.
pub fn path(name: &str, value: &Value, style: Style, explode: bool) -> Result<String, StyleError> {
    let shape = Shape::of(value);
    let written = match style {
        Style::Simple => simple_path(&shape, explode),
        Style::Label => label_path(&shape, explode),
        Style::Matrix => matrix_path(&Escape::Data.name(name), &shape, explode),
        _ => return Err("this style cannot be used in a path".into()),
    };
    if written.is_empty() { Err("a value in the path cannot be empty".into()) } else { Ok(written) }
}

fn simple_path(shape: &Shape<'_>, explode: bool) -> String {
    match shape {
        Shape::Undefined => String::new(),
        Shape::Scalar(text) => join([text.as_ref()].into_iter(), ","),
        Shape::List(items) => join(items.iter().map(AsRef::as_ref), ","),
        Shape::Record(record) if explode => equations(record, ","),
        Shape::Record(record) => join(flat(record), ","),
    }
}

fn label_path(shape: &Shape<'_>, explode: bool) -> String {
    // A dot is the delimiter of exploded labels, and RFC 3986 allows `%2E` for any dot.
    let dotless = |text: &str| Escape::Data.apply(text, None).replace('.', "%2E");
    match shape {
        Shape::Undefined => String::new(),
        Shape::Scalar(text) => format!(".{}", Escape::Data.apply(text, None)),
        Shape::List(items) if explode => items.iter().map(|item| format!(".{}", dotless(item))).collect(),
        Shape::List(items) => format!(".{}", join(items.iter().map(AsRef::as_ref), ",")),
        Shape::Record(record) if explode => {
            record.iter().map(|(name, text)| format!(".{}={}", dotless(name), dotless(text))).collect()
        }
        Shape::Record(record) => format!(".{}", join(flat(record), ",")),
    }
}

fn matrix_path(name: &str, shape: &Shape<'_>, explode: bool) -> String {
    let pair = |name: &str, text: &str| match text {
        "" => format!(";{name}"),
        text => format!(";{name}={text}"),
    };
    let escaped = |text: &str| Escape::Data.apply(text, None);
    match shape {
        Shape::Undefined => String::new(),
        Shape::Scalar(text) => pair(name, &escaped(text)),
        Shape::List(items) if explode => items.iter().map(|item| pair(name, &escaped(item))).collect(),
        Shape::List(items) => pair(name, &join(items.iter().map(AsRef::as_ref), ",")),
        Shape::Record(record) if explode => {
            record.iter().map(|(name, text)| pair(&escaped(name), &escaped(text))).collect()
        }
        Shape::Record(record) => pair(name, &join(flat(record), ",")),
    }
}

/// `k=v` pieces, escaped.
fn equations(record: &[(&str, Cow<'_, str>)], delimiter: &str) -> String {
    let escaped = |text: &str| Escape::Data.apply(text, None);
    record.iter().map(|(name, text)| format!("{}={}", escaped(name), escaped(text))).collect::<Vec<_>>().join(delimiter)
}

/// A value in the query: `name=value` pairs, both sides escaped. `Form`, `SpaceDelimited`, `PipeDelimited` and
/// `DeepObject` only.
pub fn query(
    name: &str,
    value: &Value,
    style: Style,
    explode: bool,
    allow_reserved: bool,
) -> Result<Vec<(String, String)>, StyleError> {
    pairs(name, value, style, explode, if allow_reserved { Escape::Reserved } else { Escape::Data })
}

/// As [`query`], with another way to escape.
pub fn pairs(
    name: &str,
    value: &Value,
    style: Style,
    explode: bool,
    escape: Escape,
) -> Result<Vec<(String, String)>, StyleError> {
    let (between, forbidden) = match style {
        Style::DeepObject => {
            let mut pairs = Vec::new();
            nest(name.to_owned(), value, escape, &mut pairs);
            return Ok(pairs);
        }
        Style::Form => (",", None),
        Style::SpaceDelimited => ("%20", Some(' ')),
        Style::PipeDelimited => ("%7C", Some('|')),
        Style::Simple | Style::Label | Style::Matrix => return Err("this style cannot be used here".into()),
    };
    if explode {
        return Ok(exploded(name, value, escape));
    }
    match Shape::of(value) {
        Shape::Undefined => Ok(Vec::new()),
        Shape::Scalar(text) => Ok(vec![(escape.name(name), escape.apply(&text, None))]),
        Shape::List(items) => delimited(name, items.iter().map(AsRef::as_ref), between, forbidden, escape),
        Shape::Record(record) => delimited(name, flat(&record), between, forbidden, escape),
    }
}

fn exploded(name: &str, value: &Value, escape: Escape) -> Vec<(String, String)> {
    let pair = |name: &str, text: &str| (escape.name(name), escape.apply(text, None));
    match value {
        Value::Object(members) => exploded_members(members).map(|(name, text)| pair(name, &text)).collect(),
        value => match Shape::of(value) {
            Shape::Scalar(text) => vec![pair(name, &text)],
            Shape::List(items) => items.iter().map(|item| pair(name, item)).collect(),
            Shape::Undefined | Shape::Record(_) => Vec::new(),
        },
    }
}

fn exploded_members(members: &Map<String, Value>) -> impl Iterator<Item = (&str, Cow<'_, str>)> {
    members.iter().flat_map(|(name, value)| {
        let values = match value {
            Value::Array(items) => items.as_slice(),
            other => std::slice::from_ref(other),
        };
        values.iter().filter_map(move |value| Some((name.as_str(), plain_text(value)?)))
    })
}

fn delimited<'t>(
    name: &str,
    pieces: impl Iterator<Item = &'t str>,
    between: &str,
    forbidden: Option<char>,
    escape: Escape,
) -> Result<Vec<(String, String)>, StyleError> {
    let mut written = Vec::new();
    for piece in pieces {
        if let Some(delimiter) = forbidden.filter(|delimiter| piece.contains(*delimiter)) {
            return Err(format!("a value holds the delimiter {delimiter:?}, which this style cannot escape").into());
        }
        written.push(escape.apply(piece, Some(between)));
    }
    Ok(vec![(escape.name(name), written.join(between))])
}

fn nest(name: String, value: &Value, escape: Escape, out: &mut Vec<(String, String)>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                nest(format!("{name}[{key}]"), value, escape, out);
            }
        }
        Value::Array(items) => {
            let present = items.iter().filter(|item| !item.is_null());
            for (index, item) in present.enumerate() {
                nest(format!("{name}[{index}]"), item, escape, out);
            }
        }
        scalar => out.extend(plain_text(scalar).map(|text| (escape.name(&name), escape.apply(&text, None)))),
    }
}

/// A value in a header, style `simple`. Headers know no escapes.
pub fn header(value: &Value, explode: bool) -> Result<Option<String>, StyleError> {
    let unambiguous = |piece: &str, delimiters: &[char]| match piece.find(delimiters) {
        Some(_) => Err(StyleError::from("a value holds a delimiter, which a header cannot escape")),
        None => Ok(piece.to_owned()),
    };
    let pieces: Result<Vec<String>, StyleError> = match Shape::of(value) {
        Shape::Undefined => return Ok(None),
        Shape::Scalar(text) => return Ok(Some(text.into_owned())),
        Shape::List(items) => items.iter().map(|item| unambiguous(item, &[','])).collect(),
        Shape::Record(record) if explode => record
            .iter()
            .map(|(name, text)| Ok(format!("{}={}", unambiguous(name, &[',', '='])?, unambiguous(text, &[','])?)))
            .collect(),
        Shape::Record(record) => flat(&record).map(|piece| unambiguous(piece, &[','])).collect(),
    };
    pieces.map(|pieces| Some(pieces.join(",")))
}

/// A value as cookies, style `form`: `name=value` pairs, escaped. Exploded arrays and objects are several cookies.
pub fn cookie(name: &str, value: &Value, explode: bool) -> Result<Vec<(String, String)>, StyleError> {
    pairs(name, value, Style::Form, explode, Escape::Data)
}

#[cfg(test)]
mod tests;
