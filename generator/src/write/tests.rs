use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use super::*;

fn body(text: &str, ownership: Ownership) -> FileBody {
    FileBody { text: Some(text.into()), ownership, template: "test".to_owned(), system: "sber".to_owned() }
}

fn tree(files: &[(&str, &str, Ownership)]) -> Tree {
    let mut tree = Tree::default();
    for (path, text, ownership) in files {
        assert!(tree.insert(*path, body(text, *ownership)), "{path} twice");
    }
    tree
}

fn plan(root: &Path, tree: &Tree, force: bool) -> Changes {
    let lock = Lock::read(root).expect("a lock that can be read");
    changes(root, tree, lock, BTreeMap::new(), Scope::All, force).expect("a folder that can be read")
}

fn run(root: &Path, tree: &Tree) -> Changes {
    let changes = plan(root, tree, false);
    changes.apply().expect("a run without conflicts");
    changes
}

fn names_of(root: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.ends_with(crate::receipt::RECEIPTS) {
                continue;
            }
            if path.is_dir() {
                folders.push(path.clone());
            }
            names.push(path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/"));
        }
    }
    names.sort();
    names
}

const GENERATED: Ownership = Ownership::Generated;
const THEIRS: Ownership = Ownership::HandWritten;

#[test]
fn first_run_creates_everything_and_leaves_no_temporary_file() {
    let root = tempfile::tempdir().unwrap();
    let wanted = tree(&[("sber/generated/types.rs", "a\n", GENERATED), ("sber/mapper.rs", "b\n", THEIRS)]);
    let done = run(root.path(), &wanted);
    assert_eq!(done.with(Action::Create).count(), 2);
    assert_eq!(
        names_of(root.path()),
        ["cofferdam.lock", "sber", "sber/generated", "sber/generated/types.rs", "sber/mapper.rs"]
    );
    assert_eq!(fs::read_to_string(root.path().join("sber/generated/types.rs")).unwrap(), "a\n");
}

#[test]
fn second_run_touches_no_file() {
    let root = tempfile::tempdir().unwrap();
    let wanted = tree(&[("a.rs", "a\n", GENERATED), ("mapper.rs", "b\n", THEIRS)]);
    run(root.path(), &wanted);
    let long_ago = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
    for name in ["a.rs", "mapper.rs", LOCK_FILE] {
        fs::File::options().write(true).open(root.path().join(name)).unwrap().set_modified(long_ago).unwrap();
    }
    let again = run(root.path(), &wanted);
    assert!(again.is_clean());
    for name in ["a.rs", "mapper.rs", LOCK_FILE] {
        assert_eq!(fs::metadata(root.path().join(name)).unwrap().modified().unwrap(), long_ago, "{name} was touched");
    }
}

#[test]
fn changed_text_is_replaced_and_the_others_stay_as_they_are() {
    let root = tempfile::tempdir().unwrap();
    run(root.path(), &tree(&[("a.rs", "a\n", GENERATED), ("b.rs", "b\n", GENERATED)]));
    let done = run(root.path(), &tree(&[("a.rs", "a\n", GENERATED), ("b.rs", "other\n", GENERATED)]));
    assert_eq!(done.with(Action::Replace).collect::<Vec<_>>(), ["b.rs"]);
    assert_eq!(done.with(Action::Unchanged).collect::<Vec<_>>(), ["a.rs"]);
    assert_eq!(fs::read_to_string(root.path().join("b.rs")).unwrap(), "other\n");
    let lock = Lock::read(root.path()).unwrap();
    assert!(lock.files.values().all(|file| file.previous.is_empty()), "no trace of the time between: {lock:?}");
}

#[test]
fn edited_generated_file_stops_the_run_with_a_diff_and_nothing_is_written() {
    let root = tempfile::tempdir().unwrap();
    run(root.path(), &tree(&[("a.rs", "one\ntwo\n", GENERATED)]));
    fs::write(root.path().join("a.rs"), "one\nedited\n").unwrap();
    let before = fs::read_to_string(root.path().join(LOCK_FILE)).unwrap();
    let wanted = tree(&[("a.rs", "one\nthree\n", GENERATED), ("new.rs", "n\n", GENERATED)]);
    let stopped = plan(root.path(), &wanted, false);
    assert_eq!(stopped.conflicts.len(), 1);
    assert_eq!(stopped.conflicts[0].cause, ConflictCause::Edited);
    assert!(stopped.conflicts[0].diff.contains("-edited\n+three\n"), "{}", stopped.conflicts[0].diff);
    assert!(matches!(stopped.apply(), Err(WriteError::Conflicts(paths)) if paths == ["a.rs"]));
    assert!(!root.path().join("new.rs").exists());
    assert_eq!(fs::read_to_string(root.path().join(LOCK_FILE)).unwrap(), before);

    plan(root.path(), &wanted, true).apply().expect("--force replaces it");
    assert_eq!(fs::read_to_string(root.path().join("a.rs")).unwrap(), "one\nthree\n");
}

#[test]
fn foreign_file_in_the_place_of_a_generated_one_is_refused() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("a.rs"), "fn theirs() {}\n").unwrap();
    let stopped = plan(root.path(), &tree(&[("a.rs", "ours\n", GENERATED)]), false);
    assert_eq!(stopped.conflicts[0].cause, ConflictCause::Foreign);
}

#[test]
fn edited_file_with_the_wanted_text_is_no_conflict() {
    let root = tempfile::tempdir().unwrap();
    run(root.path(), &tree(&[("a.rs", "one\n", GENERATED)]));
    fs::write(root.path().join("a.rs"), "two\n").unwrap();
    assert!(run(root.path(), &tree(&[("a.rs", "two\n", GENERATED)])).conflicts.is_empty());
}

#[test]
fn hand_written_file_survives_whatever_the_run_would_write() {
    let root = tempfile::tempdir().unwrap();
    run(root.path(), &tree(&[("mapper.rs", "first\n", THEIRS)]));
    fs::write(root.path().join("mapper.rs"), "mine\n").unwrap();
    let done = run(root.path(), &tree(&[("mapper.rs", "second\n", THEIRS)]));
    assert_eq!(done.with(Action::Keep).collect::<Vec<_>>(), ["mapper.rs"]);
    run(root.path(), &Tree::default());
    assert_eq!(fs::read_to_string(root.path().join("mapper.rs")).unwrap(), "mine\n");
}

#[test]
fn stale_generated_file_is_removed_with_its_empty_folder_but_an_edited_one_is_left() {
    let root = tempfile::tempdir().unwrap();
    run(root.path(), &tree(&[("types/a.rs", "a\n", GENERATED), ("b.rs", "b\n", GENERATED)]));
    fs::write(root.path().join("b.rs"), "edited\n").unwrap();
    let done = run(root.path(), &Tree::default());
    assert_eq!(done.with(Action::Remove).collect::<Vec<_>>(), ["types/a.rs"]);
    assert_eq!(done.with(Action::Leave).collect::<Vec<_>>(), ["b.rs"]);
    assert_eq!(names_of(root.path()), ["b.rs", "cofferdam.lock"]);
    let again = plan(root.path(), &Tree::default(), false);
    assert_eq!(again.with(Action::Leave).collect::<Vec<_>>(), ["b.rs"], "it is told until it is gone");
}

#[test]
fn file_that_the_lock_does_not_list_is_never_removed() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("theirs.rs"), "x\n").unwrap();
    run(root.path(), &tree(&[("a.rs", "a\n", GENERATED)]));
    run(root.path(), &Tree::default());
    assert_eq!(names_of(root.path()), ["cofferdam.lock", "theirs.rs"]);
}

#[test]
fn run_for_one_system_leaves_the_files_of_the_others() {
    let root = tempfile::tempdir().unwrap();
    let mut both = tree(&[("sber/a.rs", "a\n", GENERATED)]);
    both.insert("f6/a.rs", FileBody { system: "f6".to_owned(), ..body("f\n", GENERATED) });
    run(root.path(), &both);
    let lock = Lock::read(root.path()).unwrap();
    let only = ["sber".to_owned()];
    let done = changes(root.path(), &Tree::default(), lock, BTreeMap::new(), Scope::Systems(&only), false).unwrap();
    done.apply().unwrap();
    assert_eq!(names_of(root.path()), ["cofferdam.lock", "f6", "f6/a.rs"]);
    assert_eq!(Lock::read(root.path()).unwrap().files.len(), 1);
}

#[test]
fn run_that_was_cut_off_between_its_renames_is_not_taken_for_an_edit() {
    let root = tempfile::tempdir().unwrap();
    run(root.path(), &tree(&[("a.rs", "a1\n", GENERATED), ("b.rs", "b1\n", GENERATED)]));
    // What the disk looks like when the run dies after the first rename: the lock of the time between, one new file.
    let cut = plan(root.path(), &tree(&[("a.rs", "a2\n", GENERATED), ("b.rs", "b2\n", GENERATED)]), false);
    fs::write(root.path().join(LOCK_FILE), super::apply::between(&cut).text()).unwrap();
    fs::write(root.path().join("a.rs"), "a2\n").unwrap();
    // The document changed again meanwhile.
    let next = run(root.path(), &tree(&[("a.rs", "a3\n", GENERATED), ("b.rs", "b3\n", GENERATED)]));
    assert_eq!(next.with(Action::Replace).count(), 2);
    assert!(run(root.path(), &tree(&[("a.rs", "a3\n", GENERATED), ("b.rs", "b3\n", GENERATED)])).is_clean());
}

#[test]
fn what_a_cut_off_run_remembered_goes_when_its_files_are_known_to_be_right() {
    let root = tempfile::tempdir().unwrap();
    run(root.path(), &tree(&[("a.rs", "a1\n", GENERATED)]));
    let cut = plan(root.path(), &tree(&[("a.rs", "a2\n", GENERATED)]), false);
    fs::write(root.path().join(LOCK_FILE), super::apply::between(&cut).text()).unwrap();
    let previous = |root: &Path| Lock::read(root).unwrap().files["a.rs"].previous.len();
    let again = |scope: Scope<'_>| {
        let lock = Lock::read(root.path()).unwrap();
        changes(root.path(), &Tree::default(), lock, BTreeMap::new(), scope, false).unwrap().apply().unwrap();
    };
    let (sber, other) = (["sber".to_owned()], ["other".to_owned()]);
    again(Scope::Systems(&other));
    assert_eq!(previous(root.path()), 1, "nobody knows which of the two it is");
    again(Scope::AllBut(&sber));
    assert_eq!(previous(root.path()), 0);
}

#[test]
fn names_of_a_system_that_goes_stay_until_its_files_are_gone() {
    let root = tempfile::tempdir().unwrap();
    let wanted = tree(&[("a.rs", "a\n", GENERATED)]);
    let names = BTreeMap::from([("sber".to_owned(), BTreeMap::from([("/a".to_owned(), "A".to_owned())]))]);
    changes(root.path(), &wanted, Lock::default(), names.clone(), Scope::All, false).unwrap().apply().unwrap();
    let going = plan(root.path(), &Tree::default(), false);
    assert_eq!(
        super::apply::between(&going).names,
        names,
        "a run that is cut off here is followed by one that knows them"
    );
    going.apply().unwrap();
    assert!(Lock::read(root.path()).unwrap().names.is_empty());
}

#[test]
fn line_ends_of_another_system_are_no_edit() {
    let root = tempfile::tempdir().unwrap();
    run(root.path(), &tree(&[("a.rs", "a\nb\n", GENERATED)]));
    fs::write(root.path().join("a.rs"), "a\r\nb\r\n").unwrap();
    assert!(run(root.path(), &tree(&[("a.rs", "a\nb\n", GENERATED)])).is_clean());
    assert!(run(root.path(), &tree(&[("a.rs", "a\nc\n", GENERATED)])).conflicts.is_empty());
}

#[test]
fn broken_lock_is_an_error_and_not_an_empty_lock() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join(LOCK_FILE), "<<<<<<< HEAD\n").unwrap();
    assert!(matches!(Lock::read(root.path()), Err(LockError::Malformed(..))));
    fs::write(root.path().join(LOCK_FILE), r#"{"lock_version":99,"cofferdam":"9","files":{}}"#).unwrap();
    assert!(Lock::read(root.path()).unwrap_err().to_string().contains("version 99"));
}

#[cfg(unix)]
#[test]
fn new_file_has_the_permissions_of_any_new_file_and_a_replaced_one_keeps_its_own() {
    use std::os::unix::fs::PermissionsExt;
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("plain"), "x").unwrap();
    let plain = fs::metadata(root.path().join("plain")).unwrap().permissions().mode() & 0o777;
    run(root.path(), &tree(&[("a.rs", "a\n", GENERATED)]));
    let mode = || fs::metadata(root.path().join("a.rs")).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(), plain);
    fs::set_permissions(root.path().join("a.rs"), fs::Permissions::from_mode(0o640)).unwrap();
    run(root.path(), &tree(&[("a.rs", "b\n", GENERATED)]));
    assert_eq!(mode(), 0o640);
}

#[test]
fn file_that_cannot_be_written_leaves_the_others_unchanged() {
    let root = tempfile::tempdir().unwrap();
    run(root.path(), &tree(&[("a.rs", "a\n", GENERATED)]));
    fs::write(root.path().join("blocked"), "a file where a folder is needed").unwrap();
    let wanted = tree(&[("a.rs", "new\n", GENERATED), ("blocked/b.rs", "b\n", GENERATED)]);
    let lock = Lock::read(root.path()).unwrap();
    let outcome = changes(root.path(), &wanted, lock, BTreeMap::new(), Scope::All, false).and_then(|c| c.apply());
    assert!(outcome.is_err());
    assert_eq!(fs::read_to_string(root.path().join("a.rs")).unwrap(), "a\n");
    assert_eq!(names_of(root.path()), ["a.rs", "blocked", "cofferdam.lock"]);
}
