//! What a system is called when nobody says: its document's title, or its file.

use std::path::Path;

use crate::diagnose::Report;
use crate::project::System;

/// Words of titles that say nothing about whose system it is.
const IDLE: [&str; 19] = [
    "a",
    "an",
    "api",
    "apis",
    "definition",
    "documentation",
    "for",
    "http",
    "json",
    "of",
    "openapi",
    "public",
    "rest",
    "restful",
    "schema",
    "spec",
    "specification",
    "swagger",
    "the",
];

/// As many words as a name has at most.
const WORDS: usize = 3;

/// A name that a system may have.
#[must_use]
pub fn system_name(title: &str, file: &Path) -> String {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    // `acme.openapi.yaml` is of acme.
    let of_file = words(stem.split('.').next().unwrap_or_default());
    let of_title = words(title);
    let chosen = if of_title.is_empty() || of_title.len() > WORDS {
        [of_file, of_title].into_iter()
    } else {
        [of_title, of_file].into_iter()
    };
    let names = chosen.map(|words| words.into_iter().take(WORDS).collect::<Vec<_>>().join("-"));
    names.into_iter().find(|name| is_name(name)).unwrap_or_else(|| "external".to_owned())
}

/// The telling words of a text, in lower case; versions are none.
fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let pieces = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| word.is_ascii() && !word.is_empty());
    let is_version = |word: &str| {
        let digits = word.strip_prefix('v').unwrap_or(word);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    pieces.filter(|word| !IDLE.contains(word) && !is_version(word)).map(str::to_owned).collect()
}

fn is_name(name: &str) -> bool {
    System::single(name, Path::new(""), Path::new(""), &mut Report::default()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_and_files_become_names() {
        let name = |title: &str, file: &str| system_name(title, Path::new(file));
        assert_eq!(name("Adyen Checkout API", "x.json"), "adyen-checkout");
        assert_eq!(name("GitHub v3 REST API", "api.github.com.json"), "github");
        assert_eq!(name("OpenAPI definition", "orders.openapi.yaml"), "orders");
        assert_eq!(name("The API of everything that our company has ever done", "billing_v2.yaml"), "billing");
        assert_eq!(name("", "2checkout.yaml"), "external");
        assert_eq!(name("Платежи", "sber.yaml"), "sber");
        assert_eq!(name("defaults", "nul.yaml"), "external");
    }
}
