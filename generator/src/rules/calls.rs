//! Rules for what happens to a call.

use super::Upheld::{Behaviour, Check, Construction};
use super::{Group, Rule};

pub(super) const TIMEOUTS: Group = Group {
    title: "Time limits",
    rules: &[
        Rule {
            code: "R-RES-TO-1",
            rule: "Connecting takes less than reading, reading less than the call: call >= connect + read + 1 s, connect <= 10 s.",
            upheld: Check,
            how: "Settings that break it are refused, with the numbers; while calls are made each limit ends what it bounds.",
            tests: &[
                "runtime/src/settings/rules.rs::to_1_holds_at_its_limits_and_not_beyond",
                "runtime/tests/settings/bad.rs::every_bad_settings_file_tells_everything_that_is_wrong_with_it",
                "runtime/tests/guard/faults.rs::r_res_to_1_silence_ends_a_call_after_the_read_limit",
                "runtime/tests/guard/faults.rs::r_res_to_1_a_body_that_drips_ends_with_the_call_limit",
            ],
        },
        Rule {
            code: "R-RES-TO-2",
            rule: "Limits are settings of the system; one that departs from the usual has its reason written beside it.",
            upheld: Check,
            how: "Settings with a departing limit and no `reason` are refused.",
            tests: &["runtime/tests/settings/bad.rs::every_bad_settings_file_tells_everything_that_is_wrong_with_it"],
        },
        Rule {
            code: "R-RES-TO-3",
            rule: "A caller's time budget bounds all attempts and waits, less 100 ms; nothing begins that cannot finish.",
            upheld: Behaviour,
            how: "The deadline travels with the call, as an argument or around the task.",
            tests: &[
                "runtime/src/deadline.rs::r_res_to_3_the_attempt_ends_before_the_deadline",
                "runtime/tests/guard/deadline.rs::nothing_begins_when_nothing_can_finish",
                "runtime/tests/guard/deadline.rs::no_wait_begins_that_leaves_no_time_for_an_attempt",
                "runtime/tests/guard/deadline.rs::all_attempts_and_waits_spend_from_one_budget",
            ],
        },
        Rule {
            code: "R-RES-TO-X1",
            rule: "No call without a limit.",
            upheld: Construction,
            how: "No limit can be left out, and 0 is refused.",
            tests: &["runtime/src/settings/rules.rs::to_x1_and_to_x2_are_told_apart"],
        },
        Rule {
            code: "R-RES-TO-X2",
            rule: "A call limit below the read or connect limit is refused.",
            upheld: Check,
            how: "The settings are refused, with both numbers.",
            tests: &["runtime/src/settings/rules.rs::to_x1_and_to_x2_are_told_apart"],
        },
        Rule {
            code: "R-RES-TO-X3",
            rule: "No synchronous call waits for more than 60 s without a byte.",
            upheld: Check,
            how: "Such settings are refused.",
            tests: &["runtime/src/settings/rules.rs::to_1_holds_at_its_limits_and_not_beyond"],
        },
        Rule {
            code: "R-RES-TO-POOL",
            rule: "Waiting for a connection is bounded too, else a full pool defeats every other limit.",
            upheld: Behaviour,
            how: "The bulkhead's wait is that bound: it never lets in more calls than the pool holds.",
            tests: &[
                "tests/tests/wire/isolation.rs::callers_over_the_limit_are_refused_within_the_wait",
                "runtime/src/bulkhead/mod.rs::the_end_of_the_attempt_cuts_the_wait_short",
            ],
        },
    ],
};

pub(super) const BREAKER: Group = Group {
    title: "Circuit breaker",
    rules: &[
        Rule {
            code: "R-RES-CB-1",
            rule: "The breaker is around the adapter's method, never around the bare client's.",
            upheld: Construction,
            how: "Generated adapter methods call the guard; the client has none.",
            tests: &[
                "tests/tests/wire/breaker_on_the_wire.rs::nothing_arrives_while_it_is_open_and_the_caller_learns_when_to_come_back",
            ],
        },
        Rule {
            code: "R-RES-CB-2",
            rule: "A window of 50 calls, and no judgement before 10 (supplier: 20 and 10).",
            upheld: Check,
            how: "Presets; a window that can never judge is refused. The window is Resilience4j's, step by step.",
            tests: &[
                "runtime/tests/r4j_breaker.rs::count_based",
                "runtime/tests/r4j_breaker.rs::time_based",
                "runtime/tests/settings/docs.rs::the_tables_tell_the_presets",
                "tests/tests/wire/breaker_on_the_wire.rs::too_few_calls_do_not_open_it",
            ],
        },
        Rule {
            code: "R-RES-CB-3",
            rule: "It opens at a failure rate of 50 %; another threshold has its reason written beside it.",
            upheld: Check,
            how: "Settings without the reason are refused.",
            tests: &[
                "runtime/tests/settings/good.rs::cb_3_a_low_threshold_stands_with_its_reason",
                "tests/tests/wire/breaker_on_the_wire.rs::it_opens_at_the_call_that_reaches_the_threshold_and_not_before",
            ],
        },
        Rule {
            code: "R-RES-CB-4",
            rule: "Open means no call at all for the wait; then so many probes as are permitted, and all must succeed (or their rate, where the settings say so).",
            upheld: Behaviour,
            how: "One machine with permits that come back when a call is dropped or panics; its races are model-checked.",
            tests: &[
                "runtime/tests/breaker_behaviour.rs::r_res_cb_4_open_admits_no_call_for_the_wait_and_tells_the_rest_of_it",
                "runtime/tests/breaker_behaviour.rs::all_probes_must_succeed_whatever_the_minimum",
                "runtime/tests/breaker_races.rs::probes_that_all_succeed_close_once_and_no_permit_is_lost",
                "tests/tests/wire/breaker_on_the_wire.rs::half_open_lets_exactly_the_permitted_number_through",
            ],
        },
        Rule {
            code: "R-RES-CB-5",
            rule: "A call longer than half the read limit is slow, and too many slow calls open it too.",
            upheld: Behaviour,
            how: "The threshold follows from the read limit unless it is said; above it, it is refused.",
            tests: &[
                "tests/tests/wire/breaker_on_the_wire.rs::slow_answers_open_it_too",
                "runtime/tests/settings/good.rs::bh_3_iso_2_and_cb_5_are_derived_from_what_is_said",
            ],
        },
        Rule {
            code: "R-RES-CB-6",
            rule: "An open breaker is an error of its own that says when to come back.",
            upheld: Construction,
            how: "`CallError::CircuitOpen`, with the rest of the wait and a suggested status of 503.",
            tests: &[
                "tests/tests/wire/breaker_on_the_wire.rs::nothing_arrives_while_it_is_open_and_the_caller_learns_when_to_come_back",
            ],
        },
        Rule {
            code: "R-RES-CB-X1",
            rule: "No breaker around local work.",
            upheld: Construction,
            how: "Requests are mapped before the layers and outcomes after them; a mapper that fails or panics counts for nothing.",
            tests: &[
                "runtime/tests/guard/health.rs::a_mapping_that_fails_sends_nothing_and_counts_for_nothing",
                "runtime/tests/guard/dropping.rs::where_x1_a_mapper_that_panics_counts_for_nothing",
            ],
        },
        Rule {
            code: "R-RES-CB-X2",
            rule: "No breaker made at home of a counter and a catch.",
            upheld: Behaviour,
            how: "One breaker in one place, held to recordings of Resilience4j's and to a model of its races. No published one in Rust has these semantics.",
            tests: &[
                "runtime/tests/r4j_breaker.rs::overlapping_calls_with_stale_ones_ignored",
                "runtime/tests/r4j_breaker.rs::metrics",
                "runtime/tests/breaker_races.rs::votes_beside_a_window_full_of_successes_come_out_as_in_some_order",
            ],
        },
        Rule {
            code: "R-RES-CB-X3",
            rule: "No breaker without a name, and none that systems share.",
            upheld: Construction,
            how: "An adapter makes its own, named after its system.",
            tests: &[
                "tests/tests/wire/breaker_on_the_wire.rs::nothing_arrives_while_it_is_open_and_the_caller_learns_when_to_come_back",
            ],
        },
    ],
};

pub(super) const RETRY: Group = Group {
    title: "Retry",
    rules: &[
        Rule {
            code: "R-RES-RE-1",
            rule: "Only reads, and writes that carry an idempotency key, are ever repeated.",
            upheld: Construction,
            how: "The kind of an operation is decided from the document and is a type; the method of an unkeyed write has no loop.",
            tests: &[
                "generator/src/plan/tests.rs::r_res_re_1_safe_methods_are_reads",
                "generator/src/plan/tests.rs::r_res_re_1_body_key_is_a_path_of_properties",
                "tests/tests/wire/arrivals_per_kind.rs::money_is_moved_once_however_the_exchange_breaks",
                "tests/tests/wire/arrivals_per_kind.rs::an_order_with_a_key_arrives_as_often_as_the_settings_say_with_the_same_header",
                "tests/tests/wire/matrix/mod.rs::every_fault_in_every_kind_and_order",
                "tests/tests/generation/resilience_tests.rs::they_hold_as_generated_and_fail_when_the_protection_is_broken",
            ],
        },
        Rule {
            code: "R-RES-RE-2",
            rule: "Broken exchanges, timeouts and 5xx are tried again: 3 attempts, waits that double from 500 ms, with full jitter.",
            upheld: Behaviour,
            how: "Presets; the bounds are Resilience4j's, a wait is drawn between 0 and its bound.",
            tests: &[
                "runtime/tests/guard/repeating.rs::r_res_re_2_broken_exchanges_timeouts_and_5xx_are_tried_again",
                "runtime/tests/guard/repeating.rs::r_res_re_2_waits_are_drawn_from_zero_to_a_growing_bound",
                "runtime/tests/r4j_intervals.rs::every_recorded_interval",
            ],
        },
        Rule {
            code: "R-RES-RE-3",
            rule: "Attempts count the first one, and 5 are the most.",
            upheld: Check,
            how: "More are refused.",
            tests: &["runtime/src/settings/rules.rs::re_3_re_x3_and_async_x2"],
        },
        Rule {
            code: "R-RES-RE-4",
            rule: "All waits of a call together stay under 5 s; more has its reason written beside it, more than 30 s belongs to a durable queue.",
            upheld: Check,
            how: "The longest waits follow from the settings and are judged; the plan shows the worst case of each operation.",
            tests: &[
                "runtime/src/settings/rules.rs::re_4_judges_the_waits_of_a_whole_call",
                "runtime/src/settings/worst_case.rs::the_external_preset_takes_three_attempts_and_two_waits",
                "runtime/tests/guard/worst_case.rs::a_system_that_hangs_makes_a_call_take_what_its_attempts_are_allowed",
            ],
        },
        Rule {
            code: "R-RES-RE-5",
            rule: "Retries that outlive the process stand in a table: status, count, time of the next, last error.",
            upheld: Behaviour,
            how: "The durable queue (features `queue-sqlite`, `queue-postgres`); after the last attempt a task has failed, with an event and a metric.",
            tests: &[
                "tests/queue/tests/killing.rs::r_res_re_5_killed_workers_lose_nothing_and_send_nothing_twice_in_sqlite",
                "tests/queue/tests/killing.rs::r_res_re_5_killed_workers_lose_nothing_and_send_nothing_twice_in_postgresql",
                "tests/queue/tests/behaviour/sending.rs::r_res_re_5_a_keyed_write_is_repeated_with_its_key_until_it_is_done",
                "tests/queue/tests/behaviour/operating.rs::r_res_re_5_after_so_many_failures_a_task_has_failed_which_is_told_and_counted",
                "runtime/src/queue/worker/verdict.rs::r_res_re_5_the_attempt_after_which_it_has_failed_is_the_one_the_policy_names",
            ],
        },
        Rule {
            code: "R-RES-RE-X1",
            rule: "No retry of a write without a key.",
            upheld: Construction,
            how: "No setting adds one; an empty key is no key.",
            tests: &[
                "generator/src/plan/policies.rs::r_res_re_x1_no_setting_gives_a_write_without_a_key_a_retry",
                "generator/src/plan/tests.rs::r_res_re_x1_writes_without_a_key_are_sent_once_put_and_delete_too",
                "runtime/tests/guard/order.rs::r_res_re_x1_a_write_without_a_key_is_begun_once_in_both_orders",
                "runtime/src/queue/end.rs::r_res_re_x1_only_what_surely_never_left_is_tried_again_without_a_key",
                "tests/queue/tests/behaviour/sending.rs::r_res_re_x1_a_worker_that_is_lost_while_it_sends_leaves_what_is_never_sent_again",
                "tests/queue/tests/behaviour/sending.rs::r_res_re_x1_a_write_without_a_key_that_may_have_arrived_is_sent_once_and_is_unconfirmed",
                "runtime/tests/guard/order.rs::an_empty_key_is_no_key",
                "tests/tests/wire/arrivals_per_kind.rs::money_is_moved_once_whatever_the_number_of_attempts_allowed",
            ],
        },
        Rule {
            code: "R-RES-RE-X2",
            rule: "No retry of a 4xx; 429 and 408 only where the settings say so, and not before their Retry-After.",
            upheld: Behaviour,
            how: "Refusals are ignored by the breaker and end the call.",
            tests: &[
                "runtime/tests/guard/repeating.rs::r_res_re_x2_4xx_and_unreadable_answers_are_not",
                "runtime/tests/guard/repeating.rs::r_res_re_x2_429_and_408_are_tried_again_where_the_settings_say_so_and_not_before_retry_after",
                "tests/tests/wire/wrong_answers.rs::a_no_is_never_retried_and_never_opens_the_breaker",
            ],
        },
        Rule {
            code: "R-RES-RE-X3",
            rule: "No retry whose waits do not grow.",
            upheld: Check,
            how: "A multiplier of 1 or less is refused.",
            tests: &["runtime/src/settings/rules.rs::re_3_re_x3_and_async_x2"],
        },
        Rule {
            code: "R-RES-RE-X4",
            rule: "Only one thing repeats.",
            upheld: Construction,
            how: "The HTTP client's own retries and redirects are off, for refused streams and used connections too.",
            tests: &["tests/tests/wire/matrix/mod.rs::every_fault_in_every_kind_and_order"],
        },
        Rule {
            code: "R-RES-RE-ORDER",
            rule: "Retry around the breaker, or the breaker around the retry, by a setting; an open breaker and a full bulkhead are never retried.",
            upheld: Behaviour,
            how: "Both orders are written out in the guard.",
            tests: &[
                "runtime/tests/guard/order.rs::r_res_re_order_retry_outside_records_every_attempt",
                "runtime/tests/guard/order.rs::r_res_re_order_breaker_outside_records_the_logical_call",
                "runtime/tests/guard/order.rs::an_open_breaker_is_not_retried_and_says_how_far_the_call_got",
                "tests/tests/wire/isolation.rs::a_refusal_by_the_bulkhead_is_not_retried_and_says_nothing_about_the_system",
            ],
        },
    ],
};

pub(super) const LIMITS: Group = Group {
    title: "Bulkhead and other limits",
    rules: &[
        Rule {
            code: "R-RES-BH-1",
            rule: "A bulkhead besides the pool, which refuses before the pool is used up.",
            upheld: Behaviour,
            how: "Its limit is never above the pool's; those over it are refused and arrive nowhere.",
            tests: &[
                "tests/tests/wire/isolation.rs::callers_over_the_limit_are_refused_within_the_wait",
                "runtime/tests/settings/bad.rs::every_bad_settings_file_tells_everything_that_is_wrong_with_it",
            ],
        },
        Rule {
            code: "R-RES-BH-2",
            rule: "A semaphore and not threads of its own; what is around the caller stays around the call.",
            upheld: Construction,
            how: "Calls run in the caller's task: deadline and span are there within them.",
            tests: &[
                "runtime/tests/guard/deadline.rs::a_deadline_can_be_given_and_the_earlier_one_counts",
                "runtime/tests/guard/spans.rs::r_res_obs_2_a_call_is_a_span_and_each_attempt_one_within_it",
            ],
        },
        Rule {
            code: "R-RES-BH-3",
            rule: "0.8 of the planned calls at once, a wait for a place of at most 100 ms (supplier: none).",
            upheld: Check,
            how: "Derived where not said; a longer wait has its reason written beside it.",
            tests: &[
                "runtime/tests/settings/good.rs::bh_3_iso_2_and_cb_5_are_derived_from_what_is_said",
                "runtime/tests/guard/dropping.rs::r_res_bh_3_a_full_bulkhead_refuses_within_the_wait_and_is_not_retried",
                "runtime/src/bulkhead/mod.rs::a_full_bulkhead_refuses_after_the_wait_and_not_before",
            ],
        },
        Rule {
            code: "R-RES-BH-X1",
            rule: "No bulkhead of threads.",
            upheld: Construction,
            how: "There is none.",
            tests: &["runtime/src/bulkhead/mod.rs::dropping_a_waiter_leaks_nothing"],
        },
        Rule {
            code: "R-RES-RL-1",
            rule: "Where a system has a quota, a limit of calls for a period keeps us below it.",
            upheld: Behaviour,
            how: "Where a quota is set, every attempt takes one of the period's permissions, waits for its turn or is refused.",
            tests: &[
                "runtime/tests/guard/rate_limit.rs::more_than_the_quota_is_refused_at_once_and_neither_retried_nor_recorded",
                "runtime/tests/r4j_rate_limiter.rs::every_recorded_step",
            ],
        },
        Rule {
            code: "R-RES-TL-1",
            rule: "Every call has a limit of time, and one that is dropped gives back all it held.",
            upheld: Behaviour,
            how: "Places, permits and votes are given back by being dropped, at whatever await.",
            tests: &[
                "tests/tests/wire/cancellation.rs::waiting_for_the_reply",
                "tests/tests/wire/cancellation.rs::many_at_once_leave_nothing_behind",
                "tests/tests/wire/cancellation.rs::as_a_probe_of_a_half_open_breaker",
                "runtime/tests/guard/dropping.rs::a_dropped_probe_gives_its_permission_back",
                "tests/tests/soak.rs::whatever_happens_nothing_is_written_twice_and_nothing_is_held",
            ],
        },
    ],
};

pub(super) const FALLBACK: Group = Group {
    title: "Fallbacks",
    rules: &[
        Rule {
            code: "R-RES-FB-1",
            rule: "Three kinds only: a cached read, a neutral default of a read, a write put in a queue.",
            upheld: Construction,
            how: "There are three; the first two only exist for an operation that reads, and a write without a key is only queued if it surely never left us.",
            tests: &[
                "runtime/tests/guard/fallbacks.rs::r_res_fb_1_a_read_is_answered_with_its_last_answer_and_the_age_of_that",
                "runtime/tests/guard/fallbacks.rs::r_res_fb_1_an_unkeyed_write_is_only_queued_if_it_surely_never_left_us",
                "runtime/tests/guard/fallbacks.rs::nothing_stands_in_for_another_operations_answer",
            ],
        },
        Rule {
            code: "R-RES-FB-2",
            rule: "A fallback gives the same type and is given the error.",
            upheld: Construction,
            how: "One type for the system's answer and what stands in for it; a neutral value is made of the error.",
            tests: &["runtime/tests/guard/fallbacks.rs::r_res_fb_2_a_neutral_value_is_made_of_the_error"],
        },
        Rule {
            code: "R-RES-FB-X1",
            rule: "No zero and no nothing for money: the caller sees that a value is a stand-in.",
            upheld: Construction,
            how: "What stands in is a `Degraded` with its kind, age and cause, which whoever wants the value takes apart; nothing stands in for a no.",
            tests: &[
                "runtime/tests/guard/fallbacks.rs::r_res_fb_1_a_read_is_answered_with_its_last_answer_and_the_age_of_that",
                "runtime/tests/guard/fallbacks.rs::nothing_stands_in_for_a_no_or_for_our_own_mistake",
            ],
        },
        Rule {
            code: "R-RES-FB-X2",
            rule: "No silent success: every fallback is logged and counted.",
            upheld: Behaviour,
            how: "Each is counted and logged where it is used; a queue that takes nothing leaves the error.",
            tests: &[
                "runtime/tests/guard/metrics.rs::fb_x2_every_fallback_is_counted_and_told",
                "runtime/tests/guard/fallbacks.rs::r_res_fb_x2_a_queue_that_takes_nothing_leaves_the_error",
            ],
        },
        Rule {
            code: "R-RES-FB-X3",
            rule: "A fallback that calls another system does so by that system's adapter.",
            upheld: Construction,
            how: "Clients are made by adapters only, each behind a guard of its own.",
            tests: &["tests/tests/wire/isolation.rs::the_other_system_is_not_slowed"],
        },
    ],
};
