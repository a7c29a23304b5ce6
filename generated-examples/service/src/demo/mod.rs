//! The service among ten servers that misbehave on cue, under a small load: what a newcomer watches.

mod gateway;
mod load;
mod scenes;
mod servers;
mod tally;

use std::error::Error;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use cofferdam_runtime::Settings;
use metrics_exporter_prometheus::PrometheusHandle;

use self::servers::Servers;
use self::tally::Tally;
use crate::systems::{Secrets, Service, Shared};

/// What an operator shows in the demo.
const OPERATOR_TOKEN: &str = "let-me-operate";
const SETTINGS: &str = include_str!("resilience.yaml");

/// A running demo.
pub struct Demo {
    /// The service.
    pub service: Shared,
    servers: Arc<Servers>,
    tally: Arc<Tally>,
    settings_file: PathBuf,
}

impl Demo {
    /// Starts the servers, and the service among them.
    ///
    /// # Errors
    /// When there are no free ports, or the settings cannot be written.
    pub fn start(prometheus: PrometheusHandle) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let servers = Servers::start()?;
        let settings_file = std::env::temp_dir().join(format!("cofferdam-demo-{}.yaml", std::process::id()));
        std::fs::write(&settings_file, servers.addressed(SETTINGS))?;
        let settings = Settings::load(&settings_file)?.watch_every(Duration::from_secs(1));
        let secrets = Secrets {
            sber_token: "demo".to_owned(),
            organiser_key: "demo".to_owned(),
            insurer: ("demo".to_owned(), Some(servers.token_url())),
            receipt_password: "demo".to_owned(),
            operator_token: Some(OPERATOR_TOKEN.to_owned()),
        };
        let service = Service::new(settings, &secrets, prometheus)?;
        Ok(Self { service, servers: Arc::new(servers), tally: Arc::default(), settings_file })
    }

    /// Plays the scenes, under load, for so long.
    pub async fn play(&self, time: Duration) {
        let ends = tokio::time::Instant::now().checked_add(time);
        let load = load::run(Arc::clone(&self.service), Arc::clone(&self.tally));
        let all = async { tokio::join!(scenes::play(&self.servers), load) };
        match ends {
            Some(ends) => drop(tokio::time::timeout_at(ends, all).await),
            None => drop(all.await),
        }
    }

    /// Says where to look.
    pub fn tell_where(&self, public: &SocketAddr, internal: &SocketAddr) {
        println!("Orders, workbench     http://{public}/workbench/S-7");
        println!("The operators' page   http://{internal}/operator   (token: {OPERATOR_TOKEN})");
        println!("Health                http://{internal}/health/readiness");
        println!("Metrics               http://{internal}/metrics");
        println!("Settings, read again  {}", self.settings_file.display());
        println!();
    }

    /// What was asked and what came of it. Whether no write was done twice.
    #[must_use]
    pub fn tell_totals(&self) -> bool {
        let twice = self.servers.done_twice();
        self.tally.tell(&self.service);
        println!("writes done twice          {}", twice.len());
        twice.iter().for_each(|what| println!("  {what}"));
        twice.is_empty()
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        // It is a copy, and of no use without the servers.
        let _ = std::fs::remove_file(&self.settings_file);
    }
}
