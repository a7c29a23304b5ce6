//! The command: `cofferdam-service serve` among real systems, `cofferdam-service demo` among misbehaving ones.

use std::error::Error;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Parser, Subcommand};
use cofferdam_runtime::Settings;
use cofferdam_service::demo::Demo;
use cofferdam_service::systems::{Secrets, Service, Shared};
use cofferdam_service::{operator, routes};
use metrics_exporter_prometheus::PrometheusBuilder;
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

/// A shop's order service upon ten generated adapters.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Where the world reaches the service: orders, workbench.
    #[arg(long, global = true, default_value = "127.0.0.1:8080")]
    public: SocketAddr,
    /// Where those who run it reach it: health, metrics, the operators' page.
    #[arg(long, global = true, default_value = "127.0.0.1:8081")]
    internal: SocketAddr,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serves. Who we are at the systems comes from the environment: SBER_TOKEN, ORGANISER_KEY, INSURER_SECRET,
    /// INSURER_TOKEN_URL (optional), RECEIPT_PASSWORD, OPERATOR_TOKEN (optional).
    Serve {
        /// The settings; they are read again whenever the file changes.
        #[arg(long, default_value = "specs/resilience.yaml")]
        settings: PathBuf,
    },
    /// Serves among ten servers that misbehave on cue, under a small load.
    Demo {
        /// Seconds until it ends and tells what it counted; until Ctrl-C when not said.
        #[arg(long)]
        seconds: Option<u64>,
    },
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Arguments::parse()).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> Result<bool, Box<dyn Error + Send + Sync>> {
    let doors = (TcpListener::bind(arguments.public).await?, TcpListener::bind(arguments.internal).await?);
    // Before the adapters are made: their series are registered then.
    let prometheus = PrometheusBuilder::new().install_recorder()?;
    match arguments.command {
        Command::Serve { settings } => {
            log("info");
            let secrets = Secrets::from_environment().map_err(|name| format!("{name} is not set"))?;
            let settings = Settings::load(settings)?.watch();
            let service = Service::new(settings, &secrets, prometheus)?;
            serve(&service, doors, stopped()).await?;
            Ok(true)
        }
        Command::Demo { seconds } => {
            // Each failing call is told by the numbers; the log tells when a breaker changes.
            log("error,cofferdam_runtime::guard::telemetry=warn");
            let demo = Demo::start(prometheus)?;
            demo.tell_where(&arguments.public, &arguments.internal);
            let stop = async {
                match seconds {
                    Some(seconds) => demo.play(std::time::Duration::from_secs(seconds)).await,
                    None => tokio::select! {
                        () = demo.play(std::time::Duration::MAX) => {}
                        () = stopped() => {}
                    },
                }
            };
            serve(&demo.service, doors, stop).await?;
            Ok(demo.tell_totals())
        }
    }
}

fn log(default: &str) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(default));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
}

/// Serves until `stop` ends. Who watches the operators' page would keep it open for ever, so that router is not waited for.
async fn serve(
    service: &Shared,
    (public, internal): (TcpListener, TcpListener),
    stop: impl Future<Output = ()>,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    operator::spawn(service);
    let world = axum::serve(public, routes::public(Arc::<Service>::clone(service)));
    let operators = axum::serve(internal, routes::internal(Arc::<Service>::clone(service))?);
    tokio::select! {
        ended = async { world.await } => ended?,
        ended = async { operators.await } => ended?,
        () = stop => {}
    }
    Ok(())
}

async fn stopped() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
