//! Which features of a crate the code of each operation and schema needs, when each tag is a feature.

use std::collections::{BTreeMap, BTreeSet};

use heck::ToKebabCase as _;

use super::SystemPlan;
use crate::analyse::contents;
use crate::model::SchemaId;

/// The features of a crate, one a tag, and what needs them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gates {
    /// All features, in the order of the tags in the document.
    pub features: Vec<String>,
    /// By planned operation: the features any of which it needs; none for what is always there.
    pub operations: Vec<Vec<String>>,
    /// By [`SchemaId`], in the same way.
    pub schemas: Vec<Vec<String>>,
}

impl Gates {
    /// Each tag of the chosen operations as a feature.
    #[must_use]
    pub fn of(plan: &SystemPlan) -> Self {
        let names = names(plan);
        let of = |tags: &[String]| tags.iter().filter_map(|tag| names.get(tag).cloned()).collect::<BTreeSet<_>>();
        let operations: Vec<BTreeSet<String>> =
            plan.operations.iter().map(|planned| of(&plan.operation(planned).tags)).collect();
        let mut features: Vec<String> = Vec::new();
        for tag in plan.operations.iter().flat_map(|planned| &plan.operation(planned).tags) {
            features.extend(names.get(tag).filter(|name| !features.contains(name)).cloned());
        }
        let schemas = schemas(plan, &operations);
        let listed = |set: BTreeSet<String>| set.into_iter().collect();
        Self { features, operations: operations.into_iter().map(listed).collect(), schemas }
    }
}

/// The feature of each tag: its words in lower case, and a number where two tags have the same.
fn names(plan: &SystemPlan) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    let mut taken = BTreeSet::from(["default".to_owned()]);
    for tag in plan.operations.iter().flat_map(|planned| &plan.operation(planned).tags) {
        if names.contains_key(tag) {
            continue;
        }
        let plain: String = tag.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect();
        let word = Some(plain.to_kebab_case()).filter(|word| !word.is_empty()).unwrap_or_else(|| "tag".to_owned());
        let mut name = word.clone();
        let mut number = 2;
        while !taken.insert(name.clone()) {
            name = format!("{word}-{number}");
            number += 1;
        }
        names.insert(tag.clone(), name);
    }
    names
}

/// The features of each schema: those of all operations that reach it. What no operation reaches, and what an operation
/// without a tag reaches, is always there, with all it is made of.
fn schemas(plan: &SystemPlan, operations: &[BTreeSet<String>]) -> Vec<Vec<String>> {
    let count = plan.api.schemas.len();
    let mut features: Vec<BTreeSet<String>> = vec![BTreeSet::new(); count];
    let mut always = vec![false; count];
    let mut reached = vec![false; count];
    for (planned, needs) in plan.operations.iter().zip(operations) {
        let (sent, received) = contents::of_operation(plan.operation(planned));
        let mut starts = Vec::new();
        sent.into_iter().chain(received).for_each(|used| contents::named(&used.ty, &mut |id| starts.push(id)));
        for id in closure(plan, starts) {
            reached[id] = true;
            if needs.is_empty() {
                always[id] = true;
            } else {
                features[id].extend(needs.iter().cloned());
            }
        }
    }
    let alone = plan.api.schemas.iter().filter(|def| plan.reached[def.id.index()] && !reached[def.id.index()]);
    let alone: Vec<SchemaId> = alone.map(|def| def.id).collect();
    for id in closure(plan, alone) {
        always[id] = true;
    }
    features
        .into_iter()
        .zip(always)
        .map(|(set, always)| if always { Vec::new() } else { set.into_iter().collect() })
        .collect()
}

/// All that these schemas are made of, themselves included.
fn closure(plan: &SystemPlan, mut pending: Vec<SchemaId>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    while let Some(id) = pending.pop() {
        if !found.insert(id.index()) {
            continue;
        }
        let def = plan.api.schema(id);
        let uses = contents::members(def).into_iter().map(|(_, used)| used).chain(contents::kept_extra(def));
        uses.for_each(|used| contents::named(&used.ty, &mut |inner| pending.push(inner)));
    }
    found
}
