//! What cannot be honoured is told, or denied where that is asked for.

use cofferdam::Build;

use crate::sandbox::Sandbox;

/// A stock whose level has bounds and whose reply has links: two things that are not honoured.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::project();
    sandbox.replace("specs/stock.yaml", "type: integer", "type: integer, maximum: 9");
    sandbox
}

const ONLY: [&str; 3] = ["generate", "--system", "stock"];

#[test]
fn a_note_is_no_hindrance_and_a_denial_is() {
    let sandbox = sandbox();
    let ended = sandbox.run(&[&ONLY[..], &["--deny-unsupported"]].concat()).faults();
    assert!(ended.err.contains("specs/stock.yaml:"), "{}", ended.err);
    assert!(ended.err.contains("error[CD-CONSTRAINT]") && ended.err.contains("`maximum` is not enforced"));
    assert!(ended.err.contains("to put up with it, allow `CD-CONSTRAINT`"), "{}", ended.err);
    assert!(ended.err.ends_with("nothing was written\n"), "{}", ended.err);
    assert!(!sandbox.path("src").exists() && !sandbox.path("cofferdam.lock").exists());
    assert!(sandbox.run(&ONLY).well().err.contains("note[CD-CONSTRAINT]"));
    sandbox.run(&["check", "--system", "stock", "--deny-unsupported"]).faults();
    sandbox.run(&["plan", "--system", "stock", "--deny-unsupported"]).faults();
}

#[test]
fn what_is_allowed_stays_a_note() {
    let sandbox = sandbox();
    let allowing = |code| [&ONLY[..], &["--deny-unsupported", "--allow-unsupported", code]].concat();
    assert!(sandbox.run(&allowing("CD-CONSTRAINT")).well().err.contains("note[CD-CONSTRAINT]"));
    let ended = sandbox.run(&allowing("CD-CONSTRAIN")).usage();
    let told = "\"CD-CONSTRAIN\" is no code of what is not honoured\n  help: `CD-CONSTRAINT` is meant?\n";
    assert!(ended.err.contains(told), "{}", ended.err);
    sandbox.run(&allowing("CD-LINKS")).faults();
}

#[test]
fn a_project_denies_for_one_system_and_its_build_script_too() {
    let sandbox = sandbox();
    let project = |more: &str| {
        sandbox.write("cofferdam.toml", &format!("[systems.stock]\nspec = \"specs/stock.yaml\"\n{more}"));
    };
    project("deny-unsupported = true\n");
    assert!(sandbox.run(&["generate"]).faults().err.contains("error[CD-CONSTRAINT]"));
    let out = tempfile::tempdir().unwrap();
    let build = || Build::new(sandbox.path("cofferdam.toml")).out_dir(out.path()).rerun_if_changed(false);
    assert!(build().run().unwrap_err().to_string().contains("error[CD-CONSTRAINT]"));
    assert!(!out.path().join("stock.rs").exists());

    project("deny-unsupported = true\nallow-unsupported = [\"CD-CONSTRAINT\"]\n");
    sandbox.run(&["generate"]).well();
    build().run().unwrap();

    project("");
    build().run().unwrap();
    assert!(build().deny_unsupported(true).run().unwrap_err().to_string().contains("error[CD-CONSTRAINT]"));
}
