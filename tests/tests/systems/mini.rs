//! The Mini domain: four internal systems that are only read, on one page.

use std::sync::{Arc, Barrier};
use std::time::Duration;

use cofferdam_example_committed::integrations::failure::Failure;
use cofferdam_example_committed::integrations::o2o::OnlineOrders as _;
use cofferdam_example_committed::integrations::roos::Replenishment as _;
use cofferdam_example_committed::integrations::roos::domain::NoSuchStore;
use cofferdam_example_committed::integrations::warranty::domain::ClaimState;
use cofferdam_example_committed::workbench::{Tile, Workbench};
use cofferdam_runtime::breaker::BreakerState;
use cofferdam_runtime::{CallError, Settings};
use cofferdam_tests::{Answer, Fault, MisbehavingServer, Script};
use serde_json::{Value, json};

use crate::stage::as_they_are;

const ORDERS: &str = "/o2o/orders/summary";
const CLAIMS: &str = "/warranty/claims";
const STORE: &str = "/stores/S-7";
const SHORTAGES: &str = "/roos/stores/S-7/shortages";
const MINI: [&str; 4] = ["o2o", "warranty", "retail-store", "roos"];
/// A page is there after this, whatever the four do.
const BUDGET: Duration = Duration::from_millis(800);

struct Mini {
    o2o: MisbehavingServer,
    warranty: MisbehavingServer,
    retail_store: MisbehavingServer,
    roos: MisbehavingServer,
    workbench: Workbench,
}

fn answers(path: &str) -> Value {
    match path {
        ORDERS => {
            json!({ "storeId": "S-7", "toPick": 4, "ready": 11, "late": 1, "updatedAt": "2026-09-01T12:00:00+03:00" })
        }
        CLAIMS => {
            let claim = |id, state| json!({ "id": id, "sku": "BATTERY-70", "state": state, "since": "2026-08-28" });
            json!({ "claims": [claim("W-1", "open"), claim("W-2", "lost_in_transit")] })
        }
        STORE => {
            let hours = json!({ "opens": "08:00", "closes": "21:00" });
            json!({ "id": "S-7", "name": "South Gate", "open": true, "onShift": 5, "hours": hours })
        }
        _ => json!([{ "sku": "OIL-5W30", "left": 2, "perDay": 1.5, "arrivesOn": "2026-09-03" }]),
    }
}

fn server(path: &str) -> MisbehavingServer {
    let server = MisbehavingServer::start().unwrap();
    server.answers(path, Answer::json(&answers(path)));
    server
}

impl Mini {
    fn new() -> Self {
        let [o2o, warranty, retail_store, roos] = [ORDERS, CLAIMS, STORE, SHORTAGES].map(server);
        let at = |name: &str, server: &MisbehavingServer| (format!("COFFERDAM__{name}__BASE_URL"), server.url());
        let variables =
            [at("O2O", &o2o), at("WARRANTY", &warranty), at("RETAIL_STORE", &retail_store), at("ROOS", &roos)];
        let text = include_str!("../../../specs/resilience.yaml");
        let settings = Settings::parse_with(text, "resilience.yaml", variables).unwrap();
        let workbench = Workbench::connect(&settings).unwrap();
        Self { o2o, warranty, retail_store, roos, workbench }
    }
}

#[tokio::test]
async fn the_page_shows_all_four() {
    let mini = Mini::new();
    let page = mini.workbench.page("S-7", BUDGET).await;
    assert_eq!(page.empty_tiles(), 0);
    let Tile::Filled(store) = &page.store else { panic!() };
    assert_eq!((store.name.as_str(), store.on_shift), ("South Gate", 5));
    let Tile::Filled(orders) = &page.orders else { panic!() };
    assert_eq!((orders.to_pick, orders.ready, orders.late), (4, 11, 1));
    let Tile::Filled(claims) = &page.claims else { panic!() };
    assert_eq!((&claims[0].state, &claims[1].state), (&ClaimState::Open, &ClaimState::Other("lost_in_transit".into())));
    let Tile::Filled(shortages) = &page.shortages else { panic!() };
    assert_eq!((shortages[0].left, shortages[0].per_day), (2, 1.5));
}

#[tokio::test]
async fn the_four_are_asked_at_once() {
    let mini = Mini::new();
    // Each answers when all four have been asked: one after the other, the first would wait for ever.
    let all_asked = Arc::new(Barrier::new(4));
    let servers = [(&mini.o2o, ORDERS), (&mini.warranty, CLAIMS), (&mini.retail_store, STORE), (&mini.roos, SHORTAGES)];
    for (server, path) in servers {
        let all_asked = Arc::clone(&all_asked);
        server.answers_with(path, move |arrival| {
            all_asked.wait();
            Answer::json(&answers(&arrival.path))
        });
    }
    let page = mini.workbench.page("S-7", Duration::from_secs(30)).await;
    assert_eq!(page.empty_tiles(), 0);
}

#[tokio::test]
async fn one_that_hangs_costs_its_tile_and_no_other() {
    for hanging in 0..4 {
        let mini = Mini::new();
        let servers = [&mini.retail_store, &mini.o2o, &mini.warranty, &mini.roos];
        servers[hanging].script_everywhere(Script::always(Fault::Hang));
        let page = mini.workbench.page("S-7", BUDGET).await;
        let code = |tile: usize| [30_804, 30_604, 30_704, 30_904][tile];
        let codes = [code_of(&page.store), code_of(&page.orders), code_of(&page.claims), code_of(&page.shortages)];
        let expected: Vec<_> = (0..4).map(|tile| (tile == hanging).then(|| code(tile))).collect();
        assert_eq!(codes, expected[..]);
    }
}

fn code_of<T>(tile: &Tile<T>) -> Option<u32> {
    match tile {
        Tile::Filled(_) => None,
        Tile::Empty { code } => Some(*code),
    }
}

#[tokio::test]
async fn with_all_four_out_there_is_still_a_page() {
    let mini = Mini::new();
    mini.o2o.refuse().await;
    mini.warranty.script_everywhere(Script::always(Answer::status(500)));
    mini.retail_store.script_everywhere(Script::always(Fault::GarbageBody));
    mini.roos.script_everywhere(Script::always(Fault::Hang));
    let page = mini.workbench.page("S-7", BUDGET).await;
    assert_eq!(page.empty_tiles(), 4);
}

#[tokio::test]
async fn a_store_that_is_not_there_is_a_no_and_not_an_outage() {
    let mini = Mini::new();
    mini.roos.script(SHORTAGES, Script::always(Answer::status(404)));
    let failure = mini.workbench.roos.shortages("S-7".into()).await.unwrap_err();
    assert_eq!(failure.refusal(), Some(&NoSuchStore));
    assert_eq!(mini.roos.recorder().count(SHORTAGES), 1);
}

#[tokio::test]
async fn the_breaker_is_off_and_limits_and_bulkhead_stay() {
    let mini = Mini::new();
    let o2o = &mini.workbench.o2o;
    mini.o2o.script(ORDERS, Script::times(240, Answer::status(500)));
    // The retry budget lets some of them be sent again: what counts is that none is refused.
    for _ in 0..60 {
        let failure = o2o.to_hand_out("S-7".into()).await.unwrap_err();
        assert!(matches!(failure, Failure::Failed(CallError::ServerError { .. })), "{failure:?}");
    }
    assert_eq!(o2o.guard().breaker().state(), BreakerState::Disabled);
    mini.o2o.behave();
    mini.o2o.recorder().clear();
    mini.o2o.script(ORDERS, Script::always(Fault::Hang));
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..25 {
        let o2o = o2o.clone();
        calls.spawn(async move { o2o.to_hand_out("S-7".into()).await.unwrap_err() });
    }
    let mut full = 0;
    let mut late = 0;
    while let Some(failure) = calls.join_next().await {
        match failure.unwrap() {
            Failure::Unavailable(CallError::BulkheadFull { .. }) => full += 1,
            Failure::InDoubt(CallError::TimedOut { .. }) => late += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((full, late), (5, 20));
}

#[test]
fn the_profile_is_internal_and_a_breaker_that_is_off_needs_its_reason() {
    let settings = as_they_are();
    for name in MINI {
        let settings = settings.system(name).unwrap().load();
        assert!(!settings.breaker.enabled && settings.bulkhead.enabled, "{name}");
        assert_eq!(settings.bulkhead.max_concurrent, 20);
        assert_eq!(
            (settings.timeouts.connect, settings.timeouts.read),
            (Duration::from_millis(500), Duration::from_secs(1))
        );
    }
    let text = include_str!("../../../specs/resilience.yaml");
    let unreasoned =
        text.replace(", reason: \"our own, only read, and a tile may stay empty: limits and bulkhead are enough\"", "");
    let faults = Settings::parse(&unreasoned, "resilience.yaml").map(|_| ()).unwrap_err().to_string();
    assert_eq!(faults.matches("R-RES-WHERE-2").count(), 4, "{faults}");
}
