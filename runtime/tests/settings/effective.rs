//! What holds, and where each value comes from.

use cofferdam_runtime::Settings;
use cofferdam_runtime::settings::{EffectiveSetting, EffectiveSettings, Profile, SettingSource, SettingsError};

const TEXT: &str = "\
defaults:
  retry:
    max-attempts: 2
systems:
  sber:
    base-url: https://sber.example/
    max-concurrent: 10
    timeouts:
      read: 10s
    retry:
      wait-duration: 300ms
    operations:
      pay:
        timeouts: {read: 30s}
        retry: {max-attempts: 1}
  f6:
    profile: supplier
    proxy: {url: 'http://p.example:1', user: me}
";

fn read(text: &str, variables: &[(&str, &str)]) -> Result<Vec<EffectiveSettings>, SettingsError> {
    let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    EffectiveSettings::read(text, "resilience.yaml", variables)
}

fn system(name: &str, variables: &[(&str, &str)]) -> EffectiveSettings {
    read(TEXT, variables).unwrap().into_iter().find(|system| system.system == name).unwrap()
}

fn shown(settings: &[EffectiveSetting], key: &str) -> String {
    let found: Vec<String> = settings
        .iter()
        .filter(|setting| setting.key == key)
        .map(|setting| {
            let from = match &setting.source {
                SettingSource::Preset(profile) => format!("preset {}", profile.word()),
                SettingSource::Follows { key } => format!("follows {key}"),
                SettingSource::File { key, line, col } => format!("{line}:{col} {key}"),
                SettingSource::Variable { key, name } => format!("{name} {key}"),
                SettingSource::Missing => "missing".to_owned(),
            };
            format!("{} < {from}", setting.value)
        })
        .collect();
    assert!(found.len() < 2, "{key} twice: {found:?}");
    found.first().cloned().unwrap_or_default()
}

#[test]
fn cfg_2_each_value_tells_which_layer_it_comes_from() {
    let sber = system("sber", &[("COFFERDAM__SBER__ORDER", "breaker-outside")]);
    assert_eq!(sber.profile, Profile::External);
    for (key, wanted) in [
        ("base-url", "https://sber.example/ < 6:15 systems.sber.base-url"),
        ("max-concurrent", "10 < 7:21 systems.sber.max-concurrent"),
        ("order", "breaker-outside < COFFERDAM__SBER__ORDER systems.sber.order"),
        ("timeouts.connect", "5s < preset external"),
        ("timeouts.read", "10s < 9:13 systems.sber.timeouts.read"),
        ("timeouts.call", "16s < follows systems.sber.timeouts.read"),
        ("breaker.slow-call-duration-threshold", "5s < follows systems.sber.timeouts.read"),
        ("breaker.minimum-number-of-calls", "10 < preset external"),
        ("bulkhead.max-concurrent-calls", "8 < follows systems.sber.max-concurrent"),
        ("pool.max-idle", "12 < follows systems.sber.max-concurrent"),
        ("retry.max-attempts", "2 < 3:19 defaults.retry.max-attempts"),
        ("retry.wait-duration", "300ms < 11:22 systems.sber.retry.wait-duration"),
        ("retry.budget.ratio", "0.2 < preset external"),
        ("tls.ca-file", "unset < preset external"),
    ] {
        assert_eq!(shown(&sber.settings, key), wanted, "{key}");
    }
}

#[test]
fn an_operation_has_its_own_and_its_systems() {
    let sber = system("sber", &[]);
    assert_eq!(sber.operations().collect::<Vec<_>>(), ["pay"]);
    let pay = sber.operation("pay");
    for (key, wanted) in [
        ("timeouts.read", "30s < 14:26 systems.sber.operations.pay.timeouts.read"),
        ("timeouts.call", "36s < follows systems.sber.operations.pay.timeouts.read"),
        ("timeouts.connect", "5s < preset external"),
        ("retry.max-attempts", "1 < 15:31 systems.sber.operations.pay.retry.max-attempts"),
        ("retry.wait-duration", "300ms < 11:22 systems.sber.retry.wait-duration"),
        ("breaker.sliding-window-size", ""),
    ] {
        assert_eq!(shown(&pay, key), wanted, "{key}");
    }
    assert_eq!(shown(&sber.operation("other"), "timeouts.read"), "10s < 9:13 systems.sber.timeouts.read");
}

#[test]
fn secrets_are_not_shown_and_an_address_may_be_missing() {
    let f6 = system("f6", &[("COFFERDAM__F6__PROXY__PASSWORD", "hunter2")]);
    assert_eq!(shown(&f6.settings, "base-url"), "unset < missing");
    assert_eq!(shown(&f6.settings, "proxy.enabled"), "true < follows systems.f6.proxy.url");
    let password = shown(&f6.settings, "proxy.password");
    assert!(password.starts_with("(secret) < COFFERDAM__F6__PROXY__PASSWORD"), "{password}");
    assert!(!format!("{f6:?}").contains("hunter2"));
}

#[test]
fn what_is_shown_is_what_is_loaded() {
    let loaded =
        Settings::parse_with(TEXT, "x", [("COFFERDAM__F6__BASE_URL".to_owned(), "http://f6".to_owned())]).unwrap();
    let sber = system("sber", &[]);
    let policy = loaded.system("sber").unwrap().load().policy("pay");
    let shown = |key: &str| shown(&sber.operation("pay"), key).split(" <").next().unwrap_or_default().to_owned();
    assert_eq!(shown("timeouts.read"), format!("{}s", policy.timeouts.read.as_secs()));
    assert_eq!(shown("retry.max-attempts"), policy.retry.max_attempts.to_string());
}

#[test]
fn what_is_wrong_is_told_as_on_loading() {
    let error = read(&TEXT.replace("10s", "90s"), &[]).unwrap_err();
    assert_eq!(error.faults().iter().map(|fault| fault.code).collect::<Vec<_>>(), ["R-RES-TO-X3"]);
    assert!(read("systems: [", &[]).is_err());
}
