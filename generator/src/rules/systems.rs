//! Rules for what surrounds the calls: systems, settings, generated code, health, numbers.

use super::Upheld::{Behaviour, Check, Construction, Recipe};
use super::{Group, Rule};

pub(super) const WHERE: Group = Group {
    title: "Where protection goes",
    rules: &[
        Rule {
            code: "R-RES-WHERE-1",
            rule: "A call to an external system has time limits, breaker and bulkhead, and retry where that is allowed.",
            upheld: Check,
            how: "The profile `external` is the default; a layer is turned off with a written reason only.",
            tests: &[
                "runtime/tests/settings/bad.rs::every_bad_settings_file_tells_everything_that_is_wrong_with_it",
                "generator/src/plan/policies.rs::layers_stand_in_the_order_of_the_settings_without_those_that_are_off",
            ],
        },
        Rule {
            code: "R-RES-WHERE-2",
            rule: "A call to an internal service has time limits at least.",
            upheld: Check,
            how: "The profile `internal` has all layers; breaker and bulkhead are turned off with a written reason only, limits never.",
            tests: &[
                "runtime/src/settings/rules.rs::every_preset_keeps_every_rule",
                "runtime/tests/settings/bad.rs::every_bad_settings_file_tells_everything_that_is_wrong_with_it",
            ],
        },
        Rule {
            code: "R-RES-WHERE-3",
            rule: "Schedulers and outbox relays retry through a durable queue.",
            upheld: Behaviour,
            how: "A task is put into the queue in the caller's own transaction, and done by a worker.",
            tests: &[
                "tests/queue/tests/behaviour/enqueueing.rs::a_task_is_there_if_and_only_if_the_callers_transaction_is_committed",
            ],
        },
        Rule {
            code: "R-RES-WHERE-4",
            rule: "Limits on what comes in belong to the gateway.",
            upheld: Recipe,
            how: "None is generated.",
            tests: &[],
        },
        Rule {
            code: "R-RES-WHERE-X1",
            rule: "No protection around local work.",
            upheld: Construction,
            how: "Only the exchange and the verdict on its reply are within the breaker; mapping is outside.",
            tests: &[
                "runtime/tests/guard/dropping.rs::where_x1_a_mapper_that_panics_counts_for_nothing",
                "runtime/tests/guard/health.rs::a_mapping_that_fails_sends_nothing_and_counts_for_nothing",
            ],
        },
    ],
};

pub(super) const ISOLATION: Group = Group {
    title: "Isolation of systems",
    rules: &[
        Rule {
            code: "R-RES-ISO-1",
            rule: "Each system has its own client, pool, breaker and bulkhead.",
            upheld: Construction,
            how: "An adapter makes one of each.",
            tests: &[
                "tests/tests/wire/isolation.rs::the_other_system_is_not_slowed",
                "tests/tests/wire/isolation.rs::of_five_systems_four_do_not_notice_that_one_hangs",
                "runtime/tests/guard/faults.rs::r_res_iso_1_a_hanging_system_holds_its_own_places_only",
            ],
        },
        Rule {
            code: "R-RES-ISO-2",
            rule: "A pool of 1.2 times the planned calls; all pools together at most half of the database's, where that is known.",
            upheld: Check,
            how: "Derived where not said; the sum is checked when settings are loaded.",
            tests: &[
                "runtime/tests/settings/good.rs::bh_3_iso_2_and_cb_5_are_derived_from_what_is_said",
                "runtime/tests/settings/bad.rs::every_bad_settings_file_tells_everything_that_is_wrong_with_it",
            ],
        },
        Rule {
            code: "R-RES-ISO-3",
            rule: "One name a system, for settings, breaker, bulkhead, numbers and health.",
            upheld: Construction,
            how: "One generated constant; a system the settings do not know is told by name.",
            tests: &[
                "runtime/tests/settings/good.rs::a_system_without_settings_is_named",
                "runtime/tests/guard/metrics.rs::r_res_obs_1_every_series_of_resilience4j_is_there_before_the_first_call",
            ],
        },
        Rule {
            code: "R-RES-ISO-X1",
            rule: "No client and no pool that systems share.",
            upheld: Construction,
            how: "Nothing takes a client from outside.",
            tests: &["tests/tests/wire/isolation.rs::the_other_system_is_not_slowed"],
        },
        Rule {
            code: "R-RES-ISO-X2",
            rule: "No client with a library's defaults.",
            upheld: Construction,
            how: "A client is made of checked settings, or not at all.",
            tests: &["runtime/tests/guard/faults.rs::the_bare_client_has_the_same_limits"],
        },
    ],
};

pub(super) const SETTINGS: Group = Group {
    title: "Settings",
    rules: &[
        Rule {
            code: "R-RES-CFG-1",
            rule: "Settings stand in a file and change without a new build; a bad file changes nothing and says so.",
            upheld: Behaviour,
            how: "The file is watched, or a reload is asked for; all of it holds or nothing.",
            tests: &[
                "runtime/tests/guard/reload.rs::cfg_1_the_next_call_goes_by_the_new_settings",
                "runtime/tests/guard/watching.rs::a_bad_file_changes_nothing_and_says_so",
            ],
        },
        Rule {
            code: "R-RES-CFG-2",
            rule: "`defaults`, overridden by a system, overridden by an operation.",
            upheld: Behaviour,
            how: "Layers of one file, and the environment over them.",
            tests: &[
                "runtime/tests/settings/good.rs::a_system_starts_from_its_profile_and_the_defaults",
                "runtime/tests/settings/good.rs::an_operation_lays_its_own_over_its_system",
                "runtime/tests/settings/environment.rs::variables_override_the_file_and_add_to_it",
            ],
        },
        Rule {
            code: "R-RES-CFG-3",
            rule: "An instance is named as its system.",
            upheld: Construction,
            how: "The adapter's constant is the name of all of them.",
            tests: &[
                "runtime/tests/guard/metrics.rs::r_res_obs_1_every_series_of_resilience4j_is_there_before_the_first_call",
            ],
        },
        Rule {
            code: "R-RES-CFG-X1",
            rule: "No settings hidden in code.",
            upheld: Construction,
            how: "Generated code holds no numbers; every key is in the documentation and in the schema.",
            tests: &[
                "runtime/tests/settings/docs.rs::every_key_is_explained",
                "runtime/tests/settings/schema.rs::the_schema_has_just_the_keys_that_the_loader_has",
            ],
        },
    ],
};

pub(super) const GENERATED: Group = Group {
    title: "Generated code",
    rules: &[
        Rule {
            code: "R-RES-OAS-1",
            rule: "Protection can be read in the adapter's method.",
            upheld: Construction,
            how: "Each method says `read`, `keyed` or `once`, and the reason.",
            tests: &["tests/tests/generation/regeneration.rs::the_committed_example_is_what_the_generator_writes"],
        },
        Rule {
            code: "R-RES-OAS-2",
            rule: "The client fits what the ecosystem uses, with no glue.",
            upheld: Construction,
            how: "reqwest, tracing, metrics and OpenTelemetry are used as they are.",
            tests: &["runtime/tests/opentelemetry.rs::each_attempt_is_a_client_span_and_its_request_names_it"],
        },
        Rule {
            code: "R-RES-OAS-3",
            rule: "The document lies beside the build, and code is made of it again whenever it changes.",
            upheld: Behaviour,
            how: "A build script does it; for a committed tree `cofferdam check` finds the drift.",
            tests: &[
                "tests/tests/generation/fresh_crate.rs::it_is_built_again_when_a_document_changes_and_only_then",
                "generator/tests/command/checking.rs::drift_is_found_and_nothing_is_written",
            ],
        },
        Rule {
            code: "R-RES-OAS-4",
            rule: "A mapper stands between generated types and the domain's port.",
            upheld: Construction,
            how: "Adapter methods speak the associated types of `Mapping`; the mapper is written once and then yours.",
            tests: &[
                "tests/tests/generation/regeneration.rs::an_edited_mapper_survives_and_the_generated_code_follows_the_document",
                "tests/tests/generation/regeneration.rs::a_field_that_the_document_gains_is_a_compile_error_in_the_mapper_at_that_field",
            ],
        },
        Rule {
            code: "R-RES-OAS-X1",
            rule: "No edits by hand in generated code.",
            upheld: Check,
            how: "A file whose hash is not the recorded one stops the run with a diff.",
            tests: &[
                "generator/tests/command/generating.rs::r_res_oas_x1_edited_generated_file_stops_the_run_with_a_diff",
                "tests/tests/generation/regeneration.rs::an_edited_generated_file_stops_the_run_before_anything_is_written",
            ],
        },
        Rule {
            code: "R-RES-OAS-X2",
            rule: "No breaker found by a name in a string.",
            upheld: Construction,
            how: "The guard is a field of the adapter.",
            tests: &["tests/tests/generation/regeneration.rs::the_committed_example_is_what_the_generator_writes"],
        },
        Rule {
            code: "R-RES-OAS-X3",
            rule: "No transport type in a port.",
            upheld: Construction,
            how: "Outcomes and rejections are the mapper's own types.",
            tests: &["tests/tests/wire/wrong_answers.rs::a_documented_no_comes_with_its_body"],
        },
        Rule {
            code: "R-RES-BODY-1",
            rule: "A failure that stands in the body of a 200 is one: the mapper judges it within the breaker.",
            upheld: Behaviour,
            how: "`Mapping::verdict`.",
            tests: &[
                "tests/tests/wire/wrong_answers.rs::the_gateways_own_failure_in_a_200_counts_and_is_retried_where_that_is_safe",
                "tests/tests/wire/wrong_answers.rs::a_no_of_the_gateway_in_a_200_is_a_healthy_answer",
            ],
        },
        Rule {
            code: "R-RES-CODE-1",
            rule: "A system's own words and statuses stay inside; an error has a stable number in a range of its system.",
            upheld: Construction,
            how: "`CallError::code()`; `code-base` in the settings, and ranges that meet are refused.",
            tests: &[
                "runtime/tests/guard/health.rs::errors_name_the_call_and_keep_what_must_not_be_logged_to_themselves",
                "runtime/tests/settings/bad.rs::every_bad_settings_file_tells_everything_that_is_wrong_with_it",
            ],
        },
    ],
};

pub(super) const HEALTH: Group = Group {
    title: "Health",
    rules: &[
        Rule {
            code: "R-RES-HC-1",
            rule: "One indicator a system, with the state of its breaker and bulkhead.",
            upheld: Behaviour,
            how: "`adapter.health()`.",
            tests: &["runtime/tests/health_routes.rs::liveness_readiness_and_each_system_are_served"],
        },
        Rule {
            code: "R-RES-HC-2",
            rule: "An answer holds for 30 s.",
            upheld: Behaviour,
            how: "Whoever asks before gets the last answer, with its age.",
            tests: &["runtime/tests/guard/probing.rs::hc_2_an_answer_holds_for_thirty_seconds"],
        },
        Rule {
            code: "R-RES-HC-3",
            rule: "Readiness shows the systems.",
            upheld: Behaviour,
            how: "Required systems that are down make it fail, optional ones degrade it.",
            tests: &["runtime/tests/guard/probing.rs::hc_4_readiness_weighs_the_systems_and_liveness_knows_none"],
        },
        Rule {
            code: "R-RES-HC-4",
            rule: "Liveness knows no other system.",
            upheld: Construction,
            how: "It asks nobody.",
            tests: &["runtime/tests/guard/probing.rs::hc_4_readiness_weighs_the_systems_and_liveness_knows_none"],
        },
        Rule {
            code: "R-RES-HC-X1",
            rule: "No probe for each who asks.",
            upheld: Behaviour,
            how: "All who ask at once wait for one request.",
            tests: &["runtime/tests/guard/probing.rs::hc_x1_a_thousand_checks_at_once_are_one_request"],
        },
        Rule {
            code: "R-RES-HC-X2",
            rule: "No business operation as a probe.",
            upheld: Check,
            how: "GET, HEAD and OPTIONS only, and none of the document's operations that may do something; without a probe that is said.",
            tests: &[
                "runtime/src/health/business.rs::hc_x2_a_probe_is_no_business_operation",
                "runtime/tests/guard/probing.rs::hc_x2_a_business_operation_is_never_a_probe",
                "runtime/tests/guard/probing.rs::hc_x2_without_a_declared_probe_only_breaker_and_bulkhead_are_told_and_that_is_said",
            ],
        },
    ],
};

pub(super) const WAITING: Group = Group {
    title: "Waiting for results",
    rules: &[
        Rule {
            code: "R-RES-ASYNC-1",
            rule: "What is polled for goes through the durable queue.",
            upheld: Behaviour,
            how: "A question is a task that is asked again until it is answered or has expired.",
            tests: &[
                "tests/queue/tests/behaviour/polling.rs::r_res_async_1_an_outcome_puts_its_question_there_which_is_asked_until_it_is_answered",
                "runtime/src/queue/worker/verdict.rs::r_res_async_1_a_question_is_asked_again_until_it_expires",
            ],
        },
        Rule {
            code: "R-RES-ASYNC-2",
            rule: "Waits within a call stay under 2 s together unless the settings say otherwise.",
            upheld: Check,
            how: "The waits of the presets do; longer ones are judged by R-RES-RE-4.",
            tests: &[
                "runtime/src/settings/worst_case.rs::the_external_preset_takes_three_attempts_and_two_waits",
                "runtime/src/settings/rules.rs::re_4_judges_the_waits_of_a_whole_call",
            ],
        },
        Rule {
            code: "R-RES-ASYNC-3",
            rule: "Asynchronous calls have a limit of time.",
            upheld: Construction,
            how: "Every call does (R-RES-TO-X1).",
            tests: &["runtime/tests/guard/deadline.rs::without_a_deadline_an_attempt_has_the_call_timeout"],
        },
        Rule {
            code: "R-RES-ASYNC-X1",
            rule: "No loops that sleep.",
            upheld: Construction,
            how: "The only loop that waits is the retry, and it is bounded.",
            tests: &["runtime/tests/guard/repeating.rs::r_res_re_2_waits_are_drawn_from_zero_to_a_growing_bound"],
        },
        Rule {
            code: "R-RES-ASYNC-X2",
            rule: "No sleep of more than 5 s within a call.",
            upheld: Check,
            how: "A longer bound of a wait is refused.",
            tests: &["runtime/src/settings/rules.rs::re_3_re_x3_and_async_x2"],
        },
    ],
};

pub(super) const OBSERVABILITY: Group = Group {
    title: "Numbers, spans, log",
    rules: &[
        Rule {
            code: "R-RES-OBS-1",
            rule: "State, calls by kind, failure and slow rate, retries by kind, places: under Resilience4j's names.",
            upheld: Behaviour,
            how: "Handles are registered when the guard is made; a dashboard and alert rules come with it.",
            tests: &[
                "runtime/tests/guard/metrics.rs::r_res_obs_1_every_series_of_resilience4j_is_there_before_the_first_call",
                "runtime/tests/dashboards.rs::dashboard_and_alerts_ask_for_series_that_exist",
                "runtime/tests/dashboards.rs::promtool_takes_the_rules",
            ],
        },
        Rule {
            code: "R-RES-OBS-2",
            rule: "A span a call and one an attempt, with the system and the breaker's state.",
            upheld: Behaviour,
            how: "OpenTelemetry's names for HTTP clients.",
            tests: &["runtime/tests/guard/spans.rs::r_res_obs_2_a_call_is_a_span_and_each_attempt_one_within_it"],
        },
        Rule {
            code: "R-RES-OBS-3",
            rule: "A warning on each change of the breaker's state, and nothing on a plain success.",
            upheld: Behaviour,
            how: "With the system, both states and the failure rate.",
            tests: &[
                "runtime/tests/guard/health.rs::r_res_obs_3_every_change_of_state_is_a_warning_and_a_success_is_nothing",
                "runtime/tests/guard/spans.rs::r_res_obs_3_nothing_is_told_of_a_plain_success",
            ],
        },
        Rule {
            code: "R-RES-OBS-X1",
            rule: "Numbers are not off by default.",
            upheld: Construction,
            how: "The feature `metrics` is a default one.",
            tests: &[
                "runtime/tests/guard/metrics.rs::r_res_obs_1_every_series_of_resilience4j_is_there_before_the_first_call",
            ],
        },
        Rule {
            code: "R-RES-TRACE-1",
            rule: "Every request carries `traceparent`, and the trace's id alone for systems that know only that.",
            upheld: Behaviour,
            how: "Settings `headers.traceparent` and `headers.trace-id`.",
            tests: &[
                "runtime/tests/guard/spans.rs::every_request_carries_a_trace_and_all_attempts_of_a_call_the_same",
                "runtime/tests/guard/spans.rs::a_system_that_cannot_bear_traceparent_is_spared_it",
                "runtime/tests/trace_context.rs::requests_carry_what_the_provider_says",
            ],
        },
    ],
};
