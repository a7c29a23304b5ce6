//! A queue's database by its address, so that another process can open it too.

use std::error::Error;
use std::str::FromStr as _;
use std::time::Duration;

use cofferdam_runtime::queue::{Queue, QueueError};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, PgConnection, SqliteConnection};
use tempfile::TempDir;

use crate::postgres::Postgres;

/// A database with nothing in it.
#[derive(Debug)]
pub struct Database {
    /// `sqlite:PATH` or `postgres://…`.
    pub url: String,
    _folder: Option<TempDir>,
    /// The server, where it is this database's alone.
    pub server: Option<Postgres>,
}

impl Database {
    /// One in a file.
    ///
    /// # Errors
    /// When there is no place for it.
    pub fn sqlite() -> Result<Self, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let url = format!("sqlite:{}", folder.path().join("tasks.db").display());
        Ok(Self { url, _folder: Some(folder), server: None })
    }

    /// One on a server of its own; `None` where there is no PostgreSQL.
    ///
    /// # Errors
    /// When the server does not start.
    pub async fn postgres() -> Result<Option<Self>, Box<dyn Error>> {
        let Some(server) = Postgres::start().await? else { return Ok(None) };
        Ok(Some(Self { url: server.database().await?, _folder: None, server: Some(server) }))
    }

    /// One of each kind there is.
    ///
    /// # Errors
    /// When one cannot be had.
    pub async fn each() -> Result<Vec<Self>, Box<dyn Error>> {
        let mut all = vec![Self::sqlite()?];
        all.extend(Self::postgres().await?);
        Ok(all)
    }

    /// Whether it is PostgreSQL.
    #[must_use]
    pub fn is_postgres(&self) -> bool {
        self.url.starts_with("postgres")
    }

    /// The queue in it.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub async fn queue(&self) -> Result<Queue, QueueError> {
        open(&self.url).await
    }

    /// Runs a statement, past the queue.
    ///
    /// # Errors
    /// When the database says no.
    pub async fn execute(&self, statement: &str) -> Result<(), sqlx::Error> {
        match self.url.strip_prefix("sqlite:") {
            Some(path) => sqlx::query(statement).execute(&mut sqlite(path).await?).await.map(|_| ()),
            None => sqlx::query(statement).execute(&mut postgres(&self.url).await?).await.map(|_| ()),
        }
    }

    /// The number that a statement gives, past the queue.
    ///
    /// # Errors
    /// When the database says no.
    pub async fn number(&self, statement: &str) -> Result<i64, sqlx::Error> {
        match self.url.strip_prefix("sqlite:") {
            Some(path) => sqlx::query_scalar(statement).fetch_one(&mut sqlite(path).await?).await,
            None => sqlx::query_scalar(statement).fetch_one(&mut postgres(&self.url).await?).await,
        }
    }
}

async fn sqlite(path: &str) -> Result<SqliteConnection, sqlx::Error> {
    SqliteConnectOptions::new().filename(path).busy_timeout(Duration::from_secs(20)).connect().await
}

async fn postgres(url: &str) -> Result<PgConnection, sqlx::Error> {
    PgConnectOptions::from_str(url)?.connect().await
}

/// The queue at an address.
///
/// # Errors
/// When it cannot be opened.
pub async fn open(url: &str) -> Result<Queue, QueueError> {
    match url.strip_prefix("sqlite:") {
        Some(path) => Queue::sqlite_file(path).await,
        None => {
            let options = PgPoolOptions::new().max_connections(4).acquire_timeout(Duration::from_secs(5));
            Queue::postgres(options.connect(url).await?).await
        }
    }
}
