//! A built-in template changes after a team has made its own of it.

use cofferdam::templates::{Stamp, built_in};

use super::sandbox;
use crate::sandbox::Sandbox;

const NAME: &str = "stubs/port.rs.jinja";
const FILE: &str = "templates/stubs/port.rs.jinja";
const BASE: &str = "templates/.base/stubs/port.rs.jinja";

/// A team's template that was ejected from an earlier built-in one, which was this one with another text somewhere.
fn ejected_from(now: &str, then: &str) -> (Sandbox, String) {
    let sandbox = sandbox();
    let current = built_in(NAME).unwrap();
    assert!(current.contains(now));
    let earlier = current.replacen(now, then, 1);
    let stamp = Stamp { version: "0.0.9".to_owned(), ..Stamp::of(NAME, &earlier) };
    sandbox.write(BASE, &earlier);
    sandbox.write(FILE, &(stamp.line() + &earlier));
    (sandbox, earlier)
}

#[test]
fn a_changed_built_in_is_told_and_merged() {
    let (sandbox, _) = ejected_from("/// What a call answers.", "/// What a call gives.");
    sandbox.replace(FILE, "/// Why there is no answer.", "/// Why we got nothing.");
    for command in [&["generate"][..], &["check"], &["templates", "lint"]] {
        let run = sandbox.run(command);
        // In CI somebody has to look at it.
        assert_eq!(run.code == 0, *command != ["check"], "{command:?} {}", run.err);
        assert!(run.err.contains(&format!("{FILE}:1:1: warning[CD-TEMPLATE-STALE]: the built-in template has changed since this was ejected (version 0.0.9)")), "{command:?} {}", run.err);
        assert!(run.err.contains("`cofferdam templates upgrade stubs/port.rs.jinja` merges it"), "{}", run.err);
        assert_eq!(run.err.matches("CD-TEMPLATE-STALE").count(), 1, "{}", run.err);
    }
    // What was told stays told while nothing changes.
    assert!(sandbox.run(&["generate"]).well().err.contains("CD-TEMPLATE-STALE"));
    assert!(sandbox.run(&["templates", "list"]).well().out.contains("from 0.0.9; the built-in one has changed since"));
    assert_eq!(sandbox.run(&["templates", "upgrade"]).well().out, format!("merged {FILE}\n"));
    let merged = sandbox.read(FILE);
    let current = built_in(NAME).unwrap();
    let expected = current.replacen("/// Why there is no answer.", "/// Why we got nothing.", 1);
    assert_eq!(Stamp::split(&merged), (Some(Stamp::of(NAME, current)), expected.as_str()));
    assert_eq!(sandbox.read(BASE), current);
    assert!(!sandbox.run(&["generate"]).well().err.contains("CD-TEMPLATE"));
    assert!(sandbox.run(&["templates", "upgrade"]).well().out.starts_with("every template is made from"));
}

#[test]
fn a_conflict_is_marked_told_and_no_template_until_it_is_resolved() {
    let (sandbox, _) = ejected_from("/// What a call answers.", "/// What a call gives.");
    sandbox.replace(FILE, "/// What a call gives.", "/// What we are told.");
    let run = sandbox.run(&["templates", "upgrade", NAME]).faults();
    assert!(run.err.contains("merged but for conflicts"), "{}", run.err);
    let marked = sandbox.read(FILE);
    assert!(
        marked.contains("<<<<<<< ")
            && marked.contains("/// What we are told.")
            && marked.contains("/// What a call answers."),
        "{marked}"
    );
    let err = sandbox.run(&["generate"]).faults().err;
    assert!(err.contains("CD-TEMPLATE-SYNTAX") && err.contains("the mark of a conflict"), "{err}");
}

#[test]
fn a_lost_or_edited_base_is_no_base() {
    let (sandbox, earlier) = ejected_from("/// What a call answers.", "/// What a call gives.");
    sandbox.write(BASE, "edited\n");
    let before = sandbox.read(FILE);
    assert!(sandbox.run(&["templates", "upgrade"]).faults().err.contains("is not what"));
    std::fs::remove_file(sandbox.path(BASE)).unwrap();
    assert!(sandbox.run(&["templates", "upgrade"]).faults().err.contains("get it back from version control"));
    assert_eq!(sandbox.read(FILE), before);
    // Line ends of another system are no edit, of neither.
    sandbox.write(BASE, &earlier.replace('\n', "\r\n"));
    sandbox.write(FILE, &before.replace('\n', "\r\n"));
    sandbox.run(&["templates", "upgrade"]).well();
    assert_eq!(Stamp::split(&sandbox.read(FILE)).1, built_in(NAME).unwrap());
}
