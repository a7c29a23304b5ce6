/// The candidate that was probably meant, if any is near enough to be worth a word.
pub(crate) fn nearest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = wrong.to_lowercase();
    let limit = (wrong.chars().count() / 3).max(2);
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&folded, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// A help sentence that names the nearest candidate, or else lists what there is.
pub(crate) fn did_you_mean<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str, IntoIter: Clone>) -> String {
    let candidates = candidates.into_iter();
    match nearest(wrong, candidates.clone()) {
        Some(candidate) => format!("did you mean `{candidate}`?"),
        None => listing(candidates),
    }
}

/// The candidates in one line, cut where it would become long.
fn listing<'a>(candidates: impl Iterator<Item = &'a str>) -> String {
    const SHOWN: usize = 8;
    let all: Vec<&str> = candidates.collect();
    let shown: Vec<String> = all.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    match all.len() {
        0 => "there is none".to_owned(),
        count if count > SHOWN => format!("there are {} and {} more", shown.join(", "), count - SHOWN),
        _ => format!("there is {}", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_recognised_and_a_stranger_is_not() {
        assert_eq!(nearest("registerOrdr", ["deposit", "registerOrder"]), Some("registerOrder"));
        assert_eq!(nearest("Idempotency_Key", ["idempotency-key"]), Some("idempotency-key"));
        assert_eq!(nearest("cancel", ["deposit", "refund"]), None);
    }

    #[test]
    fn without_a_near_one_the_candidates_are_listed() {
        assert_eq!(did_you_mean("x", ["alpha", "beta"]), "there is `alpha`, `beta`");
        assert_eq!(did_you_mean("x", []), "there is none");
        let many: Vec<String> = (0..10).map(|index| format!("operation{index}")).collect();
        assert!(did_you_mean("x", many.iter().map(String::as_str)).ends_with("and 2 more"));
    }
}
