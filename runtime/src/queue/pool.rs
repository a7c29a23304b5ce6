//! Pools of either database, and what is got from them.

use super::connection::Connection;
use super::error::QueueError;

/// A pool of either database. Cloning it gives the same pool.
#[derive(Debug, Clone)]
pub(super) enum Pool {
    #[cfg(feature = "queue-sqlite")]
    Sqlite(sqlx::SqlitePool),
    #[cfg(feature = "queue-postgres")]
    Postgres(sqlx::PgPool),
}

impl Pool {
    pub(super) async fn acquire(&self) -> Result<Held, sqlx::Error> {
        Ok(match self {
            #[cfg(feature = "queue-sqlite")]
            Self::Sqlite(pool) => Held::Sqlite(pool.acquire().await?),
            #[cfg(feature = "queue-postgres")]
            Self::Postgres(pool) => Held::Postgres(pool.acquire().await?),
        })
    }

    /// A transaction; in SQLite one that is going to write.
    pub(super) async fn begin(&self) -> Result<Transaction, sqlx::Error> {
        Ok(match self {
            #[cfg(feature = "queue-sqlite")]
            Self::Sqlite(pool) => Transaction::Sqlite(pool.begin_with("BEGIN IMMEDIATE").await?),
            #[cfg(feature = "queue-postgres")]
            Self::Postgres(pool) => Transaction::Postgres(pool.begin().await?),
        })
    }

    /// A connection, as a transaction if several statements belong together.
    pub(super) async fn begin_if(&self, several: bool) -> Result<Session, sqlx::Error> {
        Ok(match several {
            true => Session::Transaction(self.begin().await?),
            false => Session::Held(self.acquire().await?),
        })
    }

    /// That what is committed stays so. The queue's promise to send a write at most once rests on it: the mark that the
    /// sending has begun must not be lost.
    pub(super) async fn check_durable(&self) -> Result<(), QueueError> {
        match self {
            #[cfg(feature = "queue-sqlite")]
            Self::Sqlite(pool) => {
                let level: i64 = sqlx::query_scalar("PRAGMA synchronous").fetch_one(pool).await?;
                if level < 2 {
                    return Err(QueueError::NotDurable(format!(
                        "SQLite's `synchronous` is {level}; connect with FULL (2) or EXTRA (3)"
                    )));
                }
            }
            #[cfg(feature = "queue-postgres")]
            Self::Postgres(pool) => {
                let level: String = sqlx::query_scalar("SHOW synchronous_commit").fetch_one(pool).await?;
                if level == "off" {
                    return Err(QueueError::NotDurable(
                        "PostgreSQL's `synchronous_commit` is off for this user or database".to_owned(),
                    ));
                }
            }
        }
        Ok(())
    }
}

/// A connection out of a pool.
#[derive(Debug)]
pub(super) enum Held {
    #[cfg(feature = "queue-sqlite")]
    Sqlite(sqlx::pool::PoolConnection<sqlx::Sqlite>),
    #[cfg(feature = "queue-postgres")]
    Postgres(sqlx::pool::PoolConnection<sqlx::Postgres>),
}

impl Held {
    pub(super) fn connection(&mut self) -> Connection<'_> {
        match self {
            #[cfg(feature = "queue-sqlite")]
            Self::Sqlite(held) => Connection::Sqlite(held),
            #[cfg(feature = "queue-postgres")]
            Self::Postgres(held) => Connection::Postgres(held),
        }
    }
}

/// A transaction of the queue's own. Dropped, it did nothing.
#[derive(Debug)]
pub(super) enum Transaction {
    #[cfg(feature = "queue-sqlite")]
    Sqlite(sqlx::Transaction<'static, sqlx::Sqlite>),
    #[cfg(feature = "queue-postgres")]
    Postgres(sqlx::Transaction<'static, sqlx::Postgres>),
}

impl Transaction {
    pub(super) fn connection(&mut self) -> Connection<'_> {
        match self {
            #[cfg(feature = "queue-sqlite")]
            Self::Sqlite(transaction) => Connection::Sqlite(transaction),
            #[cfg(feature = "queue-postgres")]
            Self::Postgres(transaction) => Connection::Postgres(transaction),
        }
    }

    pub(super) async fn commit(self) -> Result<(), sqlx::Error> {
        match self {
            #[cfg(feature = "queue-sqlite")]
            Self::Sqlite(transaction) => transaction.commit().await,
            #[cfg(feature = "queue-postgres")]
            Self::Postgres(transaction) => transaction.commit().await,
        }
    }
}

/// A connection whose statements are each for themselves, or all or nothing.
#[derive(Debug)]
pub(super) enum Session {
    Held(Held),
    Transaction(Transaction),
}

impl Session {
    pub(super) fn connection(&mut self) -> Connection<'_> {
        match self {
            Self::Held(held) => held.connection(),
            Self::Transaction(transaction) => transaction.connection(),
        }
    }

    pub(super) async fn commit(self) -> Result<(), sqlx::Error> {
        match self {
            Self::Held(_) => Ok(()),
            Self::Transaction(transaction) => transaction.commit().await,
        }
    }
}
