//! A comparison as JSON, for programs.

use serde::Serialize;

use super::{Impact, SpecDiff};

/// The version of the JSON form.
pub const DIFF_VERSION: u32 = 1;

/// `cofferdam diff --format json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DiffDocument<'a> {
    /// [`DIFF_VERSION`].
    pub diff_version: u32,
    /// Whether anybody has to do or decide something: then the command ends with 1.
    pub needs_work: bool,
    /// How many changes there are of each impact, over all systems.
    pub counts: Counts,
    /// The systems.
    pub systems: &'a [SpecDiff],
}

/// How many changes there are of each impact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// [`Impact::Protection`].
    pub protection: usize,
    /// [`Impact::Breaking`].
    pub breaking: usize,
    /// [`Impact::Mapper`].
    pub mapper: usize,
    /// [`Impact::Compatible`].
    pub compatible: usize,
}

impl Counts {
    /// Counts the changes of some systems.
    #[must_use]
    pub fn of(systems: &[SpecDiff]) -> Self {
        let count = |impact| systems.iter().map(|system| system.of(impact).count()).sum();
        Self {
            protection: count(Impact::Protection),
            breaking: count(Impact::Breaking),
            mapper: count(Impact::Mapper),
            compatible: count(Impact::Compatible),
        }
    }
}

impl<'a> DiffDocument<'a> {
    /// The document of some systems.
    #[must_use]
    pub fn of(systems: &'a [SpecDiff]) -> Self {
        Self {
            diff_version: DIFF_VERSION,
            needs_work: systems.iter().any(SpecDiff::needs_work),
            counts: Counts::of(systems),
            systems,
        }
    }
}
