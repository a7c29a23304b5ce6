//! A run that is killed: at each step it takes, and at any moment. Every file is the old one or the new one, and the next
//! run makes exactly the new tree of it, or the old one again.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Instant;

use cofferdam::receipt::RECEIPTS;
use cofferdam::write::{FileKind, Lock, digest};

use crate::sandbox::{PAYMENTS, PROJECT, STOCK, Sandbox};

type Files = BTreeMap<String, String>;

/// What a project is generated from: files by name.
struct Documents(Vec<(&'static str, String)>);

impl Documents {
    /// Two systems.
    fn old() -> Self {
        Self(vec![
            ("specs/payments.yaml", PAYMENTS.to_owned()),
            ("specs/stock.yaml", STOCK.to_owned()),
            ("cofferdam.toml", PROJECT.to_owned()),
        ])
    }

    /// One of them with another operation, the other one gone, and a third: files are replaced, removed and created.
    fn new() -> Self {
        let refund = "/refunds:\n    post: {operationId: refund, responses: {\"204\": {description: done}}}\n  /payments/{id}:\n";
        let payments = PAYMENTS.replace("/payments/{id}:\n", refund);
        let rates = STOCK.replace("level", "rate");
        let project = PROJECT.split("[systems.stock]").next().unwrap_or_default();
        let project = format!("{project}[systems.rates]\nspec = \"specs/rates.yaml\"\n");
        Self(vec![
            ("specs/payments.yaml", payments),
            ("specs/stock.yaml", STOCK.to_owned()),
            ("specs/rates.yaml", rates),
            ("cofferdam.toml", project),
        ])
    }

    fn put(&self, sandbox: &Sandbox) {
        self.0.iter().for_each(|(name, text)| sandbox.write(name, text));
    }
}

/// What stands on disk: generated and hand-written files, and the lock.
fn written(sandbox: &Sandbox) -> Files {
    let mut files: Files = sandbox.files("src").into_iter().map(|(name, text)| (format!("src/{name}"), text)).collect();
    if sandbox.path("cofferdam.lock").exists() {
        files.insert("cofferdam.lock".to_owned(), sandbox.read("cofferdam.lock"));
    }
    files
}

/// Everything that was and will be written: the trees between which a run is killed.
struct Trees {
    old: Files,
    new: Files,
}

impl Trees {
    /// The tree of documents over another one.
    fn over(sandbox: &Sandbox, documents: &Documents) -> Files {
        documents.put(sandbox);
        sandbox.run(&["generate"]).well();
        written(sandbox)
    }

    /// Every file is old or new, none is half written, and the lock knows every generated one.
    #[track_caller]
    fn check_between(&self, sandbox: &Sandbox, when: &str) {
        let lock = Lock::read(&sandbox.path(".")).unwrap_or_else(|error| panic!("{when}: {error}"));
        for (name, text) in written(sandbox) {
            if name == "cofferdam.lock" {
                continue;
            }
            let known = [self.old.get(&name), self.new.get(&name)];
            assert!(known.contains(&Some(&text)), "{when}: {name} is neither old nor new:\n{text}");
            if let Some(file) = lock.files.get(&name).filter(|file| file.kind == FileKind::Generated) {
                let hash = digest(&text);
                let is_known = file.hash.as_ref() == Some(&hash) || file.previous.contains(&hash);
                assert!(is_known, "{when}: the lock does not know {name} as it stands there");
            } else {
                assert!(!name.contains("/generated/"), "{when}: the lock does not list {name}");
            }
        }
        for name in self.old.keys().filter(|name| self.new.contains_key(*name)) {
            assert!(sandbox.path(name).exists(), "{when}: {name} is gone");
        }
    }

    /// After another run everything is as if nothing had happened.
    #[track_caller]
    fn check_repaired(sandbox: &Sandbox, wanted: &Files, when: &str) {
        let ended = sandbox.run(&["generate"]);
        assert_eq!(ended.code, 0, "{when}: {ended:#?}");
        let got = written(sandbox);
        let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&got), names(wanted), "{when}");
        for (name, text) in &got {
            assert!(Some(text) == wanted.get(name), "{when}: {name} is another:\n{text}");
        }
        assert!(!sandbox.path(RECEIPTS).join("staging").exists(), "{when}: something still waits");
        let left: Vec<_> =
            fs::read_dir(sandbox.path(RECEIPTS)).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(left.iter().all(|name| !name.to_string_lossy().starts_with(".cofferdam-")), "{when}: {left:?}");
        for folder in ["src/integrations/stock", "src/integrations/rates"] {
            let wanted = wanted.keys().any(|name| name.starts_with(folder));
            assert_eq!(sandbox.path(folder).exists(), wanted, "{when}: {folder}");
        }
    }
}

/// Runs `generate` until it has taken so many steps, and kills it there. Whether it came to its end before.
fn killed_after(sandbox: &Sandbox, steps: usize) -> bool {
    let output = Command::new(env!("CARGO_BIN_EXE_cofferdam"))
        .arg("generate")
        .current_dir(sandbox.path("."))
        .env("COFFERDAM_DIE_AFTER", steps.to_string())
        .output()
        .unwrap();
    assert!(output.status.success() || output.status.code().is_none(), "{output:?}");
    output.status.success()
}

const HAND_WRITTEN: [&str; 4] = ["domain.rs", "mapper.rs", "mod.rs", "port.rs"];

/// The hand-written files that an old run created and the new one has no use for stay; their folders too.
fn forget_hand_written(sandbox: &Sandbox) {
    for file in HAND_WRITTEN {
        for system in ["stock", "rates"] {
            let _ = fs::remove_file(sandbox.path(&format!("src/integrations/{system}/{file}")));
        }
    }
}

#[test]
fn a_run_killed_at_any_step_leaves_old_or_new_files_and_the_next_one_repairs_it() {
    let sandbox = Sandbox::project();
    let trees = Trees {
        old: Trees::over(&sandbox, &Documents::old()),
        new: {
            // The hand-written half of a system that is gone stays in any case: taken out, the folders can be compared.
            forget_hand_written(&sandbox);
            Trees::over(&sandbox, &Documents::new())
        },
    };
    for steps in 0.. {
        let sandbox = Sandbox::project();
        let is_theirs = |name: &str| HAND_WRITTEN.iter().any(|file| name.ends_with(&format!("stock/{file}")));
        trees.old.iter().filter(|(name, _)| !is_theirs(name)).for_each(|(name, text)| sandbox.write(name, text));
        Documents::new().put(&sandbox);
        let when = format!("killed after {steps} steps");
        if killed_after(&sandbox, steps) {
            assert!(steps > 30, "only {steps} steps");
            return;
        }
        trees.check_between(&sandbox, &when);
        if steps % 2 == 0 {
            Trees::check_repaired(&sandbox, &trees.new, &when);
        } else {
            Documents::old().put(&sandbox);
            forget_hand_written(&sandbox);
            Trees::check_repaired(&sandbox, &trees.old, &format!("{when}, and back"));
        }
    }
}

#[test]
fn a_first_run_killed_at_any_step_is_repaired_by_the_next() {
    let sandbox = Sandbox::project();
    let trees = Trees { old: Files::new(), new: Trees::over(&sandbox, &Documents::old()) };
    for steps in 0.. {
        let sandbox = Sandbox::project();
        if killed_after(&sandbox, steps) {
            assert!(steps > 30, "only {steps} steps");
            return;
        }
        let when = format!("killed after {steps} steps");
        trees.check_between(&sandbox, &when);
        Trees::check_repaired(&sandbox, &trees.new, &when);
    }
}

#[test]
fn a_run_killed_at_any_moment_leaves_old_or_new_files_and_the_next_one_repairs_it() {
    let sandbox = Sandbox::project();
    let old = Trees::over(&sandbox, &Documents::old());
    let began = Instant::now();
    let new = Trees::over(&sandbox, &Documents::new());
    let whole = began.elapsed();
    // From here on both hand-written halves are there, whichever documents hold.
    let is_theirs = |name: &str| !name.contains("/generated/") && name != "cofferdam.lock";
    let with_theirs = |files: &Files| -> Files {
        let theirs = old.clone().into_iter().chain(new.clone()).filter(|(name, _)| is_theirs(name));
        theirs.chain(files.clone()).collect()
    };
    let trees = Trees { old: with_theirs(&old), new: with_theirs(&new) };
    let (mut delay, mut killed) = (whole, 0);
    for round in 0..60 {
        let documents = if round % 2 == 0 { Documents::old() } else { Documents::new() };
        documents.put(&sandbox);
        let mut child = Command::new(env!("CARGO_BIN_EXE_cofferdam"))
            .arg("generate")
            .current_dir(sandbox.path("."))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(delay);
        let _ = child.kill();
        // Moments around the end, where it writes, however fast the machine is just now.
        if child.wait().unwrap().success() {
            delay = delay * 3 / 4;
        } else {
            killed += 1;
            delay = delay * 10 / 9;
        }
        trees.check_between(&sandbox, &format!("round {round}"));
    }
    assert!(killed > 0, "every run ended before it was killed");
    for (documents, wanted) in [(Documents::old(), &old), (Documents::new(), &new)] {
        documents.put(&sandbox);
        sandbox.run(&["generate"]).well();
        for (name, text) in wanted.iter().filter(|(name, _)| *name != "cofferdam.lock") {
            assert!(sandbox.read(name) == *text, "{name} is another");
        }
        let lock = sandbox.read("cofferdam.lock");
        fs::remove_dir_all(sandbox.path(RECEIPTS)).unwrap();
        sandbox.run(&["generate"]).well();
        assert_eq!(lock, sandbox.read("cofferdam.lock"), "a run that believes no receipt gives another lock");
        sandbox.run(&["check", "--allow", "CD-STUB-MISSING"]).well();
    }
}

#[test]
fn nothing_is_deleted_but_what_was_generated_and_is_unchanged() {
    let sandbox = Sandbox::project();
    sandbox.run(&["generate"]).well();
    let theirs = [
        "src/integrations/stock/.git/config",
        "src/integrations/stock/generated/.git/HEAD",
        "src/integrations/stock/generated/notes.txt",
        "src/integrations/stock/generated/more/own.rs",
        "src/integrations/stock/own.rs",
    ];
    theirs.iter().for_each(|name| sandbox.write(name, "theirs\n"));
    let edited = "src/integrations/stock/generated/client.rs";
    sandbox.write(edited, "// edited\n");
    let project = PROJECT.split("[systems.stock]").next().unwrap_or_default().to_owned();
    sandbox.write("cofferdam.toml", &project);
    for arguments in [&["generate"][..], &["generate", "--force"]] {
        sandbox.run(arguments).well();
        assert!(theirs.iter().all(|name| sandbox.read(name) == "theirs\n"));
        assert_eq!(sandbox.read(edited), "// edited\n");
        assert!(sandbox.path("src/integrations/stock/mapper.rs").exists(), "hand-written");
        assert!(!sandbox.path("src/integrations/stock/generated/types.rs").exists());
    }
}
