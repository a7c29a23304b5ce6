//! The resilience rules: what each asks, how it is upheld, and the tests that prove it.
//!
//! A rule's code (`R-RES-RE-1`) is what checks and lints print. The command shows this table, `docs/rules.md` is made
//! of it, and a test keeps it honest: every test that is named here exists.

mod calls;
mod show;
mod systems;

pub use show::{json, markdown, text};

use serde::Serialize;

/// A rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// `R-RES-RE-1`
    pub code: &'static str,
    /// What it asks.
    pub rule: &'static str,
    /// By what it is upheld.
    pub upheld: Upheld,
    /// How.
    pub how: &'static str,
    /// The tests that prove it: `runtime/tests/guard/order.rs::name`, from the workspace's root. None for a recipe or for
    /// what is not upheld yet.
    pub tests: &'static [&'static str],
}

/// By what a rule is upheld.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Upheld {
    /// The wrong thing cannot be written: there is no code or setting for it.
    Construction,
    /// A check at generation or when settings are loaded finds what breaks it.
    Check,
    /// The runtime does it while calls are made.
    Behaviour,
    /// The documentation says how; nothing enforces it.
    Recipe,
    /// Not yet.
    NotYet,
}

impl Upheld {
    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Construction => "by construction",
            Self::Check => "by a check",
            Self::Behaviour => "by the runtime",
            Self::Recipe => "by a recipe",
            Self::NotYet => "not yet",
        }
    }
}

/// Rules that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Group {
    /// What they are about.
    pub title: &'static str,
    /// The rules.
    pub rules: &'static [Rule],
}

/// All rules, by what they are about.
pub const GROUPS: &[Group] = &[
    systems::WHERE,
    systems::ISOLATION,
    calls::TIMEOUTS,
    calls::BREAKER,
    calls::RETRY,
    calls::LIMITS,
    calls::FALLBACK,
    systems::SETTINGS,
    systems::GENERATED,
    systems::HEALTH,
    systems::WAITING,
    systems::OBSERVABILITY,
];

/// All rules, in the order of the table.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    GROUPS.iter().flat_map(|group| group.rules)
}

/// The rule of a code, in any case and with or without `R-RES-`.
#[must_use]
pub fn find(code: &str) -> Option<&'static Rule> {
    let code = code.to_ascii_uppercase();
    let short = code.strip_prefix("R-RES-").unwrap_or(&code);
    all().find(|rule| rule.code.strip_prefix("R-RES-") == Some(short))
}
