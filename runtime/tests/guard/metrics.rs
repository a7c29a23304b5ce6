//! The numbers, as a scrape by Prometheus shows them.

use std::collections::BTreeMap;

use cofferdam_runtime::breaker::SlidingWindow;
use cofferdam_runtime::engine::Transparent;
use cofferdam_runtime::observability::{FallbackKind, Fallbacks};
use cofferdam_runtime::settings::{LayerOrder, RateLimitSettings, Settings, SystemSettings};
use cofferdam_runtime::{Guard, IdempotencyKey, observability};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use serde_json::json;
use tokio::time::{sleep, timeout};

use super::spans::Told;
use super::subject::{Counter, Look, Order, Pay, Plain, answer, handle, ms, settings};

/// A guard whose numbers go to a recorder of its own.
fn metered(settings: SystemSettings) -> (Guard, PrometheusHandle) {
    let recorder = PrometheusBuilder::new().build_recorder();
    let guard = metrics::with_local_recorder(&recorder, || Guard::new(&handle(settings)).unwrap());
    (guard, recorder.handle())
}

/// A scrape: series with their labels in alphabetical order, and values.
fn scraped(prometheus: &PrometheusHandle) -> BTreeMap<String, f64> {
    let text = prometheus.render();
    let series = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(|line| {
        let (series, value) = line.rsplit_once(' ').unwrap();
        let (name, labels) = series.trim_end_matches('}').split_once('{').unwrap();
        let mut labels: Vec<_> = labels.split(',').collect();
        labels.sort_unstable();
        (format!("{name}{{{}}}", labels.join(",")), value.parse().unwrap())
    });
    series.collect()
}

fn value(prometheus: &PrometheusHandle, series: &str) -> f64 {
    let all = scraped(prometheus);
    *all.get(series).unwrap_or_else(|| panic!("{series} is not in {all:#?}"))
}

/// Names and labels are those of Resilience4j's tagged Micrometer metrics (its classes `CircuitBreakerMetricNames`,
/// `RetryMetricNames`, `BulkheadMetricNames`) as Micrometer's Prometheus registry writes them, from the first scrape on.
#[tokio::test(start_paused = true)]
async fn r_res_obs_1_every_series_of_resilience4j_is_there_before_the_first_call() {
    let (_guard, prometheus) = metered(settings());
    let wanted = [
        ("resilience4j_circuitbreaker_state{name=\"acme\",state=\"closed\"}", 1.0),
        ("resilience4j_circuitbreaker_state{name=\"acme\",state=\"open\"}", 0.0),
        ("resilience4j_circuitbreaker_state{name=\"acme\",state=\"half_open\"}", 0.0),
        ("resilience4j_circuitbreaker_state{name=\"acme\",state=\"forced_open\"}", 0.0),
        ("resilience4j_circuitbreaker_state{name=\"acme\",state=\"disabled\"}", 0.0),
        ("resilience4j_circuitbreaker_state{name=\"acme\",state=\"metrics_only\"}", 0.0),
        ("resilience4j_circuitbreaker_calls_seconds_count{kind=\"successful\",name=\"acme\"}", 0.0),
        ("resilience4j_circuitbreaker_calls_seconds_sum{kind=\"successful\",name=\"acme\"}", 0.0),
        ("resilience4j_circuitbreaker_calls_seconds_max{kind=\"successful\",name=\"acme\"}", 0.0),
        ("resilience4j_circuitbreaker_calls_seconds_count{kind=\"failed\",name=\"acme\"}", 0.0),
        ("resilience4j_circuitbreaker_calls_seconds_sum{kind=\"failed\",name=\"acme\"}", 0.0),
        ("resilience4j_circuitbreaker_calls_seconds_max{kind=\"failed\",name=\"acme\"}", 0.0),
        ("resilience4j_circuitbreaker_calls_seconds_count{kind=\"ignored\",name=\"acme\"}", 0.0),
        ("resilience4j_circuitbreaker_calls_seconds_sum{kind=\"ignored\",name=\"acme\"}", 0.0),
        ("resilience4j_circuitbreaker_calls_seconds_max{kind=\"ignored\",name=\"acme\"}", 0.0),
        ("resilience4j_circuitbreaker_not_permitted_calls_total{kind=\"not_permitted\",name=\"acme\"}", 0.0),
        ("resilience4j_circuitbreaker_failure_rate{name=\"acme\"}", -1.0),
        ("resilience4j_circuitbreaker_slow_call_rate{name=\"acme\"}", -1.0),
        ("resilience4j_circuitbreaker_slow_calls{kind=\"successful\",name=\"acme\"}", 0.0),
        ("resilience4j_circuitbreaker_slow_calls{kind=\"failed\",name=\"acme\"}", 0.0),
        ("resilience4j_circuitbreaker_buffered_calls{kind=\"successful\",name=\"acme\"}", 0.0),
        ("resilience4j_circuitbreaker_buffered_calls{kind=\"failed\",name=\"acme\"}", 0.0),
        ("resilience4j_retry_calls_total{kind=\"successful_without_retry\",name=\"acme\"}", 0.0),
        ("resilience4j_retry_calls_total{kind=\"successful_with_retry\",name=\"acme\"}", 0.0),
        ("resilience4j_retry_calls_total{kind=\"failed_without_retry\",name=\"acme\"}", 0.0),
        ("resilience4j_retry_calls_total{kind=\"failed_with_retry\",name=\"acme\"}", 0.0),
        ("resilience4j_bulkhead_available_concurrent_calls{name=\"acme\"}", 16.0),
        ("resilience4j_bulkhead_max_allowed_concurrent_calls{name=\"acme\"}", 16.0),
    ];
    let mut scraped = scraped(&prometheus);
    scraped.retain(|series, _| series.starts_with("resilience4j_") && !series.contains("quantile="));
    let wanted: BTreeMap<String, f64> = wanted.map(|(series, value)| (series.to_owned(), value)).into();
    assert_eq!(scraped, wanted);
    let types = prometheus.render();
    for line in [
        "# TYPE resilience4j_circuitbreaker_calls_seconds summary",
        "# TYPE resilience4j_circuitbreaker_calls_seconds_max gauge",
        "# TYPE resilience4j_circuitbreaker_not_permitted_calls_total counter",
        "# TYPE resilience4j_circuitbreaker_state gauge",
        "# TYPE resilience4j_retry_calls_total counter",
    ] {
        assert!(types.contains(line), "{line}");
    }
}

/// The exporter's own wish for suffixes changes nothing: the names carry them already.
#[tokio::test(start_paused = true)]
async fn the_exporters_recommended_naming_gives_the_same_names() {
    let names = |builder: PrometheusBuilder| {
        let recorder = builder.build_recorder();
        let _guard = metrics::with_local_recorder(&recorder, || Guard::new(&handle(settings())).unwrap());
        scraped(&recorder.handle()).into_keys().collect::<Vec<_>>()
    };
    let plain = names(PrometheusBuilder::new());
    assert!(plain.len() > 30);
    assert_eq!(names(PrometheusBuilder::new().with_recommended_naming(true)), plain);
}

#[tokio::test(start_paused = true)]
async fn calls_are_counted_by_how_they_ended_with_their_duration() {
    let (guard, prometheus) = metered(settings());
    for (status, took) in [(0, 300), (0, 100), (500, 2000), (422, 40)] {
        let attempt = || async {
            sleep(ms(took)).await;
            if status == 0 { Ok(json!({})) } else { answer(status, &[]) }
        };
        let _ = guard.once(Pay, &Plain, attempt).await;
    }
    // Dropped when it was slow: a failure. Dropped before that: nothing.
    let slow = settings().breaker.config.slow_call + ms(1);
    assert!(timeout(slow, guard.once(Pay, &Plain, std::future::pending)).await.is_err());
    assert!(timeout(ms(10), guard.once(Pay, &Plain, std::future::pending)).await.is_err());
    guard.publish();
    let calls = |what, kind| {
        value(
            &prometheus,
            &format!("resilience4j_circuitbreaker_calls_seconds_{what}{{kind=\"{kind}\",name=\"acme\"}}"),
        )
    };
    let all = |kind| (calls("count", kind), (calls("sum", kind) * 1000.0).round(), calls("max", kind));
    let slow = slow.as_secs_f64();
    assert_eq!(all("successful"), (2.0, 400.0, 0.3));
    assert_eq!(all("failed"), (2.0, 2000.0 + slow * 1000.0, slow));
    assert_eq!(all("ignored"), (1.0, 40.0, 0.04));
    let kept = |kind| {
        value(&prometheus, &format!("resilience4j_circuitbreaker_buffered_calls{{kind=\"{kind}\",name=\"acme\"}}"))
    };
    assert_eq!((kept("successful"), kept("failed")), (2.0, 2.0));
    let slow =
        |kind| value(&prometheus, &format!("resilience4j_circuitbreaker_slow_calls{{kind=\"{kind}\",name=\"acme\"}}"));
    assert_eq!((slow("successful"), slow("failed")), (0.0, 1.0));
}

fn state(prometheus: &PrometheusHandle, state: &str) -> f64 {
    value(prometheus, &format!("resilience4j_circuitbreaker_state{{name=\"acme\",state=\"{state}\"}}"))
}

/// What another engine's breaker and bulkhead look like only it could tell.
#[tokio::test(start_paused = true)]
async fn under_another_engine_our_breaker_shows_no_state_and_calls_are_counted() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let (prometheus, handle) = (recorder.handle(), handle(settings()).with_engine(std::sync::Arc::new(Transparent)));
    let guard = metrics::with_local_recorder(&recorder, || Guard::new(&handle).unwrap());
    guard.read(Look, &Plain, || async { Ok(json!({})) }).await.unwrap();
    guard.publish();
    for state in ["closed", "open", "half_open", "forced_open", "disabled", "metrics_only"] {
        assert_eq!(self::state(&prometheus, state), 0.0, "{state}");
    }
    for (series, number) in [
        ("resilience4j_circuitbreaker_failure_rate{name=\"acme\"}", -1.0),
        ("resilience4j_bulkhead_max_allowed_concurrent_calls{name=\"acme\"}", 0.0),
        ("resilience4j_circuitbreaker_calls_seconds_count{kind=\"successful\",name=\"acme\"}", 1.0),
    ] {
        assert_eq!(value(&prometheus, series), number, "{series}");
    }
}

#[tokio::test(start_paused = true)]
async fn every_states_series_is_written_on_a_change() {
    for order in [LayerOrder::RetryOutside, LayerOrder::BreakerOutside] {
        let mut settings = settings();
        settings.order = order;
        settings.retry.max_attempts = 1;
        settings.breaker.config.window = SlidingWindow::Calls(4);
        settings.breaker.config.minimum_calls = 4;
        let (guard, prometheus) = metered(settings);
        for _ in 0..6 {
            let _ = guard.read(Look, &Plain, || async { answer(503, &[]) }).await;
        }
        let states = |prometheus| ["closed", "open", "half_open"].map(|name| state(prometheus, name));
        assert_eq!(states(&prometheus), [0.0, 1.0, 0.0], "{order:?}");
        let refused = "resilience4j_circuitbreaker_not_permitted_calls_total{kind=\"not_permitted\",name=\"acme\"}";
        assert_eq!(value(&prometheus, refused), 2.0);
        // The call that opened it also refreshed the rates that explain it.
        assert_eq!(value(&prometheus, "resilience4j_circuitbreaker_failure_rate{name=\"acme\"}"), 100.0);

        sleep(ms(31_000)).await;
        guard.read(Look, &Plain, || async { Ok(json!({})) }).await.unwrap();
        assert_eq!(states(&prometheus), [0.0, 0.0, 1.0]);
        guard.breaker().transition_to_forced_open();
        assert_eq!((states(&prometheus), state(&prometheus, "forced_open")), ([0.0, 0.0, 0.0], 1.0));
    }
}

#[tokio::test(start_paused = true)]
async fn a_breaker_that_is_turned_off_shows_as_disabled() {
    let mut settings = settings();
    settings.breaker.enabled = false;
    let (_guard, prometheus) = metered(settings);
    assert_eq!((state(&prometheus, "closed"), state(&prometheus, "disabled")), (0.0, 1.0));
}

#[tokio::test(start_paused = true)]
async fn repeatable_calls_are_counted_by_kind_and_others_are_not() {
    let mut settings = settings();
    settings.breaker.config.minimum_calls = 50;
    let (guard, prometheus) = metered(settings);
    let begun = Counter::default();
    let key = IdempotencyKey::new("K-1");
    guard.read(Look, &Plain, || async { Ok(json!({})) }).await.unwrap();
    let recovering = || async { if begun.up() < 2 { answer(503, &[]) } else { Ok(json!({})) } };
    guard.keyed(Order, &key, &Plain, recovering).await.unwrap();
    guard.read(Look, &Plain, || async { answer(503, &[]) }).await.unwrap_err();
    guard.keyed(Order, &key, &Plain, || async { answer(422, &[]) }).await.unwrap_err();
    // A no in a 200 is an answer; what the mapper calls a failure is none, even if it is the last word.
    guard.read(Look, &Plain, || async { Ok(json!({ "error": "5" })) }).await.unwrap_err();
    guard.read(Look, &Plain, || async { Ok(json!({ "error": "7" })) }).await.unwrap_err();
    guard.once(Pay, &Plain, || async { Ok(json!({})) }).await.unwrap();
    guard.keyed(Order, &IdempotencyKey::new(""), &Plain, || async { Ok(json!({})) }).await.unwrap();
    let kinds = ["successful_without_retry", "successful_with_retry", "failed_without_retry", "failed_with_retry"];
    let counted = kinds
        .map(|kind| value(&prometheus, &format!("resilience4j_retry_calls_total{{kind=\"{kind}\",name=\"acme\"}}")));
    assert_eq!(counted, [2.0, 1.0, 1.0, 2.0]);
}

#[tokio::test(start_paused = true)]
async fn what_resilience4j_has_no_name_for_has_one_of_ours() {
    let mut settings = settings();
    settings.retry.budget.ratio = 0.0;
    settings.retry.budget.floor_per_second = 0.1;
    settings.bulkhead.max_concurrent = 1;
    let (guard, prometheus) = metered(settings);
    guard.read(Look, &Plain, || async { answer(503, &[]) }).await.unwrap_err();
    assert_eq!(value(&prometheus, "cofferdam_retry_budget_spent_total{name=\"acme\"}"), 1.0);
    let slow = || async {
        sleep(ms(1000)).await;
        Ok(json!({}))
    };
    let (first, second) = tokio::join!(guard.read(Look, &Plain, slow), guard.once(Pay, &Plain, slow));
    assert!(first.is_ok() && second.is_err());
    assert_eq!(value(&prometheus, "cofferdam_bulkhead_refused_calls_total{name=\"acme\"}"), 1.0);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_an_open_breaker_refuses_failed_without_retry_where_it_might_have_been_repeated() {
    let (guard, prometheus) = metered(settings());
    guard.breaker().transition_to_forced_open();
    let error = guard.read(Look, &Plain, || async { Ok(json!({})) }).await.unwrap_err();
    guard.once(Pay, &Plain, || async { Ok(json!({})) }).await.unwrap_err();
    let unretried = "resilience4j_retry_calls_total{kind=\"failed_without_retry\",name=\"acme\"}";
    assert_eq!(value(&prometheus, unretried), 1.0);
    let refused = "resilience4j_circuitbreaker_not_permitted_calls_total{kind=\"not_permitted\",name=\"acme\"}";
    assert_eq!(value(&prometheus, refused), 2.0);
    assert_eq!(error.retry_after(), Some(ms(36_000)), "nobody knows when");
}

#[tokio::test(start_paused = true)]
async fn a_used_up_quota_is_counted() {
    let mut settings = settings();
    settings.rate_limit = Some(RateLimitSettings { limit: 2, period: ms(1000), max_wait: ms(0) });
    let (guard, prometheus) = metered(settings);
    for _ in 0..5 {
        let _ = guard.read(Look, &Plain, || async { Ok(json!({})) }).await;
    }
    assert_eq!(value(&prometheus, "cofferdam_rate_limit_refused_calls_total{name=\"acme\"}"), 3.0);
}

#[tokio::test(start_paused = true)]
async fn r_res_fb_x2_a_fallback_counts_where_it_is_used() {
    let (guard, prometheus) = metered(settings());
    guard.breaker().transition_to_forced_open();
    let call = guard.read(Look, &Plain, || async { Ok(json!({})) });
    assert!(guard.neutral(Look).answer(call, |_| json!([])).await.unwrap().is_degraded());
    assert_eq!(value(&prometheus, "cofferdam_fallback_calls_total{kind=\"default\",name=\"acme\"}"), 1.0);
}

#[tokio::test(start_paused = true)]
async fn gauges_follow_calls_within_a_second_and_a_quiet_system_when_published() {
    let (guard, prometheus) = metered(settings());
    let free = || value(&prometheus, "resilience4j_bulkhead_available_concurrent_calls{name=\"acme\"}");
    let buffered =
        || value(&prometheus, "resilience4j_circuitbreaker_buffered_calls{kind=\"successful\",name=\"acme\"}");
    let quick = || async { Ok(json!({})) };
    for _ in 0..3 {
        guard.read(Look, &Plain, quick).await.unwrap();
    }
    assert_eq!(buffered(), 1.0, "the first call refreshed them, the next ones came too soon");
    sleep(ms(1000)).await;
    guard.read(Look, &Plain, quick).await.unwrap();
    assert_eq!(buffered(), 4.0);

    let holder = guard.clone();
    let holding = tokio::spawn(async move { holder.once(Pay, &Plain, std::future::pending).await });
    tokio::task::yield_now().await;
    assert_eq!(free(), 16.0);
    observability::publish();
    assert_eq!(free(), 15.0);
    holding.abort();
    let _ = holding.await;
    let publishing = tokio::spawn(observability::publish_every(ms(5000)));
    sleep(ms(5001)).await;
    assert_eq!(free(), 16.0);
    publishing.abort();
}

#[test]
fn settings_that_were_refused_show_until_they_are_taken() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let prometheus = recorder.handle();
    let text = "systems: {acme: {base-url: 'https://acme.test'}}";
    let settings = Settings::parse(text, "x.yaml").unwrap();
    let refused = || prometheus.render().lines().any(|line| line == "cofferdam_settings_refused 1");
    metrics::with_local_recorder(&recorder, || {
        assert!(settings.reload_from("systems: {}").is_err() && refused());
        assert!(settings.reload_from(text).is_ok() && !refused());
    });
    assert!(prometheus.render().contains("\ncofferdam_settings_refused 0\n"));
}

#[test]
fn fb_x2_every_fallback_is_counted_and_told() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let fallbacks = metrics::with_local_recorder(&recorder, || Fallbacks::new("acme"));
    let counted = || {
        FallbackKind::ALL.map(|kind| {
            let series = format!("cofferdam_fallback_calls_total{{kind=\"{}\",name=\"acme\"}}", kind.as_str());
            value(&recorder.handle(), &series)
        })
    };
    assert_eq!(counted(), [0.0; 4]);
    let (told, _listening) = Told::on_this_thread();
    fallbacks.used("look", FallbackKind::Stale);
    fallbacks.used("look", FallbackKind::Stale);
    fallbacks.used("pay", FallbackKind::Queued);
    assert_eq!(counted(), [2.0, 0.0, 1.0, 0.0]);
    let last = "WARN external.operation=pay external.system=acme kind=queued message=answered by a fallback";
    assert_eq!((told.events().len(), told.events()[2].as_str()), (3, last));
}
