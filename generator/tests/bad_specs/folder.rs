//! Running the command over a folder of inputs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::inputs;
use crate::tree::{self, Tree};

/// How an input is given to the command.
pub(crate) struct Case {
    arguments: Vec<String>,
    files: Vec<(&'static str, String)>,
}

impl Case {
    pub(crate) fn of(arguments: &[&str]) -> Self {
        Self { arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(), files: Vec::new() }
    }

    /// The same, with a file beside the input.
    pub(crate) fn with(mut self, name: &'static str, text: &str) -> Self {
        self.files.push((name, text.to_owned()));
        self
    }
}

/// What went wrong, input by input.
#[derive(Default)]
struct Verdicts {
    wrong: Vec<String>,
    seen: usize,
}

/// Gives each file of a folder to the command, together with the folder `given` if there is one.
pub(crate) fn check(folder: &str, at_least: usize, case: impl Fn(&str) -> Case) {
    let folder = inputs().join(folder);
    let mut verdicts = Verdicts::default();
    for input in entries(&folder).into_iter().filter(|path| path.is_file() && !is_expectation(path)) {
        let name = input.file_name().unwrap().to_str().unwrap();
        let case = case(name);
        let place = tempfile::tempdir().unwrap();
        fs::copy(&input, place.path().join(name)).unwrap();
        if folder.join("given").is_dir() {
            tree::copy(&folder.join("given"), &place.path().join("given"));
        }
        for (name, text) in &case.files {
            fs::write(place.path().join(name), text).unwrap();
        }
        verdicts.judge(&place, &case.arguments, &folder.join(format!("{name}.stderr")));
    }
    verdicts.tell(at_least);
}

/// Runs the command in a copy of each folder of a folder.
pub(crate) fn check_folders(folder: &str, at_least: usize) {
    let folder = inputs().join(folder);
    let mut verdicts = Verdicts::default();
    for input in entries(&folder).into_iter().filter(|path| path.is_dir()) {
        let place = tempfile::tempdir().unwrap();
        tree::copy(&input, place.path());
        let command = fs::read_to_string(input.join("command")).unwrap();
        let arguments: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        verdicts.judge(&place, &arguments, &input.with_extension("stderr"));
    }
    verdicts.tell(at_least);
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}

fn is_expectation(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "stderr")
}

impl Verdicts {
    fn judge(&mut self, place: &TempDir, arguments: &[String], expected: &Path) {
        self.seen += 1;
        let name = expected.file_stem().unwrap().to_str().unwrap();
        let before = Tree::of(place.path());
        let output =
            Command::new(env!("CARGO_BIN_EXE_cofferdam")).args(arguments).current_dir(place.path()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let code = output.status.code();
        let fails = said.contains("error[");
        if fails == (code == Some(0)) || !matches!(code, Some(0..=2)) {
            self.wrong.push(format!("--- {name} ended with {code:?}:\n{said}"));
        }
        if fails && Tree::of(place.path()) != before {
            self.wrong.push(format!("--- {name} failed, and wrote all the same"));
        }
        if std::env::var_os("BLESS").is_some() {
            fs::write(expected, &said).unwrap();
        }
        let wanted = fs::read_to_string(expected).unwrap_or_default();
        if said != wanted || said.is_empty() {
            self.wrong.push(format!("--- {name}, expected:\n{wanted}--- got:\n{said}"));
        }
    }

    fn tell(self, at_least: usize) {
        assert!(self.seen >= at_least, "only {} inputs", self.seen);
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
    }
}
