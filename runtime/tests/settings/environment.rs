use std::time::Duration;

use cofferdam_runtime::settings::{Settings, SettingsError};

const FILE: &str = "\
systems:
  sber:
    base-url: https://a.test
    operations:
      registerOrder: {timeouts: {read: 10s}}
  mini-o2o:
    profile: internal
";

fn with(variables: &[(&str, &str)]) -> Result<Settings, SettingsError> {
    let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Settings::parse_with(FILE, "r.yaml", variables)
}

const MINI: (&str, &str) = ("COFFERDAM__MINI_O2O__BASE_URL", "http://mini.test");

#[test]
fn variables_override_the_file_and_add_to_it() {
    let settings = with(&[
        MINI,
        ("COFFERDAM__SBER__BASE_URL", "https://sandbox.test"),
        ("COFFERDAM__SBER__TIMEOUTS__CALL", "1m"),
        ("COFFERDAM__SBER__OPERATIONS__REGISTER_ORDER__TIMEOUTS__READ", "30s"),
        ("COFFERDAM__DEFAULTS__RETRY__MAX_ATTEMPTS", "1"),
        ("COFFERDAM__SBER__RETRY__ON_429", "true"),
        ("PATH", "/bin"),
    ])
    .unwrap();
    let sber = settings.system("sber").unwrap().load();
    assert_eq!(sber.base_url.as_str(), "https://sandbox.test/");
    assert_eq!(sber.timeouts.call, Duration::from_secs(60));
    assert_eq!(sber.policy("registerOrder").timeouts.read, Duration::from_secs(30));
    assert!(sber.retry.on_429);
    assert_eq!(sber.retry.max_attempts, 1);
    assert_eq!(settings.system("mini-o2o").unwrap().load().base_url.as_str(), "http://mini.test/");
}

#[test]
fn an_override_is_checked_as_if_it_stood_in_the_file() {
    let error = with(&[
        MINI,
        ("COFFERDAM__SBER__TIMEOUTS__READ", "2m"),
        ("COFFERDAM__SBER__TIMEOUTS__CALL", "soon"),
        ("COFFERDAM__SBER__BREAKER__ENABLED", "false"),
        ("COFFERDAM__SBER__TIMEOUT__READ", "3s"),
        ("COFFERDAM__SBBER__TIMEOUTS__READ", "3s"),
        ("COFFERDAM__WAREHOUSE__BASE_URL", "http://w.test"),
        ("COFFERDAM__SBER__OPERATIONS__REFUND__TIMEOUTS__READ", "3s"),
        ("COFFERDAM__SBER__", "3s"),
    ])
    .unwrap_err();
    let wanted = "\
environment variable COFFERDAM__SBBER__TIMEOUTS__READ: error[CD-SETTINGS-VALUE]: the variable names no setting
  help: `COFFERDAM__SBER__…` is meant?
environment variable COFFERDAM__SBER__: error[CD-SETTINGS-VALUE]: the variable names no setting
  help: its parts are joined by `__`
environment variable COFFERDAM__SBER__BREAKER__ENABLED: error[R-RES-WHERE-1] systems.sber.breaker.enabled: the breaker \
is turned off: a slow failure of the system spreads to all its callers
  help: write why, as `reason` in `breaker`, or go back
environment variable COFFERDAM__SBER__OPERATIONS__REFUND__TIMEOUTS__READ: error[CD-SETTINGS-VALUE]: the variable names \
no setting
  help: the file has no settings of an operation REFUND: write its section first
environment variable COFFERDAM__SBER__TIMEOUTS__CALL: error[CD-SETTINGS-VALUE] systems.sber.timeouts.call: \"soon\" is \
not understood
  help: write it like `500ms`, `2s`, `1m 30s` or `1h`
environment variable COFFERDAM__SBER__TIMEOUTS__READ: error[R-RES-TO-X3] systems.sber.timeouts.read: 2m without a byte: \
never more than 1m in a synchronous call
  help: what takes longer belongs to a durable queue
environment variable COFFERDAM__SBER__TIMEOUT__READ: error[CD-SETTINGS-KEY] systems.sber.timeout: the key `timeout` is \
not known
  help: `timeouts` is meant?
environment variable COFFERDAM__WAREHOUSE__BASE_URL: error[CD-SETTINGS-VALUE]: the variable names no setting
  help: it goes on with the name of a system of the file: SBER, MINI_O2O, DEFAULTS";
    assert_eq!(error.to_string(), wanted);
}

#[test]
fn a_missing_base_url_names_its_variable() {
    let error = with(&[]).unwrap_err();
    let wanted = "\
r.yaml:6:3: error[CD-SETTINGS-MISSING] systems.mini-o2o: the base URL is missing
  help: add `base-url: https://…`, or set COFFERDAM__MINI_O2O__BASE_URL";
    assert_eq!(error.to_string(), wanted);
}
