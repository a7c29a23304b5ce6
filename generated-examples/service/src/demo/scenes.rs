//! What goes wrong, one after the other, again and again.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cofferdam_testing::{Answer, Fault, MisbehavingServer, Script, Step};

use super::servers::Servers;

/// How long a scene is.
const BAD: Duration = Duration::from_secs(16);
/// And the good time after it, in which breakers close.
const GOOD: Duration = Duration::from_secs(12);

/// A scene: what is told, and what is done.
type Scene = (&'static str, fn(&Servers));

const SCENES: [Scene; 9] = [
    ("sber: every second call fails; 30 % open its breaker", |servers| {
        every_second(&servers.sber, || Answer::status(503).into());
    }),
    ("insurance: slow, and no call fails; orders go on without a policy", |servers| {
        servers.insurance.script_everywhere(always(Fault::SlowFirstByte(Duration::from_millis(450))));
    }),
    ("f6: connections break; an old list stands in", |servers| servers.f6.script_everywhere(always(Fault::Close))),
    ("o2o and roos: hang; their tiles stay empty, their bulkheads are full, no breaker opens", |servers| {
        servers.o2o.script_everywhere(always(Fault::Hang));
        servers.roos.script_everywhere(always(Fault::Hang));
    }),
    ("payment-service: hangs; charges are unconfirmed", |servers| {
        servers.payment_service.script_everywhere(always(Fault::Hang));
    }),
    ("receipt: down; orders are paid, receipts follow later", |servers| {
        servers.receipt.script_everywhere(always(Answer::status(500)));
    }),
    ("sber: does what it is told, and its answers are lost", |servers| {
        every_second(&servers.sber, || Fault::Close.into());
    }),
    ("odnakassa: answers with a page of its proxy", |servers| {
        servers.odnakassa.script_everywhere(always(Fault::GarbageBody));
    }),
    ("everything at once", |servers| {
        for (_, server) in servers.all() {
            every_second(server, || Fault::Close.into());
        }
    }),
];

pub(super) async fn play(servers: &Servers) {
    loop {
        for (words, begin) in SCENES {
            tell("all ten are fine");
            tokio::time::sleep(GOOD).await;
            tell(words);
            begin(servers);
            tokio::time::sleep(BAD).await;
            servers.all().into_iter().for_each(|(_, server)| server.behave());
        }
    }
}

fn tell(words: &str) {
    println!("-- {words}");
}

fn always(step: impl Into<Step>) -> Script {
    Script::always(step)
}

fn every_second(server: &MisbehavingServer, step: impl Fn() -> Step + Send + Sync + 'static) {
    let count = AtomicUsize::new(0);
    server.decides(move |_| match count.fetch_add(1, Ordering::Relaxed) % 2 {
        0 => step(),
        _ => Step::fine(),
    });
}
