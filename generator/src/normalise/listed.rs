use serde_json::Value;

use super::View;
use crate::model::Origin;
use crate::resolve::Findings;

/// The values a schema lists: by `enum`, by `const`, or as alternatives that are constants.
#[derive(Debug, Clone)]
pub(crate) struct Listed<'a> {
    /// The values in document order.
    pub(crate) values: Vec<ListedValue<'a>>,
    /// Said by `const`.
    pub(crate) is_const: bool,
    /// Where they are written.
    pub(crate) origin: Origin,
}

/// A listed value and what the author says of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListedValue<'a> {
    pub(crate) value: &'a Value,
    pub(crate) name: Option<&'a str>,
    pub(crate) description: Option<&'a str>,
}

impl<'a> Listed<'a> {
    /// The values of a schema's `const` or `enum`.
    pub(crate) fn of(view: &View<'a>, findings: &mut Findings<'_>) -> Option<Self> {
        if let Some(value) = view.keywords.get("const") {
            let value = ListedValue { value, name: None, description: None };
            return Some(Self { values: vec![value], is_const: true, origin: view.node.at("const") });
        }
        let listed = view.node.list("enum", findings);
        if listed.is_empty() {
            if view.get("enum").is_some_and(|values| values.value.is_array()) {
                let message = "an empty `enum` admits no value: it has no effect";
                findings.count("CD-ENUM-EMPTY", &view.node.at("enum"), message, "");
            }
            return None;
        }
        let names = companions(view, &["x-enum-varnames", "x-enumNames"], listed.len(), findings);
        let descriptions = companions(view, &["x-enum-descriptions"], listed.len(), findings);
        let values = listed
            .iter()
            .enumerate()
            .map(|(index, node)| ListedValue {
                value: node.value,
                name: names.get(index).copied().flatten().or_else(|| microsoft(view, node.value, "name")),
                description: descriptions
                    .get(index)
                    .copied()
                    .flatten()
                    .or_else(|| by_value(view, node.value))
                    .or_else(|| microsoft(view, node.value, "description")),
            })
            .collect();
        Some(Self { values, is_const: false, origin: view.node.at("enum") })
    }

    /// The values that both list, with the names that either gives.
    pub(crate) fn meet(&self, other: &Self) -> Self {
        let values = other
            .values
            .iter()
            .filter_map(|value| {
                let here = self.values.iter().find(|here| here.value == value.value)?;
                let name = value.name.or(here.name);
                Some(ListedValue { name, description: value.description.or(here.description), ..*value })
            })
            .collect();
        Self { values, is_const: self.is_const || other.is_const, origin: other.origin.clone() }
    }
}

/// The alternatives of a `oneOf` as listed values, when each is a constant: its `title` names it, its `description`
/// tells of it. The 3.1 way to document an enum.
pub(crate) fn consts_of_branches<'a>(branches: &[View<'a>], origin: &Origin) -> Option<Listed<'a>> {
    let values = branches.iter().map(const_of_branch).collect::<Option<Vec<_>>>()?;
    (!values.is_empty()).then(|| Listed { values, is_const: false, origin: origin.clone() })
}

fn const_of_branch<'a>(view: &View<'a>) -> Option<ListedValue<'a>> {
    let value = match (view.keywords.get("const"), view.keywords.get("enum")) {
        (Some(value), _) => value,
        (None, Some(Value::Array(values))) => match values.as_slice() {
            [only] => only,
            _ => return None,
        },
        _ => return None,
    };
    let scalar = value.is_string() || value.is_i64() || value.is_u64();
    let description = view.keywords.get("description").and_then(Value::as_str);
    (scalar && view.reference.is_none()).then(|| ListedValue { value, name: view.title(), description })
}

/// An array beside `enum`, aligned with it by index.
fn companions<'a>(
    view: &View<'a>,
    keys: &[&str],
    expected: usize,
    findings: &mut Findings<'_>,
) -> Vec<Option<&'a str>> {
    for key in keys {
        let Some(node) = view.get(key) else { continue };
        match node.value {
            Value::Array(items) if items.len() == expected => {
                return items.iter().map(|item| item.as_str().filter(|text| !text.is_empty())).collect();
            }
            Value::Array(items) => {
                let message = format!("`{key}` has {} entries for {expected} values: it is left out", items.len());
                findings.warning("CD-ENUM-NAMES", &node.origin, message, "give one entry a value, in the same order");
            }
            // The other form, a map by value, is read by `by_value`.
            Value::Object(_) => {}
            other => crate::resolve::wrong_type(&node.origin, "an array", other, findings),
        }
    }
    Vec::new()
}

/// A description in a map by value.
fn by_value<'a>(view: &View<'a>, value: &Value) -> Option<&'a str> {
    let key = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    ["x-enumDescriptions", "x-enum-descriptions"]
        .into_iter()
        .find_map(|extension| view.keywords.get(extension)?.as_object()?.get(&key)?.as_str())
}

/// What `x-ms-enum` says of a value.
fn microsoft<'a>(view: &View<'a>, value: &Value, what: &str) -> Option<&'a str> {
    let entries = view.keywords.get("x-ms-enum")?.get("values")?.as_array()?;
    entries.iter().find(|entry| entry.get("value") == Some(value))?.get(what)?.as_str()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::Report;
    use crate::normalise::Dialect;
    use crate::resolve::Node;

    fn with_view<T>(schema: &Value, test: impl FnOnce(&View<'_>, &mut Findings<'_>) -> T) -> (T, Report) {
        let mut report = Report::default();
        let mut findings = Findings::new(&mut report);
        let view = View::read(&Node::new(0, "/s", schema), Dialect::V3_1, &mut findings);
        let result = test(&view, &mut findings);
        findings.finish();
        (result, report)
    }

    #[test]
    fn names_and_descriptions_are_aligned() {
        let schema = json!({"enum": [1, 2], "x-enum-varnames": ["One", "Two"], "x-enumDescriptions": {"2": "two"}});
        let (listed, _) = with_view(&schema, |view, findings| {
            let listed = Listed::of(view, findings).unwrap();
            listed
                .values
                .iter()
                .map(|v| (v.name.map(str::to_owned), v.description.map(str::to_owned)))
                .collect::<Vec<_>>()
        });
        assert_eq!(listed, [(Some("One".into()), None), (Some("Two".into()), Some("two".into()))]);
    }

    #[test]
    fn names_of_the_wrong_number_are_left_out() {
        let schema = json!({"enum": [1, 2], "x-enum-varnames": ["One"]});
        let (named, report) = with_view(&schema, |view, findings| {
            Listed::of(view, findings).unwrap().values.iter().any(|v| v.name.is_some())
        });
        assert!(!named);
        assert_eq!(report.diagnostics()[0].code, "CD-ENUM-NAMES");
    }

    #[test]
    fn branches_that_are_constants_are_values() {
        let branches = [json!({"const": 1, "title": "ITEM A", "description": "a"}), json!({"const": 2})];
        let mut report = Report::default();
        let mut findings = Findings::new(&mut report);
        let views: Vec<_> =
            branches.iter().map(|b| View::read(&Node::new(0, "/s", b), Dialect::V3_1, &mut findings)).collect();
        let listed = consts_of_branches(&views, &Origin::default()).unwrap();
        assert_eq!(listed.values[0].name, Some("ITEM A"));
        assert_eq!(listed.values[0].description, Some("a"));
        assert_eq!(listed.values[1].value, &json!(2));
    }

    #[test]
    fn values_meet_and_keep_their_names() {
        let wide = json!({"enum": ["s", "m", "l"], "x-enum-varnames": ["Small", "Medium", "Large"]});
        let narrow = json!({"enum": ["m", "l"]});
        let (wide, _) = with_view(&wide, |view, findings| {
            let narrow = View::read(&Node::new(0, "/n", &narrow), Dialect::V3_1, findings);
            let met = Listed::of(view, findings).unwrap().meet(&Listed::of(&narrow, findings).unwrap());
            met.values.iter().map(|v| (v.value.clone(), v.name.map(str::to_owned))).collect::<Vec<_>>()
        });
        assert_eq!(wide, [(json!("m"), Some("Medium".into())), (json!("l"), Some("Large".into()))]);
    }
}
