//! The box office: long lists page by page, commands with one key, and a time limit of a minute for the lists alone.

use std::collections::BTreeSet;
use std::time::Duration;

use cofferdam_example_committed::integrations::failure::Failure;
use cofferdam_example_committed::integrations::odnakassa::domain::{
    CancelReason, Cancellation, Hold, OrderSearch, OrderState, Payment, Place, TicketsRefused,
};
use cofferdam_example_committed::integrations::odnakassa::{
    OdnakassaAdapter, OdnakassaCredentials, OdnakassaMapping, TicketOffice,
};
use cofferdam_example_committed::money::{Currency, Money};
use cofferdam_runtime::{CallError, FaultKind, IdempotencyKey};
use cofferdam_tests::{Answer, Arrival, Fault, MisbehavingServer, Script};
use serde_json::{Value, json};

use crate::stage::{SOON, as_they_are, settings};

const ORDERS: &str = "/api/v2/orders";
const STATUS: &str = "/api/v2/orders/OK-1/status";
const PAYMENT: &str = "/api/v2/orders/OK-1/payment";
const CANCELLATION: &str = "/api/v2/orders/OK-1/cancellation";

fn order(number: usize, tickets: usize) -> Value {
    // Their order changes from reply to reply, as that of a set does.
    let seat = |n: usize| (n * 7 + number) % tickets.max(1);
    let tickets: Vec<_> = (0..tickets)
        .map(|n| {
            let place = json!({ "sector": "A", "row": "4", "seat": seat(n).to_string() });
            json!({ "code": format!("T-{number}-{}", seat(n)), "place": place, "price": 320_000 })
        })
        .collect();
    let total = 320_000 * tickets.len();
    json!({ "id": format!("OK-{number}"), "state": "paid", "total": total, "currency": "RUB", "tickets": tickets })
}

/// Three pages of 500 orders of 10 tickets: about half a megabyte each.
fn page(arrival: &Arrival) -> Answer {
    let page: usize = arrival.query_field("cursor").map_or(0, |cursor| cursor.parse().unwrap());
    let orders: Vec<_> = (0..500).map(|n| order(page * 500 + n, 10)).collect();
    let next = (page < 2).then(|| (page + 1).to_string());
    Answer::json(&json!({ "orders": orders, "nextCursor": next, "totalOrders": 1500 }))
}

fn box_office() -> MisbehavingServer {
    let server = MisbehavingServer::start().unwrap();
    server.answers_with(ORDERS, |arrival| match arrival.method.as_str() {
        "POST" => Answer::json(&order(1, 0)).with_status(201),
        _ => page(arrival),
    });
    let status = json!({ "id": "OK-1", "state": "paid", "changedAt": "2026-09-01T12:07:11+03:00", "ticketCount": 2 });
    server.answers(STATUS, Answer::json(&status));
    server.answers(PAYMENT, Answer::json(&order(1, 2)));
    server.answers(CANCELLATION, Answer::status(204));
    server
}

fn odnakassa(server: &MisbehavingServer, more: &[(&str, &str)]) -> OdnakassaAdapter<OdnakassaMapping> {
    let settings = settings("odnakassa", &format!("{}/api/v2", server.url()), &[&[SOON], more].concat());
    OdnakassaAdapter::connect(&settings, OdnakassaCredentials::new().organiser_key("k"), OdnakassaMapping).unwrap()
}

fn hold() -> Hold {
    let place = |seat: &str| Place { sector: "A".into(), row: "4".into(), seat: seat.into() };
    Hold {
        session: "S-1".into(),
        places: BTreeSet::from([place("18"), place("17"), place("18")]),
        email: "buyer@shop.example".into(),
        phone: None,
        currency: Currency::Rub,
    }
}

fn payment() -> Payment {
    Payment { order: "OK-1".into(), gateway: "sber".into(), gateway_order: "G-1".into(), amount: Money::rub(640_000) }
}

fn cancellation() -> Cancellation {
    Cancellation { order: "OK-1".into(), reason: CancelReason::Buyer }
}

#[tokio::test]
async fn large_lists_come_page_by_page_and_tickets_are_sets() {
    let server = box_office();
    let odnakassa = odnakassa(&server, &[]);
    let search = OrderSearch {
        states: BTreeSet::from([OrderState::Paid, OrderState::Held]),
        page_size: Some(500),
        ..OrderSearch::default()
    };
    let mut pages = odnakassa.find(search).unwrap();
    let (mut count, mut codes, mut asked) = (0, BTreeSet::new(), 0);
    while let Some(page) = pages.next().await {
        let page = page.unwrap();
        asked += 1;
        assert_eq!((page.total, server.recorder().count(ORDERS)), (1500, asked), "no page before it is asked for");
        for order in page.orders {
            let seats: Vec<_> = order.tickets.iter().map(|ticket| ticket.place.seat.clone()).collect();
            assert_eq!(seats, (0..10).map(|seat| seat.to_string()).collect::<Vec<_>>());
            count += order.tickets.len();
            codes.extend(order.tickets.into_iter().map(|ticket| ticket.code));
        }
    }
    assert_eq!((asked, count, codes.len()), (3, 15_000, 15_000));
    let first = server.recorder().arrivals(ORDERS).remove(0);
    assert_eq!(first.query_field("state").as_deref(), Some("held,paid"));
}

#[tokio::test]
async fn a_page_that_breaks_off_is_asked_for_again_and_nothing_is_lost_or_twice() {
    let server = box_office();
    let odnakassa = odnakassa(&server, &[]);
    server.script(ORDERS, Script::times(1, cofferdam_tests::Step::fine()).then(1, Fault::Truncate { missing: 9 }));
    let mut pages = odnakassa.find(OrderSearch::default()).unwrap();
    let mut orders = Vec::new();
    while let Some(page) = pages.next().await {
        orders.extend(page.unwrap().orders.into_iter().map(|order| order.id));
    }
    assert_eq!(orders, (0..1500).map(|n| format!("OK-{n}")).collect::<Vec<_>>());
    assert_eq!(server.recorder().count(ORDERS), 4);
}

#[test]
fn pages_may_take_a_minute_and_what_a_buyer_waits_for_may_not() {
    let settings = as_they_are().system("odnakassa").unwrap().load();
    let read = |operation: &str| settings.policy(operation).timeouts.read;
    assert_eq!(read("findOrder"), Duration::from_secs(60));
    assert_eq!(read("getStatus"), Duration::from_secs(10));
    for command in ["createOrder", "confirmPayment", "cancel"] {
        assert_eq!(read(command), Duration::from_secs(30), "{command}");
    }
    assert!(settings.max_reply_bytes > 32 << 20);
}

#[tokio::test]
async fn a_first_byte_that_is_late_is_waited_for_by_pages_only() {
    let server = box_office();
    let short = [
        ("TIMEOUTS__CONNECT", "200ms"),
        ("OPERATIONS__GET_STATUS__TIMEOUTS__READ", "300ms"),
        ("OPERATIONS__GET_STATUS__TIMEOUTS__CALL", "1500ms"),
        ("OPERATIONS__GET_STATUS__TIMEOUTS__REASON", "a test is short"),
        ("TIMEOUTS__REASON", "a test is short"),
        ("RETRY__MAX_ATTEMPTS", "1"),
    ];
    let odnakassa = odnakassa(&server, &short);
    server.script_everywhere(Script::always(Fault::SlowFirstByte(Duration::from_millis(900))));
    odnakassa.find_order(OrderSearch::default()).await.unwrap();
    let failure = odnakassa.progress("OK-1".into()).await.unwrap_err();
    assert!(matches!(failure, Failure::InDoubt(CallError::TimedOut { .. })), "{failure:?}");
}

#[tokio::test]
async fn a_command_sends_one_key_with_all_its_attempts() {
    let server = box_office();
    let odnakassa = odnakassa(&server, &[]);
    for path in [ORDERS, PAYMENT, CANCELLATION] {
        server.script(path, Script::times(1, Answer::status(503)).then(1, Fault::Close));
    }
    let held = odnakassa.hold(hold(), IdempotencyKey::new("hold-1")).await.unwrap();
    assert_eq!(held.id, "OK-1");
    let paid = odnakassa.confirm(payment(), IdempotencyKey::new("pay-1")).await.unwrap();
    assert_eq!((paid.tickets.len(), paid.total), (2, Money::rub(640_000)));
    odnakassa.cancel(cancellation(), IdempotencyKey::new("cancel-1")).await.unwrap_or_else(|f| panic!("{f:?}"));
    for (path, key) in [(ORDERS, "hold-1"), (PAYMENT, "pay-1"), (CANCELLATION, "cancel-1")] {
        let arrivals = server.recorder().arrivals(path);
        let keys: Vec<_> = arrivals.iter().filter_map(|arrival| arrival.header("idempotency-key")).collect();
        assert_eq!(keys, [key; 3], "{path}");
        assert!(arrivals.windows(2).all(|two| two[0].body == two[1].body), "{path}");
    }
    let body = server.recorder().arrivals(ORDERS)[0].json().unwrap();
    assert_eq!(body["places"].as_array().unwrap().len(), 2, "each place once");
}

#[tokio::test]
async fn a_conflict_is_a_no_and_the_box_offices_detail_stays_behind() {
    let server = box_office();
    let odnakassa = odnakassa(&server, &[]);
    let taken = json!({ "code": "places_taken", "detail": "seat A-4-17 sold to somebody" });
    server.script(ORDERS, Script::always(Answer::json(&taken).with_status(409)));
    let failure = odnakassa.hold(hold(), IdempotencyKey::random()).await.unwrap_err();
    assert_eq!(failure.refusal(), Some(&TicketsRefused::Conflict("places_taken".into())));
    assert!(!format!("{failure} {failure:?}").contains("somebody"));
    assert_eq!(server.recorder().count(ORDERS), 1);
}

#[tokio::test]
async fn a_reply_beyond_the_largest_page_is_given_up() {
    let server = box_office();
    let odnakassa = odnakassa(&server, &[("MAX_REPLY", "1 MiB")]);
    server.script(ORDERS, Script::always(Fault::Huge { bytes: 2 << 20 }));
    let error = odnakassa.find_order(OrderSearch::default()).await.unwrap_err();
    let CallError::Transport { fault, .. } = &error else { panic!("{error:?}") };
    assert_eq!(fault.kind(), FaultKind::ReplyTooLarge);
}
