//! Names that meet: who keeps the plain name, and what the others are called.

use std::collections::{HashMap, HashSet};

use super::identifiers::{Case, bare, identifier, spelled, verbatim_variant};

/// A name somebody would like to have in a scope.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    /// The name to get if it is free.
    plain: String,
    /// What to try next, before numbers.
    alternatives: Vec<String>,
    /// The author wrote just this name: it goes before all that only come to it by casing.
    exact: bool,
}

impl Wanted {
    /// The name casing gives to a text; the signs in it spelled out if that is taken.
    pub(crate) fn text(text: &str, case: Case) -> Self {
        let plain = identifier(text, case);
        let exact = bare(&plain) == text;
        Self { plain, alternatives: vec![spelled(text, case)], exact }
    }

    /// A variant for a value: values that differ by case only get names that say so.
    pub(crate) fn value(text: &str) -> Self {
        let mut wanted = Self::text(text, Case::Camel);
        wanted.exact |= wanted.plain.strip_prefix('_') == Some(text);
        let plain = bare(&wanted.plain).trim_end_matches('_').to_owned();
        wanted.alternatives.splice(0..0, verbatim_variant(text));
        if !text.chars().any(char::is_uppercase) {
            wanted.alternatives.push(format!("{plain}Lower"));
        } else if !text.chars().any(char::is_lowercase) {
            wanted.alternatives.push(format!("{plain}Upper"));
        }
        wanted
    }

    /// A name composed by us, legal already.
    pub(crate) fn composed(plain: String, alternatives: Vec<String>) -> Self {
        Self { plain, alternatives, exact: false }
    }

    /// The same wish, with something to try before all other alternatives.
    pub(crate) fn or_first(mut self, alternative: String) -> Self {
        self.alternatives.insert(0, alternative);
        self
    }

    /// Whether a name is one that this wish could have got: its plain name, an alternative, or a numbered one.
    pub(crate) fn could_be(&self, name: &str) -> bool {
        let stem = bare(&self.plain).trim_end_matches('_');
        let numbered = name
            .strip_prefix(stem)
            .map(|rest| rest.strip_prefix('_').unwrap_or(rest))
            .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()));
        name == self.plain || self.alternatives.iter().any(|alternative| alternative == name) || numbered
    }

    /// The same wish under another plain name where the given one may not be had.
    pub(crate) fn unless(mut self, forbidden: impl Fn(&str) -> bool, suffix: &str) -> Self {
        if forbidden(bare(&self.plain)) {
            self.plain.push_str(suffix);
            self.exact = false;
        }
        self.alternatives.retain(|alternative| !forbidden(bare(alternative)));
        self
    }
}

/// A set of names that must differ.
#[derive(Debug)]
pub(crate) struct Scope {
    case: Case,
    taken: HashSet<String>,
    next_number: HashMap<String, usize>,
}

impl Scope {
    /// An empty scope.
    pub(crate) fn new(case: Case) -> Self {
        Self { case, taken: HashSet::new(), next_number: HashMap::new() }
    }

    /// Whether a name is given already.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.taken.contains(bare(name))
    }

    /// Keeps a name from being given.
    pub(crate) fn reserve(&mut self, name: &str) {
        self.taken.insert(bare(name).to_owned());
    }

    /// Gives a name to each: exact matches first, the rest in the order given, so that what is appended to a
    /// document later renames nothing before it (unless it is the exact match).
    pub(crate) fn assign(&mut self, wanted: &[Wanted]) -> Vec<String> {
        let mut names: Vec<Option<String>> = vec![None; wanted.len()];
        for (name, wish) in names.iter_mut().zip(wanted).filter(|(_, wish)| wish.exact) {
            *name = self.take_all(&wish.plain, &|_: &str| Vec::new()).then(|| wish.plain.clone());
        }
        names.into_iter().zip(wanted).map(|(name, wish)| name.unwrap_or_else(|| self.give(wish))).collect()
    }

    /// Gives just this name, if it is free.
    pub(crate) fn give_earlier(&mut self, name: &str) -> Option<String> {
        self.take_all(name, &|_: &str| Vec::new()).then(|| name.to_owned())
    }

    /// Gives just this name, if it and those of its relatives are free.
    pub(crate) fn give_earlier_family(
        &mut self,
        name: &str,
        relatives: impl Fn(&str) -> Vec<String>,
    ) -> Option<String> {
        self.take_all(name, &relatives).then(|| name.to_owned())
    }

    /// Gives a name to one.
    pub(crate) fn give(&mut self, wanted: &Wanted) -> String {
        self.give_family(wanted, |_| Vec::new())
    }

    /// Gives a name to one, such that the names of its relatives are free as well, and takes all of them.
    pub(crate) fn give_family(&mut self, wanted: &Wanted, relatives: impl Fn(&str) -> Vec<String>) -> String {
        let candidates = std::iter::once(&wanted.plain).chain(&wanted.alternatives);
        for candidate in candidates {
            if self.take_all(candidate, &relatives) {
                return candidate.clone();
            }
        }
        let stem = bare(&wanted.plain).trim_end_matches('_').to_owned();
        let ends_in_digit = stem.ends_with(|c: char| c.is_numeric());
        let separator = if self.case == Case::Snake || ends_in_digit { "_" } else { "" };
        let mut number = self.next_number.get(&stem).copied().unwrap_or(2);
        loop {
            let name = format!("{stem}{separator}{number}");
            number += 1;
            if self.take_all(&name, &relatives) {
                self.next_number.insert(stem, number);
                return name;
            }
        }
    }

    fn take_all(&mut self, name: &str, relatives: &impl Fn(&str) -> Vec<String>) -> bool {
        let relatives = relatives(name);
        if self.has(name) || relatives.iter().any(|relative| self.has(relative)) {
            return false;
        }
        self.reserve(name);
        relatives.iter().for_each(|relative| self.reserve(relative));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(texts: &[&str]) -> Vec<String> {
        let wanted: Vec<_> = texts.iter().map(|text| Wanted::value(text)).collect();
        Scope::new(Case::Camel).assign(&wanted)
    }

    fn names(texts: &[&str], case: Case) -> Vec<String> {
        let wanted: Vec<_> = texts.iter().map(|text| Wanted::text(text, case)).collect();
        Scope::new(case).assign(&wanted)
    }

    #[test]
    fn the_exact_match_keeps_the_name_and_the_rest_say_what_differs() {
        assert_eq!(
            names(&["order.line", "OrderLine", "order-line", "order_Line"], Case::Camel),
            ["OrderDotLine", "OrderLine", "OrderDashLine", "OrderUnderscoreLine"]
        );
        assert_eq!(
            names(&["pageSize", "page_size", "page-size", "PageSize"], Case::Snake),
            ["page_size_2", "page_size", "page_dash_size", "page_size_3"]
        );
    }

    #[test]
    fn values_that_differ_by_case_or_sign_only_stay_apart() {
        assert_eq!(values(&["ASC", "asc", "Asc", "DESC"]), ["ASC", "AscLower", "Asc", "Desc"]);
        assert_eq!(values(&["1m", "1M", "5m", "1.0", "10"]), ["_1m", "_1M", "_5m", "_1_0", "_10"]);
        assert_eq!(values(&["a/b", "a-b", "a_b"]), ["AB", "ADashB", "AUnderscoreB"]);
    }

    #[test]
    fn what_is_appended_renames_nothing() {
        let before = names(&["a b", "a.b", "aB"], Case::Snake);
        let after = names(&["a b", "a.b", "aB", "a..b", "a  b"], Case::Snake);
        assert_eq!(before, after[..3]);
    }

    #[test]
    fn a_hundred_thousand_equal_wishes_take_no_quadratic_time() {
        let wanted = vec![Wanted::composed("Same".to_owned(), vec![]); 100_000];
        let given = Scope::new(Case::Camel).assign(&wanted);
        assert_eq!(given.iter().collect::<HashSet<_>>().len(), 100_000);
    }
}
