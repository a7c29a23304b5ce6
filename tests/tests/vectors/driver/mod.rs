//! Compiled beside the generated clients, by the test in the folder above: it calls them as a vector says, over a
//! loopback server, and prints what was seen. What is right is not known here.

pub mod as_is;
pub mod ask;
pub mod said;
pub mod server;

use std::pin::Pin;
use std::task::Poll;

use serde_json::{Value, json};

use self::ask::Ask;
use self::server::Server;

/// What a case does with a vector.
pub type Drive = for<'a> fn(&'a Ask) -> Pin<Box<dyn Future<Output = Vec<Value>> + 'a>>;

/// Runs every vector of the file named by the first argument, and prints a line of JSON for each.
pub fn run(cases: &[(&str, Drive)]) {
    let path = std::env::args().nth(1).expect("the file of vectors");
    let vectors: Vec<Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    for vector in vectors {
        let case = vector["case"].as_str().unwrap_or_default();
        let (_, drive) = cases.iter().find(|(name, _)| *name == case).unwrap_or_else(|| panic!("no case {case}"));
        println!("{}", runtime.block_on(one(vector, *drive)));
    }
}

async fn one(vector: Value, drive: Drive) -> Value {
    let (other, token) = (Server::start(&[json!({ "status": 200 })]), Server::start(&[vector["token_reply"].clone()]));
    let server = Server::start(&replies(&vector, &other));
    let ask = Ask::new(vector, server.url(), token.url());
    let outcomes = drive(&ask).await;
    json!({
        "id": ask.vector["id"],
        "arrivals": server.arrivals(),
        "elsewhere": other.arrivals(),
        "tokens": token.arrivals(),
        "outcomes": outcomes,
    })
}

/// The replies in order; the last goes on for ever. A redirect to another host leads to a server of ours.
fn replies(vector: &Value, other: &Server) -> Vec<Value> {
    let text = match (vector.get("replies"), vector.get("reply")) {
        (Some(replies), _) => replies.to_string(),
        (None, Some(reply)) => json!([reply]).to_string(),
        (None, None) => json!([{ "status": 204 }]).to_string(),
    };
    serde_json::from_str(&text.replace("http://other.test", &other.url())).unwrap()
}

/// Makes calls at once.
pub async fn all<T>(calls: impl Iterator<Item = impl Future<Output = T>>) -> Vec<T> {
    let mut calls: Vec<_> = calls.map(|call| (Box::pin(call), None)).collect();
    std::future::poll_fn(|context| {
        for (call, done) in calls.iter_mut().filter(|(_, done)| done.is_none()) {
            if let Poll::Ready(output) = call.as_mut().poll(context) {
                *done = Some(output);
            }
        }
        if calls.iter().all(|(_, done)| done.is_some()) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    calls.into_iter().filter_map(|(_, done)| done).collect()
}
