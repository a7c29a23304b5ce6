//! The properties sorted: what is said of each pattern of Resilience4j, and of each client.

use std::collections::BTreeMap;

use super::property::Property;
use super::relaxed::{plain, same};
use crate::diagnose::{Report, Severity, nearest};

/// A pattern of Resilience4j, as its section is called in plain spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pattern {
    Retry,
    CircuitBreaker,
    RateLimiter,
    TimeLimiter,
    Bulkhead,
    ThreadPoolBulkhead,
}

impl Pattern {
    /// All of them, in the order in which Resilience4j nests them when nobody says otherwise, the outermost first.
    pub(super) const ALL: [Self; 6] = [
        Self::Retry,
        Self::CircuitBreaker,
        Self::RateLimiter,
        Self::TimeLimiter,
        Self::Bulkhead,
        Self::ThreadPoolBulkhead,
    ];

    /// As its section is called.
    pub(super) fn section(self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::CircuitBreaker => "circuitbreaker",
            Self::RateLimiter => "ratelimiter",
            Self::TimeLimiter => "timelimiter",
            Self::Bulkhead => "bulkhead",
            Self::ThreadPoolBulkhead => "thread-pool-bulkhead",
        }
    }
}

/// Keys in plain spelling, and what is said of them.
pub(super) type Keys = BTreeMap<String, Property>;

/// What is said of one pattern.
#[derive(Debug, Default)]
pub(super) struct PatternSection {
    /// `configs.NAME`
    pub(super) configs: BTreeMap<String, Keys>,
    /// `instances.NAME`
    pub(super) instances: BTreeMap<String, Keys>,
    /// What stands beside them: the aspect's order.
    pub(super) own: Keys,
}

/// Everything that concerns other systems.
#[derive(Debug, Default)]
pub(super) struct Sections {
    pub(super) patterns: BTreeMap<Pattern, PatternSection>,
    pub(super) clients: BTreeMap<String, Keys>,
    /// Metrics of Resilience4j that are turned off.
    pub(super) metrics_off: Option<Property>,
}

/// Where clients stand: the styles of the guides.
const CLIENTS: [&str; 3] = ["client", "clients", "integration.clients"];

/// Whether a property is about other systems at all.
pub(super) fn is_ours(property: &Property) -> bool {
    let first = property.key.first().map(String::as_str).unwrap_or_default();
    same(first, "resilience4j") || CLIENTS.iter().any(|prefix| below(prefix, property).is_some())
}

/// The parts of a property's key below a prefix, if it stands there.
fn below<'p>(prefix: &str, property: &'p Property) -> Option<&'p [String]> {
    let mut rest = property.key.as_slice();
    for part in prefix.split('.') {
        let (first, after) = rest.split_first()?;
        rest = Some(after).filter(|_| same(first, part))?;
    }
    (rest.len() > 1).then_some(rest)
}

impl Sections {
    /// Sorts properties; `clients` is where clients stand besides the usual places.
    pub(super) fn of(properties: Vec<Property>, clients: &[String], report: &mut Report) -> Self {
        let mut sections = Self::default();
        for property in properties {
            match property.key.first() {
                Some(first) if same(first, "resilience4j") => sections.pattern(property, report),
                Some(first) if same(first, "management") => sections.management(property),
                Some(_) => sections.client(property, clients, report),
                None => {}
            }
        }
        sections
    }

    fn pattern(&mut self, property: Property, report: &mut Report) {
        let key = property.key.clone();
        let section = key.get(1).map(String::as_str).unwrap_or_default();
        let Some(pattern) = Pattern::ALL.into_iter().find(|pattern| same(pattern.section(), section)) else {
            if plain(section) != "thread" && plain(section) != "scheduled" {
                unknown_section(section, &property, report);
            } else {
                nothing_like_it(&property, "calls run as tasks of tokio", report);
            }
            return;
        };
        let of = self.patterns.entry(pattern).or_default();
        let group = key.get(2).map(|group| plain(group)).unwrap_or_default();
        match (group.as_str(), key.get(3..).unwrap_or_default()) {
            ("configs", [name, rest @ ..]) if !rest.is_empty() => {
                of.configs.entry(name.clone()).or_default().insert(plain(&rest.join(".")), property);
            }
            // Earlier versions called instances by other names.
            ("instances" | "backends" | "limiters", [name, rest @ ..]) if !rest.is_empty() => {
                of.instances.entry(name.clone()).or_default().insert(plain(&rest.join(".")), property);
            }
            // An instance with nothing of its own: `instances: {sber: }`.
            ("instances" | "backends" | "limiters", [name]) => {
                of.instances.entry(name.clone()).or_default();
            }
            ("configs", [name]) => {
                of.configs.entry(name.clone()).or_default();
            }
            ("configs" | "instances", []) => {}
            (_, []) => {
                of.own.insert(group, property);
            }
            _ => nothing_like_it(&property, "metrics and their tags need no settings", report),
        }
    }

    fn management(&mut self, property: Property) {
        let key: Vec<String> = property.key.iter().map(|part| plain(part)).collect();
        if key == ["management", "metrics", "enable", "resilience4j"] && property.text() == "false" {
            self.metrics_off = Some(property);
        }
    }

    fn client(&mut self, property: Property, clients: &[String], report: &mut Report) {
        let prefixes = CLIENTS.into_iter().chain(clients.iter().map(String::as_str));
        let found = prefixes.filter_map(|prefix| below(prefix, &property)).min_by_key(|rest| rest.len());
        match found.map(<[String]>::to_vec).as_deref() {
            Some([name, key]) => {
                self.clients.entry(name.clone()).or_default().insert(plain(key), property);
            }
            Some(_) => nothing_like_it(&property, "see what settings.md knows of a system", report),
            None => {}
        }
    }
}

fn unknown_section(section: &str, property: &Property, report: &mut Report) {
    let known = Pattern::ALL.iter().map(|pattern| pattern.section());
    let help = nearest(section, known).map(|near| format!("did you mean `{near}`?")).unwrap_or_default();
    let message = format!("Resilience4j has no section `{section}`: left out");
    report.at(Severity::Warning, "CD-IMPORT-KEY", property.at.clone(), message, help);
}

/// Tells that a property has no counterpart, and what there is instead.
pub(super) fn nothing_like_it(property: &Property, instead: &str, report: &mut Report) {
    let message = format!("`{}` has no counterpart", property.name());
    report.at(Severity::Note, "CD-IMPORT-NONE", property.at.clone(), message, instead);
}

/// The name of the configuration that holds for everything.
pub(super) const DEFAULT: &str = "default";

impl PatternSection {
    /// What holds for an instance: its own keys, those of its `base-config`, of that one's, and of `default`. Errors name
    /// a base that is not there.
    pub(super) fn effective(&self, pattern: Pattern, instance: &str) -> (Keys, Vec<Property>) {
        let mut keys = Keys::new();
        let mut missing = Vec::new();
        let mut layer = self.instances.get(instance);
        let mut seen = Vec::new();
        loop {
            for (key, property) in layer.into_iter().flatten() {
                keys.entry(key.clone()).or_insert_with(|| property.clone());
            }
            let base = layer.and_then(|layer| layer.get("baseconfig"));
            let next = match base {
                Some(property) => {
                    let name = property.text().to_owned();
                    if !self.configs.contains_key(&name) {
                        missing.push(property.clone());
                    }
                    name
                }
                // A breaker goes by the configuration of its own name, and then by no other.
                None if seen.is_empty()
                    && pattern == Pattern::CircuitBreaker
                    && self.configs.contains_key(instance) =>
                {
                    for (key, property) in self.configs.get(instance).into_iter().flatten() {
                        keys.entry(key.clone()).or_insert_with(|| property.clone());
                    }
                    break;
                }
                None => DEFAULT.to_owned(),
            };
            if seen.contains(&next) {
                break;
            }
            layer = self.configs.get(&next);
            seen.push(next);
        }
        keys.remove("baseconfig");
        (keys, missing)
    }
}
