//! From an overlay's file to its actions, with everything wrong told at once.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Map, Value};

use super::query::Query;
use super::{errors, extends, kind};
use crate::diagnose::{Report, nearest};
use crate::load::Sources;
use crate::model::Origin;

/// An overlay that is fit to be applied.
#[derive(Debug)]
pub(super) struct Overlay {
    /// Its index in the sources.
    pub(super) file: usize,
    pub(super) version: Version,
    pub(super) actions: Vec<Action>,
}

/// The Overlay specification that a file follows, as far as it makes a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    V1_0,
    /// 1.1, or a later one that is read like it.
    V1_1,
}

/// One action: where, and what.
#[derive(Debug)]
pub(super) struct Action {
    /// Its place in its file.
    pub(super) pointer: String,
    pub(super) target: Query,
    pub(super) change: Change,
}

/// What an action does with the places it selects.
#[derive(Debug)]
pub(super) enum Change {
    Update(Value),
    Copy(Query),
    Remove,
}

/// Reads an overlay. Its file becomes one of the sources, fit or not.
pub(super) fn open(sources: &mut Sources, path: &Path, report: &mut Report) -> Option<Overlay> {
    let file = sources.open_overlay(path, report)?;
    let value = &sources.files.get(file)?.value;
    let errors_before = errors(report);
    let mut reading = Reading { file, report };
    let overlay = reading.overlay(value);
    if let Some(extended) = value.get("extends").and_then(Value::as_str) {
        extends::check(sources, file, extended, report);
    }
    overlay.filter(|_| errors(report) == errors_before)
}

struct Reading<'a> {
    file: usize,
    report: &'a mut Report,
}

impl Reading<'_> {
    fn origin(&self, pointer: impl Into<String>) -> Origin {
        Origin { file: self.file, pointer: pointer.into() }
    }

    fn error(&mut self, code: &'static str, pointer: &str, message: impl Into<String>, help: &str) {
        self.report.error(code, self.origin(pointer), message, help);
    }

    fn overlay(&mut self, value: &Value) -> Option<Overlay> {
        let Value::Object(root) = value else {
            self.error("CD-OVERLAY-VERSION", "", "an overlay is an object, this is none", STARTS_WITH);
            return None;
        };
        let version = self.version(root)?;
        self.known_keys(root, "", &["overlay", "info", "extends", "actions"]);
        self.info(root);
        self.text(root, "", "extends");
        let actions = self.actions(root, version);
        Some(Overlay { file: self.file, version, actions })
    }

    fn version(&mut self, root: &Map<String, Value>) -> Option<Version> {
        let Some(version) = root.get("overlay") else {
            let (pointer, message) = match root.keys().find(|key| ["openapi", "swagger"].contains(&key.as_str())) {
                Some(key) => (format!("/{key}"), "this is an API document, not an overlay"),
                None => (String::new(), "this is no overlay: the key `overlay` is missing"),
            };
            self.error("CD-OVERLAY-VERSION", &pointer, message, STARTS_WITH);
            return None;
        };
        let text = match version {
            Value::String(text) => text.trim().to_owned(),
            Value::Number(number) => {
                let help = format!("write `overlay: {number}.0`");
                let message = "the version of the overlay is a number, not text";
                self.report.warning("CD-OVERLAY-VERSION", self.origin("/overlay"), message, help);
                number.to_string()
            }
            other => {
                let message = format!("the version of the overlay is {}, not text", kind(other));
                self.error("CD-OVERLAY-VERSION", "/overlay", message, KNOWN);
                return None;
            }
        };
        let found = known_version(&text);
        match found {
            None => self.error("CD-OVERLAY-VERSION", "/overlay", format!("Overlay {text:?} is not known"), KNOWN),
            Some((_, true)) => {}
            Some((_, false)) => {
                let message = format!("Overlay {text} is read as 1.1: what came later is not known");
                self.report.warning("CD-OVERLAY-VERSION", self.origin("/overlay"), message, KNOWN);
            }
        }
        found.map(|(version, _)| version)
    }

    fn info(&mut self, root: &Map<String, Value>) {
        let info = match root.get("info") {
            Some(Value::Object(info)) => info,
            Some(other) => {
                self.error("CD-OVERLAY-VALUE", "/info", format!("`info` is an object, not {}", kind(other)), INFO);
                return;
            }
            None => {
                self.error("CD-OVERLAY-MISSING", "", "`info` is missing", INFO);
                return;
            }
        };
        self.known_keys(info, "/info", &["title", "version", "description"]);
        self.text(info, "/info", "description");
        self.required_text(info, "/info", "title", INFO);
        // `version: 1.0` is a slip that everybody makes once, and nothing depends on it.
        match info.get("version") {
            Some(Value::Number(number)) => {
                let help = format!("put it in quotes: `version: \"{number}\"`");
                let origin = self.origin("/info/version");
                self.report.warning("CD-OVERLAY-VALUE", origin, "`version` is a number, not text", help);
            }
            _ => {
                self.required_text(info, "/info", "version", INFO);
            }
        }
    }

    fn actions(&mut self, root: &Map<String, Value>, version: Version) -> Vec<Action> {
        let help = "add `actions:` with at least one `- target: $…`";
        let list = match root.get("actions") {
            Some(Value::Array(list)) => list,
            Some(other) => {
                let message = format!("`actions` is an array, not {}", kind(other));
                self.error("CD-OVERLAY-VALUE", "/actions", message, help);
                return Vec::new();
            }
            None => {
                self.error("CD-OVERLAY-MISSING", "", "`actions` is missing", help);
                return Vec::new();
            }
        };
        if list.is_empty() {
            self.error("CD-OVERLAY-MISSING", "/actions", "the overlay has no action", help);
        }
        let mut seen: HashMap<String, usize> = HashMap::new();
        let mut actions = Vec::new();
        for (index, action) in list.iter().enumerate() {
            let pointer = format!("/actions/{index}");
            if let Some(first) = seen.insert(action.to_string(), index) {
                let message = format!("this action is the same as /actions/{first}: it is applied twice");
                self.report.warning("CD-OVERLAY-ACTION", self.origin(&pointer), message, "remove one of the two");
            }
            actions.extend(self.action(action, pointer, version));
        }
        actions
    }

    fn action(&mut self, action: &Value, pointer: String, version: Version) -> Option<Action> {
        let Value::Object(action) = action else {
            let message = format!("an action is an object, not {}", kind(action));
            self.error("CD-OVERLAY-VALUE", &pointer, message, "write `- target: $…`");
            return None;
        };
        let known = self.known_keys(action, &pointer, &["target", "description", "update", "copy", "remove"]);
        self.text(action, &pointer, "description");
        let target = self.required_text(action, &pointer, "target", "`target: $.paths` selects what is changed");
        let target = target.and_then(|text| self.query(text, &format!("{pointer}/target")));
        let change = self.change(action, &pointer, version, known);
        Some(Action { pointer, target: target?, change: change? })
    }

    /// What an action does. `known`: all its keys are; a mistyped one would have said it otherwise.
    fn change(&mut self, action: &Map<String, Value>, pointer: &str, version: Version, known: bool) -> Option<Change> {
        let removes = match action.get("remove") {
            None | Some(Value::Bool(false)) => false,
            Some(Value::Bool(true)) => true,
            Some(other) => {
                let message = format!("`remove` is true or false, not {}", kind(other));
                self.error("CD-OVERLAY-VALUE", &format!("{pointer}/remove"), message, "write `remove: true`");
                return None;
            }
        };
        let update = action.get("update");
        let has_copy = action.contains_key("copy");
        if has_copy && version == Version::V1_0 {
            let message = "`copy` came with Overlay 1.1";
            self.error("CD-OVERLAY-VERSION", &format!("{pointer}/copy"), message, "write `overlay: 1.1.0`");
        }
        let copy = self.text(action, pointer, "copy");
        let copy = copy.and_then(|text| self.query(text, &format!("{pointer}/copy")));
        if removes {
            for key in ["update", "copy"].into_iter().filter(|key| action.contains_key(*key)) {
                let message = format!("`{key}` has no effect beside `remove: true`");
                let help = "give each an action of its own";
                self.report.warning("CD-OVERLAY-ACTION", self.origin(format!("{pointer}/{key}")), message, help);
            }
            return Some(Change::Remove);
        }
        match (update, has_copy) {
            (Some(_), true) => {
                let message = "beside each other, neither `update` nor `copy` has an effect";
                self.error("CD-OVERLAY-ACTION", pointer, message, "give each an action of its own");
                None
            }
            (Some(update), false) => Some(Change::Update(update.clone())),
            (None, true) => copy.map(Change::Copy),
            (None, false) if !known => None,
            (None, false) => {
                let help = "add `update`, `copy` or `remove: true`";
                self.report.warning("CD-OVERLAY-ACTION", self.origin(pointer), "the action changes nothing", help);
                None
            }
        }
    }

    fn query(&mut self, text: &str, pointer: &str) -> Option<Query> {
        match Query::parse(text) {
            Ok(query) => Some(query),
            Err(refused) => {
                self.error("CD-OVERLAY-TARGET", pointer, refused.message, &refused.help);
                None
            }
        }
    }

    /// Reports every key that is neither known nor an extension, and says whether there was none.
    fn known_keys(&mut self, object: &Map<String, Value>, pointer: &str, known: &[&str]) -> bool {
        let mut sound = true;
        for key in object.keys().filter(|key| !known.contains(&key.as_str()) && !key.starts_with("x-")) {
            let help = match nearest(key, known.iter().copied()) {
                Some(nearest) => format!("`{nearest}` is meant?"),
                None => format!("known here: {}, and `x-…`", known.join(", ")),
            };
            let at = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
            self.error("CD-OVERLAY-KEY", &at, format!("the key `{key}` is not known"), &help);
            sound = false;
        }
        sound
    }

    /// A text that may be left out.
    fn text<'v>(&mut self, object: &'v Map<String, Value>, pointer: &str, key: &str) -> Option<&'v str> {
        match object.get(key)? {
            Value::String(text) => Some(text),
            other => {
                let message = format!("`{key}` is a text, not {}", kind(other));
                self.error("CD-OVERLAY-VALUE", &format!("{pointer}/{key}"), message, "put it in quotes");
                None
            }
        }
    }

    fn required_text<'v>(
        &mut self,
        object: &'v Map<String, Value>,
        pointer: &str,
        key: &str,
        help: &str,
    ) -> Option<&'v str> {
        if !object.contains_key(key) {
            self.error("CD-OVERLAY-MISSING", pointer, format!("`{key}` is missing"), help);
        }
        self.text(object, pointer, key)
    }
}

const KNOWN: &str = "1.0 and 1.1 are known";
const STARTS_WITH: &str = "an overlay begins with `overlay: 1.1.0`";
const INFO: &str = "add `info: {title: …, version: …}`, for its readers";

/// The version, and whether it is one of those that are known by number.
fn known_version(text: &str) -> Option<(Version, bool)> {
    let mut parts = text.split('.');
    let (major, minor, patch) = (parts.next()?, parts.next()?, parts.next());
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if major != "1" || !is_number(minor) || !patch.is_none_or(|patch| patch.starts_with(|c: char| c.is_ascii_digit())) {
        return None;
    }
    match minor {
        "0" => Some((Version::V1_0, true)),
        minor => Some((Version::V1_1, minor == "1")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Version, known_version};

    #[test]
    fn every_version_one_is_read() {
        assert_eq!(known_version("1.0.0"), Some((Version::V1_0, true)));
        assert_eq!(known_version("1.0"), Some((Version::V1_0, true)));
        assert_eq!(known_version("1.1.3"), Some((Version::V1_1, true)));
        assert_eq!(known_version("1.2.0"), Some((Version::V1_1, false)));
        for unknown in ["2.0.0", "1", "", "1.x", "1.", "0.9", "1.1.x", "11.0", "one"] {
            assert_eq!(known_version(unknown), None, "{unknown}");
        }
    }
}
