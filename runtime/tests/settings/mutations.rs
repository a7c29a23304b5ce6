//! Whatever a settings file holds, reading it ends: with settings that hold, or with faults that can be shown.

use std::fs;
use std::path::Path;

use cofferdam_runtime::settings::Settings;
use proptest::prelude::*;

fn files() -> Vec<String> {
    ["bad-settings", "good-settings"]
        .iter()
        .flat_map(|folder| fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect()
}

/// What upsets parsers, and the words and units that mean something here.
const PIECES: [&str; 26] = [
    "\n",
    "  ",
    ": ",
    "- ",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "#",
    "&a ",
    "*a",
    "!t ",
    "---\n",
    "? ",
    "|\n",
    "\t",
    "\u{feff}",
    "\r\n",
    "0",
    "999999999999999999999",
    "%",
    "systems:",
    "1e308h",
    "-",
];

proptest! {
    #[test]
    fn a_mutated_file_is_read_or_complained_of(
        file in prop::sample::select(files()),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..20_usize, prop::sample::select(&PIECES[..])), 1..5),
    ) {
        let mut characters: Vec<char> = file.chars().collect();
        for (at, drop, piece) in changes {
            let from = at.index(characters.len() + 1);
            let to = (from + drop).min(characters.len());
            characters.splice(from..to, piece.chars()).for_each(std::mem::drop);
        }
        let text: String = characters.into_iter().collect();
        if let Err(error) = Settings::parse(&text, "x.yaml") {
            prop_assert!(!error.faults().is_empty());
            prop_assert!(error.to_string().starts_with("x.yaml:"));
        }
    }
}
