//! Client credentials: one token for all, renewed in time, and never more than one request for it at once.

use std::sync::Arc;
use std::time::Duration;

use cofferdam_runtime::http::{ClientAuthentication, ClientCredentials, Credentials};
use cofferdam_runtime::{CallError, Delivery, FaultKind};

use super::server::{Act, Server};
use super::subject::{Adapter, ms, recorded};

fn credentials(authentication: ClientAuthentication) -> Credentials {
    let client = ClientCredentials::new("my-id", "s3c ret").authentication(authentication);
    Credentials::new().client_credentials("oauth", "/token", client)
}

fn adapter(server: &Server) -> Adapter {
    server.adapter(credentials(ClientAuthentication::Basic))
}

fn is_token(arrival: &super::server::Arrival) -> bool {
    arrival.line.starts_with("POST /token ")
}

fn tokens(server: &Server) -> usize {
    server.arrivals().iter().filter(|arrival| is_token(arrival)).count()
}

fn token(name: &str, expires_in: &str) -> Act {
    let body = format!("{{\"access_token\":\"{name}\",\"token_type\":\"bearer\",\"expires_in\":{expires_in}}}");
    Act::Reply { status: 200, headers: String::new(), body, after: ms(30) }
}

/// A server whose tokens are numbered by request and which answers everything else.
async fn issuing(expires_in: &'static str) -> Server {
    Server::start(
        move |n, arrival| {
            if is_token(arrival) { token(&format!("t{n}"), expires_in) } else { Act::json(200, "{}") }
        },
    )
    .await
}

#[tokio::test]
async fn one_request_fetches_the_token_for_all_who_wait() {
    let server = issuing("3600").await;
    let adapter = Arc::new(adapter(&server));
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let adapter = Arc::clone(&adapter);
        calls.spawn(async move { adapter.look().await });
    }
    while let Some(call) = calls.join_next().await {
        call.unwrap().unwrap();
    }
    adapter.look().await.unwrap();
    assert_eq!((tokens(&server), server.count()), (1, 18));
    let arrivals = server.arrivals();
    let fetched = arrivals.iter().find(|arrival| is_token(arrival)).unwrap();
    assert_eq!(fetched.body, "grant_type=client_credentials&scope=pay+look");
    assert_eq!(fetched.header("authorization"), Some("Basic bXktaWQ6czNjK3JldA=="));
    let rest = arrivals.iter().filter(|arrival| !is_token(arrival));
    assert!(rest.clone().count() == 17 && rest.clone().all(|one| one.header("authorization") == Some("Bearer t1")));
}

#[tokio::test]
async fn the_client_can_name_itself_in_the_body() {
    let server = issuing("3600").await;
    server.adapter(credentials(ClientAuthentication::Body)).look().await.unwrap();
    let fetched = server.arrivals().remove(0);
    assert_eq!(fetched.header("authorization"), None);
    assert_eq!(fetched.body, "grant_type=client_credentials&scope=pay+look&client_id=my-id&client_secret=s3c+ret");
}

#[tokio::test]
async fn the_token_may_come_from_elsewhere_and_for_an_audience() {
    let server = issuing("3600").await;
    let client = ClientCredentials::new("my-id", "s3c ret").token_url("/token").field("audience", "a b");
    let credentials = Credentials::new().client_credentials("oauth", "http://unreachable.invalid/token", client);
    server.adapter(credentials).look().await.unwrap();
    let fetched = server.arrivals().remove(0);
    assert_eq!(fetched.body, "grant_type=client_credentials&scope=pay+look&audience=a+b");
}

#[tokio::test]
async fn a_token_is_renewed_before_it_expires() {
    // A tenth of its life is the margin for a life this short.
    let server = issuing("\"2\"").await;
    let adapter = adapter(&server);
    adapter.look().await.unwrap();
    tokio::time::sleep(ms(500)).await;
    adapter.look().await.unwrap();
    assert_eq!(tokens(&server), 1);
    tokio::time::sleep(ms(1400)).await;
    adapter.look().await.unwrap();
    assert_eq!(tokens(&server), 2);
}

#[tokio::test]
async fn a_token_the_system_no_longer_takes_is_dropped() {
    let server = Server::start(|n, arrival| match arrival.header("authorization") {
        _ if is_token(arrival) => token(&format!("t{n}"), "3600"),
        Some("Bearer t1") => Act::json(401, ""),
        _ => Act::json(200, "{}"),
    })
    .await;
    let adapter = adapter(&server);
    let error = adapter.look().await.unwrap_err();
    // It was fetched for this very call: another one would be no better.
    assert_eq!((error.status().unwrap().as_u16(), error.attempts()), (401, 1), "a 401 is not tried again");
    adapter.look().await.unwrap();
    assert_eq!(tokens(&server), 2);
}

#[tokio::test]
async fn a_refused_client_is_no_fault_of_the_system_and_nothing_is_sent() {
    let server = Server::start(|_, _| Act::json(401, "{\"error\":\"invalid_client\"}")).await;
    let adapter = adapter(&server);
    let error = adapter.look().await.unwrap_err();
    assert_eq!(error.to_string(), "acme look: not sent: the authorization server answered 401 Unauthorized");
    assert_eq!((server.count(), error.delivery(), recorded(&adapter.guard)), (1, Delivery::NotSent, (0, 0)));
}

#[tokio::test]
async fn a_token_that_cannot_be_had_is_a_fault_of_the_system_and_may_be_tried_again() {
    for answer in ["{}", "{\"access_token\":\"\"}", "{\"access_token\":\"t\",\"token_type\":\"mac\"}", "nonsense"] {
        let server = Server::start(move |_, _| Act::json(200, answer)).await;
        let adapter = adapter(&server);
        let error = adapter.look().await.unwrap_err();
        let CallError::Transport { at, fault } = &error else { panic!("{error}") };
        assert_eq!((fault.kind(), at.delivery, at.attempts), (FaultKind::Token, Delivery::NotSent, 3));
        assert_eq!((server.count(), recorded(&adapter.guard)), (3, (3, 3)), "{answer}");
    }
}

#[tokio::test]
async fn a_failed_fetch_is_shared_by_those_who_waited_for_it() {
    let server =
        Server::start(|_, _| Act::Reply { status: 503, headers: String::new(), body: String::new(), after: ms(60) })
            .await;
    let mut settings = server.settings();
    settings.retry.max_attempts = 1;
    let adapter = Arc::new(super::server::adapter(settings, credentials(ClientAuthentication::Basic)));
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let adapter = Arc::clone(&adapter);
        calls.spawn(async move { adapter.look().await });
    }
    while let Some(call) = calls.join_next().await {
        call.unwrap().unwrap_err();
    }
    assert_eq!(server.count(), 1);
    adapter.look().await.unwrap_err();
    assert_eq!(server.count(), 2, "a later call asks anew");
}

#[tokio::test]
async fn a_caller_that_goes_away_while_it_fetches_holds_nobody_up() {
    let server = issuing("3600").await;
    let adapter = adapter(&server);
    assert!(tokio::time::timeout(ms(10), adapter.look()).await.is_err());
    tokio::time::timeout(Duration::from_secs(2), adapter.look()).await.unwrap().unwrap();
}
