//! One set of keys being turned into values of our settings: what is asked for is taken, the rest is told.

use std::time::Duration;

use super::duration;
use super::property::Property;
use super::relaxed::plain;
use super::sections::{Keys, nothing_like_it};
use crate::diagnose::{Location, Report, Severity, nearest};

/// A value for our settings.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Value {
    /// `breaker.sliding-window-size`
    pub(super) key: &'static str,
    /// As our settings write it.
    pub(super) text: String,
    /// Where it comes from.
    pub(super) from: Location,
    /// What a comment beside it says: it may be the reason for it.
    pub(super) remark: Option<String>,
}

/// Keys being read.
pub(super) struct Reading<'r> {
    keys: &'r Keys,
    asked: Vec<&'static str>,
    pub(super) values: Vec<Value>,
    pub(super) report: &'r mut Report,
}

impl<'r> Reading<'r> {
    pub(super) fn new(keys: &'r Keys, report: &'r mut Report) -> Self {
        Self { keys, asked: Vec::new(), values: Vec::new(), report }
    }

    /// What is said of a key, in whatever spelling.
    pub(super) fn take(&mut self, key: &'static str) -> Option<&'r Property> {
        self.asked.push(key);
        self.keys.get(&plain(key))
    }

    /// A value of our settings that comes from this property.
    pub(super) fn put(&mut self, key: &'static str, text: impl Into<String>, from: &Property) {
        let (text, remark) = (text.into(), from.remark.clone());
        self.values.retain(|value| value.key != key);
        self.values.push(Value { key, text, from: from.at.clone(), remark });
    }

    /// A value that follows from this property, and is not what a comment beside it is about.
    pub(super) fn derive(&mut self, key: &'static str, text: impl Into<String>, from: &Property) {
        self.put(key, text, from);
        self.values.iter_mut().filter(|value| value.key == key).for_each(|value| value.remark = None);
    }

    pub(super) fn note(&mut self, code: &'static str, from: &Property, message: impl Into<String>, help: &str) {
        self.report.at(Severity::Note, code, from.at.clone(), message, help);
    }

    pub(super) fn warn(&mut self, code: &'static str, from: &Property, message: impl Into<String>, help: &str) {
        self.report.at(Severity::Warning, code, from.at.clone(), message, help);
    }

    /// Reads a value; one that is not understood is told and left out.
    pub(super) fn parsed<T>(
        &mut self,
        key: &'static str,
        read: impl Fn(&str) -> Option<T>,
        how: &str,
    ) -> Option<(T, &'r Property)> {
        let property = self.take(key)?;
        if property.text().is_empty() {
            return None;
        }
        match read(property.text()) {
            Some(value) => Some((value, property)),
            None => {
                let message = format!("{:?} is not understood: left out", property.text());
                self.warn("CD-IMPORT-VALUE", property, message, how);
                None
            }
        }
    }

    pub(super) fn duration(&mut self, key: &'static str, unit: Duration) -> Option<(Duration, &'r Property)> {
        self.parsed(key, |text| duration::read(text, unit), "a duration: `500ms`, `10s`, `PT10S`, or milliseconds")
    }

    pub(super) fn millis(&mut self, key: &'static str) -> Option<(Duration, &'r Property)> {
        self.duration(key, Duration::from_millis(1))
    }

    pub(super) fn count(&mut self, key: &'static str) -> Option<(u32, &'r Property)> {
        self.parsed(key, |text| text.parse().ok(), "a whole number")
    }

    pub(super) fn number(&mut self, key: &'static str) -> Option<(f64, &'r Property)> {
        let read = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
        self.parsed(key, read, "a number")
    }

    pub(super) fn switch(&mut self, key: &'static str) -> Option<(bool, &'r Property)> {
        let read = |text: &str| match text.to_ascii_lowercase().as_str() {
            "true" | "on" | "yes" | "1" => Some(true),
            "false" | "off" | "no" | "0" => Some(false),
            _ => None,
        };
        self.parsed(key, read, "`true` or `false`")
    }

    /// A duration that is a value of ours as it is.
    pub(super) fn keep_duration(&mut self, key: &'static str, ours: &'static str) {
        if let Some((value, from)) = self.millis(key) {
            self.put(ours, duration::written(value), from);
        }
    }

    /// A whole number that is a value of ours as it is.
    pub(super) fn keep_count(&mut self, key: &'static str, ours: &'static str) {
        if let Some((value, from)) = self.count(key) {
            self.put(ours, value.to_string(), from);
        }
    }

    /// A number that is a value of ours as it is.
    pub(super) fn keep_number(&mut self, key: &'static str, ours: &'static str) {
        if let Some((value, from)) = self.number(key) {
            self.put(ours, value.to_string(), from);
        }
    }

    /// Tells of a key without a counterpart what there is instead.
    pub(super) fn instead(&mut self, keys: &[&'static str], instead: &str) {
        for key in keys {
            if let Some(property) = self.take(key) {
                nothing_like_it(property, instead, self.report);
            }
        }
    }

    /// The values; whatever was not asked for is a setting of the service's own.
    pub(super) fn finish_own(self) -> Vec<Value> {
        let known: Vec<String> = self.asked.iter().map(|key| plain(key)).collect();
        for (_, property) in self.keys.iter().filter(|(key, _)| !known.contains(key)) {
            nothing_like_it(property, "a setting of the service's own: see settings.md", self.report);
        }
        self.values
    }

    /// The values; whatever was not asked for is told.
    pub(super) fn finish(self, of: &str) -> Vec<Value> {
        let known: Vec<String> = self.asked.iter().map(|key| plain(key)).collect();
        for (key, property) in self.keys.iter().filter(|(key, _)| !known.contains(key)) {
            let near = nearest(key, known.iter().map(String::as_str));
            let near = near.and_then(|near| self.asked.iter().find(|asked| plain(asked) == near));
            let message = format!("{of} knows no key `{}`: left out", property.name());
            let help = near.map(|near| format!("did you mean `{near}`?")).unwrap_or_default();
            self.report.at(Severity::Warning, "CD-IMPORT-KEY", property.at.clone(), message, help);
        }
        self.values
    }
}
