//! The supplier: its token is exchanged and renewed, its words stay in the log, and an old list is better than none.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cofferdam_example_committed::integrations::f6::access::sign_in;
use cofferdam_example_committed::integrations::f6::domain::{ListProcurementsCommand, NewOrder, OrderLine};
use cofferdam_example_committed::integrations::f6::{F6Adapter, F6Mapping, Supplier};
use cofferdam_runtime::breaker::BreakerState;
use cofferdam_runtime::fallback::Served;
use cofferdam_runtime::observability::FallbackKind;
use cofferdam_tests::{Answer, Arrival, Fault, MisbehavingServer, Script, Step};
use serde_json::json;
use tracing::field::{Field, Visit};

use crate::stage::{SOON, recorded, settings};

const TICKET: &str = "/f6/ticket";
const LIST: &str = "/f6/procurement/list";
const ORDERS: &str = "/f6/orders";

/// A supplier whose tokens are numbered: `T-1`, `T-2`, ….
fn supplier() -> MisbehavingServer {
    let server = MisbehavingServer::start().unwrap();
    let given = AtomicUsize::new(0);
    server.answers_with(TICKET, move |_| {
        let number = given.fetch_add(1, Ordering::Relaxed) + 1;
        Answer::json(&json!({ "token": format!("T-{number}"), "expiresIn": 3600 }))
    });
    server.answers(LIST, Answer::json(&json!({ "items": [], "total": 7 })));
    let order = json!({ "id": "O-1", "status": "accepted", "total": 796_000 });
    server.answers(ORDERS, Answer::json(&order).with_status(201));
    server
}

/// An adapter whose tickets are numbered, too.
fn f6(server: &MisbehavingServer, more: &[(&str, &str)]) -> F6Adapter<F6Mapping> {
    let settings = settings("f6", &server.url(), &[&[SOON], more].concat());
    let tickets = AtomicUsize::new(0);
    let ticket = move || format!("ticket-{}", tickets.fetch_add(1, Ordering::Relaxed) + 1).into();
    F6Adapter::connect(&settings, sign_in("S-7", ticket), F6Mapping).unwrap()
}

fn list() -> ListProcurementsCommand {
    ListProcurementsCommand { store_id: "S-7".into(), status: None, limit: None }
}

fn goods() -> NewOrder {
    let line = OrderLine { sku: "OIL-5W30".into(), quantity: 4 };
    NewOrder { store_id: "S-7".into(), procurement_id: None, lines: vec![line], comment: None }
}

/// Says 401 to whoever comes with this token.
fn refuses(server: &MisbehavingServer, token: &'static str) {
    server.decides(move |arrival: &Arrival| match arrival.header("authorization") {
        Some(value) if value == token => {
            Answer::json(&json!({ "code": 40_101, "message": "token is over" })).with_status(401).into()
        }
        _ => Step::fine(),
    });
}

fn tokens(server: &MisbehavingServer, path: &str) -> Vec<String> {
    let arrivals = server.recorder().arrivals(path);
    arrivals.iter().filter_map(|one| one.header("authorization").map(str::to_owned)).collect()
}

#[tokio::test]
async fn one_ticket_is_exchanged_for_all_who_wait_and_its_token_is_kept() {
    let server = supplier();
    let f6 = Arc::new(f6(&server, &[]));
    server.script(TICKET, Script::always(Fault::SlowFirstByte(Duration::from_millis(50))));
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let f6 = Arc::clone(&f6);
        calls.spawn(async move { f6.list_procurements(list()).await.map(|list| list.total) });
    }
    while let Some(call) = calls.join_next().await {
        assert_eq!(call.unwrap().unwrap(), 7);
    }
    f6.list_procurements(list()).await.unwrap();
    let exchanges = server.recorder().arrivals(TICKET);
    assert_eq!(exchanges.len(), 1);
    assert_eq!(exchanges[0].json().unwrap(), json!({ "ticket": "ticket-1", "storeId": "S-7" }));
    assert_eq!(exchanges[0].header("authorization"), None);
    assert_eq!(tokens(&server, LIST), vec!["Bearer T-1"; 17]);
}

#[tokio::test]
async fn the_token_is_renewed_before_it_expires_with_a_new_ticket() {
    let server = supplier();
    let f6 = f6(&server, &[]);
    f6.list_procurements(list()).await.unwrap();
    forward(Duration::from_secs(3500)).await;
    f6.list_procurements(list()).await.unwrap();
    assert_eq!(server.recorder().count(TICKET), 1);
    // Half a minute before its end it is too old to be sent.
    forward(Duration::from_secs(75)).await;
    f6.list_procurements(list()).await.unwrap();
    assert_eq!(tokens(&server, LIST), ["Bearer T-1", "Bearer T-1", "Bearer T-2"]);
    assert_eq!(server.recorder().arrivals(TICKET)[1].json().unwrap()["ticket"], "ticket-2");
}

/// The clock goes on; nobody waits.
async fn forward(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

#[tokio::test]
async fn a_read_whose_token_is_no_longer_taken_is_sent_once_more_with_a_new_one() {
    let server = supplier();
    let f6 = f6(&server, &[]);
    f6.list_procurements(list()).await.unwrap();
    refuses(&server, "Bearer T-1");
    assert_eq!(f6.list_procurements(list()).await.unwrap().total, 7);
    assert_eq!(tokens(&server, LIST), ["Bearer T-1", "Bearer T-1", "Bearer T-2"]);
    assert_eq!((server.recorder().count(TICKET), recorded(f6.guard())), (2, (2, 0)));
}

#[tokio::test]
async fn one_renewal_is_all_a_call_gets() {
    let server = supplier();
    let f6 = f6(&server, &[]);
    f6.list_procurements(list()).await.unwrap();
    server.recorder().clear();
    let refused = Answer::json(&json!({ "code": 40_101, "message": "nobody knows you" })).with_status(401);
    server.script(LIST, Script::always(refused));
    let error = f6.list_procurements(list()).await.unwrap_err();
    assert_eq!(error.status().map(|status| status.as_u16()), Some(401));
    assert_eq!((server.recorder().count(LIST), server.recorder().count(TICKET)), (2, 1));
}

#[tokio::test]
async fn an_order_is_sent_again_with_a_new_token_only_if_it_has_a_key() {
    let server = supplier();
    let f6 = f6(&server, &[]);
    f6.list_procurements(list()).await.unwrap();
    refuses(&server, "Bearer T-1");
    let error = f6.create_order(goods(), None).await.unwrap_err();
    assert_eq!(error.status().map(|status| status.as_u16()), Some(401));
    assert_eq!(tokens(&server, ORDERS), ["Bearer T-1"], "without a key it is sent once, whatever the answer");
    f6.create_order(goods(), None).await.unwrap();
    refuses(&server, "Bearer T-2");
    f6.create_order(goods(), Some("K-1".into())).await.unwrap();
    assert_eq!(tokens(&server, ORDERS)[1..], ["Bearer T-2", "Bearer T-2", "Bearer T-3"]);
}

#[tokio::test]
async fn a_ticket_that_is_refused_sends_nothing_and_one_that_cannot_be_exchanged_counts() {
    let server = supplier();
    let f6 = f6(&server, &[]);
    let refused = Answer::json(&json!({ "code": 40_102, "message": "ticket was used" })).with_status(403);
    server.script(TICKET, Script::always(refused));
    let error = f6.list_procurements(list()).await.unwrap_err();
    assert_eq!(error.to_string(), "f6 listProcurements: not sent: the authorization server answered 403 Forbidden");
    assert_eq!(recorded(f6.guard()), (0, 0));
    server.script(TICKET, Script::always(Answer::status(503)));
    let error = f6.list_procurements(list()).await.unwrap_err();
    assert_eq!((error.kind(), error.code(), server.recorder().count(LIST)), ("token", 30_005, 0));
    assert_eq!(recorded(f6.guard()), (2, 2));
}

#[tokio::test]
async fn every_error_has_a_number_between_30000_and_39999_that_is_always_the_same() {
    let server = supplier();
    let f6 = f6(&server, &[]);
    let codes = [
        (Step::from(Answer::json(&json!({ "code": 1, "message": "m" })).with_status(400)), 30_007),
        (Answer::json(&json!({ "code": 2, "message": "m" })).with_status(503).into(), 30_006),
        (Answer::status(302).into(), 30_008),
        (Answer::json(&json!({ "items": 1 })).into(), 30_009),
        (Fault::Close.into(), 30_005),
    ];
    for (step, code) in codes {
        server.script(LIST, Script::always(step));
        assert_eq!(f6.list_procurements(list()).await.unwrap_err().code(), code);
    }
    f6.guard().breaker().transition_to_forced_open();
    assert_eq!(f6.guard().breaker().state(), BreakerState::ForcedOpen);
    assert_eq!(f6.list_procurements(list()).await.unwrap_err().code(), 30_001);
}

/// Writes down the events of the log.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<String>>);

impl tracing::Subscriber for Log {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }
    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
    fn event(&self, event: &tracing::Event<'_>) {
        struct Line<'a>(&'a mut String);
        impl Visit for Line<'_> {
            fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
                let _ = write!(self.0, "{field}={value:?} ");
            }
        }
        event.record(&mut Line(&mut self.0.lock().unwrap()));
    }
    fn enter(&self, _: &tracing::span::Id) {}
    fn exit(&self, _: &tracing::span::Id) {}
}

#[tokio::test]
async fn the_suppliers_words_are_in_the_log_and_never_leave_it() {
    let server = supplier();
    let supplier = Supplier::new(f6(&server, &[]));
    let log = Log::default();
    let _guard = tracing::subscriber::set_default(log.clone());
    for status in [400, 503] {
        let words = json!({ "code": 40_007, "message": "warehouse 12 burned down" });
        server.script(LIST, Script::always(Answer::json(&words).with_status(status)));
        let error = supplier.procurements(list()).await.unwrap_err();
        assert!((30_000..40_000).contains(&error.code));
        assert!(!format!("{error} {error:?}").contains("warehouse"));
        let told = std::mem::take(&mut *log.0.lock().unwrap());
        assert!(told.contains("warehouse 12 burned down") && told.contains("number=40007"), "{told}");
    }
    // The call's own error does not show them by itself either.
    let error = supplier.adapter().list_procurements(list()).await.unwrap_err();
    assert!(!format!("{error} {error:?}").contains("warehouse"));
}

#[tokio::test]
async fn an_old_list_stands_in_while_the_supplier_is_out_and_says_how_old_it_is() {
    let server = supplier();
    let supplier = Supplier::new(f6(&server, &[]));
    assert!(matches!(supplier.procurements(list()).await.unwrap(), Served::Fresh(_)));
    server.script(LIST, Script::always(Fault::Close));
    let Served::Degraded(old) = supplier.procurements(list()).await.unwrap() else { panic!() };
    assert_eq!((old.value.total, old.kind, old.cause), (7, FallbackKind::Stale, "closed"));
    assert!(old.age.is_some());
    // Another question was never answered.
    let other = ListProcurementsCommand { store_id: "S-8".into(), ..list() };
    assert_eq!(supplier.procurements(other).await.unwrap_err().message, "the supplier is not available");
    // A no is an answer, and an hour is long enough.
    let no = Answer::json(&json!({ "code": 40_301, "message": "store is closed" })).with_status(403);
    server.script(LIST, Script::always(no));
    assert_eq!(supplier.procurements(list()).await.unwrap_err().message, "the supplier refused");
    server.script(LIST, Script::always(Fault::Close));
    forward(Duration::from_secs(3601)).await;
    supplier.procurements(list()).await.unwrap_err();
}

#[tokio::test]
async fn the_supplier_is_told_the_trace_in_its_own_header() {
    let server = supplier();
    f6(&server, &[]).list_procurements(list()).await.unwrap();
    let arrival = server.recorder().arrivals(LIST).remove(0);
    assert!(arrival.header("x-trace-id").is_some_and(|id| id.len() == 32), "{:?}", arrival.headers);
}
