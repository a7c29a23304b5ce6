use std::collections::HashSet;

use bytes::Bytes;
use serde_json::Value;
use url::Url;
use url::form_urlencoded;

use super::link::next_link;
use super::rule::{NextPage, PageRule, PageSize};
use crate::http::{RawReply, RequestParts};
use crate::wire::style::Escape;
use crate::wire::{DecodeError, json};

/// Where in a list the next request begins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Position {
    /// Where the caller's own request says.
    #[default]
    Start,
    /// At a page with this cursor or number.
    At { parameter: &'static str, value: String },
    /// At a target below the base URL.
    Link { path: String, query: String },
}

impl Position {
    /// Changes a request for the first page into one for this page.
    pub(super) fn apply(&self, parts: &mut RequestParts) {
        match self {
            Self::Start => {}
            Self::At { parameter, value } => {
                let mut pairs = without(&parts.query, &[parameter]);
                let escaped = |text| Escape::Data.apply(text, None);
                pairs.push(format!("{}={}", escaped(parameter), escaped(value)));
                parts.query = pairs.join("&");
            }
            Self::Link { path, query } => {
                parts.path.clone_from(path);
                parts.query.clone_from(query);
            }
        }
    }
}

/// A page that was fetched, as far as the next one is concerned.
pub(super) struct Fetched<'a> {
    /// The query that was sent, without credentials.
    pub(super) query: &'a str,
    /// Where its path and query stand.
    pub(super) url: &'a Url,
    pub(super) base_url: &'a Url,
    /// Query parameters that are credentials: a link may repeat them.
    pub(super) secrets: &'a [&'a str],
    pub(super) reply: &'a RawReply,
}

impl Fetched<'_> {
    /// The position of the page after this one; `None` after the last.
    pub(super) fn next(&self, rule: &PageRule) -> Result<Option<Position>, DecodeError> {
        let body = match (rule.next, rule.items) {
            (NextPage::LinkHeader, None) => Value::Null,
            _ => json::parse(&self.reply.body)?,
        };
        let count = rule.items.map(|items| count(&body, items)).transpose()?;
        match rule.next {
            _ if count == Some(0) => Ok(None),
            NextPage::Cursor { from, to } => {
                let cursor = text_at(&body, from)?;
                Ok(cursor.map(|value| Position::At { parameter: to, value }))
            }
            NextPage::Number { parameter, first, size } => self.number(parameter, first, size, count),
            NextPage::LinkHeader => next_link(&self.reply.headers).map(|link| self.target(&link)).transpose(),
            NextPage::LinkField { from } => text_at(&body, from)?.map(|link| self.target(&link)).transpose(),
        }
    }

    fn number(
        &self,
        parameter: &'static str,
        first: u64,
        size: PageSize,
        count: Option<u64>,
    ) -> Result<Option<Position>, DecodeError> {
        let full = match size {
            PageSize::Unknown => None,
            PageSize::Fixed(size) => Some(size),
            PageSize::Parameter(name) => self.sent(name).and_then(|size| size.parse().ok()),
        };
        if let (Some(count), Some(full)) = (count, full)
            && count < full
        {
            return Ok(None);
        }
        let number = match self.sent(parameter) {
            Some(sent) => {
                sent.parse::<u64>().map_err(|_| DecodeError::mismatched_text("the number of a page", &sent))?
            }
            None => first,
        };
        let next = number.checked_add(1);
        Ok(next.map(|next| Position::At { parameter, value: next.to_string() }))
    }

    /// A query parameter as it was sent.
    fn sent(&self, name: &str) -> Option<String> {
        form_urlencoded::parse(self.query.as_bytes()).find(|(own, _)| own == name).map(|(_, value)| value.into_owned())
    }

    /// A link as a position. It must lead to the system itself, below the base URL: whatever follows it sends the
    /// system's credentials there.
    fn target(&self, link: &str) -> Result<Position, DecodeError> {
        let url = self.url.join(link).map_err(|_| DecodeError::other("the link to the next page is no URL"))?;
        let base = self.base_url.path().trim_end_matches('/');
        let below = url.path().strip_prefix(base).filter(|path| path.starts_with('/'));
        let leads_away =
            url.origin() != self.base_url.origin() || !url.username().is_empty() || url.password().is_some();
        match below {
            Some(path) if !leads_away => {
                let query = without(url.query().unwrap_or_default(), self.secrets).join("&");
                Ok(Position::Link { path: path.to_owned(), query })
            }
            _ => Err(DecodeError::other("the link to the next page leads out of the system: it is not followed")),
        }
    }
}

/// The items of a page as bytes, where pages are told apart by nothing else.
pub(super) fn items(rule: &PageRule, reply: &RawReply) -> Option<Bytes> {
    let (NextPage::Number { .. }, Some(path)) = (rule.next, rule.items) else { return None };
    let body = json::parse(&reply.body).ok()?;
    at(&body, path).map(json::print)
}

/// The pairs of a query but those of these names.
fn without<'q>(query: &'q str, names: &[&str]) -> Vec<String> {
    let is_other = |pair: &&'q str| {
        let name = form_urlencoded::parse(pair.as_bytes()).next().map(|(name, _)| name.into_owned());
        !pair.is_empty() && !name.is_some_and(|name| names.contains(&name.as_str()))
    };
    query.split('&').filter(is_other).map(str::to_owned).collect()
}

/// A value behind property names; `None` where the way ends.
fn at<'v>(body: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(body, |value, name| value.get(name))
}

fn count(body: &Value, path: &[&str]) -> Result<u64, DecodeError> {
    match at(body, path) {
        Some(Value::Array(items)) => Ok(items.len() as u64),
        None | Some(Value::Null) => Ok(0),
        Some(other) => Err(inside(DecodeError::mismatch("a list", other), path)),
    }
}

/// A text or number.
fn text_at(body: &Value, path: &[&str]) -> Result<Option<String>, DecodeError> {
    match at(body, path) {
        None | Some(Value::Null | Value::Bool(false)) => Ok(None),
        Some(Value::String(text)) => Ok((!text.is_empty()).then(|| text.clone())),
        Some(Value::Number(number)) => Ok(Some(number.to_string())),
        Some(other) => Err(inside(DecodeError::mismatch("a text or a number", other), path)),
    }
}

fn inside(error: DecodeError, path: &[&str]) -> DecodeError {
    path.iter().rev().fold(error, |error, name| error.inside(name))
}

/// What is known of a list so far. One that leads back to where it was would never end.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    positions: HashSet<String>,
    /// The items of the last page, where nothing but its items tells it from the one before.
    items: Option<Bytes>,
}

impl Seen {
    /// Notes where the next page is; an error if that was there before.
    pub(super) fn note(&mut self, next: &Position) -> Result<(), DecodeError> {
        let (what, value) = match next {
            Position::Start => return Ok(()),
            Position::At { value, .. } => ("cursor", value.clone()),
            Position::Link { path, query } => ("link", format!("{path}?{query}")),
        };
        if self.positions.insert(value) {
            return Ok(());
        }
        Err(DecodeError::other(format!("the {what} of the next page was there before: the list would never end")))
    }

    /// Notes the items of a page; an error if they are those of the page before.
    pub(super) fn note_items(&mut self, items: Option<Bytes>) -> Result<(), DecodeError> {
        let again = items.is_some() && self.items == items;
        self.items = items;
        if again {
            return Err(DecodeError::other("the page is the one before once more: the list would never end"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use http::header::LINK;
    use http::{HeaderMap, HeaderValue, Method, StatusCode};
    use proptest::prelude::*;

    use super::*;
    use crate::http::RequestBody;

    const DATA: &[&str] = &["data"];

    fn reply(link: Option<&str>, body: &str) -> RawReply {
        let mut headers = HeaderMap::new();
        if let Some(link) = link {
            headers.insert(LINK, HeaderValue::from_str(link).unwrap());
        }
        RawReply::new(StatusCode::OK, headers, Bytes::copy_from_slice(body.as_bytes()))
    }

    fn next(rule: NextPage, query: &str, reply: &RawReply) -> Result<Option<Position>, String> {
        let items = (!matches!(rule, NextPage::LinkHeader)).then_some(DATA);
        let base_url = Url::parse("https://a.example/v1/").unwrap();
        let url = Url::parse(&format!("https://a.example/v1/things?{query}")).unwrap();
        let fetched = Fetched { query, url: &url, base_url: &base_url, secrets: &["api_key"], reply };
        fetched.next(&PageRule { next: rule, items }).map_err(|error| error.to_string())
    }

    fn applied(position: &Position, query: &str) -> String {
        let (path, query) = ("/things".to_owned(), query.to_owned());
        let (headers, body) = (HeaderMap::new(), RequestBody::Empty);
        let mut parts =
            RequestParts { method: Method::GET, path, query, headers, body, server: None, repeatable: true };
        position.apply(&mut parts);
        format!("{}?{}", parts.path, parts.query)
    }

    #[test]
    fn a_cursor_is_a_text_or_number_and_its_absence_the_end() {
        let rule = NextPage::Cursor { from: &["meta", "next"], to: "after" };
        let page = |meta: &str| next(rule, "", &reply(None, &format!("{{\"data\":[1],\"meta\":{meta}}}")));
        let at = |value: &str| Ok(Some(Position::At { parameter: "after", value: value.to_owned() }));
        assert_eq!(page("{\"next\":\"a b&c\"}"), at("a b&c"));
        assert_eq!(page("{\"next\":12}"), at("12"));
        for end in ["{}", "null", "{\"next\":null}", "{\"next\":\"\"}", "{\"next\":false}"] {
            assert_eq!(page(end), Ok(None), "{end}");
        }
        assert_eq!(
            page("{\"next\":[1]}").unwrap_err(),
            "/meta/next: expected a text or a number, found an array of 1 item",
            "a reply that is not as declared is no end"
        );
        assert_eq!(next(rule, "", &reply(None, "{\"data\":[],\"meta\":{\"next\":\"x\"}}")), Ok(None), "an empty page");
        let position = page("{\"next\":\"a b&c\"}").unwrap().unwrap();
        assert_eq!(applied(&position, "after=old&limit=5&%61fter=x"), "/things?limit=5&after=a%20b%26c");
        assert_eq!(applied(&position, ""), "/things?after=a%20b%26c");
    }

    #[test]
    fn numbers_go_up_until_a_page_is_not_full() {
        let rule = |size| NextPage::Number { parameter: "page", first: 0, size };
        let at = |value: &str| Ok(Some(Position::At { parameter: "page", value: value.to_owned() }));
        let page = |size, query| next(rule(size), query, &reply(None, "{\"data\":[1,2]}"));
        assert_eq!(page(PageSize::Unknown, ""), at("1"));
        assert_eq!(page(PageSize::Unknown, "page=7"), at("8"));
        assert_eq!(page(PageSize::Fixed(2), "page=7"), at("8"));
        assert_eq!(page(PageSize::Fixed(3), "page=7"), Ok(None));
        assert_eq!(page(PageSize::Parameter("size"), "size=3"), Ok(None));
        assert_eq!(page(PageSize::Parameter("size"), "size=2"), at("1"));
        assert_eq!(page(PageSize::Parameter("size"), ""), at("1"));
        assert!(page(PageSize::Unknown, "page=x").is_err());
        assert_eq!(page(PageSize::Unknown, &format!("page={}", u64::MAX)), Ok(None));
        assert_eq!(next(rule(PageSize::Unknown), "", &reply(None, "{\"data\":[]}")), Ok(None));
        assert_eq!(next(rule(PageSize::Unknown), "", &reply(None, "{}")), Ok(None));
        assert!(next(rule(PageSize::Unknown), "", &reply(None, "{\"data\":1}")).is_err());
    }

    #[test]
    fn a_link_stays_below_the_base_url() {
        let follow = |link: &str| next(NextPage::LinkHeader, "", &reply(Some(&format!("<{link}>; rel=next")), ""));
        let to = |path: &str, query: &str| Ok(Some(Position::Link { path: path.to_owned(), query: query.to_owned() }));
        assert_eq!(follow("https://a.example/v1/things?page=2"), to("/things", "page=2"));
        assert_eq!(follow("https://A.example:443/v1/x%2Fy?a=1&b=2"), to("/x%2Fy", "a=1&b=2"));
        assert_eq!(follow("?page=3"), to("/things", "page=3"));
        assert_eq!(follow("/v1/other"), to("/other", ""));
        assert_eq!(follow("/v1/things?page=2&api_key=mine"), to("/things", "page=2"), "the key is written anew");
        for away in [
            "https://b.example/v1/things",
            "http://a.example/v1/things",
            "https://a.example:8443/v1/things",
            "//b.example/v1/things",
            "https://a.example@b.example/v1/things",
            "https://user:x@a.example/v1/things",
            "/v2/things",
            "/v1x/things",
            "../../admin",
            "/v1/../admin",
            "/v1/%2e%2e/admin",
            "file:///v1/things",
            "javascript:alert(1)",
        ] {
            assert!(follow(away).is_err(), "{away}");
        }
        assert_eq!(next(NextPage::LinkHeader, "", &reply(None, "no JSON")), Ok(None));
        let field = NextPage::LinkField { from: &["next"] };
        let body = reply(None, "{\"data\":[1],\"next\":\"https://a.example/v1/things?offset=20\"}");
        assert_eq!(next(field, "", &body), to("/things", "offset=20"));
        assert_eq!(next(field, "", &reply(None, "{\"data\":[1],\"next\":null}")), Ok(None));
    }

    #[test]
    fn a_list_that_turns_back_is_noticed() {
        let mut seen = Seen::default();
        let cursor = |value: &str| Position::At { parameter: "after", value: value.to_owned() };
        assert!(seen.note(&cursor("a")).is_ok() && seen.note(&cursor("b")).is_ok());
        assert!(seen.note(&cursor("a")).is_err());
        let page = |text: &'static str| Some(Bytes::from_static(text.as_bytes()));
        assert!(seen.note_items(page("[1]")).is_ok() && seen.note_items(page("[2]")).is_ok());
        assert!(seen.note_items(page("[2]")).is_err());
        assert!(seen.note_items(None).is_ok() && seen.note_items(None).is_ok());
    }

    proptest! {
        #[test]
        fn no_link_leads_away(link in "(https?:)?/{0,3}[a-z.@:/?#%e2]{0,30}|.*") {
            let base = Url::parse("https://a.example/v1/").unwrap();
            let reply = reply(None, &serde_json::json!({ "data": [1], "next": link }).to_string());
            if let Ok(Some(Position::Link { path, query })) = next(NextPage::LinkField { from: &["next"] }, "", &reply) {
                let mut url = base.clone();
                url.set_path(&format!("/v1{path}"));
                url.set_query(Some(&query));
                prop_assert_eq!(url.origin(), base.origin());
                prop_assert!(url.path().starts_with("/v1/"), "{}", url);
            }
        }
    }
}
