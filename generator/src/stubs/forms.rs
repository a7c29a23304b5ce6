//! The forms in which an operation is mapped: whole, item by item, or both.

use crate::analyse::{OperationNames, forms};
use crate::plan::{PlannedOperation, SystemPlan};

/// An operation in one form.
pub(crate) struct Form {
    /// Its names in this form.
    pub(crate) names: OperationNames,
    /// It answers item by item.
    pub(crate) is_stream: bool,
}

/// The forms of an operation that a mapping is for.
pub(crate) fn mapped_forms(plan: &SystemPlan, planned: &PlannedOperation) -> Vec<Form> {
    let Some(names) = plan.names.operations.get(planned.index) else { return Vec::new() };
    let whole = forms(plan.operation(planned)).whole.then(|| Form { names: names.clone(), is_stream: false });
    let stream = names.stream.as_ref().map(|stream| {
        let names = OperationNames {
            method: stream.method.clone(),
            marker: stream.marker.clone(),
            reply: stream.reply.clone(),
            ..names.clone()
        };
        Form { names, is_stream: true }
    });
    whole.into_iter().chain(stream).collect()
}
