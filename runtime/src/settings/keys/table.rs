use super::{Key, Section, Shape, Shown};
use crate::breaker::{AfterHalfOpen, DroppedCalls, HalfOpenVerdict, SlidingWindow};
use crate::settings::{BudgetSettings, LayerOrder, OperationSettings, RetrySettings, SystemSettings};

const fn key<S>(name: &'static str, shape: Shape, says: &'static str, shown: fn(&S) -> Shown) -> Key<S> {
    Key { name, shape, says, shown }
}

/// What stands in a system's own mapping.
pub(in crate::settings) const SYSTEM: &[Key<SystemSettings>] = &[
    key("profile", Shape::Word(&["external", "supplier", "internal"]), "Which presets hold.", |s| {
        Shown::text(s.profile.word())
    }),
    key(
        "base-url",
        Shape::BaseUrl,
        "Where the system is; its path goes before each operation's. No credentials, query or fragment.",
        |s| Shown::text(&s.base_url),
    ),
    key(
        "max-concurrent",
        Shape::Count,
        "Calls at once that the service plans for; bulkhead and pool follow from it (R-RES-BH-3, ISO-2).",
        |_| Shown::Nowhere,
    ),
    key(
        "order",
        Shape::Word(&["retry-outside", "breaker-outside"]),
        "Whether the breaker records every attempt (retry-outside) or each logical call once (breaker-outside).",
        |s| {
            Shown::text(match s.order {
                LayerOrder::RetryOutside => "retry-outside",
                LayerOrder::BreakerOutside => "breaker-outside",
            })
        },
    ),
    key("max-reply", Shape::Size, "A longer reply is given up.", |s| Shown::text(s.max_reply_bytes)),
    key("code-base", Shape::Count, "First number of the system's error codes.", |s| Shown::text(s.code_base)),
];

/// The mappings within a system's, but for `retry` and `operations`.
pub(in crate::settings) const SYSTEM_SECTIONS: &[Section<SystemSettings>] = &[
    Section {
        name: "timeouts",
        says: "Time limits: connect < read < call, call >= connect + read + 1s (R-RES-TO-1).",
        reasoned: true,
        keys: TIMEOUTS,
    },
    Section { name: "breaker", says: "When to stop calling (R-RES-CB-2 to CB-5).", reasoned: true, keys: BREAKER },
    Section { name: "bulkhead", says: "How many calls at once (R-RES-BH-1 to BH-3).", reasoned: true, keys: BULKHEAD },
    Section {
        name: "rate-limit",
        says: "How many calls a period the system lets us make; no limit where nothing is said.",
        reasoned: true,
        keys: RATE_LIMIT,
    },
    Section { name: "pool", says: "Connections kept (R-RES-ISO-2).", reasoned: false, keys: POOL },
    Section { name: "tls", says: "Trust in the system's certificate.", reasoned: false, keys: TLS },
    Section { name: "proxy", says: "A proxy that connections are made through.", reasoned: false, keys: PROXY },
    Section {
        name: "headers",
        says: "Headers written on each request besides the document's own.",
        reasoned: false,
        keys: HEADERS,
    },
    Section {
        name: "health",
        says: "How the system is asked whether it is there (R-RES-HC-1 to HC-4).",
        reasoned: false,
        keys: HEALTH,
    },
    Section {
        name: "fallback",
        says: "What may stand in for an answer that the system cannot give (R-RES-FB-1).",
        reasoned: false,
        keys: FALLBACK,
    },
];

const TIMEOUTS: &[Key<SystemSettings>] = &[
    key("connect", Shape::Duration, "TCP and TLS handshake; at most 10s (R-RES-TO-1).", |s| {
        Shown::duration(s.timeouts.connect)
    }),
    key(
        "read",
        Shape::Duration,
        "Silence, to the first byte and between two; longer than connect, at most 1m (R-RES-TO-1, TO-X3).",
        |s| Shown::duration(s.timeouts.read),
    ),
    key(
        "call",
        Shape::Duration,
        "One attempt as a whole; at least connect + read + 1s, which is the default where either is said (R-RES-TO-1).",
        |s| Shown::duration(s.timeouts.call),
    ),
];

const BREAKER: &[Key<SystemSettings>] = &[
    key("enabled", Shape::Switch, "false lets every call through; with a reason only (R-RES-WHERE-1).", |s| {
        Shown::text(s.breaker.enabled)
    }),
    key("sliding-window-type", Shape::Word(&["count-based", "time-based"]), "What the window counts.", |s| {
        Shown::text(match s.breaker.config.window {
            SlidingWindow::Calls(_) => "count-based",
            SlidingWindow::Seconds(_) => "time-based",
        })
    }),
    key("sliding-window-size", Shape::Count, "Calls, or seconds (R-RES-CB-2).", |s| {
        let (SlidingWindow::Calls(size) | SlidingWindow::Seconds(size)) = s.breaker.config.window;
        Shown::text(size)
    }),
    key("minimum-number-of-calls", Shape::Count, "Before it judges (R-RES-CB-2).", |s| {
        Shown::text(s.breaker.config.minimum_calls)
    }),
    key(
        "failure-rate-threshold",
        Shape::Percent,
        "Failed calls that open it; other than 50 with a reason only (R-RES-CB-3).",
        |s| Shown::percent(s.breaker.config.failure_rate_threshold),
    ),
    key("slow-call-rate-threshold", Shape::Percent, "Slow calls that open it (R-RES-CB-5).", |s| {
        Shown::percent(s.breaker.config.slow_call_rate_threshold)
    }),
    key(
        "slow-call-duration-threshold",
        Shape::Duration,
        "A longer call is slow; at most read, half of it by default (R-RES-CB-5).",
        |s| Shown::duration(s.breaker.config.slow_call),
    ),
    key("wait-duration-in-open-state", Shape::Duration, "No call at all for so long (R-RES-CB-4).", |s| {
        Shown::duration(s.breaker.config.open_wait.base(1))
    }),
    key("wait-multiplier-in-open-state", Shape::Number, "The wait grows by this with each opening in a row.", |s| {
        Shown::option(s.breaker.config.open_wait.growth().map(|(factor, _)| factor))
    }),
    key("max-wait-duration-in-open-state", Shape::Duration, "The longest such wait.", |s| {
        s.breaker.config.open_wait.growth().map_or_else(Shown::unset, |(_, longest)| Shown::duration(longest))
    }),
    key("wait-jitter-in-open-state", Shape::Ratio, "A random part of the wait that is added to it.", |s| {
        Shown::text(s.breaker.config.open_wait.jitter())
    }),
    key("permitted-number-of-calls-in-half-open-state", Shape::Count, "Probes (R-RES-CB-4).", |s| {
        Shown::text(s.breaker.config.half_open_calls)
    }),
    key(
        "half-open-verdict",
        Shape::Word(&["all", "rate"]),
        "Whether all probes must succeed, or are judged as a closed breaker's calls are (R-RES-CB-4).",
        |s| {
            Shown::text(match s.breaker.config.half_open_verdict {
                HalfOpenVerdict::All => "all",
                HalfOpenVerdict::Rate => "rate",
            })
        },
    ),
    key("max-wait-duration-in-half-open-state", Shape::Duration, "Half-open ends after this without a verdict.", |s| {
        s.breaker.config.half_open_limit.map_or_else(Shown::unset, |limit| Shown::duration(limit.after))
    }),
    key("transition-after-half-open-wait", Shape::Word(&["open", "closed"]), "And leads there.", |s| {
        Shown::option(s.breaker.config.half_open_limit.map(|limit| match limit.to {
            AfterHalfOpen::Open => "open",
            AfterHalfOpen::Closed => "closed",
        }))
    }),
    key(
        "automatic-transition-from-open-to-half-open",
        Shape::Switch,
        "By itself at the end of the wait, not by the first call after it.",
        |s| Shown::text(s.breaker.config.half_open_unasked),
    ),
    key(
        "dropped-calls",
        Shape::Word(&["fail-when-slow", "release"]),
        "What a call that its caller dropped counts as.",
        |s| {
            Shown::text(match s.breaker.config.dropped_calls {
                DroppedCalls::FailWhenSlow => "fail-when-slow",
                DroppedCalls::Release => "release",
            })
        },
    ),
    key("record", Shape::Classes, "Counted as failures besides the usual: `429, 4xx, token`.", |s| {
        Shown::classes(&s.breaker.counting.record)
    }),
    key(
        "ignore",
        Shape::Classes,
        "Not counted; with a reason only: `503, undecodable, verdict` (R-RES-WHERE-1).",
        |s| Shown::classes(&s.breaker.counting.ignore),
    ),
];

const BULKHEAD: &[Key<SystemSettings>] = &[
    key("enabled", Shape::Switch, "false lets every call through; with a reason only (R-RES-WHERE-1).", |s| {
        Shown::text(s.bulkhead.enabled)
    }),
    key("max-concurrent-calls", Shape::Count, "Calls at once; never more than the pool holds (R-RES-BH-3).", |s| {
        Shown::text(s.bulkhead.max_concurrent)
    }),
    key("max-wait-duration", Shape::Duration, "How long a call waits for a place (R-RES-BH-3).", |s| {
        Shown::duration(s.bulkhead.max_wait)
    }),
    key("adaptive", Shape::Switch, "true: the number of calls at once follows what the system can take.", |s| {
        Shown::text(s.bulkhead.adaptive.is_some())
    }),
    key("adaptive-min-calls", Shape::Count, "Never fewer; 1 unless said.", |s| {
        Shown::option(s.bulkhead.adaptive.map(|adaptive| adaptive.min))
    }),
    key("adaptive-tolerance", Shape::Number, "So many times as long may calls take; 2 unless said.", |s| {
        Shown::option(s.bulkhead.adaptive.map(|adaptive| adaptive.tolerance))
    }),
];

const RATE_LIMIT: &[Key<SystemSettings>] = &[
    key("enabled", Shape::Switch, "false: this system goes without the limit of the others.", |s| {
        Shown::text(s.rate_limit.is_some())
    }),
    key("limit", Shape::Count, "Attempts a period; at least 1.", |s| {
        Shown::option(s.rate_limit.map(|rate| rate.limit))
    }),
    key("period", Shape::Duration, "The period; 1s unless said.", |s| {
        s.rate_limit.map_or_else(Shown::unset, |rate| Shown::duration(rate.period))
    }),
    key(
        "max-wait",
        Shape::Duration,
        "How long an attempt waits for its turn; from 2s on with a reason only, at most 5s (R-RES-ASYNC-2).",
        |s| s.rate_limit.map_or_else(Shown::unset, |rate| Shown::duration(rate.max_wait)),
    ),
];

const POOL: &[Key<SystemSettings>] = &[
    key("max-idle", Shape::Count, "Connections kept; never less than the bulkhead lets in (R-RES-ISO-2).", |s| {
        Shown::text(s.pool.max_idle)
    }),
    key("idle-timeout", Shape::Duration, "An idle connection is closed after this.", |s| {
        Shown::duration(s.pool.idle_timeout)
    }),
];

const TLS: &[Key<SystemSettings>] = &[key(
    "ca-file",
    Shape::Text,
    "PEM file with authorities trusted besides the platform's; relative to this file's folder.",
    |s| Shown::option(s.tls.ca_file.as_ref().map(|file| file.display())),
)];

const PROXY: &[Key<SystemSettings>] = &[
    key("enabled", Shape::Switch, "false: this system goes without the proxy of the others.", |s| {
        Shown::text(s.proxy.is_some())
    }),
    key("url", Shape::ProxyUrl, "Where it is; no credentials.", |s| {
        Shown::option(s.proxy.as_ref().map(|proxy| &proxy.url))
    }),
    key("user", Shape::User, "Who we say we are, if it asks.", |s| {
        Shown::option(s.proxy.as_ref().and_then(|proxy| proxy.user.as_ref()))
    }),
    key("password", Shape::Variable, "Given by a variable of the environment, never by a file.", |s| {
        s.proxy.as_ref().and_then(|proxy| proxy.password.clone()).map_or_else(Shown::unset, Shown::Secret)
    }),
];

const HEADERS: &[Key<SystemSettings>] = &[
    key("traceparent", Shape::Switch, "Whether traceparent (W3C Trace Context) is written; true.", |s| {
        Shown::text(s.headers.traceparent)
    }),
    key("trace-id", Shape::Header, "A header that carries the trace id alone, such as X-Trace-Id.", |s| {
        Shown::option(s.headers.trace_id.as_ref())
    }),
    key("deadline", Shape::Header, "A header that tells how many milliseconds the attempt has left.", |s| {
        Shown::option(s.headers.deadline.as_ref())
    }),
];

const HEALTH: &[Key<SystemSettings>] = &[
    key(
        "probe",
        Shape::Probe,
        "A light request, GET /health or OPTIONS /: never a business operation (R-RES-HC-X2).",
        |s| Shown::option(s.health.probe.as_ref()),
    ),
    key("cache-duration", Shape::Duration, "Nobody asks again before (R-RES-HC-2, HC-X1).", |s| {
        Shown::duration(s.health.cache)
    }),
    key("timeout", Shape::Duration, "It has so long to answer.", |s| Shown::duration(s.health.timeout)),
];

const FALLBACK: &[Key<SystemSettings>] = &[
    key("stale-max-age", Shape::Duration, "An older answer stands in for none.", |s| {
        Shown::duration(s.fallback.stale_max_age)
    }),
    key("stale-max-entries", Shape::Count, "Answers kept for each operation that uses them.", |s| {
        Shown::text(s.fallback.stale_max_entries)
    }),
];

/// `retry`, of a system and of an operation.
pub(in crate::settings) const RETRY: Section<RetrySettings> = Section {
    name: "retry",
    says: "How reads and keyed writes are repeated (R-RES-RE-2). Nothing here makes another write repeat.",
    reasoned: true,
    keys: &[
        key("max-attempts", Shape::Count, "With the first one; 1 to 5, 1 turns retry off (R-RES-RE-3).", |s| {
            Shown::text(s.max_attempts)
        }),
        key("wait-duration", Shape::Duration, "Bound of the first wait; drawn from 0 to it (R-RES-RE-2).", |s| {
            Shown::duration(s.initial_wait)
        }),
        key("exponential-backoff-multiplier", Shape::Number, "Growth of the bound; above 1 (R-RES-RE-X3).", |s| {
            Shown::text(s.multiplier)
        }),
        key("exponential-max-wait-duration", Shape::Duration, "The longest bound; at most 5s.", |s| {
            Shown::duration(s.max_wait)
        }),
        key(
            "max-total-wait",
            Shape::Duration,
            "All waits of one call, those asked for by Retry-After included (R-RES-RE-4).",
            |s| Shown::duration(s.max_total_wait),
        ),
        key("on-429", Shape::Switch, "Repeat on 429, not before its Retry-After (R-RES-RE-X2).", |s| {
            Shown::text(s.on_429)
        }),
        key("on-408", Shape::Switch, "Repeat on 408, likewise (R-RES-RE-X2).", |s| Shown::text(s.on_408)),
    ],
};

/// `retry.budget`
pub(in crate::settings) const BUDGET: Section<BudgetSettings> = Section {
    name: "budget",
    says: "Retries the whole system may have.",
    reasoned: false,
    keys: &[
        key("ratio", Shape::Ratio, "Retries for each call made.", |s| Shown::text(s.ratio)),
        key("floor-per-second", Shape::Number, "Retries a second that are always there.", |s| {
            Shown::text(s.floor_per_second)
        }),
    ],
};

/// What stands in an operation's own mapping.
pub(in crate::settings) const OPERATION: &[Key<OperationSettings>] = &[
    key("base-url", Shape::BaseUrl, "Where this operation goes instead of its document's own server.", |s| {
        Shown::option(s.base_url.as_ref())
    }),
    key("max-reply", Shape::Size, "A longer reply is given up.", |s| Shown::option(s.max_reply_bytes)),
];

/// `timeouts` of an operation.
pub(in crate::settings) const OPERATION_TIMEOUTS: Section<OperationSettings> = Section {
    name: "timeouts",
    says: "Time limits of this operation; connecting is the system's affair.",
    reasoned: true,
    keys: &[
        key("read", Shape::Duration, "Silence, to the first byte and between two (R-RES-TO-1).", |s| {
            s.read.map_or_else(Shown::unset, Shown::duration)
        }),
        key("call", Shape::Duration, "One attempt as a whole (R-RES-TO-1).", |s| {
            s.call.map_or_else(Shown::unset, Shown::duration)
        }),
    ],
};
