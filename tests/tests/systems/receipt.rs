//! Fiscal receipts: handed in, then asked about; a number is written once; the token has an end.

use cofferdam_example_committed::integrations::failure::Failure;
use cofferdam_example_committed::integrations::receipt::access::sign_in;
use cofferdam_example_committed::integrations::receipt::domain::{
    Fate, HandedIn, Line, Login, Receipt, ReceiptQuery, ReceiptRefused, Vat,
};
use cofferdam_example_committed::integrations::receipt::{ReceiptAdapter, ReceiptMapping, Receipts};
use cofferdam_example_committed::money::{Currency, Money};
use cofferdam_runtime::{CallError, Uuid};
use cofferdam_tests::{Answer, Fault, MisbehavingServer, Script};
use serde_json::json;

use crate::stage::{SOON, recorded, settings};

const TOKEN: &str = "/fiscal/v4/token";
const SELL: &str = "/fiscal/v4/shop/sell";
const FIRST: &str = "0197a3c4-5d6e-7f80-9a1b-2c3d4e5f6071";
const REPORT: &str = "/fiscal/v4/shop/report/0197a3c4-5d6e-7f80-9a1b-2c3d4e5f6071";

fn service() -> MisbehavingServer {
    let server = MisbehavingServer::start().unwrap();
    server.answers(TOKEN, Answer::json(&json!({ "token": "T-1", "expiresIn": 86_400 })));
    server.answers(SELL, Answer::json(&json!({ "uuid": FIRST, "status": "wait" })).with_status(202));
    let mark = json!({
        "document": 4711, "sign": "2890718234", "register": "7380440700005621",
        "writtenAt": "2026-09-01T12:07:40+03:00",
    });
    server.answers(REPORT, Answer::json(&json!({ "uuid": FIRST, "status": "done", "fiscal": mark })));
    server
}

fn receipts(server: &MisbehavingServer) -> ReceiptAdapter<ReceiptMapping> {
    let settings = settings("receipt", &format!("{}/fiscal/v4", server.url()), &[SOON]);
    let login = Login { name: "shop".into(), password: "correct-horse".into() };
    ReceiptAdapter::connect(&settings, sign_in(login), ReceiptMapping).unwrap()
}

fn uuid() -> Uuid {
    FIRST.parse().unwrap()
}

fn receipt() -> Receipt {
    let ticket = Line { name: "Ticket".into(), price: Money::rub(320_000), quantity: 2, vat: Vat::None };
    let policy = Line { name: "Policy".into(), price: Money::rub(32_000), quantity: 1, vat: Vat::Twenty };
    let (number, email) = ("A-1".into(), "buyer@shop.example".into());
    Receipt { group: "shop".into(), number, email, lines: vec![ticket, policy] }
}

fn query() -> ReceiptQuery {
    ReceiptQuery { group: "shop".into(), uuid: uuid() }
}

#[tokio::test]
async fn a_receipt_is_handed_in_and_asked_about_until_it_is_written() {
    let server = service();
    let receipts = receipts(&server);
    let waiting = Answer::json(&json!({ "uuid": FIRST, "status": "wait" }));
    server.script(REPORT, Script::times(2, waiting));
    let handed_in = receipts.hand_in(receipt()).await.unwrap();
    assert_eq!(handed_in, HandedIn { uuid: uuid(), before: false });
    let query = ReceiptQuery { group: "shop".into(), uuid: handed_in.uuid };
    assert_eq!(receipts.fate(query.clone()).await.unwrap(), Fate::Waiting);
    assert_eq!(receipts.fate(query.clone()).await.unwrap(), Fate::Waiting);
    let Fate::Written(mark) = receipts.fate(query).await.unwrap() else { panic!() };
    assert_eq!((mark.document, mark.sign.as_str()), (4711, "2890718234"));
    let sent = server.recorder().arrivals(SELL).remove(0).json().unwrap();
    assert_eq!((&sent["externalId"], &sent["receipt"]["total"]), (&json!("A-1"), &json!(672_000)));
}

#[tokio::test]
async fn a_receipt_that_cannot_be_written_is_an_answer_and_no_failure_of_the_service() {
    let server = service();
    let receipts = receipts(&server);
    let failed = json!({ "uuid": FIRST, "status": "fail", "error": { "code": 16, "text": "paper is out" } });
    server.script(REPORT, Script::always(Answer::json(&failed)));
    assert_eq!(receipts.fate(query()).await.unwrap(), Fate::Failed(16));
    assert_eq!(recorded(receipts.guard()), (1, 0));
}

#[tokio::test]
async fn a_duplicate_external_id_is_answered_with_the_first_number() {
    let server = service();
    let receipts = receipts(&server);
    let duplicate = Answer::json(&json!({ "uuid": FIRST, "code": 33 })).with_status(409);
    server.script(SELL, Script::always(duplicate));
    assert_eq!(receipts.hand_in(receipt()).await.unwrap(), HandedIn { uuid: uuid(), before: true });
    assert_eq!(server.recorder().count(SELL), 1);
}

#[tokio::test]
async fn an_attempt_that_finds_its_own_first_one_is_a_receipt_handed_in() {
    let server = service();
    let receipts = receipts(&server);
    let duplicate = Answer::json(&json!({ "uuid": FIRST, "code": 33 })).with_status(409);
    server.script(SELL, Script::times(1, Fault::Close).then_always(duplicate));
    assert_eq!(receipts.hand_in(receipt()).await.unwrap().uuid, uuid());
    let arrivals = server.recorder().arrivals(SELL);
    let ids: Vec<_> = arrivals.iter().map(|one| one.json().unwrap()["externalId"].clone()).collect();
    assert_eq!(ids, [json!("A-1"), json!("A-1")], "one number for both attempts");
}

#[tokio::test]
async fn the_token_is_fetched_once_and_sent_with_every_call() {
    let server = service();
    let receipts = receipts(&server);
    let (a, b) = tokio::join!(receipts.hand_in(receipt()), receipts.fate(query()));
    a.unwrap();
    b.unwrap();
    receipts.fate(query()).await.unwrap();
    let logins = server.recorder().arrivals(TOKEN);
    assert_eq!(logins.len(), 1);
    assert_eq!(logins[0].json().unwrap(), json!({ "login": "shop", "password": "correct-horse" }));
    assert_eq!(logins[0].header("authorization"), None);
    for arrival in server.recorder().all().iter().filter(|one| one.path != TOKEN) {
        assert_eq!(arrival.header("authorization"), Some("Bearer T-1"));
    }
}

#[tokio::test]
async fn a_token_at_its_end_is_fetched_anew() {
    let server = service();
    let receipts = receipts(&server);
    server.script(TOKEN, Script::times(1, Answer::json(&json!({ "token": "T-0", "expiresIn": 0 }))));
    receipts.fate(query()).await.unwrap();
    receipts.fate(query()).await.unwrap();
    let tokens: Vec<_> =
        server.recorder().arrivals(REPORT).into_iter().map(|one| one.headers["authorization"].clone()).collect();
    assert_eq!(
        (server.recorder().count(TOKEN), tokens),
        (2, vec!["Bearer T-0".parse().unwrap(), "Bearer T-1".parse().unwrap()])
    );
}

#[tokio::test]
async fn a_login_that_is_refused_sends_nothing_shows_nothing_and_blames_nobody() {
    let server = service();
    let receipts = receipts(&server);
    let refused = Answer::json(&json!({ "code": 12, "text": "correct-horse is wrong" })).with_status(401);
    server.script(TOKEN, Script::always(refused));
    let failure = receipts.hand_in(receipt()).await.unwrap_err();
    assert!(matches!(failure, Failure::Unavailable(CallError::NotSent { .. })), "{failure:?}");
    assert!(!format!("{failure} {failure:?}").contains("correct-horse"));
    assert_eq!((server.recorder().count(SELL), recorded(receipts.guard())), (0, (0, 0)));
}

#[tokio::test]
async fn a_no_keeps_its_number_and_a_receipt_in_other_money_is_never_sent() {
    let server = service();
    let receipts = receipts(&server);
    server.script(REPORT, Script::always(Answer::json(&json!({ "code": 34, "text": "no such" })).with_status(404)));
    assert_eq!(receipts.fate(query()).await.unwrap_err().refusal(), Some(&ReceiptRefused::Unknown));
    let mut odd = receipt();
    odd.lines[0].price = Money::minor(1, Currency::Eur);
    let failure = receipts.hand_in(odd).await.unwrap_err();
    assert!(matches!(failure, Failure::Unavailable(CallError::Mapping { .. })), "{failure:?}");
    assert_eq!(server.recorder().count(SELL), 0);
}
