//! Analysis: what the chosen operations reach, where recursion needs a box, which way each type travels, and what
//! everything is called in Rust. Pure functions over the model.

mod boxes;
pub(crate) mod branch_order;
mod collisions;
pub(crate) mod contents;
mod direction;
mod forms;
mod given;
mod identifiers;
mod implied;
mod keywords;
mod media_names;
mod member_names;
mod names;
mod newtypes;
mod operation_names;
mod presence;
mod reachability;
mod server_names;
mod status_names;
pub(crate) mod telling;
mod type_names;
mod unicode;

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use forms::{Forms, forms};
pub use given::GivenNames;
pub(crate) use given::{operation_key, schema_keys};
pub(crate) use identifiers::bare;
pub(crate) use keywords::{hides_a_plain_type as is_own_type, is_own_method};
pub use names::{MemberNames, Names, OperationNames, ResponseNames, StreamNames};
pub use presence::{Presence, presence};
pub(crate) use server_names::{ServerNames, server_names};

use crate::diagnose::Report;
use crate::model::{Api, SchemaId};
use crate::plan::Direction;

/// Everything that is found out about an API once operations are chosen.
#[derive(Debug, Clone, Default)]
pub struct Analysis {
    /// What everything is called. Covers the whole API, so that choosing other operations renames nothing.
    pub names: Names,
    /// Schemas to emit, by [`SchemaId`].
    pub reached: Vec<bool>,
    /// Fields and branches that need a box: (schema, index of field or branch; 0 for a newtype's content).
    pub boxed: BTreeSet<(SchemaId, usize)>,
    /// Aliases that must be newtypes because they stand in a cycle of aliases.
    pub newtypes: BTreeSet<SchemaId>,
    /// Fields that are not there because their only value is the tag of a union: (schema, index of field), with the tag
    /// where it is the same in all unions.
    pub implied: BTreeMap<(SchemaId, usize), Option<String>>,
    /// Which way each schema travels, by [`SchemaId`]; neither for one that only a root reaches.
    pub directions: Vec<Direction>,
}

/// Analyses an API for the chosen operations (indices into [`Api::operations`]).
///
/// The API's roots are emitted too when every operation is chosen; a choice of some emits only what those reach.
pub fn analyse(api: &Api, selected: &[usize], report: &mut Report) -> Analysis {
    analyse_after(api, selected, &GivenNames::default(), report)
}

/// The same, with names that are settled already.
pub fn analyse_after(api: &Api, selected: &[usize], given: &GivenNames, report: &mut Report) -> Analysis {
    let newtypes = newtypes::find(api);
    let boxed = boxes::find(api, &newtypes);
    let implied = implied::find(api);
    let directions = direction::find(api, selected, &implied);
    let reached = reachability::find(api, selected, &directions, &implied);
    let names = names::choose(api, selected, &reached, given);
    names.tell(api, selected, report);
    Analysis { names, reached, boxed, newtypes, implied, directions }
}
