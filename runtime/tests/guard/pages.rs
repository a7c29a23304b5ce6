//! Lists page by page: each page a protected read, and an end to all of them.

use cofferdam_runtime::http::{BuildError, Credentials, NextPage, PageRule, PageSize, RawReply, RequestWriter};
use cofferdam_runtime::wire::{DecodeError, Style};
use cofferdam_runtime::{
    CallError, ClientError, Decoded, IdempotencyKey, Mapping, MappingError, Operation, OperationKind, OperationMeta,
    Paged, Read, Refusal, StatusCode,
};
use serde_json::{Value, json};

use super::server::{Act, Arrival, Server};
use super::subject::{Adapter, recorded};

macro_rules! paged {
    ($name:ident, $rule:expr) => {
        #[derive(Debug, Clone, Copy)]
        struct $name;

        impl Operation for $name {
            type Request = Option<i64>;
            type Reply = Value;
            type Rejection = Value;
            const META: &'static OperationMeta = &OperationMeta {
                system: "acme",
                id: "list",
                name: "list",
                kind: OperationKind::Read,
                method: "GET",
                path: "/things",
                accept: "application/json",
                security: Some(&[&[cofferdam_runtime::SchemeUse { scheme: "key", scopes: &[] }], &[]]),
            };

            fn encode(
                limit: &Option<i64>,
                _: Option<&IdempotencyKey>,
                out: &mut RequestWriter,
            ) -> Result<(), BuildError> {
                out.path("/things");
                out.query("limit", limit, Style::Form, true, false)
            }

            fn decode(reply: &RawReply) -> Result<Decoded<Value, Value>, DecodeError> {
                Ok(match reply.status.as_u16() {
                    200 => Decoded::Reply(reply.json()?),
                    404 => Decoded::Rejection(reply.json()?),
                    _ => Decoded::Undocumented,
                })
            }
        }

        impl Read for $name {}

        impl Paged for $name {
            const PAGES: PageRule = $rule;
        }
    };
}

const DATA: Option<&[&str]> = Some(&["data"]);

paged!(ByCursor, PageRule { next: NextPage::Cursor { from: &["next"], to: "after" }, items: None });
paged!(
    ByNumber,
    PageRule {
        next: NextPage::Number { parameter: "page", first: 1, size: PageSize::Parameter("limit") },
        items: DATA
    }
);
paged!(ByLink, PageRule { next: NextPage::LinkHeader, items: None });

#[derive(Debug, Clone)]
struct Items;

impl<Op: Operation<Request = Option<i64>, Reply = Value, Rejection = Value>> Mapping<Op> for Items {
    type Command = Option<i64>;
    type Outcome = Value;
    type Rejection = Value;

    fn request(&self, command: &Option<i64>) -> Result<Option<i64>, MappingError> {
        Ok(*command)
    }

    fn outcome(&self, reply: Value) -> Result<Value, Refusal<Value>> {
        match &reply["data"] {
            Value::Null => Err(Refusal::Rejected(reply)),
            data => Ok(data.clone()),
        }
    }

    fn rejection(&self, _: StatusCode, body: Value) -> Value {
        body
    }
}

async fn all<Op>(adapter: &Adapter, limit: Option<i64>) -> Vec<Value>
where
    Op: Paged<Request = Option<i64>, Reply = Value, Rejection = Value>,
{
    let mut pages = adapter.guard.pages::<Op, _>(&Items, adapter.client.pages(&limit));
    let mut seen = Vec::new();
    while let Some(page) = pages.next().await {
        assert_eq!(adapter.guard.available_places(), adapter_places(), "nothing is held between pages");
        seen.push(page.unwrap_or_else(|error| Value::from(error.to_string())));
    }
    seen
}

fn adapter_places() -> usize {
    super::subject::settings().bulkhead.max_concurrent as usize
}

fn lines(server: &Server) -> Vec<String> {
    let target = |arrival: &Arrival| arrival.line.split(' ').nth(1).unwrap().to_owned();
    server.arrivals().iter().map(target).collect()
}

#[tokio::test]
async fn a_cursor_is_followed_to_its_end_and_each_page_is_retried_by_itself() {
    let server = Server::start(|number, _| match number {
        1 => Act::json(200, "{\"data\":[1],\"next\":\"a b\"}"),
        2 => Act::json(503, "{}"),
        3 => Act::json(200, "{\"data\":[],\"next\":\"c\"}"),
        4 => Act::json(200, "{\"data\":[3],\"next\":null}"),
        _ => Act::Close,
    })
    .await;
    let adapter = server.adapter(Credentials::default());
    assert_eq!(all::<ByCursor>(&adapter, Some(5)).await, [json!([1]), json!([]), json!([3])]);
    let (first, second) = ("/base/things?limit=5", "/base/things?limit=5&after=a%20b");
    assert_eq!(lines(&server), [first, second, second, "/base/things?limit=5&after=c"]);
    assert_eq!(recorded(&adapter.guard), (4, 1));
}

#[tokio::test]
async fn a_cursor_that_was_there_before_is_an_error_after_its_page() {
    let server = Server::start(|number, _| match number % 2 {
        1 => Act::json(200, "{\"data\":[1],\"next\":\"a\"}"),
        _ => Act::json(200, "{\"data\":[2],\"next\":\"b\"}"),
    })
    .await;
    let adapter = server.adapter(Credentials::default());
    let mut pages = adapter.guard.pages::<ByCursor, _>(&Items, adapter.client.pages(&None));
    let mut seen = Vec::new();
    let error = loop {
        match pages.next().await.unwrap() {
            Ok(page) => seen.push(page),
            Err(error) => break error,
        }
    };
    assert_eq!(seen, [json!([1]), json!([2]), json!([1])]);
    let CallError::Undecodable { cause, reply, .. } = &error else { panic!("{error}") };
    assert_eq!(cause.to_string(), "the cursor of the next page was there before: the list would never end");
    assert_eq!(reply.body, "{\"data\":[1],\"next\":\"a\"}");
    assert!(pages.next().await.is_none());
    assert_eq!(server.count(), 3);
}

#[tokio::test]
async fn numbers_are_counted_up_to_a_page_that_is_not_full() {
    let server = Server::start(|number, _| match number {
        1 => Act::json(200, "{\"data\":[1,2]}"),
        _ => Act::json(200, "{\"data\":[3]}"),
    })
    .await;
    let adapter = server.adapter(Credentials::default());
    assert_eq!(all::<ByNumber>(&adapter, Some(2)).await, [json!([1, 2]), json!([3])]);
    assert_eq!(lines(&server), ["/base/things?limit=2", "/base/things?limit=2&page=2"]);
}

#[tokio::test]
async fn a_system_that_does_not_know_the_parameter_is_not_asked_for_ever() {
    let server = Server::start(|_, _| Act::json(200, "{\"data\":[1,2]}")).await;
    let seen = all::<ByNumber>(&server.adapter(Credentials::default()), None).await;
    assert_eq!((seen.len(), server.count()), (3, 2), "{seen:?}");
    assert!(seen[2].is_string());
}

#[tokio::test]
async fn links_are_followed_within_the_system_only_and_the_key_is_written_once() {
    let server = Server::start(|number, arrival| {
        let host = arrival.header("host").unwrap();
        let link = match number {
            1 => format!("link: <http://{host}/base/things?page=2&key=mine>; rel=\"next\"\r\n"),
            2 => "link: <?page=3>; rel=\"next\", <?page=1>; rel=\"prev\"\r\n".to_owned(),
            3 => "link: <https://elsewhere.example/base/things?page=4>; rel=\"next\"\r\n".to_owned(),
            _ => String::new(),
        };
        Act::with(200, &link, &format!("{{\"data\":[{number}]}}"))
    })
    .await;
    let key = cofferdam_runtime::http::ApiKeyPlace::Query;
    let adapter = server.adapter(Credentials::default().api_key("key", key, "key", "mine"));
    let seen = all::<ByLink>(&adapter, Some(1)).await;
    assert_eq!(seen[..3], [json!([1]), json!([2]), json!([3])]);
    assert!(seen[3].is_string() && seen.len() == 4, "{seen:?}");
    let sent = ["/base/things?limit=1&key=mine", "/base/things?page=2&key=mine", "/base/things?page=3&key=mine"];
    assert_eq!(lines(&server), sent);
}

#[tokio::test]
async fn a_page_that_is_no_outcome_ends_the_list() {
    let server = Server::start(|number, _| match number {
        1 => Act::json(200, "{\"data\":[1],\"next\":1}"),
        2 => Act::json(200, "{\"error\":\"no\",\"next\":2}"),
        3 => Act::json(200, "{\"data\":[1],\"next\":3}"),
        _ => Act::json(404, "{}"),
    })
    .await;
    let adapter = server.adapter(Credentials::default());
    let mut pages = adapter.guard.pages::<ByCursor, _>(&Items, adapter.client.pages(&None));
    assert!(pages.next().await.unwrap().is_ok());
    assert!(matches!(pages.next().await, Some(Err(CallError::Rejected { status: None, .. }))));
    assert!(pages.next().await.is_none());
    let mut pages = adapter.client.pages::<ByCursor>(&None);
    assert!(pages.next().await.unwrap().is_ok());
    assert!(matches!(pages.next().await, Some(Err(ClientError::Rejected { .. }))));
    assert!(pages.next().await.is_none());
    assert_eq!(server.count(), 4);
}

#[tokio::test]
async fn a_page_is_fetched_when_it_is_asked_for_and_dropping_one_holds_nothing() {
    let server = Server::start(|number, _| match number {
        1 => Act::json(200, "{\"data\":[1],\"next\":1}"),
        _ => Act::Hang,
    })
    .await;
    let adapter = server.adapter(Credentials::default());
    let mut pages = adapter.guard.pages::<ByCursor, _>(&Items, adapter.client.pages(&None));
    assert_eq!(server.count(), 0);
    pages.next().await.unwrap().unwrap();
    let waiting = tokio::time::timeout(super::subject::ms(50), pages.next()).await;
    assert!(waiting.is_err());
    assert_eq!(adapter.guard.available_places(), adapter_places() - 1);
    drop(pages);
    assert_eq!(adapter.guard.available_places(), adapter_places());
}
