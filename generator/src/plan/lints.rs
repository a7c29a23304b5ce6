//! What a reviewer should look at, told before any code is written.

use std::collections::BTreeSet;

use super::SystemPlan;
use crate::diagnose::Report;
use crate::model::{ContentKind, Field, SchemaId, SchemaKind, Status, Type};

/// Looks over a whole plan.
pub fn lint(plan: &SystemPlan, report: &mut Report) {
    errors_in_successes(plan, report);
}

/// Successes that look as if they could say no (body-level errors): only the mapper can tell.
fn errors_in_successes(plan: &SystemPlan, report: &mut Report) {
    let mut told = BTreeSet::new();
    for planned in &plan.operations {
        let operation = plan.operation(planned);
        let successes = operation.responses.iter().filter(|response| match response.status {
            Status::Code(code) => (200..300).contains(&code),
            Status::Range(class) => class == 2,
            Status::Default => false,
        });
        for content in successes.flat_map(|response| &response.contents) {
            let found = (content.kind == ContentKind::Json).then(|| error_field(plan, &content.ty.ty)).flatten();
            let Some((schema, field)) = found.filter(|(schema, _)| told.insert(*schema)) else { continue };
            let name = plan.names.types.get(schema.index()).map_or("", String::as_str);
            let message = format!("a success of `{}` has `{}`: it may be a no", operation.id, field.wire);
            let help = format!("say in the mapper's `verdict` and `outcome` what `{name}` means");
            report.note("CD-ERROR-IN-SUCCESS", field.origin.clone(), message, help);
        }
    }
}

/// The field of an object that is an error by its name.
fn error_field<'a>(plan: &'a SystemPlan, ty: &Type) -> Option<(SchemaId, &'a Field)> {
    let Type::Named(id) = ty else { return None };
    match &plan.api.schemas.get(id.index())?.kind {
        SchemaKind::Object { fields, .. } => {
            fields.iter().find(|field| is_error_name(&field.wire)).map(|field| (*id, field))
        }
        _ => None,
    }
}

/// Whether a property of a success is an error by its name: `errorCode`, `error_code`, `error`, `errors`.
pub(crate) fn is_error_name(wire: &str) -> bool {
    let plain: String = wire.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    matches!(plain.as_str(), "error" | "errors" | "errorcode")
}

#[cfg(test)]
mod tests {
    use super::is_error_name;

    #[test]
    fn errors_are_known_by_their_names() {
        for name in ["errorCode", "error_code", "error", "Errors", "error-code"] {
            assert!(is_error_name(name), "{name}");
        }
        for name in ["mirror", "errorless", "terror", "code"] {
            assert!(!is_error_name(name), "{name}");
        }
    }
}
