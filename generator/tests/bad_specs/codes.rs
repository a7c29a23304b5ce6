//! Every code of the table is given by some input.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cofferdam::diagnose::messages;

use crate::inputs;

/// Codes that no input can give, and why.
const NONE: [(&str, &str); 2] = [
    ("CD-INTERNAL", "a fault of the generator itself: there should be none"),
    ("CD-TEMPLATE-FILE", "a folder that may not be read, and an administrator may read all"),
];

/// The codes in the expected texts below a folder.
fn told(folder: &Path, codes: &mut BTreeSet<String>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            told(&path, codes);
        } else if path.extension().is_some_and(|extension| extension == "stderr" || extension == "told") {
            let text = fs::read_to_string(&path).unwrap();
            for word in ["error[", "warning[", "note["] {
                let codes_of = text.split(word).skip(1).filter_map(|rest| rest.split(']').next());
                codes.extend(codes_of.filter(|code| !code.contains(char::is_whitespace)).map(str::to_owned));
            }
        }
    }
}

#[test]
fn every_code_is_given_by_an_input() {
    let mut given = BTreeSet::new();
    told(&inputs(), &mut given);
    // What imports tell stands beside what they read.
    told(&inputs().join("../../generator/tests/command/spring"), &mut given);
    let of_table = messages::all().map(|message| message.code).chain(messages::advice().map(|advice| advice.code));
    let (none, some): (Vec<&str>, Vec<&str>) = of_table.partition(|code| NONE.iter().any(|(none, _)| none == code));
    let missing: Vec<_> = some.into_iter().filter(|code| !given.contains(*code)).collect();
    assert!(missing.is_empty(), "no input in tests/bad-specs gives {missing:?}");
    let given_all_the_same: Vec<_> = none.into_iter().filter(|code| given.contains(*code)).collect();
    assert!(given_all_the_same.is_empty(), "there is an input after all that gives {given_all_the_same:?}");
    let unknown: Vec<_> = given.iter().filter(|code| messages::find(code).is_err()).collect();
    assert!(unknown.is_empty(), "not in the table: {unknown:?}");
}

/// A message is told as grave as the table says.
#[test]
fn every_code_is_told_as_the_table_says() {
    let mut wrong = Vec::new();
    let mut folders = vec![inputs()];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap_or_default();
            for message in messages::all().filter(|_| path.extension().is_some_and(|end| end == "stderr")) {
                let words = ["error", "warning", "note"].into_iter();
                let told = words.filter(|word| text.contains(&format!("{word}[{}]", message.code)));
                let odd: Vec<_> = told.filter(|word| !message.told_as.contains(word)).collect();
                // `deny-unsupported` makes errors of what is not honoured.
                let is_denied = message.unsupported && odd == ["error"];
                if !odd.is_empty() && !is_denied {
                    wrong.push(format!("{}: {} as {odd:?}", path.display(), message.code));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
