//! The statements, each in the words of both databases.

/// One statement. Parameters are numbered (`$1`), which both databases take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sql {
    #[cfg(feature = "queue-sqlite")]
    pub(super) sqlite: &'static str,
    #[cfg(feature = "queue-postgres")]
    pub(super) postgres: &'static str,
}

/// What the databases say differently.
///
/// Time is the database's own, in milliseconds since 1970, read when the statement runs: workers on several machines
/// need not agree about it.
macro_rules! piece {
    (sqlite NOW) => {
        "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
    };
    (postgres NOW) => {
        "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
    };
    // A single statement of SQLite is alone in the database anyway.
    (sqlite SKIP_LOCKED) => {
        ""
    };
    (postgres SKIP_LOCKED) => {
        " FOR UPDATE SKIP LOCKED"
    };
    (sqlite NUMBERS_IN_2) => {
        "(SELECT value FROM json_each($2))"
    };
    (postgres NUMBERS_IN_2) => {
        "(SELECT CAST(value AS BIGINT) FROM json_array_elements_text(CAST($2 AS json)))"
    };
    // A lease that ended, or one that was given in what is the future by now: the clock was set back.
    ($database:ident EXPIRED) => {
        concat!("(lease_until < ", piece!($database NOW), " OR touched_at > ", piece!($database NOW), " + 60000)")
    };
    ($database:ident TASK) => {
        "id, system, operation, kind, state, payload, payload_version, idempotency_key, attempts, may_have_arrived, \
         created_at, next_attempt_at, finished_at, last_error, error_code, result"
    };
    ($database:ident $text:literal) => {
        $text
    };
}

macro_rules! sql {
    ($(#[$attribute:meta])* $name:ident = $($piece:tt)+) => {
        $(#[$attribute])*
        pub(super) const $name: Sql = Sql {
            #[cfg(feature = "queue-sqlite")]
            sqlite: concat!($(piece!(sqlite $piece)),+),
            #[cfg(feature = "queue-postgres")]
            postgres: concat!($(piece!(postgres $piece)),+),
        };
    };
}

sql! {
    /// system, operation, kind, payload, version, key, milliseconds until it is due. Gives the id, or nothing where the
    /// key is taken.
    INSERT = "INSERT INTO cofferdam_tasks (system, operation, kind, payload, payload_version, idempotency_key, state, \
        next_attempt_at, created_at, touched_at) \
        VALUES ($1, $2, $3, $4, $5, $6, 'waiting', " NOW " + $7, " NOW ", " NOW ") \
        ON CONFLICT (system, operation, idempotency_key) DO NOTHING RETURNING id"
}
sql! {
    /// system, operation, key.
    WITH_KEY = "SELECT id, payload, payload_version FROM cofferdam_tasks \
        WHERE system = $1 AND operation = $2 AND idempotency_key = $3"
}
sql! {
    /// system, operation, latest version that can be read, most tasks, worker, lease in milliseconds, 1 if the operation
    /// is sent at most once.
    ///
    /// A task that may be repeated is taken as if its sending had begun. One that may not is only `claimed`: a second
    /// statement begins it, so that a worker that is lost in between leaves a task that was surely not sent.
    CLAIM = "WITH due AS MATERIALIZED (SELECT id FROM cofferdam_tasks \
        WHERE state = 'waiting' AND system = $1 AND operation = $2 AND payload_version <= $3 \
        AND next_attempt_at <= " NOW " ORDER BY next_attempt_at, id LIMIT $4" SKIP_LOCKED ") \
        UPDATE cofferdam_tasks SET worker = $5, lease = lease + 1, lease_until = " NOW " + $6, touched_at = " NOW ", \
        kind = CASE WHEN $7 = 1 THEN 'once' ELSE kind END, \
        state = CASE WHEN $7 = 1 OR kind = 'once' THEN 'claimed' ELSE 'sending' END \
        FROM due WHERE cofferdam_tasks.id = due.id \
        RETURNING cofferdam_tasks.id, lease, kind, payload, payload_version, idempotency_key, attempts, \
        " NOW " - created_at"
}
sql! {
    /// id, lease, lease in milliseconds. Whether the sending may begin: the task is still this worker's.
    BEGIN_SENDING = "UPDATE cofferdam_tasks SET state = 'sending', touched_at = " NOW ", lease_until = " NOW " + $3 \
        WHERE id = $1 AND lease = $2 AND state = 'claimed'"
}
sql! {
    /// worker, ids as a JSON list, lease in milliseconds.
    RENEW = "UPDATE cofferdam_tasks SET lease_until = " NOW " + $3, touched_at = " NOW " \
        WHERE worker = $1 AND state IN ('claimed', 'sending') AND id IN " NUMBERS_IN_2
}
sql! {
    /// id, lease, state, attempts more, may have arrived, wait in milliseconds, finished, error, its code, result.
    ///
    /// Only the lease's holder may say how it ended. That is also true where others have given up on it meanwhile and
    /// called the task unconfirmed: the holder knows better.
    RECORD = "UPDATE cofferdam_tasks SET state = $3, attempts = attempts + $4, losses = 0, \
        may_have_arrived = CASE WHEN $5 = 1 THEN 1 ELSE may_have_arrived END, \
        next_attempt_at = " NOW " + $6, touched_at = " NOW ", \
        finished_at = CASE WHEN $7 = 1 THEN " NOW " ELSE NULL END, \
        last_error = COALESCE($8, last_error), error_code = COALESCE($9, error_code), result = $10, \
        worker = NULL, lease_until = NULL \
        WHERE id = $1 AND lease = $2 AND (state IN ('claimed', 'sending') OR (state = 'unconfirmed' AND worker IS NOT NULL))"
}
sql! {
    /// id, lease, state: whether this stands there already.
    STANDS = "SELECT 1 FROM cofferdam_tasks WHERE id = $1 AND lease = $2 AND state = $3 AND worker IS NULL"
}
sql! {
    /// Tasks that were being sent when their worker was lost, and must not be sent again. The worker stays named: should it
    /// be alive after all, its word counts.
    LOST_FOR_GOOD = "WITH lost AS MATERIALIZED (SELECT id FROM cofferdam_tasks \
        WHERE state = 'sending' AND kind = 'once' AND " EXPIRED SKIP_LOCKED ") \
        UPDATE cofferdam_tasks SET state = 'unconfirmed', may_have_arrived = 1, lease_until = NULL, \
        finished_at = " NOW ", touched_at = " NOW ", last_error = 'the worker was lost while it was sending' \
        FROM lost WHERE cofferdam_tasks.id = lost.id \
        RETURNING cofferdam_tasks.id, system, operation, state, last_error"
}
sql! {
    /// most losses. Tasks whose worker was lost, and which may be tried again; one that loses a worker each time is given
    /// up.
    LOST = "WITH lost AS MATERIALIZED (SELECT id FROM cofferdam_tasks \
        WHERE (state = 'claimed' OR (state = 'sending' AND kind <> 'once')) AND " EXPIRED SKIP_LOCKED ") \
        UPDATE cofferdam_tasks SET state = CASE WHEN losses + 1 >= $1 THEN 'failed' ELSE 'waiting' END, \
        losses = losses + 1, lease = lease + 1, worker = NULL, lease_until = NULL, \
        may_have_arrived = CASE WHEN state = 'sending' THEN 1 ELSE may_have_arrived END, \
        finished_at = CASE WHEN losses + 1 >= $1 THEN " NOW " ELSE NULL END, \
        next_attempt_at = " NOW ", touched_at = " NOW ", last_error = 'the worker was lost' \
        FROM lost WHERE cofferdam_tasks.id = lost.id \
        RETURNING cofferdam_tasks.id, system, operation, state, last_error"
}
sql! {
    /// Waits that were set in what is the future by now, since the clock was set back, are over.
    CLOCK_SET_BACK = "UPDATE cofferdam_tasks SET next_attempt_at = " NOW ", touched_at = " NOW " \
        WHERE state = 'waiting' AND touched_at > " NOW " + 60000"
}
sql! {
    /// state, milliseconds, most.
    CLEAN = "DELETE FROM cofferdam_tasks WHERE id IN (SELECT id FROM cofferdam_tasks \
        WHERE state = $1 AND finished_at < " NOW " - $2 LIMIT $3)"
}
sql! {
    /// id, the state it must have.
    REQUEUE = "UPDATE cofferdam_tasks SET state = 'waiting', attempts = 0, losses = 0, lease = lease + 1, \
        worker = NULL, lease_until = NULL, finished_at = NULL, next_attempt_at = " NOW ", touched_at = " NOW " \
        WHERE id = $1 AND state = $2"
}
sql! {
    /// id.
    CONFIRM = "UPDATE cofferdam_tasks SET state = 'completed', lease = lease + 1, worker = NULL, touched_at = " NOW " \
        WHERE id = $1 AND state = 'unconfirmed'"
}
sql! {
    /// id.
    TASK = "SELECT " TASK " FROM cofferdam_tasks WHERE id = $1"
}
sql! {
    /// state, most.
    TASKS = "SELECT " TASK " FROM cofferdam_tasks WHERE state = $1 ORDER BY id LIMIT $2"
}
sql! {
    COUNTS = "SELECT system, state, COUNT(*) FROM cofferdam_tasks GROUP BY system, state ORDER BY system, state"
}
