//! Which module an item stands in: few items together, many by the first letter of their name, so that a new item
//! moves no other.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Content, Module};
use crate::model::SchemaId;
use crate::plan::SystemPlan;

/// Up to this many items share one file.
const TOGETHER: usize = 60;

/// The modules of the transport types: `types`, and what is inside it.
pub(super) fn types(plan: &SystemPlan) -> Vec<Module> {
    let reached = plan.api.schemas.iter().filter(|def| plan.reached.get(def.id.index()).copied().unwrap_or_default());
    let ids: Vec<(SchemaId, &str)> =
        reached.filter_map(|def| plan.names.types.get(def.id.index()).map(|name| (def.id, name.as_str()))).collect();
    let multipart = Arc::new(super::types::multipart_bodies(plan));
    split("types", &ids, |ids| Content::Types(ids, Arc::clone(&multipart)))
}

/// The modules of the operations: `operations`, and what is inside it.
pub(super) fn operations(plan: &SystemPlan) -> Vec<Module> {
    let named = plan.operations.iter().enumerate().filter_map(|(index, planned)| {
        plan.names.operations.get(planned.index).map(|names| (index, names.marker.as_str()))
    });
    split("operations", &named.collect::<Vec<_>>(), Content::Operations)
}

/// The modules of the client: `client`, and the methods of many operations inside it.
pub(super) fn client(plan: &SystemPlan) -> Vec<Module> {
    let named = plan.operations.iter().enumerate().filter_map(|(index, planned)| {
        plan.names.operations.get(planned.index).map(|names| (index, names.marker.as_str()))
    });
    let mut modules = split("client", &named.collect::<Vec<_>>(), Content::ClientMethods);
    if let Some(root) = modules.first_mut() {
        let methods = match &mut root.content {
            Content::ClientMethods(indices) => std::mem::take(indices),
            _ => Vec::new(),
        };
        root.content = Content::Client(methods);
    }
    modules
}

fn split<T: Copy>(name: &str, items: &[(T, &str)], content: impl Fn(Vec<T>) -> Content) -> Vec<Module> {
    let path = vec![name.to_owned()];
    if items.len() <= TOGETHER {
        let all = items.iter().map(|(item, _)| *item).collect();
        return vec![Module { path, children: Vec::new(), content: content(all) }];
    }
    let mut by_letter: BTreeMap<String, Vec<T>> = BTreeMap::new();
    for (item, name) in items {
        by_letter.entry(letter(name)).or_default().push(*item);
    }
    let children = by_letter.keys().cloned().collect();
    let parent = Module { path: path.clone(), children, content: content(Vec::new()) };
    let inner = by_letter.into_iter().map(|(letter, items)| Module {
        path: vec![name.to_owned(), letter],
        children: Vec::new(),
        content: content(items),
    });
    std::iter::once(parent).chain(inner).collect()
}

fn letter(name: &str) -> String {
    match name.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => first.to_ascii_lowercase().to_string(),
        _ => "other".to_owned(),
    }
}
