//! Which answer and which script belongs to which path.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;

use crate::script::{Script, Step};
use crate::{Answer, Arrival, Door, Fault};

/// Makes the answer of a path out of the request.
pub(crate) type Responder = Arc<dyn Fn(&Arrival) -> Answer + Send + Sync>;

/// Says what happens to an arrival.
pub(crate) type Decider = Arc<dyn Fn(&Arrival) -> Step + Send + Sync>;

/// The server's table. A path is written whole, or with a `*` at its end for all that begin so.
#[derive(Default)]
pub(crate) struct Routes {
    answers: BTreeMap<String, Responder>,
    scripts: BTreeMap<String, Script>,
    everywhere: Option<Script>,
    decider: Option<Decider>,
    /// What new connections meet.
    pub(crate) door: Door,
}

impl Routes {
    pub(crate) fn answer(&mut self, path: &str, responder: Responder) {
        self.answers.insert(path.to_owned(), responder);
    }

    pub(crate) fn script(&mut self, path: &str, script: Script) {
        self.scripts.insert(path.to_owned(), script);
    }

    pub(crate) fn script_everywhere(&mut self, script: Script) {
        self.everywhere = Some(script);
    }

    pub(crate) fn decide(&mut self, decider: Decider) {
        self.decider = Some(decider);
    }

    pub(crate) fn forget_scripts(&mut self) {
        self.decider = None;
        self.scripts.clear();
        self.everywhere = None;
        self.door = Door::Open;
    }

    /// What is said to an arrival, and what goes wrong in saying it: as the decider says, then the script for everything,
    /// then the path's. The first that says something else than "fine" is asked last.
    pub(crate) fn next(&mut self, arrival: &Arrival) -> (Answer, Option<Fault>) {
        let mut step = self.decider.as_ref().map_or_else(Step::fine, |decider| decider(arrival));
        if step == Step::fine()
            && let Some(script) = &mut self.everywhere
        {
            step = script.next();
        }
        if step == Step::fine()
            && let Some(script) = best(&arrival.path, self.scripts.iter_mut())
        {
            step = script.next();
        }
        let answer = step.answer.unwrap_or_else(|| match best(&arrival.path, self.answers.iter()) {
            Some(responder) => responder(arrival),
            None => Answer::json(&json!({ "code": 404, "message": "no such path" })).with_status(404),
        });
        (answer, step.fault)
    }
}

/// The entry for a path: the exact one, else the longest that ends in `*` and fits.
fn best<'a, T>(path: &str, entries: impl Iterator<Item = (&'a String, T)>) -> Option<T> {
    let fitting = entries.filter_map(|(pattern, value)| {
        if pattern == path {
            return Some((usize::MAX, value));
        }
        let prefix = pattern.strip_suffix('*')?;
        path.starts_with(prefix).then_some((prefix.len(), value))
    });
    fitting.max_by_key(|(rank, _)| *rank).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exact_path_wins_over_the_longest_prefix() {
        let entries: Vec<(String, u8)> = vec![("/a/*".into(), 1), ("/a/b/*".into(), 2), ("/a/b/c".into(), 3)];
        let find = |path: &str| best(path, entries.iter().map(|(pattern, value)| (pattern, *value)));
        assert_eq!(find("/a/b/c"), Some(3));
        assert_eq!(find("/a/b/d"), Some(2));
        assert_eq!(find("/a/x"), Some(1));
        assert_eq!(find("/b"), None);
    }
}
