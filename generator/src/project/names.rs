//! What a system, and a credential, may be called.

use crate::diagnose::{Location, Report, Severity};

/// Names that mean something else where a system's name is used: the settings' own sections.
const TAKEN: [&str; 2] = ["defaults", "systems"];

/// As long as a name may be, in bytes: it becomes a part of file and variable names.
const MAX_LENGTH: usize = 100;

/// Device names that Windows does not allow as folders.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Checks a system's name; a fault goes to the report.
pub(super) fn check(name: &str, at: &Location, report: &mut Report) -> Option<()> {
    let (message, help) = if !is_name(name) {
        let message = format!("{name:?} cannot be the name of a system");
        (message, "lower-case words of letters and digits, joined by `-` or `_`, the first a letter, 100 bytes at most")
    } else if TAKEN.contains(&name) {
        (format!("{name:?} is a section of the settings"), "choose another name")
    } else if is_device(name) {
        (format!("{name:?} cannot be a folder on every machine"), "choose another name")
    } else {
        return Some(());
    };
    report.at(Severity::Error, "CD-PROJECT-NAME", at.clone(), message, help);
    None
}

/// Whether a system may have this name.
pub(crate) fn is_system_name(name: &str) -> bool {
    is_name(name) && !TAKEN.contains(&name) && !is_device(name)
}

fn is_device(name: &str) -> bool {
    let numbered = |prefix| {
        name.strip_prefix(prefix)
            .is_some_and(|rest: &str| rest.len() == 1 && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    DEVICES.contains(&name) || numbered("com") || numbered("lpt")
}

/// `sber`, `f6-orders`, `mini_o2o`: words that make a folder, a module and a variable of the environment alike.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.len() <= MAX_LENGTH
        && name
            .split(['-', '_'])
            .all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()))
}

/// What a credential may be called: it becomes a method.
pub(super) fn is_label(label: &str) -> bool {
    label.starts_with(|c: char| c.is_ascii_alphabetic())
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

/// The Rust module of a system: `f6-orders` is `f6_orders`, and a keyword gets an underscore (`type_`).
#[must_use]
pub fn module_name(system: &str) -> String {
    let module = system.replace('-', "_");
    // `gen` is a keyword of edition 2024 only, which the parser leaves open.
    if module != "gen" && syn::parse_str::<syn::Ident>(&module).is_ok() { module } else { format!("{module}_") }
}

#[cfg(test)]
mod tests {
    use super::{check, module_name};
    use crate::diagnose::{Location, Report};

    fn is_fine(name: &str) -> bool {
        check(name, &Location::default(), &mut Report::default()).is_some()
    }

    #[test]
    fn names_are_words_that_fit_everywhere() {
        for fine in ["sber", "f6", "f6-orders", "mini_o2o", "a-1", "type", "com", "com10"] {
            assert!(is_fine(fine), "{fine}");
        }
        for bad in ["", "Sber", "6f", "a--b", "a_-b", "-a", "a-", "a b", "ä", "a.b", "defaults", "nul", "com1"] {
            assert!(!is_fine(bad), "{bad}");
        }
    }

    #[test]
    fn a_module_is_always_an_identifier() {
        for (system, module) in [("f6-orders", "f6_orders"), ("type", "type_"), ("self", "self_"), ("gen", "gen_")] {
            assert_eq!(module_name(system), module);
        }
    }
}
