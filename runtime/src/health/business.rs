use crate::settings::Probe;
use crate::{OperationKind, OperationMeta};

/// The business operation that a probe would be (R-RES-HC-X2), if it is one of the document's.
///
/// OPTIONS never is. Anything else is one when its path belongs to an operation that takes parameters in it or that
/// writes, or that reads something else than health by its name. A path the document does not know is not judged.
pub(super) fn business_operation(
    probe: &Probe,
    operations: &[&'static OperationMeta],
) -> Option<&'static OperationMeta> {
    if probe.method == http::Method::OPTIONS {
        return None;
    }
    let asks_for_health = probe.asks_for_health();
    operations.iter().copied().filter(|operation| matches(operation.path, &probe.path)).find(|operation| {
        let is_literal = !operation.path.contains('{');
        let light = operation.kind == OperationKind::Read && is_literal && asks_for_health;
        !light
    })
}

/// Whether a path is one that a template describes.
fn matches(template: &str, path: &str) -> bool {
    let (mut wanted, mut given) = (template.split('/'), path.split('/'));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(wanted), Some(given)) if segment_matches(wanted, given) => {}
            _ => return false,
        }
    }
}

/// `{id}.json` is matched by all that ends with `.json`.
fn segment_matches(template: &str, given: &str) -> bool {
    let (Some(start), Some(end)) = (template.find('{'), template.rfind('}')) else { return template == given };
    let (before, after) = (template.get(..start).unwrap_or_default(), template.get(end + 1..).unwrap_or_default());
    given.len() > before.len() + after.len() && given.starts_with(before) && given.ends_with(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn operation(kind: OperationKind, method: &'static str, path: &'static str) -> OperationMeta {
        OperationMeta { system: "acme", id: path, name: "x", kind, method, path, accept: "", security: None }
    }

    const OPERATIONS: [&OperationMeta; 6] = [
        &operation(OperationKind::Read, "GET", "/orders"),
        &operation(OperationKind::Read, "GET", "/orders/{id}"),
        &operation(OperationKind::Once, "POST", "/orders/{id}.json/status"),
        &operation(OperationKind::Read, "GET", "/health"),
        &operation(OperationKind::Keyed, "POST", "/ping"),
        &operation(OperationKind::Read, "POST", "/getOrderStatus.do"),
    ];

    #[test]
    fn hc_x2_a_probe_is_no_business_operation() {
        let business = |probe: &str| business_operation(&probe.parse().unwrap(), &OPERATIONS).map(|found| found.path);
        for light in ["OPTIONS /orders", "GET /health", "HEAD /health", "GET /", "GET /unknown", "GET /orders/1/lines"]
        {
            assert_eq!(business(light), None, "{light}");
        }
        assert_eq!(business("GET /orders"), Some("/orders"));
        assert_eq!(business("HEAD /orders"), Some("/orders"));
        assert_eq!(business("GET /orders/health"), Some("/orders/{id}"));
        assert_eq!(business("GET /orders/7.json/status"), Some("/orders/{id}.json/status"));
        assert_eq!(business("GET /orders/.json/status"), None);
        assert_eq!(business("GET /ping"), Some("/ping"));
        assert_eq!(business("GET /getOrderStatus.do"), Some("/getOrderStatus.do"));
    }
}
