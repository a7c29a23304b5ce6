//! A worker as a process of its own: `queue-worker DATABASE GATEWAY`. It stops when its input ends.

use std::error::Error;
use std::io::Read as _;
use std::process::ExitCode;

use cofferdam_queue_tests::database;
use cofferdam_queue_tests::shop::Shop;

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let [database, gateway] = words.as_slice() else {
        eprintln!("usage: queue-worker DATABASE GATEWAY");
        return ExitCode::from(2);
    };
    match work(database, gateway) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("queue-worker: {error}");
            ExitCode::FAILURE
        }
    }
}

fn work(database: &str, gateway: &str) -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let breaker = "    breaker: { wait-duration-in-open-state: 200ms }";
    runtime.block_on(async {
        let shop = Shop::at(gateway, breaker)?;
        let queue = database::open(database).await?;
        let (send, ended) = tokio::sync::oneshot::channel();
        std::thread::spawn(move || {
            // Whatever it is that ends it.
            let _ = std::io::stdin().read_to_end(&mut Vec::new());
            let _ = send.send(());
        });
        let stop = async {
            let _ = ended.await;
        };
        shop.worker(&queue).run(stop).await?;
        Ok(())
    })
}
