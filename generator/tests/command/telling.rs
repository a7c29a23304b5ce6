//! How messages are told: forms, colours, and how much of them; and what explains them.

use std::process::Command;

use serde_json::Value;

use crate::sandbox::Sandbox;

/// A project with an error, a warning and notes.
fn faulty() -> Sandbox {
    let sandbox = Sandbox::project();
    sandbox.replace("specs/stock.yaml", "operationId: level, ", "");
    sandbox.replace("specs/payments.yaml", "#/components/schemas/Receipt", "#/components/schemas/Receit");
    sandbox.replace("specs/payments.yaml", "order: {type: string}", "order: {type: string, maxLength: 3}");
    sandbox
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

#[test]
fn programs_get_one_json_object_a_line_and_nothing_else() {
    let ended = faulty().run(&["generate", "--message-format", "json"]).faults();
    let told = objects(&ended.err);
    let (totals, diagnostics) = told.split_last().unwrap();
    assert!(diagnostics.iter().all(|one| one["type"] == "diagnostic" && one["version"] == 1), "{}", ended.err);
    let missing = diagnostics.iter().find(|one| one["code"] == "CD-REF-MISSING").unwrap();
    assert_eq!(missing["severity"], "error");
    assert_eq!((missing["file"].as_str(), missing["line"].as_u64()), (Some("specs/payments.yaml"), Some(14)));
    assert!(missing["pointer"].as_str().is_some_and(|pointer| pointer.ends_with("/schema/$ref")), "{missing}");
    assert_eq!(missing["help"], "did you mean `Receipt`?");
    let count = |severity: &str| diagnostics.iter().filter(|one| one["severity"] == severity).count();
    assert_eq!(totals["type"], "totals");
    assert_eq!(totals["errors"].as_u64(), Some(count("error") as u64));
    assert_eq!(totals["warnings"].as_u64(), Some(count("warning") as u64));
    assert_eq!(totals["notes"].as_u64(), Some(count("note") as u64));
    assert!(count("error") == 1 && count("warning") == 1 && count("note") > 0, "{}", ended.err);
}

#[test]
fn faults_of_the_command_itself_are_objects_too() {
    let sandbox = Sandbox::project();
    let told = objects(&sandbox.run(&["plan", "--system", "stok", "--message-format", "json"]).usage().err);
    assert_eq!(
        (told[0]["code"].as_str(), told[0]["help"].as_str()),
        (Some("CD-COMMAND"), Some("did you mean `stock`?"))
    );
    let drift = objects(&sandbox.run(&["check", "--message-format", "json"]).faults().err);
    assert!(drift.iter().any(|one| one["code"] == "CD-DRIFT" && one["file"] == "src/integrations/stock/mapper.rs"));
}

#[test]
fn code_review_gets_one_sarif_log() {
    let ended = faulty().run(&["generate", "--message-format", "sarif"]).faults();
    let log: Value = serde_json::from_str(&ended.err).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    let missing = results.iter().find(|one| one["ruleId"] == "CD-REF-MISSING").unwrap();
    let place = &missing["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "specs/payments.yaml");
    assert_eq!(place["region"]["startLine"], 14);
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in results {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(rule["shortDescription"]["text"].is_string() && rule["help"]["text"].is_string(), "{rule}");
    }
    // A run without anything to say is a log without results.
    let ended = Sandbox::project().run(&["rules", "TO-1", "--message-format", "sarif"]).well();
    let log: Value = serde_json::from_str(&ended.err).unwrap();
    assert_eq!(log["runs"][0]["results"], Value::Array(Vec::new()));
}

/// Runs with an environment of its own.
fn with(sandbox: &Sandbox, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_cofferdam"))
        .args(arguments)
        .current_dir(sandbox.path("."))
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn colours_are_where_they_are_wanted() {
    let sandbox = faulty();
    let plain = with(&sandbox, &["generate"], &[]);
    assert!(!plain.contains('\u{1b}'), "no terminal, no colour: {plain}");
    let red = "\u{1b}[1;91merror[CD-REF-MISSING]\u{1b}[0m";
    let coloured = with(&sandbox, &["generate", "--color", "always"], &[]);
    assert!(coloured.contains(red) && coloured.contains("\u{1b}[1;96mhelp:"), "{coloured}");
    assert!(with(&sandbox, &["generate"], &[("CLICOLOR_FORCE", "1")]).contains(red));
    assert!(!with(&sandbox, &["generate"], &[("NO_COLOR", "1")]).contains('\u{1b}'));
    assert!(!with(&sandbox, &["generate", "--color", "never"], &[("CLICOLOR_FORCE", "1")]).contains('\u{1b}'));
    // Without its colours it is the same text.
    let bare: String = coloured
        .split('\u{1b}')
        .enumerate()
        .map(|(index, part)| if index == 0 { part } else { part.split_once('m').unwrap().1 })
        .collect();
    assert_eq!(bare, plain);
    let json = with(&sandbox, &["generate", "--color", "always", "--message-format", "json"], &[]);
    assert!(!json.contains('\u{1b}'), "{json}");
}

#[test]
fn quiet_tells_only_what_is_wrong_and_verbose_tells_more() {
    let sandbox = Sandbox::project();
    let ended = sandbox.run(&["generate", "--quiet"]).well();
    assert_eq!((ended.out.as_str(), ended.err.as_str()), ("", ""));
    assert!(sandbox.path("src/integrations/stock/mapper.rs").exists());
    let told = faulty().run(&["generate", "--quiet"]).faults().err;
    assert!(told.contains("error[CD-REF-MISSING]") && told.contains("warning[CD-OPERATION-ID-NONE]"), "{told}");
    assert!(!told.contains("note["), "{told}");

    let told = sandbox.run(&["generate", "--verbose"]).well().err;
    assert!(told.contains("stock: nothing has changed since the last run\n"), "{told}");
    let told = faulty().run(&["generate", "-v"]).faults().err;
    assert!(told.contains("payments: read specs/payments.yaml\n") && told.contains("payments: planned in "), "{told}");
    assert!(told.contains("note[CD-CONSTRAINT]"), "{told}");
    let after_note = told.split("note[CD-CONSTRAINT]").nth(1).unwrap();
    assert!(after_note.lines().nth(2).unwrap().contains("maxLength: 3"), "its line is shown: {after_note}");
    sandbox.run(&["generate", "--quiet", "--verbose"]).usage();
}

#[test]
fn a_code_is_explained() {
    let sandbox = Sandbox::project();
    let message = sandbox.run(&["explain", "ref-missing"]).well().out;
    assert!(message.starts_with("CD-REF-MISSING (error)\n\n"), "{message}");
    for part in ["\nFor example:\n\n    $ref: ", "\nWhat to do:\n\nCorrect the spelling"] {
        assert!(message.contains(part), "{message}");
    }
    let rule = sandbox.run(&["explain", "R-RES-TO-1"]).well().out;
    assert!(rule.starts_with("R-RES-TO-1 (by a check)\n") && rule.contains("\nFor example:\n"), "{rule}");
    let unsupported = sandbox.run(&["explain", "CD-XML"]).well().out;
    assert!(unsupported.contains("`allow-unsupported CD-XML`"), "{unsupported}");
    assert!(unsupported.lines().all(|line| line.chars().count() <= 100), "{unsupported}");
    let mistyped = sandbox.run(&["explain", "CD-REF-MISING"]).faults();
    assert_eq!(mistyped.out, "");
    assert!(mistyped.err.contains("`CD-REF-MISSING` is meant?"), "{}", mistyped.err);
    sandbox.run(&["explain"]).usage();
}

#[test]
fn all_codes_are_listed_and_explained_as_json() {
    let sandbox = Sandbox::project();
    let list = sandbox.run(&["explain", "--list"]).well().out;
    let codes: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(codes.len() > 170 && codes.contains(&"CD-REF-MISSING") && codes.contains(&"R-RES-OBS-1"), "{list}");
    let all = [&["explain", "--format", "json"], codes.as_slice()].concat();
    let explained: Value = serde_json::from_str(&sandbox.run(&all).well().out).unwrap();
    let explained = explained["explained"].as_array().unwrap().clone();
    assert_eq!(explained.len(), codes.len());
    assert!(explained.iter().all(|one| one["message"]["means"].is_string() || one["rule"]["rule"].is_string()));
}

#[test]
fn every_command_has_examples_in_its_help() {
    let sandbox = Sandbox::project();
    let overview = sandbox.run(&["--help"]).well().out;
    let commands = overview.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap();
    let is_name = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let names: Vec<&str> = commands
        .lines()
        .filter(is_name)
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(names.len() >= 9, "{overview}");
    for name in names {
        let help = sandbox.run(&[name, "--help"]).well().out;
        assert!(help.contains(&format!("Examples:\n  cofferdam {name}")), "{help}");
        assert!(help.contains("--message-format <FORMAT>"), "{help}");
    }
}

#[test]
fn shells_and_man_know_every_command() {
    let sandbox = Sandbox::project();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = sandbox.run(&["completions", shell]).well().out;
        for word in ["generate", "dashboards", "message-format", "explain"] {
            assert!(script.contains(word), "{shell} does not know {word}");
        }
    }
    sandbox.run(&["completions", "cmd"]).usage();
    let page = sandbox.run(&["man"]).well().out;
    assert!(page.contains(".TH cofferdam 1") && page.contains("cofferdam\\-generate(1)"), "{page}");
    sandbox.run(&["man", "--out", "man"]).well();
    let page = sandbox.read("man/cofferdam-check.1");
    assert!(page.contains("\\-\\-allow") && page.contains("Examples"), "{page}");
}
