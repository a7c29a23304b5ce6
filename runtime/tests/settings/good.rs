use std::path::Path;
use std::time::Duration;

use cofferdam_runtime::breaker::{
    AfterHalfOpen, DroppedCalls, HalfOpenLimit, HalfOpenVerdict, OpenWait, SlidingWindow,
};
use cofferdam_runtime::settings::{
    AdaptiveSettings, FallbackSettings, LayerOrder, Profile, RateLimitSettings, Settings, SystemSettings,
};

const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn settings() -> Settings {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good-settings/resilience.yaml");
    Settings::parse(&std::fs::read_to_string(path).unwrap(), "resilience.yaml")
        .unwrap_or_else(|error| panic!("{error}"))
}

fn system(settings: &Settings, name: &str) -> SystemSettings {
    SystemSettings::clone(&settings.system(name).unwrap().load())
}

#[test]
fn a_system_starts_from_its_profile_and_the_defaults() {
    let settings = settings();
    assert_eq!(settings.names().collect::<Vec<_>>(), ["f6", "mini-o2o", "sber"]);
    assert_eq!(settings.profile("mini-o2o"), Some(Profile::Internal));
    let mini = system(&settings, "mini-o2o");
    let preset = Profile::Internal.preset(mini.base_url.clone());
    assert_eq!(mini.timeouts, preset.timeouts);
    assert_eq!(mini.bulkhead, preset.bulkhead);
    assert!(!mini.breaker.enabled);
    assert_eq!(mini.breaker.config, preset.breaker.config);
    // `defaults` go before the preset, and the system before both.
    assert_eq!(mini.retry.max_attempts, 2);
    assert_eq!(system(&settings, "sber").retry.max_attempts, 3);
}

#[test]
fn cb_3_a_low_threshold_stands_with_its_reason() {
    let sber = system(&settings(), "sber");
    assert_eq!(sber.breaker.config.failure_rate_threshold, 30.0);
    assert_eq!(sber.code_base, 31_000);
    assert_eq!(sber.base_url.as_str(), "https://securepayments.example/payment/rest");
    assert_eq!(sber.retry.initial_wait, Duration::from_millis(500));
}

#[test]
fn bh_3_iso_2_and_cb_5_are_derived_from_what_is_said() {
    let f6 = system(&settings(), "f6");
    assert_eq!(f6.bulkhead.max_concurrent, 24, "floor(30 x 0.8)");
    assert_eq!(f6.pool.max_idle, 36, "ceil(30 x 1.2)");
    assert_eq!(f6.breaker.config.slow_call, secs(5), "half of read");
    let text = "systems: {a: {base-url: 'http://a', max-concurrent: 1}, b: {base-url: 'http://b', max-concurrent: 7}}";
    let small = Settings::parse(text, "small.yaml").unwrap();
    let (a, b) = (system(&small, "a"), system(&small, "b"));
    assert_eq!((a.bulkhead.max_concurrent, a.pool.max_idle), (1, 2));
    assert_eq!((b.bulkhead.max_concurrent, b.pool.max_idle), (5, 9));
}

#[test]
fn to_1_a_call_time_that_is_not_said_leaves_just_enough_room() {
    let text = "\
systems:
  a:
    base-url: http://a
    timeouts: {read: 60s}
    operations:
      quick: {timeouts: {read: 10s}}
  b:
    base-url: http://b
    timeouts: {call: 50s}
    operations:
      quick: {timeouts: {read: 10s}}
";
    let settings = Settings::parse(text, "x.yaml").unwrap();
    let (a, b) = (system(&settings, "a"), system(&settings, "b"));
    assert_eq!((a.timeouts.call, a.policy("quick").timeouts.call), (secs(66), secs(16)));
    assert_eq!((b.timeouts.call, b.policy("quick").timeouts.call), (secs(50), secs(50)));
}

#[test]
fn a_window_smaller_than_the_preset_minimum_bends_the_minimum() {
    let text = "systems: {a: {base-url: 'http://a', breaker: {sliding-window-size: 4}}}";
    let config = system(&Settings::parse(text, "x.yaml").unwrap(), "a").breaker.config;
    assert_eq!((config.window, config.minimum_calls), (SlidingWindow::Calls(4), 4));
}

#[test]
fn every_key_arrives_where_it_belongs() {
    let f6 = system(&settings(), "f6");
    assert_eq!((f6.timeouts.connect, f6.timeouts.read, f6.timeouts.call), (secs(1), secs(10), secs(15)));
    assert_eq!(f6.order, LayerOrder::BreakerOutside);
    assert_eq!(f6.max_reply_bytes, 2 << 20);
    assert_eq!(f6.bulkhead.max_wait, Duration::ZERO);
    assert_eq!(f6.rate_limit, Some(RateLimitSettings { limit: 50, period: secs(60), max_wait: secs(2) }));
    assert_eq!(f6.pool.idle_timeout, secs(30));
    assert_eq!(f6.headers.deadline.as_ref().map(|name| name.as_str()), Some("x-timeout-ms"));
    assert!(f6.retry.on_429 && f6.retry.on_408);
    assert_eq!(f6.retry.max_total_wait, secs(10));
    assert_eq!((f6.retry.budget.ratio, f6.retry.budget.floor_per_second), (0.1, 2.0));
    assert!(!f6.headers.traceparent);
    assert_eq!(f6.headers.trace_id.as_ref().map(|name| name.as_str()), Some("x-trace-id"));
    assert_eq!(f6.tls.ca_file.as_deref(), Some(Path::new("certificates/f6.pem")), "relative to the settings file");
    let proxy = f6.proxy.unwrap();
    assert_eq!((proxy.url.as_str(), proxy.user.as_deref()), ("http://proxy.internal:3128/", Some("orders")));
    assert_eq!(f6.health.probe.map(|probe| probe.to_string()).as_deref(), Some("OPTIONS /orders?light=1"));
    assert_eq!((f6.health.cache, f6.health.timeout), (secs(60), secs(1)));
    let config = f6.breaker.config;
    assert_eq!(config.window, SlidingWindow::Seconds(60));
    assert_eq!(config.minimum_calls, 5);
    assert_eq!((config.failure_rate_threshold, config.slow_call_rate_threshold), (50.0, 100.0));
    assert_eq!(config.open_wait, OpenWait::growing(secs(10), 1.5, secs(90)).jittered(0.1));
    assert_eq!(config.half_open_calls, 5);
    assert_eq!(config.half_open_verdict, HalfOpenVerdict::Rate);
    assert_eq!(config.half_open_limit, Some(HalfOpenLimit { after: secs(20), to: AfterHalfOpen::Closed }));
    assert!(config.half_open_unasked);
    assert_eq!(config.dropped_calls, DroppedCalls::Release);
    let counting = f6.breaker.counting;
    assert_eq!((counting.record.to_string(), counting.ignore.to_string()), ("429".into(), "501, verdict".into()));
    assert_eq!(f6.bulkhead.adaptive, Some(AdaptiveSettings { min: 2, max: 24, tolerance: 1.5 }));
    assert_eq!(f6.fallback, FallbackSettings { stale_max_age: secs(3600), stale_max_entries: 50 });
}

#[test]
fn paths_are_relative_to_the_folder_of_the_file() {
    let text = "systems: {a: {base-url: 'https://a', tls: {ca-file: a.pem}}, b: {base-url: 'https://b', tls: {ca-file: /b.pem}}}";
    let settings = Settings::parse(text, "etc/service/resilience.yaml").unwrap();
    assert_eq!(system(&settings, "a").tls.ca_file.as_deref(), Some(Path::new("etc/service/a.pem")));
    assert_eq!(system(&settings, "b").tls.ca_file.as_deref(), Some(Path::new("/b.pem")));
}

#[test]
fn a_system_can_go_without_the_proxy_of_the_others() {
    let text = "\
defaults: {proxy: {url: 'http://proxy:3128'}}
systems:
  a: {base-url: 'https://a'}
  b: {base-url: 'https://b', proxy: {enabled: false}}
";
    let settings = Settings::parse(text, "x.yaml").unwrap();
    assert!(system(&settings, "a").proxy.is_some() && system(&settings, "b").proxy.is_none());
}

#[test]
fn a_password_comes_from_the_environment_and_is_never_shown() {
    let text = "systems: {a: {base-url: 'https://a', proxy: {url: 'http://proxy:3128', user: ann}}}";
    let variable = ("COFFERDAM__A__PROXY__PASSWORD".to_owned(), "hunter2".to_owned());
    let settings = Settings::parse_with(text, "x.yaml", [variable]).unwrap();
    let a = system(&settings, "a");
    assert_eq!(a.proxy.as_ref().unwrap().password.as_ref().unwrap().expose(), "hunter2");
    assert!(!format!("{settings:?} {a:?}").contains("hunter2"));
}

#[test]
fn there_is_a_rate_limit_where_one_is_said() {
    let settings = settings();
    assert_eq!(system(&settings, "sber").rate_limit, None);
    let mini = system(&settings, "mini-o2o").rate_limit;
    assert_eq!(mini, Some(RateLimitSettings { limit: 7, period: secs(1), max_wait: Duration::ZERO }));
    let text = "\
defaults: {rate-limit: {limit: 5, period: 2s}}
systems:
  a: {base-url: 'http://a'}
  b: {base-url: 'http://b', rate-limit: {limit: 9}}
  c: {base-url: 'http://c', rate-limit: {enabled: false}}
";
    let settings = Settings::parse(text, "x.yaml").unwrap();
    let rates = ["a", "b", "c"].map(|name| system(&settings, name).rate_limit.map(|rate| (rate.limit, rate.period)));
    assert_eq!(rates, [Some((5, secs(2))), Some((9, secs(2))), None]);
}

#[test]
fn an_operation_lays_its_own_over_its_system() {
    let sber = system(&settings(), "sber");
    let register = sber.policy("registerOrder");
    assert_eq!(
        (register.timeouts.connect, register.timeouts.read, register.timeouts.call),
        (secs(5), secs(10), secs(16))
    );
    assert_eq!(register.retry.max_attempts, 2);
    assert_eq!(register.retry.initial_wait, sber.retry.initial_wait);
    let status = sber.policy("getOrderStatusExtended.do");
    assert_eq!((status.timeouts, status.max_reply_bytes), (sber.timeouts, 64 << 10));
    assert_eq!(sber.operations.get("getOrderStatusExtended.do").unwrap().retry, None);
}

#[test]
fn all_who_ask_for_a_system_see_the_same_settings() {
    let settings = settings();
    let (one, two) = (settings.system("f6").unwrap(), settings.system("f6").unwrap());
    let mut changed = SystemSettings::clone(&one.load());
    changed.retry.max_attempts = 1;
    one.store(changed);
    assert_eq!(two.load().retry.max_attempts, 1);
}

#[test]
fn a_system_without_settings_is_named() {
    let error = settings().system("f-6").unwrap_err();
    assert_eq!(error.to_string(), "resilience.yaml: there are no settings `systems.f-6` (`f6` is meant?)");
    let error = settings().system("warehouse").unwrap_err();
    assert!(error.to_string().ends_with("(known: f6, mini-o2o, sber)"));
}
