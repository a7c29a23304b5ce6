//! `settings import`: what a Spring service says, as settings of ours.

use std::fs;
use std::path::{Path, PathBuf};

use cofferdam::diagnose::{self, Report};
use cofferdam::load::Sources;
use cofferdam::spring::{ImportOptions, Imported, import};
use cofferdam_runtime::settings::{LayerOrder, Settings, SettingsFault};

use crate::sandbox::Sandbox;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/command/spring")
}

fn imported(name: &str, options: &ImportOptions) -> (Option<Imported>, String) {
    let files = [(name.to_owned(), fs::read_to_string(folder().join(name)).unwrap())];
    of(&files, options)
}

fn of(files: &[(String, String)], options: &ImportOptions) -> (Option<Imported>, String) {
    let mut report = Report::default();
    let imported = import(files, options, &mut report);
    (imported, diagnose::render(&report.located(&Sources::default()), |_| None))
}

fn text(yaml: &str) -> (Imported, String) {
    let (imported, told) = of(&[("application.yml".to_owned(), yaml.to_owned())], &ImportOptions::default());
    (imported.unwrap_or_else(|| panic!("{told}")), told)
}

/// An address for each system that has none.
fn homes(imported: &Imported) -> Vec<(String, String)> {
    let homeless = imported.systems.iter().filter(|name| {
        imported.text.contains(&format!("COFFERDAM__{}__BASE_URL", name.to_uppercase().replace('-', "_")))
    });
    homeless
        .map(|name| {
            (format!("COFFERDAM__{}__BASE_URL", name.to_uppercase().replace('-', "_")), "http://h.example".into())
        })
        .collect()
}

fn accepted(imported: &Imported) -> Settings {
    let filled = imported.text.replace("reason: \"\"", "reason: because");
    let settings = Settings::parse_with(&filled, "resilience.yaml", homes(imported));
    settings.unwrap_or_else(|error| panic!("{error}\n{filled}"))
}

/// Every configuration beside this file, with what it becomes and what is said of it; `BLESS=1` writes both.
#[test]
fn every_configuration_becomes_settings_that_hold_once_the_reasons_are_written() {
    let mut seen = 0;
    let mut names: Vec<String> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name.ends_with(".yml") || name.ends_with(".properties"));
    names.sort();
    for name in names {
        seen += 1;
        let (imported, told) = imported(&name, &ImportOptions::default());
        let imported = imported.unwrap_or_else(|| panic!("{name}: {told}"));
        for (ending, text) in [("resilience.yaml", &imported.text), ("told", &told)] {
            let expected = folder().join(format!("{name}.{ending}"));
            if std::env::var_os("BLESS").is_some() {
                fs::write(&expected, text).unwrap();
            }
            assert_eq!(&fs::read_to_string(&expected).unwrap_or_default(), text, "{}", expected.display());
        }
        accepted(&imported);
        // As it is, only the reasons are missing.
        let as_it_is = Settings::parse_with(&imported.text, "resilience.yaml", homes(&imported));
        let faults = as_it_is.map_or_else(|error| error.faults().to_vec(), |_| Vec::new());
        let missing = |fault: &&SettingsFault| fault.key.ends_with(".reason");
        assert_eq!(faults.iter().filter(missing).count(), imported.reasons_missing, "{name}: {faults:#?}");
        assert_eq!(faults.is_empty(), imported.reasons_missing == 0, "{name}: {faults:#?}");
    }
    assert!(seen >= 5, "only {seen} configurations");
}

#[test]
fn a_lower_number_is_the_outer_layer_as_in_spring() {
    let order = |retry: &str, breaker: &str| {
        let yaml = format!(
            "resilience4j:\n  retry: {{{retry} instances: {{a: {{max-attempts: 2}}}}}}\n  \
             circuitbreaker: {{{breaker} instances: {{a: {{sliding-window-size: 20}}}}}}\n"
        );
        let (imported, told) = text(&yaml);
        (accepted(&imported).system("a").unwrap().load().order, imported.text.contains("order:"), told)
    };
    let (found, written, told) = order("retry-aspect-order: 1,", "circuit-breaker-aspect-order: 2,");
    assert_eq!((found, written), (LayerOrder::RetryOutside, true), "{told}");
    let (found, written, told) = order("retryAspectOrder: 2,", "circuitBreakerAspectOrder: 1,");
    assert_eq!((found, written), (LayerOrder::BreakerOutside, true), "{told}");
    // Any number that people write is lower than the default of the other one.
    let (found, ..) = order("", "circuitBreakerAspectOrder: 100,");
    assert_eq!(found, LayerOrder::BreakerOutside);
    let (found, ..) = order("retryAspectOrder: 100,", "");
    assert_eq!(found, LayerOrder::RetryOutside);
    let (found, written, told) = order("", "");
    assert_eq!((found, written), (LayerOrder::RetryOutside, false));
    assert!(!told.contains("CD-IMPORT-ORDER"), "{told}");
}

#[test]
fn a_comment_that_is_right_about_the_order_is_left_alone() {
    let yaml = "resilience4j:\n  retry:\n    retry-aspect-order: 1 # the outer one\n    instances: {a: {max-attempts: 2}}\n  \
                circuitbreaker:\n    circuit-breaker-aspect-order: 2 # inside retry\n    instances: {a: {}}\n";
    let (_, told) = text(yaml);
    assert!(told.contains("retry (1) > circuitbreaker (2)"), "{told}");
    assert!(!told.contains("CD-IMPORT-ORDER-COMMENT"), "{told}");
}

#[test]
fn documents_of_a_profile_hold_when_it_is_asked_for() {
    let name = "all-kinds-of-trouble.yml";
    let prod = ImportOptions { spring_profiles: vec!["prod".to_owned()], ..ImportOptions::default() };
    let (with, told) = imported(name, &prod);
    let settings = accepted(&with.unwrap());
    let bank = settings.system("slow-bank").unwrap().load().timeouts;
    assert_eq!(bank.read, std::time::Duration::from_secs(20));
    assert_eq!(bank.connect, std::time::Duration::from_secs(2));
    assert!(told.contains("what the profile `!prod` says is left out"), "{told}");
}

#[test]
fn a_later_file_goes_before_an_earlier_one() {
    let file = |name: &str, read: &str| (name.to_owned(), format!("client.a.read-timeout: {read}\n"));
    let (imported, _) = of(&[file("a.yml", "10s"), file("b.yml", "30s")], &ImportOptions::default());
    let settings = accepted(&imported.unwrap());
    assert_eq!(settings.system("a").unwrap().load().timeouts.read, std::time::Duration::from_secs(30));
}

#[test]
fn nothing_hostile_gets_out_of_its_line() {
    let yaml = "\"client.[x\\n  evil: 1]\":\n  read-timeout: \"20s\\nprofile: internal\"\n  base-url: \"https://a.example/\\n#\"\n\
                resilience4j.circuitbreaker.instances.b.failure-rate-threshold: 30 # why\u{202e} \"not\"\u{7}\n";
    let (imported, told) = text(yaml);
    accepted(&imported);
    assert!(!imported.text.contains('\u{202e}') && !imported.text.contains('\u{7}'), "{}", imported.text);
    assert!(!told.contains('\u{202e}'), "{told}");
    assert!(imported.text.contains(r#"reason: "why  \"not\" ""#), "{}", imported.text);
    assert_eq!(imported.systems, ["b", "x-evil-1"]);
}

#[test]
fn a_password_goes_nowhere() {
    let yaml = "client.a:\n  base-url: https://me:hunter2@a.example/\n  password: ${P:hunter2}\n";
    let (imported, told) = text(yaml);
    assert!(!imported.text.contains("hunter2") && !told.contains("hunter2"), "{}{told}", imported.text);
    assert!(told.contains("credentials"), "{told}");
}

#[test]
fn nothing_is_imported_from_nothing() {
    for (yaml, code) in [
        ("server.port: 1\n", "CD-IMPORT-EMPTY"),
        ("", "CD-IMPORT-EMPTY"),
        ("a: [", "CD-IMPORT-FILE"),
        ("a: *b", "CD-IMPORT-FILE"),
        ("resilience4j: {retry: {instances: }}", "CD-IMPORT-EMPTY"),
    ] {
        let (imported, told) = of(&[("application.yml".to_owned(), yaml.to_owned())], &ImportOptions::default());
        assert!(imported.is_none() && told.contains(code), "{yaml}: {told}");
    }
}

#[test]
fn the_command_writes_once_and_never_over_what_is_there() {
    let sandbox = Sandbox::project();
    sandbox.write("application.yml", &fs::read_to_string(folder().join("dotted-kebab.yml")).unwrap());
    let printed = sandbox.run(&["settings", "import", "application.yml"]).well();
    assert!(
        printed.out.starts_with("# Settings of external systems, imported from application.yml.\n"),
        "{}",
        printed.out
    );
    assert!(printed.err.contains("application.yml:28:31: note[R-RES-CB-3]"), "{}", printed.err);
    let arguments = ["settings", "import", "application.yml", "--out", "resilience.yaml"];
    let written = sandbox.run(&arguments).well();
    assert_eq!(
        written.out,
        "written resilience.yaml: acquirer, ticketing\n1 reason is to be filled in before the settings are accepted\n"
    );
    assert_eq!(sandbox.read("resilience.yaml"), printed.out);
    sandbox.write("resilience.yaml", "mine\n");
    let refused = sandbox.run(&arguments).faults();
    assert!(refused.err.contains("`--force` replaces it"), "{}", refused.err);
    assert_eq!(sandbox.read("resilience.yaml"), "mine\n");
    sandbox.run(&[&arguments[..], &["--force"]].concat()).well();
    assert_eq!(sandbox.read("resilience.yaml"), printed.out);
    sandbox.run(&["settings", "import", "nothing.yml"]).faults();
    sandbox.run(&["settings", "import", "application.yml", "--force"]).usage();
}
