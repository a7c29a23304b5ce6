//! A tiny system, written by hand as generated code would be: three operations of the three kinds, and a mapping.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use cofferdam_runtime::http::{BuildError, HttpClient, RawReply, RequestWriter, SchemeUse};
use cofferdam_runtime::settings::{SystemHandle, SystemSettings};
use cofferdam_runtime::wire::DecodeError;
use cofferdam_runtime::{
    CallError, ClientError, Decoded, Guard, IdempotencyKey, Keyed, Mapping, MappingError, Once, Operation,
    OperationKind, OperationMeta, Read, Refusal, Verdict,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde_json::{Value, json};

const SCHEMES: Option<&[&[SchemeUse]]> = Some(&[
    &[SchemeUse { scheme: "gateKey", scopes: &[] }],
    &[SchemeUse { scheme: "user", scopes: &[] }, SchemeUse { scheme: "seal", scopes: &[] }],
    &[SchemeUse { scheme: "oauth", scopes: &["pay", "look"] }],
    &[],
]);

macro_rules! operation {
    ($name:ident, $kind:ident, $id:literal, $method:literal, $security:expr) => {
        #[derive(Debug, Clone, Copy)]
        pub struct $name;

        impl Operation for $name {
            type Request = Value;
            type Reply = Value;
            type Rejection = Value;
            const META: &'static OperationMeta = &OperationMeta {
                system: "acme",
                id: $id,
                name: $id,
                kind: OperationKind::$kind,
                method: $method,
                path: "/things",
                accept: "application/json",
                security: $security,
            };

            fn encode(
                request: &Value,
                key: Option<&IdempotencyKey>,
                out: &mut RequestWriter,
            ) -> Result<(), BuildError> {
                out.path("/things");
                if let Some(key) = key {
                    out.header("idempotency-key", &key.as_str().to_owned(), false)?;
                }
                if $method == "POST" {
                    out.json("application/json", request)?;
                }
                Ok(())
            }

            fn decode(reply: &RawReply) -> Result<Decoded<Value, Value>, DecodeError> {
                Ok(match reply.status.as_u16() {
                    200 => Decoded::Reply(reply.json()?),
                    404 | 422 | 500 => Decoded::Rejection(reply.json()?),
                    _ => Decoded::Undocumented,
                })
            }
        }

        impl $kind for $name {}
    };
}

operation!(Look, Read, "look", "GET", SCHEMES);
operation!(Order, Keyed, "order", "POST", SCHEMES);
operation!(Pay, Once, "pay", "POST", Some(&[&[SchemeUse { scheme: "gateKey", scopes: &[] }]]));
operation!(Open, Read, "open", "GET", Some(&[&[]]));

/// Maps everything to itself; `error: 7` is the system's fault, any other `error` is a no, `panic` panics.
pub struct Plain;

impl<Op> Mapping<Op> for Plain
where
    Op: Operation<Request = Value, Reply = Value, Rejection = Value>,
{
    type Command = Value;
    type Outcome = Value;
    type Rejection = Value;

    fn request(&self, command: &Value) -> Result<Value, MappingError> {
        if command.is_null() { Err(MappingError::new("no command")) } else { Ok(command.clone()) }
    }

    fn verdict(&self, reply: &Value) -> Verdict {
        assert_ne!(reply["panic"], "verdict");
        match reply["error"].as_str() {
            Some("7") => Verdict::Failure,
            Some("ignored") => Verdict::Ignored,
            _ => Verdict::Success,
        }
    }

    fn outcome(&self, reply: Value) -> Result<Value, Refusal<Value>> {
        assert_ne!(reply["panic"], "outcome");
        match reply["error"].as_str() {
            None => Ok(reply),
            Some("unmappable") => Err(MappingError::new("no place for it").into()),
            Some(_) => Err(Refusal::Rejected(reply)),
        }
    }

    fn rejection(&self, status: StatusCode, body: Value) -> Value {
        json!({ "status": status.as_u16(), "body": body })
    }
}

pub type Answer = Result<Value, CallError<Value>>;
pub type ClientAnswer = Result<Value, ClientError<Value>>;

pub fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// The default profile, pointing nowhere.
pub fn settings() -> SystemSettings {
    SystemSettings::external("http://127.0.0.1:9/".parse().unwrap())
}

pub fn handle(settings: SystemSettings) -> SystemHandle {
    SystemHandle::new("acme", settings)
}

pub fn guard(settings: SystemSettings) -> Guard {
    Guard::new(&handle(settings)).unwrap()
}

pub fn reply(status: u16, headers: &[(&'static str, &str)], body: &str) -> RawReply {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.append(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
    }
    let body = Bytes::copy_from_slice(body.as_bytes());
    RawReply::new(StatusCode::from_u16(status).unwrap(), map, body)
}

/// What the client says to such a reply.
pub fn answer(status: u16, headers: &[(&'static str, &str)]) -> ClientAnswer {
    let reply = Box::new(reply(status, headers, "{\"secret\":1}"));
    Err(match status {
        500.. => ClientError::Server { rejection: None, reply },
        404 | 422 => ClientError::Rejected { rejection: Box::new(json!({ "secret": 1 })), reply },
        _ => ClientError::Unexpected { reply },
    })
}

/// Counts how often an attempt was begun.
#[derive(Default)]
pub struct Counter(AtomicUsize);

impl Counter {
    pub fn up(&self) -> usize {
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }

    pub fn get(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

/// Buffered and failed calls, as the breaker recorded them.
pub fn recorded(guard: &Guard) -> (u64, u64) {
    let metrics = guard.breaker().metrics();
    (metrics.buffered, metrics.failed)
}

/// What an adapter of this system would be.
pub struct Adapter {
    pub client: HttpClient,
    pub guard: Guard,
}

impl Adapter {
    pub async fn look(&self) -> Answer {
        let request = json!({});
        self.guard.read(Look, &Plain, || self.client.call::<Look>(&request, None)).await
    }

    pub async fn open(&self) -> Answer {
        let request = json!({});
        self.guard.read(Open, &Plain, || self.client.call::<Open>(&request, None)).await
    }

    pub async fn order(&self, key: &IdempotencyKey) -> Answer {
        let request = json!({ "item": 5 });
        self.guard.keyed(Order, key, &Plain, || self.client.call::<Order>(&request, Some(key))).await
    }

    pub async fn pay(&self) -> Answer {
        let request = json!({ "sum": 5 });
        self.guard.once(Pay, &Plain, || self.client.call::<Pay>(&request, None)).await
    }
}
