//! What the queue needs of a database, for both: run a statement, read its rows.

use sqlx::Row as _;

use super::sql::Sql;

/// A connection to either database: borrowed from a pool, or from the caller's own transaction, which the queue's
/// statement then is part of.
///
/// Made by `From`: `&mut *transaction` of sqlx is what the methods take.
#[derive(Debug)]
#[non_exhaustive]
pub enum Connection<'c> {
    /// SQLite.
    #[cfg(feature = "queue-sqlite")]
    Sqlite(&'c mut sqlx::SqliteConnection),
    /// PostgreSQL.
    #[cfg(feature = "queue-postgres")]
    Postgres(&'c mut sqlx::PgConnection),
}

#[cfg(feature = "queue-sqlite")]
impl<'c> From<&'c mut sqlx::SqliteConnection> for Connection<'c> {
    fn from(connection: &'c mut sqlx::SqliteConnection) -> Self {
        Self::Sqlite(connection)
    }
}

#[cfg(feature = "queue-postgres")]
impl<'c> From<&'c mut sqlx::PgConnection> for Connection<'c> {
    fn from(connection: &'c mut sqlx::PgConnection) -> Self {
        Self::Postgres(connection)
    }
}

/// A parameter of a statement.
#[derive(Debug, Clone, Copy)]
pub(super) enum Arg<'a> {
    Int(i64),
    MaybeInt(Option<i64>),
    Text(&'a str),
    MaybeText(Option<&'a str>),
}

macro_rules! bound {
    ($sql:expr, $args:expr) => {{
        let mut query = sqlx::query($sql);
        for arg in $args {
            query = match *arg {
                Arg::Int(value) => query.bind(value),
                Arg::MaybeInt(value) => query.bind(value),
                Arg::Text(value) => query.bind(value),
                Arg::MaybeText(value) => query.bind(value),
            };
        }
        query
    }};
}

impl Connection<'_> {
    /// Runs a statement; how many rows it touched.
    pub(super) async fn execute(&mut self, sql: Sql, args: &[Arg<'_>]) -> Result<u64, sqlx::Error> {
        Ok(match self {
            #[cfg(feature = "queue-sqlite")]
            Self::Sqlite(connection) => bound!(sql.sqlite, args).execute(&mut **connection).await?.rows_affected(),
            #[cfg(feature = "queue-postgres")]
            Self::Postgres(connection) => bound!(sql.postgres, args).execute(&mut **connection).await?.rows_affected(),
        })
    }

    /// Runs a statement; the rows it gives.
    pub(super) async fn rows(&mut self, sql: Sql, args: &[Arg<'_>]) -> Result<Vec<Row>, sqlx::Error> {
        Ok(match self {
            #[cfg(feature = "queue-sqlite")]
            Self::Sqlite(connection) => {
                let rows = bound!(sql.sqlite, args).fetch_all(&mut **connection).await?;
                rows.into_iter().map(Row::Sqlite).collect()
            }
            #[cfg(feature = "queue-postgres")]
            Self::Postgres(connection) => {
                let rows = bound!(sql.postgres, args).fetch_all(&mut **connection).await?;
                rows.into_iter().map(Row::Postgres).collect()
            }
        })
    }
}

/// A row of either database. Columns by their number.
pub(super) enum Row {
    #[cfg(feature = "queue-sqlite")]
    Sqlite(sqlx::sqlite::SqliteRow),
    #[cfg(feature = "queue-postgres")]
    Postgres(sqlx::postgres::PgRow),
}

macro_rules! column {
    ($name:ident, $ty:ty) => {
        pub(super) fn $name(&self, column: usize) -> Result<$ty, sqlx::Error> {
            match self {
                #[cfg(feature = "queue-sqlite")]
                Self::Sqlite(row) => row.try_get(column),
                #[cfg(feature = "queue-postgres")]
                Self::Postgres(row) => row.try_get(column),
            }
        }
    };
}

impl Row {
    column!(int, i64);
    column!(maybe_int, Option<i64>);
    column!(text, String);
    column!(maybe_text, Option<String>);
}
