//! The queue's tables and how they come about.
//!
//! They are made by statements of the queue's own, with a version table of its own: sqlx's migrations keep one list for a
//! database, which belongs to the service.

use super::connection::Arg;
use super::error::QueueError;
use super::pool::Pool;
use super::sql::Sql;

/// One step from a version to the next: its statements, in order.
type Step = &'static [Sql];

macro_rules! ddl {
    ($id:literal, $rest:literal) => {
        Sql {
            #[cfg(feature = "queue-sqlite")]
            sqlite: concat!($id, "INTEGER PRIMARY KEY AUTOINCREMENT", $rest),
            #[cfg(feature = "queue-postgres")]
            postgres: concat!($id, "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", $rest),
        }
    };
    ($same:literal) => {
        Sql {
            #[cfg(feature = "queue-sqlite")]
            sqlite: $same,
            #[cfg(feature = "queue-postgres")]
            postgres: $same,
        }
    };
}

/// All steps. A released one is never changed.
const STEPS: &[Step] = &[&[
    ddl!(
        "CREATE TABLE cofferdam_tasks (id ",
        ", system TEXT NOT NULL, operation TEXT NOT NULL, \
        kind TEXT NOT NULL CHECK (kind IN ('read', 'keyed', 'once')), \
        payload TEXT NOT NULL, payload_version BIGINT NOT NULL, idempotency_key TEXT, \
        state TEXT NOT NULL CHECK (state IN ('waiting', 'claimed', 'sending', 'completed', 'failed', 'unconfirmed')), \
        attempts BIGINT NOT NULL DEFAULT 0, losses BIGINT NOT NULL DEFAULT 0, \
        may_have_arrived BIGINT NOT NULL DEFAULT 0, \
        next_attempt_at BIGINT NOT NULL, created_at BIGINT NOT NULL, touched_at BIGINT NOT NULL, finished_at BIGINT, \
        worker TEXT, lease BIGINT NOT NULL DEFAULT 0, lease_until BIGINT, \
        last_error TEXT, error_code BIGINT, result TEXT, \
        CHECK (kind <> 'keyed' OR idempotency_key IS NOT NULL), \
        UNIQUE (system, operation, idempotency_key))"
    ),
    ddl!(
        "CREATE INDEX cofferdam_tasks_due ON cofferdam_tasks (system, operation, next_attempt_at, id) \
         WHERE state = 'waiting'"
    ),
    ddl!("CREATE INDEX cofferdam_tasks_leased ON cofferdam_tasks (lease_until) WHERE state IN ('claimed', 'sending')"),
    ddl!("CREATE INDEX cofferdam_tasks_finished ON cofferdam_tasks (state, finished_at) WHERE finished_at IS NOT NULL"),
]];

const LOCK: Sql = Sql {
    // The transaction holds the only lock there is.
    #[cfg(feature = "queue-sqlite")]
    sqlite: "SELECT 1",
    #[cfg(feature = "queue-postgres")]
    postgres: "SELECT 1 FROM (SELECT pg_advisory_xact_lock(5029380713862107136)) AS locked",
};
const CREATE_VERSIONS: Sql =
    ddl!("CREATE TABLE IF NOT EXISTS cofferdam_queue_versions (version BIGINT PRIMARY KEY, made_by TEXT NOT NULL)");
const VERSION: Sql = ddl!("SELECT CAST(COALESCE(MAX(version), 0) AS BIGINT) FROM cofferdam_queue_versions");
const MADE: Sql = ddl!("INSERT INTO cofferdam_queue_versions (version, made_by) VALUES ($1, $2)");

/// Brings the tables to this version, all or nothing. Any number of processes may do it at once.
pub(super) async fn migrate(pool: &Pool) -> Result<(), QueueError> {
    let mut transaction = pool.begin().await?;
    let mut connection = transaction.connection();
    connection.execute(LOCK, &[]).await?;
    connection.execute(CREATE_VERSIONS, &[]).await?;
    let made = match connection.rows(VERSION, &[]).await?.first() {
        Some(row) => row.int(0)?,
        None => 0,
    };
    let made = usize::try_from(made).unwrap_or_default();
    if made > STEPS.len() {
        return Err(QueueError::Schema(format!(
            "they have version {made}, made by a later version of this crate, which knows {}",
            STEPS.len()
        )));
    }
    for (version, step) in (1i64..).zip(STEPS).skip(made) {
        for statement in *step {
            connection.execute(*statement, &[]).await?;
        }
        connection.execute(MADE, &[Arg::Int(version), Arg::Text(env!("CARGO_PKG_VERSION"))]).await?;
    }
    transaction.commit().await?;
    Ok(())
}
