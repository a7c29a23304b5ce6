//! Credentials on the wire: where they go, which alternative is taken, what is never shown.

use cofferdam_runtime::http::{ApiKeyPlace, Credentials, HttpClient};
use cofferdam_runtime::{CallError, Delivery, NotSentCause};

use super::server::{Act, Arrival, Server, adapter};
use super::subject::recorded;

async fn arrival_of_look(credentials: Credentials) -> Arrival {
    let server = Server::start(|_, _| Act::json(200, "{}")).await;
    server.adapter(credentials).look().await.unwrap();
    server.arrivals().remove(0)
}

async fn arrival_of_pay(credentials: Credentials) -> Arrival {
    let server = Server::start(|_, _| Act::json(200, "{}")).await;
    server.adapter(credentials).pay().await.unwrap();
    server.arrivals().remove(0)
}

fn key(place: ApiKeyPlace) -> Credentials {
    Credentials::new().api_key("gateKey", place, "x-gate", "a b&c=d/ю")
}

#[tokio::test]
async fn a_key_goes_where_its_scheme_says() {
    let plain = Credentials::new().api_key("gateKey", ApiKeyPlace::Header, "X-Gate", "k/1=");
    let arrival = arrival_of_pay(plain).await;
    assert_eq!((arrival.header("x-gate"), arrival.line.as_str()), (Some("k/1="), "POST /base/things HTTP/1.1"));

    let arrival = arrival_of_pay(key(ApiKeyPlace::Query)).await;
    assert_eq!(arrival.line, "POST /base/things?x-gate=a%20b%26c%3Dd%2F%D1%8E HTTP/1.1");

    let plain = Credentials::new().api_key("gateKey", ApiKeyPlace::Cookie, "gate", "k/1=");
    assert_eq!(arrival_of_pay(plain).await.header("cookie"), Some("gate=k/1="));

    let arrival = arrival_of_pay(key(ApiKeyPlace::Body)).await;
    assert_eq!(arrival.body, "{\"sum\":5,\"x-gate\":\"a b&c=d/ю\"}");
}

#[tokio::test]
async fn the_first_alternative_that_is_covered_whole_is_taken() {
    let half = Credentials::new().basic("user", "ann", "p:w");
    let arrival = arrival_of_look(half.clone()).await;
    assert_eq!(arrival.header("authorization"), None, "half of an alternative is none");
    assert_eq!(arrival.header("accept"), Some("application/json"));

    let both = half.api_key("seal", ApiKeyPlace::Header, "x-seal", "wax");
    let arrival = arrival_of_look(both.clone()).await;
    assert_eq!((arrival.header("authorization"), arrival.header("x-seal")), (Some("Basic YW5uOnA6dw=="), Some("wax")));

    let all = both.bearer("gateKey", "t0k3n");
    let arrival = arrival_of_look(all.clone()).await;
    assert_eq!((arrival.header("authorization"), arrival.header("x-seal")), (Some("Bearer t0k3n"), None));

    let server = Server::start(|_, _| Act::json(200, "{}")).await;
    server.adapter(all).open().await.unwrap();
    let arrival = server.arrivals().remove(0);
    assert_eq!((arrival.header("authorization"), arrival.header("x-seal")), (None, None), "anonymous by the document");
}

#[tokio::test]
async fn a_missing_credential_is_told_before_anything_is_sent() {
    let server = Server::start(|_, _| Act::json(200, "{}")).await;
    let adapter = server.adapter(Credentials::new());
    let error = adapter.pay().await.unwrap_err();
    assert_eq!(error.to_string(), "acme pay: not sent: no credentials given for `gateKey`");
    assert_eq!((error.delivery(), error.suggested_status()), (Delivery::NotSent, 500));
    assert!(matches!(error, CallError::NotSent { cause: NotSentCause::Credential(_), .. }));
    assert_eq!((server.count(), recorded(&adapter.guard)), (0, (0, 0)));
}

#[tokio::test]
async fn a_key_for_the_body_needs_a_body_with_fields() {
    let server = Server::start(|_, _| Act::json(200, "{}")).await;
    let error = server.adapter(key(ApiKeyPlace::Body)).look().await.unwrap_err();
    assert!(error.to_string().contains("this body has no fields"), "{error}");
    assert_eq!(server.count(), 0);
}

#[tokio::test]
async fn what_cannot_be_sent_is_refused_when_the_client_is_made() {
    let settings = super::subject::settings();
    let handle = super::subject::handle(settings);
    let broken = [
        Credentials::new().bearer("oauth", "a\r\nx-evil: 1"),
        Credentials::new().api_key("gateKey", ApiKeyPlace::Header, "x-gate", "a\nb"),
        Credentials::new().api_key("gateKey", ApiKeyPlace::Header, "x gate", "ab"),
        Credentials::new().api_key("gateKey", ApiKeyPlace::Cookie, "gate", "a; admin=1"),
        Credentials::new().basic("user", "ann:evil", "p"),
    ];
    for credentials in broken {
        let error = HttpClient::new(&handle, credentials).unwrap_err();
        assert!(error.to_string().starts_with("acme: the credential for `"), "{error}");
        assert!(!format!("{error:?}").contains("evil"));
    }
}

#[test]
fn a_base_url_holds_no_more_than_where_the_system_is() {
    for url in ["ftp://a.example/", "http://ann:pw@a.example/", "http://a.example/?key=1", "http://a.example/#x"] {
        let mut settings = super::subject::settings();
        settings.base_url = url.parse().unwrap();
        let error = HttpClient::new(&super::subject::handle(settings), Credentials::new()).unwrap_err();
        assert!(error.to_string().starts_with("acme: the base URL must"), "{error}");
    }
}

#[tokio::test]
async fn two_schemes_cannot_share_one_header() {
    let server = Server::start(|_, _| Act::json(200, "{}")).await;
    let both = Credentials::new().basic("user", "ann", "pw").bearer("seal", "t");
    let error = server.adapter(both).look().await.unwrap_err();
    assert!(error.to_string().contains("`seal` wants the header that another scheme already has"), "{error}");
    assert_eq!(server.count(), 0);
}

#[test]
fn secrets_are_never_shown() {
    let credentials = Credentials::new()
        .basic("user", "ann", "s3cr3t")
        .bearer("bearer", "s3cr3t")
        .api_key("gateKey", ApiKeyPlace::Query, "k", "s3cr3t")
        .client_credentials("oauth", "/token", ("id", "s3cr3t"));
    let shown = format!("{credentials:?}");
    assert!(shown.contains("gateKey") && !shown.contains("s3cr3t") && !shown.contains("YW5u"), "{shown}");
}

#[tokio::test]
async fn no_error_shows_the_query_the_key_is_in() {
    let server = Server::start(|_, _| Act::Close).await;
    let error = server.adapter(key(ApiKeyPlace::Query)).pay().await.unwrap_err();
    let mut shown = format!("{error:?} {error}");
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        shown += &format!(" {inner:?} {inner}");
        cause = inner.source();
    }
    assert!(!shown.contains("x-gate") && !shown.contains("things"), "{shown}");

    let mut settings = server.settings();
    settings.base_url = "http://127.0.0.1:1/".parse().unwrap();
    let error = adapter(settings, key(ApiKeyPlace::Query)).pay().await.unwrap_err();
    assert!(!format!("{error:?} {:?}", std::error::Error::source(&error)).contains("x-gate"));
}
