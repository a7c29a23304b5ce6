//! Real documents, changed at random, given to the command as it is released, in a process of its own with bounds on
//! time and memory. `COFFERDAM_CORPUS` names a folder of documents; without it the cases of the tests are changed, once each.
//!
//! `COFFERDAM` is the command to run (the one built for the tests, if it is not said), `MUTATIONS` how many documents are
//! made of each, and `SEED` the number they begin with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::mutate::{self, Numbers};
use crate::{checks, read, rounds};

/// More than the largest document of the corpus needs, in kilobytes of address space and seconds of processor time.
const MEMORY: usize = 3_000_000;
const SECONDS: usize = 120;

#[test]
fn mutated_documents_of_the_corpus_end_soon_and_without_a_panic() {
    let corpus = std::env::var_os("COFFERDAM_CORPUS").map(PathBuf::from);
    let rounds = if corpus.is_some() { rounds() } else { 1 };
    let folder = corpus.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/cases"));
    let command = std::env::var_os("COFFERDAM").map_or_else(|| env!("CARGO_BIN_EXE_cofferdam").into(), PathBuf::from);
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json" || extension == "yaml"));
    files.sort();
    let (mut accepted, mut refused, mut faults) = (0, 0, Vec::new());
    for file in files {
        let Some(document) = read(&file) else { continue };
        for round in seed..seed + rounds {
            let mut mutated = document.clone();
            mutate::mutate(&mut mutated, &mut Numbers(round * 104_729 + file.as_os_str().len() as u64));
            match run(&command, mutated.to_string().as_bytes()) {
                Ok(true) => accepted += 1,
                Ok(false) => refused += 1,
                Err(fault) => faults.push(format!("{} with the seed {round}: {fault}", file.display())),
            }
        }
    }
    println!("{accepted} accepted, {refused} refused, {} faults", faults.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(accepted > 0, "nothing came through: what comes after reading was not tried");
}

/// Whether a document was accepted; an error tells of what must not happen.
fn run(command: &Path, text: &[u8]) -> Result<bool, String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("zoo.json"), text).unwrap();
    let bounded = format!("ulimit -v {MEMORY} && ulimit -t {SECONDS} && exec \"$0\" \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &bounded])
        .arg(command)
        .args([
            "generate",
            "--spec",
            "zoo.json",
            "--system",
            "zoo",
            "--out",
            "zoo",
            "--crate",
            "--with-stubs",
            "--with-tests",
        ])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let told = || said.lines().rev().take(5).collect::<Vec<_>>().join(" / ");
    match output.status.code() {
        _ if said.contains("CD-INTERNAL") || said.contains("panicked at") => Err(told()),
        Some(0) => Ok(true),
        Some(1) if said.contains("error[") && !folder.path().join("zoo").exists() => Ok(false),
        other => Err(format!("it ended with {other:?}: {}", told())),
    }
    .inspect(|accepted| {
        if *accepted {
            checks::folder(&folder.path().join("zoo"));
        }
    })
}
