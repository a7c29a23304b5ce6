//! Letters beyond ASCII: kept where rustc's lints on identifiers accept them, else written as their code points. Those
//! lints look at the whole crate and cannot be silenced in a module, so what is generated may never wake them.

use unicode_normalization::UnicodeNormalization;
use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::{GeneralSecurityProfile, is_potential_mixed_script_confusable_char, skeleton};

/// The name with every letter replaced that `uncommon_codepoints`, `mixed_script_confusables` or `confusable_idents`
/// would warn of.
pub(crate) fn unsuspicious(name: String) -> String {
    if name.is_ascii() {
        return name;
    }
    // rustc compares identifiers in this form.
    let name: String = name.nfc().collect();
    let name = replace(&name, |c| !c.identifier_allowed());
    let name = replace(&name, |c| !is_vouched_for(c, &name));
    let looks_ascii = !name.is_ascii() && skeleton(&name).all(|c| c.is_ascii());
    if looks_ascii { replace(&name, |_| true) } else { name }
}

/// Whether the name has a letter of the same script that looks like no Latin one.
fn is_vouched_for(c: char, name: &str) -> bool {
    let script = AugmentedScriptSet::for_char(c);
    script == AugmentedScriptSet::for_char('A')
        || name.chars().any(|other| {
            AugmentedScriptSet::for_char(other) == script && !is_potential_mixed_script_confusable_char(other)
        })
}

fn replace(name: &str, is_bad: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if !c.is_ascii() && is_bad(c) {
            out.push_str(&format!("u{:04x}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_living_scripts_are_kept() {
        for word in ["Größe", "É", "Новый", "東京", "ひらがな", "Ελλάδα", "서울", "שלום"] {
            assert_eq!(unsuspicious(word.to_owned()), word);
        }
    }

    #[test]
    fn what_only_looks_like_latin_is_spelled_out() {
        assert_eq!(unsuspicious("сору".to_owned()), "u0441u043eu0440u0443");
        assert_eq!(unsuspicious("µ".to_owned()), "u00b5");
        assert_eq!(unsuspicious("e\u{301}".to_owned()), "é");
    }
}
