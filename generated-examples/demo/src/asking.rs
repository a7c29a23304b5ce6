//! The things the shop asks for, each told in one line.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cofferdam_example_committed::integrations::f6::domain as f6;
use cofferdam_example_committed::integrations::sber::domain as sber;
use cofferdam_runtime::{CallError, IdempotencyKey, within};
use cofferdam_tests::MisbehavingServer;
use tokio::task::JoinSet;

use crate::stage::{DEPOSIT, LIST, ORDERS, REGISTER, STATUS, Stage};
use crate::tell::{line, seen};

/// Registers an order of 150.00.
pub(crate) async fn register(stage: &Stage, number: &str) {
    let order = sber::NewOrder {
        number: number.to_owned(),
        amount: sber::Money::rub(15_000),
        return_url: "https://shop.example/paid".to_owned(),
        description: None,
    };
    let call = stage.sber.register_order(order);
    one(stage, &stage.sber_server, REGISTER, &format!("register order {number}"), call, |order| {
        format!("registered as {}", order.id)
    })
    .await;
}

/// Asks where an order's money is.
pub(crate) async fn status(stage: &Stage, number: &str) {
    let call = stage.sber.get_order_status(sber::OrderQuery::Number(number.to_owned()));
    one(stage, &stage.sber_server, STATUS, &format!("status of {number}"), call, shown).await;
}

/// The same, by a caller with little time.
pub(crate) async fn status_within(stage: &Stage, number: &str, budget: Duration) {
    let call = stage.sber.get_order_status(sber::OrderQuery::Number(number.to_owned()));
    let asked = format!("status of {number}, {} at most", crate::tell::after(budget));
    one(stage, &stage.sber_server, STATUS, &asked, within(budget, call), shown).await;
}

fn shown(payment: &sber::Payment) -> String {
    format!("{:?}, {}", payment.state, payment.amount)
}

/// Takes the money of an order.
pub(crate) async fn deposit(stage: &Stage, number: &str) {
    let call = stage.sber.deposit(transfer(number));
    one(stage, &stage.sber_server, DEPOSIT, &format!("deposit {number}"), call, |()| "done".to_owned()).await;
}

fn transfer(number: &str) -> sber::Transfer {
    sber::Transfer { order_id: format!("G-{number}"), amount: sber::Money::rub(15_000) }
}

/// What the supplier offers.
pub(crate) async fn procurements(stage: &Stage) {
    let command = f6::ListProcurementsCommand { store_id: "S-7".to_owned(), status: None, limit: None };
    let call = stage.f6.list_procurements(command);
    let asked = "what f6 offers";
    one(stage, &stage.f6_server, LIST, asked, call, |list| format!("{} procurements", list.total)).await;
}

/// Orders goods, with a key.
pub(crate) async fn order(stage: &Stage, key: &str) {
    let line = f6::OrderLine { sku: "OIL-5W30".to_owned(), quantity: 4 };
    let goods = f6::NewOrder { store_id: "S-7".to_owned(), procurement_id: None, lines: vec![line], comment: None };
    let call = stage.f6.create_order(goods, Some(IdempotencyKey::new(key)));
    let asked = format!("order from f6, key {key}");
    one(stage, &stage.f6_server, ORDERS, &asked, call, |order| format!("order {}", order.id)).await;
}

/// Makes one call and tells how it went and what arrived.
async fn one<T, R>(
    stage: &Stage,
    server: &MisbehavingServer,
    path: &'static str,
    asked: &str,
    call: impl Future<Output = Result<T, CallError<R>>>,
    fine: impl FnOnce(&T) -> String,
) {
    stage.note(path);
    let before = server.recorder().count(path);
    let start = Instant::now();
    let answer = call.await;
    line(asked, &seen(&answer, fine), start.elapsed(), server.recorder().count(path) - before);
}

/// Deposits made at the same moment, told by how they ended; something else goes on meanwhile.
pub(crate) async fn deposits_at_once(stage: &Arc<Stage>, numbers: &[String], meanwhile: impl Future<Output = ()>) {
    let mut calls = JoinSet::new();
    for number in numbers.iter().cloned() {
        stage.note(DEPOSIT);
        let stage = stage.clone();
        calls.spawn(async move {
            let start = Instant::now();
            let words = seen(&stage.sber.deposit(transfer(&number)).await, |()| "done".to_owned());
            Ended { number, words, took: start.elapsed() }
        });
    }
    // Under way, the last of them refused or sent.
    let (_, ended) = tokio::join!(meanwhile, calls.join_all());
    let mut groups: Vec<Vec<Ended>> = Vec::new();
    for end in ended {
        match groups.iter_mut().find(|group| group.iter().any(|other| other.words == end.words)) {
            Some(group) => group.push(end),
            None => groups.push(vec![end]),
        }
    }
    for group in groups {
        let arrived = group.iter().map(|end| deposits_of(stage, &end.number)).sum();
        let took = group.iter().map(|end| end.took).max().unwrap_or_default();
        let asked = format!("{} of {} deposits at once", group.len(), numbers.len());
        line(&asked, &group[0].words, took, arrived);
    }
}

struct Ended {
    number: String,
    words: String,
    took: Duration,
}

fn deposits_of(stage: &Stage, number: &str) -> usize {
    let id = Some(format!("G-{number}"));
    let arrivals = stage.sber_server.recorder().arrivals(DEPOSIT);
    arrivals.iter().filter(|arrival| arrival.form_field("orderId") == id).count()
}
