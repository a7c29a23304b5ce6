//! Settings that are taken from their file again while calls are made (R-RES-CFG-1).

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use cofferdam_runtime::breaker::BreakerState;
use cofferdam_runtime::settings::{SettingChange, Settings};
use cofferdam_runtime::{CallError, Guard};
use serde_json::json;
use tempfile::TempDir;
use tokio::time::sleep;

use super::spans::Told;
use super::subject::{Counter, Look, Plain, answer, ms};

const FILE: &str = "\
systems:
  acme:
    base-url: https://acme.test
    max-concurrent: 10
    breaker: {sliding-window-size: 4, minimum-number-of-calls: 4}
    operations:
      look: {timeouts: {read: 10s}}
  other:
    base-url: https://other.test
";

struct File {
    _folder: TempDir,
    path: PathBuf,
}

impl File {
    fn new(text: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("resilience.yaml");
        fs::write(&path, text).unwrap();
        Self { _folder: folder, path }
    }

    fn say(&self, from: &str, to: &str) {
        let text = fs::read_to_string(&self.path).unwrap();
        assert!(text.contains(from), "{from} is not in {text}");
        self.write(&text.replace(from, to));
    }

    /// As editors and Kubernetes do it: another file takes the place of the old one.
    fn write(&self, text: &str) {
        let new = self.path.with_extension("new");
        fs::write(&new, text).unwrap();
        fs::rename(new, &self.path).unwrap();
    }

    fn load(&self) -> Settings {
        Settings::load(&self.path).unwrap_or_else(|error| panic!("{error}"))
    }
}

fn lines(changes: &[SettingChange]) -> Vec<String> {
    changes.iter().map(ToString::to_string).collect()
}

async fn attempts(guard: &Guard) -> usize {
    let begun = Counter::default();
    let _ = guard
        .read(Look, &Plain, || async {
            begun.up();
            answer(503, &[])
        })
        .await;
    begun.get()
}

/// Longer than it takes for a change to be seen, read again and taken.
const SEEN: Duration = Duration::from_millis(5_500);

#[tokio::test(start_paused = true)]
async fn a_watched_file_is_taken_when_it_changes() {
    let file = File::new(FILE);
    let settings = file.load().watch();
    let guard = Guard::new(&settings.system("acme").unwrap()).unwrap();
    sleep(ms(1000)).await;
    file.say("max-concurrent: 10", "max-concurrent: 10\n    retry: {max-attempts: 2}");
    assert_eq!(attempts(&guard).await, 3, "nobody has looked yet");
    guard.breaker().reset();
    sleep(SEEN).await;
    assert_eq!(attempts(&guard).await, 2);
}

#[tokio::test(start_paused = true)]
async fn what_changed_is_told_key_by_key() {
    let file = File::new(FILE);
    let settings = file.load();
    assert_eq!(settings.reload().unwrap(), []);
    file.say("max-concurrent: 10", "max-concurrent: 20\n    headers: {trace-id: X-Trace-Id}");
    file.say("look: {timeouts: {read: 10s}}", "pay: {retry: {max-attempts: 2}}");
    let (told, changes) = Told::during(async { settings.reload().unwrap() }).await;
    let wanted = [
        "systems.acme.bulkhead.max-concurrent-calls: 8 -> 16",
        "systems.acme.pool.max-idle: 12 -> 24",
        "systems.acme.headers.trace-id: unset -> x-trace-id",
        "systems.acme.operations.look.timeouts.read: 10s -> unset",
        "systems.acme.operations.look.timeouts.call: 16s -> unset",
        "systems.acme.operations.pay.retry.max-attempts: unset -> 2",
        "systems.acme.operations.pay.retry.wait-duration: unset -> 500ms",
        "systems.acme.operations.pay.retry.exponential-backoff-multiplier: unset -> 2",
        "systems.acme.operations.pay.retry.exponential-max-wait-duration: unset -> 2s",
        "systems.acme.operations.pay.retry.max-total-wait: unset -> 5s",
        "systems.acme.operations.pay.retry.on-429: unset -> false",
        "systems.acme.operations.pay.retry.on-408: unset -> false",
    ];
    assert_eq!(lines(&changes), wanted);
    let events = told.events();
    assert_eq!(events.len(), wanted.len());
    let first =
        "INFO external.system=acme from=8 key=systems.acme.bulkhead.max-concurrent-calls message=setting changed to=16";
    assert_eq!(events[0], first);
}

#[tokio::test(start_paused = true)]
async fn a_bad_file_changes_nothing_and_says_so() {
    let file = File::new(FILE);
    let settings = file.load();
    let acme = settings.system("acme").unwrap();
    let before = acme.load().clone();
    file.say("base-url: https://acme.test", "base-url: https://elsewhere.test");
    file.say("base-url: https://other.test", "base-url: https://ann:hunter2@other.test\n    timeouts: {read: 2m}");
    let (told, error) = Told::during(async { settings.reload().unwrap_err() }).await;
    assert_eq!(error.faults().len(), 2, "{error}");
    assert_eq!(acme.load().clone(), before, "not even the system that was in order changed");
    let events = told.events();
    assert!(
        events.len() == 2 && events.iter().all(|line| line.starts_with("WARN") && !line.contains("hunter2")),
        "{events:?}"
    );
    assert!(events[0].contains("CD-SETTINGS-VALUE") && events[1].contains("R-RES-TO-X3"), "{events:?}");

    for (text, told) in [("systems: [", "this is not YAML"), ("", "there are no systems")] {
        file.write(text);
        assert!(settings.reload().unwrap_err().to_string().contains(told));
    }
    fs::remove_file(&file.path).unwrap();
    assert!(settings.reload().unwrap_err().to_string().contains("the file cannot be read"));
    assert_eq!(acme.load().clone(), before);
}

#[tokio::test(start_paused = true)]
async fn a_system_in_use_cannot_be_taken_away_and_a_new_one_waits() {
    let file = File::new(FILE);
    let settings = file.load();
    let (kept, rest) = FILE.split_once("  other:").unwrap();
    file.write(kept);
    let error = settings.reload().unwrap_err().to_string();
    assert!(error.contains("error[CD-SETTINGS-MISSING] systems.other: the section is gone"), "{error}");
    file.write(&format!("{kept}  new: {{base-url: 'https://new.test'}}\n  other:{rest}"));
    let (told, changes) = Told::during(async { settings.reload().unwrap() }).await;
    assert_eq!(changes, []);
    assert!(told.events()[0].contains("external.system=new"), "{:?}", told.events());
    assert!(settings.system("new").is_err());
}

#[tokio::test(start_paused = true)]
async fn a_bad_file_is_told_once_while_it_is_watched_and_a_good_one_heals() {
    let file = File::new(FILE);
    let settings = file.load();
    let acme = settings.system("acme").unwrap();
    let (told, _listening) = Told::on_this_thread();
    let _settings = settings.watch();
    sleep(SEEN).await;
    file.say("max-concurrent: 10", "max-concurrent: none");
    sleep(5 * SEEN).await;
    file.say("max-concurrent: none", "max-concurrent: 20");
    sleep(SEEN).await;
    assert_eq!(acme.load().bulkhead.max_concurrent, 16);
    let levels: Vec<String> = told.events().iter().map(|line| line[..4].to_owned()).collect();
    assert_eq!(levels, ["WARN", "INFO", "INFO"], "{:?}", told.events());
}

/// A file that is still being written is not taken: half of it may be good settings, too.
#[tokio::test(start_paused = true)]
async fn a_file_is_taken_only_when_it_has_settled() {
    let file = File::new(FILE);
    let settings = file.load().watch();
    let acme = settings.system("acme").unwrap();
    sleep(SEEN).await;
    let mut last = 0;
    for concurrent in 20..60 {
        file.write(&FILE.replace("max-concurrent: 10", &format!("max-concurrent: {concurrent}")));
        sleep(ms(150)).await;
        last = concurrent;
    }
    assert_eq!(acme.load().bulkhead.max_concurrent, 8, "it never said the same twice");
    sleep(SEEN).await;
    assert_eq!(acme.load().bulkhead.max_concurrent, last * 4 / 5);
}

#[tokio::test(start_paused = true)]
async fn a_reload_keeps_the_breakers_state_and_what_is_left_of_the_budget() {
    let file = File::new(FILE);
    let settings = file.load();
    file.say("max-concurrent: 10", "max-concurrent: 10\n    retry: {budget: {ratio: 0, floor-per-second: 0.1}}");
    settings.reload().unwrap();
    let guard = Guard::new(&settings.system("acme").unwrap()).unwrap();
    assert_eq!(guard.available_places(), 8);
    assert_eq!(attempts(&guard).await, 2, "one repetition is all there is");
    file.say("max-concurrent: 10", "max-concurrent: 20");
    file.say("sliding-window-size: 4", "sliding-window-size: 5");
    settings.reload().unwrap();
    assert_eq!(attempts(&guard).await, 1);
    assert_eq!(attempts(&guard).await, 1);
    assert_eq!((guard.breaker().state(), guard.available_places()), (BreakerState::Open, 16), "four calls in all");
    file.say("sliding-window-size: 5", "wait-duration-in-open-state: 2m");
    settings.reload().unwrap();
    let error = guard.read(Look, &Plain, || async { Ok(json!({})) }).await.unwrap_err();
    let CallError::CircuitOpen { retry_after, .. } = error else { panic!("{error}") };
    assert!(retry_after > Duration::from_secs(100), "{retry_after:?}");
}

#[tokio::test(start_paused = true)]
async fn the_watch_ends_when_nobody_uses_the_settings() {
    let file = File::new(FILE);
    let alive = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let before = alive();
    let settings = file.load().watch().watch();
    assert_eq!(alive(), before + 1, "watched twice is watched once");
    let acme = settings.system("acme").unwrap();
    drop(settings);
    sleep(2 * SEEN).await;
    file.say("max-concurrent: 10", "max-concurrent: 20");
    sleep(SEEN).await;
    assert_eq!((alive(), acme.load().bulkhead.max_concurrent), (before + 1, 16), "one handle is enough");
    drop(acme);
    sleep(SEEN).await;
    assert_eq!(alive(), before);
}

#[test]
fn without_a_runtime_and_without_a_file_nothing_is_watched_and_that_is_said() {
    let (told, _listening) = Told::on_this_thread();
    let file = File::new(FILE);
    let settings = file.load().watch();
    assert_eq!(told.events(), ["WARN message=settings are not watched: there is no tokio runtime here"]);
    file.say("max-concurrent: 10", "max-concurrent: 20");
    assert_eq!(settings.reload().unwrap().len(), 2, "an explicit reload works all the same");

    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let parsed = runtime.block_on(async { Settings::parse(FILE, "x.yaml").unwrap().watch() });
    assert_eq!(told.events().last().unwrap(), "WARN message=settings are not watched: they come from no file");
    assert!(parsed.reload().unwrap_err().to_string().contains("these settings come from no file"));
    let changes = parsed.reload_from(&FILE.replace("max-concurrent: 10", "max-concurrent: 20")).unwrap();
    assert_eq!(changes.len(), 2);
}

#[test]
fn a_secret_that_changes_is_told_and_not_shown() {
    let text = "systems: {a: {base-url: 'https://a', proxy: {url: 'http://p:1', user: ann}}}";
    let with = |password: &str| {
        let variable = ("COFFERDAM__A__PROXY__PASSWORD".to_owned(), password.to_owned());
        Settings::parse_with(text, "x.yaml", [variable]).unwrap()
    };
    let settings = with("hunter2");
    let handle = settings.system("a").unwrap();
    let other = with("hunter3").system("a").unwrap().load().as_ref().clone();
    handle.store(other);
    let changes = settings.reload_from(text).unwrap();
    assert_eq!(lines(&changes), ["systems.a.proxy.password: (secret) -> (secret)"]);
}
