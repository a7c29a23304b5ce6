//! Which documents of the files hold: all without a profile, and those of the profiles that were asked for.

use super::property::{self, Document, Property};
use super::relaxed::same;
use crate::diagnose::{Report, Severity};

/// Keys that tie a document to profiles.
const ON_PROFILE: [&[&str]; 2] = [&["spring", "config", "activate", "on-profile"], &["spring", "profiles"]];

/// All properties that hold, in the order of the files: a later one goes before an earlier one of the same key. `None`:
/// a file is unreadable, which is in the report.
pub(super) fn holding(files: &[(String, String)], profiles: &[String], report: &mut Report) -> Option<Vec<Property>> {
    let mut holding = Vec::new();
    let mut readable = true;
    for (name, text) in files {
        match property::read(name, text) {
            Ok(documents) => holding.extend(documents.into_iter().filter_map(|one| chosen(one, profiles, report))),
            Err(unreadable) => {
                report.at(Severity::Error, "CD-IMPORT-FILE", unreadable.at, unreadable.message, "");
                readable = false;
            }
        }
    }
    readable.then(|| holding.into_iter().flatten().collect())
}

fn chosen(document: Document, profiles: &[String], report: &mut Report) -> Option<Vec<Property>> {
    let condition = document.properties.iter().find(|property| is_condition(property));
    let Some(condition) = condition else { return Some(document.properties) };
    let wanted: Vec<&str> = condition.words().map(|(text, _)| text).collect();
    if wanted.iter().any(|wanted| holds(wanted, profiles)) {
        return Some(document.properties);
    }
    if document.properties.iter().any(super::sections::is_ours) {
        let message = format!("what the profile `{}` says is left out", wanted.join(", "));
        let help = "say which profile is meant: `--spring-profile NAME`";
        report.at(Severity::Note, "CD-IMPORT-PROFILE", condition.at.clone(), message, help);
    }
    None
}

fn is_condition(property: &Property) -> bool {
    ON_PROFILE.iter().any(|key| {
        key.len() == property.key.len() && key.iter().zip(&property.key).all(|(wanted, part)| same(wanted, part))
    })
}

/// Whether an expression of profiles holds: `prod`, `!test`, `prod & eu`, `(prod | staging) & eu`.
fn holds(expression: &str, profiles: &[String]) -> bool {
    let mut rest = expression;
    either(&mut rest, profiles, 0)
}

/// Parentheses deeper than anyone writes.
const DEEPEST: usize = 16;

fn either(rest: &mut &str, profiles: &[String], depth: usize) -> bool {
    let mut value = both(rest, profiles, depth);
    while let Some(after) = rest.trim_start().strip_prefix('|') {
        *rest = after;
        value |= both(rest, profiles, depth);
    }
    value
}

fn both(rest: &mut &str, profiles: &[String], depth: usize) -> bool {
    let mut value = one(rest, profiles, depth);
    while let Some(after) = rest.trim_start().strip_prefix('&') {
        *rest = after;
        value &= one(rest, profiles, depth);
    }
    value
}

fn one(rest: &mut &str, profiles: &[String], depth: usize) -> bool {
    *rest = rest.trim_start();
    let negated = rest.strip_prefix('!');
    *rest = negated.unwrap_or(rest).trim_start();
    let value = match rest.strip_prefix('(').filter(|_| depth < DEEPEST) {
        Some(within) => {
            *rest = within;
            let value = either(rest, profiles, depth + 1);
            *rest = rest.trim_start().strip_prefix(')').unwrap_or(rest);
            value
        }
        None => {
            let end = rest.find(['|', '&', ')', '!']).unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            *rest = after;
            profiles.iter().any(|profile| profile == name.trim())
        }
    };
    value != negated.is_some()
}

#[cfg(test)]
mod tests {
    use super::holds;

    #[test]
    fn expressions_of_profiles_are_judged_as_spring_does() {
        let active = ["prod".to_owned(), "eu".to_owned()];
        for (expression, wanted) in [
            ("prod", true),
            ("test", false),
            ("!test", true),
            ("prod & eu", true),
            ("prod & us", false),
            ("test | eu", true),
            ("!(test | us) & prod", true),
            ("!(", true),
            ("", false),
        ] {
            assert_eq!(holds(expression, &active), wanted, "{expression}");
        }
        assert!(!holds(&"(".repeat(100_000), &active));
    }
}
