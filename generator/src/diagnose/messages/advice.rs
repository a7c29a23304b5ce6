//! What to do when a check finds a resilience rule broken.

use super::Advice;

const fn advice(code: &'static str, example: &'static str, remedy: &'static str) -> Advice {
    Advice { code, example, remedy }
}

pub(super) const ADVICE: &[Advice] = &[
    advice(
        "R-RES-WHERE-1",
        "profile: external\nbreaker: {enabled: false}",
        "Leave the layer on, or write the reason beside it: `reason: …`.",
    ),
    advice(
        "R-RES-WHERE-2",
        "profile: internal\nbulkhead: {enabled: false}",
        "Leave the layer on, or write the reason beside it: `reason: …`.",
    ),
    advice(
        "R-RES-ISO-3",
        "instances: {payments: …} and client: {payment: …}      # told by `settings import`",
        "Give a system one name everywhere: in settings, metrics and health.",
    ),
    advice(
        "R-RES-ISO-X1",
        "client: {http: …} for several instances      # told by `settings import`",
        "Each system has a client and a pool of its own: check that the limits fit each of them.",
    ),
    advice(
        "R-RES-ISO-2",
        "pool: {max-idle: 0}",
        "Let the pool keep connections: 1.2 times the bulkhead's `max-concurrent-calls` is usual, 90s idle.",
    ),
    advice(
        "R-RES-TO-1",
        "timeouts: {connect: 2s, read: 30s, call: 31s}      # 33s at least",
        "Keep connect < read < call, and call at least connect + read + 1s.",
    ),
    advice(
        "R-RES-TO-2",
        "timeouts: {read: 45s}      # no reason",
        "Write why this system needs it: `reason: …` beside the limits.",
    ),
    advice("R-RES-TO-X1", "timeouts: {read: 0s}", "Give the limit a duration: a call without one can hang for ever."),
    advice("R-RES-TO-X2", "timeouts: {read: 30s, call: 10s}", "Raise `call`, or lower what it is shorter than."),
    advice("R-RES-TO-X3", "timeouts: {read: 90s}", "Nobody waits so long: put such work into a durable queue."),
    advice(
        "R-RES-CB-2",
        "breaker: {sliding-window-size: 10, minimum-number-of-calls: 50}",
        "Let the minimum fit into the window.",
    ),
    advice(
        "R-RES-CB-3",
        "breaker: {failure-rate-threshold: 90}",
        "50 is usual; write a `reason` for more than is usual.",
    ),
    advice(
        "R-RES-CB-4",
        "breaker: {wait-duration-in-open-state: 0s}",
        "Give the system time to recover, and let a few calls try whether it has.",
    ),
    advice(
        "R-RES-CB-5",
        "breaker: {slow-call-duration-threshold: 60s}      # longer than the call may take",
        "Half of the read timeout is usual.",
    ),
    advice(
        "R-RES-BH-3",
        "bulkhead: {max-concurrent-calls: 0}",
        "Let some calls through, and none wait longer for its turn than for the call itself.",
    ),
    advice(
        "R-RES-BH-X1",
        "resilience4j: {thread-pool-bulkhead: …}      # told by `settings import`",
        "Nothing needs to be done: a semaphore takes its place, and a caller that finds no place is refused.",
    ),
    advice(
        "R-RES-RE-1",
        "[systems.pay.operations.status]\nkind = \"read\"      # of a POST, without a reason",
        "Only what reads, or carries an idempotency key, is repeated. Declare the key where the system has one; declare a \
         POST as a read only with the reason why it changes nothing.",
    ),
    advice(
        "R-RES-RE-2",
        "retryExceptions: [CallNotPermittedException]      # told by `settings import`",
        "Nothing needs to be done: a call that was refused before it was sent is never repeated.",
    ),
    advice(
        "R-RES-RE-X2",
        "retryExceptions: [HttpClientErrorException]      # told by `settings import`",
        "A no is not repeated. `retry.on-429` and `retry.on-408` are the exceptions, for a system that means them as \
         \"later\".",
    ),
    advice(
        "R-RES-RE-3",
        "retry: {max-attempts: 10}",
        "3 are usual, 5 the most: what needs more belongs to a durable queue.",
    ),
    advice(
        "R-RES-RE-4",
        "retry: {max-attempts: 5, wait-duration: 10s}",
        "Wait less, or try fewer times: within a call no more than 5s are spent on waiting, with a reason 30s.",
    ),
    advice(
        "R-RES-RE-X1",
        "operations: {deposit: {retry: {max-attempts: 3}}}      # a write without a key",
        "Take the setting out. A write is repeated only under an idempotency key: declare it in the project file if the \
         system honours one.",
    ),
    advice(
        "R-RES-RE-X3",
        "retry: {exponential-backoff-multiplier: 1}",
        "Let the waits grow: 500ms and a multiplier of 2 are usual.",
    ),
    advice("R-RES-FB-1", "fallback: {stale-max-age: 0s}", "Say how old an answer may be: `10m` is usual."),
    advice(
        "R-RES-ASYNC-2",
        "rate-limit: {limit: 5, period: 1s, max-wait: 10s}",
        "Wait less within a call, or write the `reason`; what may take long belongs to a durable queue.",
    ),
    advice(
        "R-RES-ASYNC-X2",
        "retry: {exponential-max-wait-duration: 5m}",
        "No call waits for minutes: put such work into a durable queue.",
    ),
    advice("R-RES-HC-2", "health: {cache-duration: 1h}", "30s is usual, 10m the most."),
    advice("R-RES-HC-3", "health: {timeout: 60s}", "2s is usual, 10s the most: a probe that hangs says enough."),
    advice("R-RES-HC-X1", "health: {cache-duration: 0s}", "30s is usual, 5s the least: a probe is a call too."),
    advice(
        "R-RES-HC-X2",
        "health: {probe: POST /orders}",
        "Ask by GET, HEAD or OPTIONS; never by a business operation.",
    ),
    advice(
        "R-RES-OBS-X1",
        "resilience4j.circuitbreaker.metrics.enabled: false      # told by `settings import`",
        "Leave the runtime's feature `metrics` on.",
    ),
    advice(
        "R-RES-OAS-X1",
        "a line changed in src/pay/generated/client.rs",
        "Put the change where it lasts: the mapper, a template of your own, an overlay of the document. `--force` takes \
         the file back.",
    ),
];
