//! "Did you mean": the known word that a mistyped one is nearest to.

/// The nearest candidate, when one is near enough to be meant.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let plain = |text: &str| text.to_lowercase().replace(['-', '_', ' ', '.'], "");
    let word = plain(word);
    candidates
        .iter()
        .map(|&candidate| (strsim::damerau_levenshtein(&word, &plain(candidate)), candidate))
        .filter(|(distance, candidate)| *distance <= candidate.chars().count().max(word.chars().count()) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
        .or_else(|| beginning(&word, &candidates, plain))
}

/// The only candidate that begins with a word.
fn beginning<'a>(word: &str, candidates: &[&'a str], plain: impl Fn(&str) -> String) -> Option<&'a str> {
    let mut begun = candidates.iter().copied().filter(|known| word.len() >= 4 && plain(known).starts_with(word));
    begun.next().filter(|_| begun.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_is_understood_and_a_strange_word_is_not() {
        let known = ["spec", "out", "profile", "on-duplicate"];
        assert_eq!(nearest("profil", known), Some("profile"));
        assert_eq!(nearest("on_duplicates", known), Some("on-duplicate"));
        assert_eq!(nearest("psec", known), Some("spec"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("x", known), None);
        assert_eq!(nearest("prof", known), Some("profile"));
        assert_eq!(nearest("fail", ["failure-rate", "failure-wait"]), None);
    }
}
