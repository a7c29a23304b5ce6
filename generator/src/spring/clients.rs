//! The settings of an HTTP client in the words of ours: what the guides put beside Resilience4j.

use std::time::Duration;

use super::duration::written;
use super::reading::{Reading, Value};
use super::sections::Keys;
use crate::diagnose::Report;

const MILLI: Duration = Duration::from_millis(1);
const SECOND: Duration = Duration::from_secs(1);

/// Names of a time limit, with the unit that a plain number is in.
type Names = [(&'static str, Duration)];

const CONNECT: &Names = &[
    ("connect-timeout", MILLI),
    ("connection-timeout", MILLI),
    ("connect-timeout-ms", MILLI),
    ("connect-timeout-millis", MILLI),
    ("connect-timeout-sec", SECOND),
    ("connect-timeout-seconds", SECOND),
];
const READ: &Names = &[
    ("read-timeout", MILLI),
    ("response-timeout", MILLI),
    ("socket-timeout", MILLI),
    ("read-timeout-ms", MILLI),
    ("read-timeout-millis", MILLI),
    ("response-timeout-ms", MILLI),
    ("read-timeout-sec", SECOND),
    ("read-timeout-seconds", SECOND),
];
const CALL: &Names = &[
    ("call-timeout", MILLI),
    ("total-timeout", MILLI),
    ("call-timeout-ms", MILLI),
    ("call-timeout-millis", MILLI),
    ("call-timeout-sec", SECOND),
    ("call-timeout-seconds", SECOND),
];
const IDLE: &Names =
    &[("keep-alive-duration", MILLI), ("idle-timeout", MILLI), ("max-idle-time", MILLI), ("idle-timeout-ms", MILLI)];

/// What the keys of one client become.
pub(super) fn translate(keys: &Keys, report: &mut Report) -> Vec<Value> {
    let mut reading = Reading::new(keys, report);
    for key in ["base-url", "base-uri", "url", "base-path"] {
        let Some(property) = reading.take(key).filter(|property| !property.text().is_empty()) else { continue };
        reading.put("base-url", property.text(), property);
        break;
    }
    reading.take("base-url");
    limit(&mut reading, CONNECT, "timeouts.connect");
    limit(&mut reading, READ, "timeouts.read");
    limit(&mut reading, CALL, "timeouts.call");
    limit(&mut reading, IDLE, "pool.idle-timeout");
    for key in ["max-concurrent", "max-concurrent-requests", "max-requests-per-host"] {
        reading.keep_count(key, "max-concurrent");
    }
    // The last one that is said holds: a route is what a system is.
    for key in ["max-connections", "max-idle-connections", "max-connections-per-route"] {
        reading.keep_count(key, "pool.max-idle");
    }
    let wait =
        "waiting for a connection is bound by `bulkhead.max-wait-duration`: there is a connection for each place";
    reading.instead(&["connection-request-timeout", "connection-request-timeout-ms", "acquire-timeout"], wait);
    reading.instead(
        &["username", "user", "password", "token", "api-key", "client-id", "client-secret"],
        "credentials are given to the client when it is made, and never stand in this file",
    );
    reading.finish_own()
}

/// A time limit by any of its names.
fn limit(reading: &mut Reading<'_>, names: &Names, ours: &'static str) {
    for (name, unit) in names {
        if let Some((value, from)) = reading.duration(name, *unit) {
            reading.put(ours, written(value), from);
        }
    }
}
