use std::borrow::Cow;
use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::Dialect;
use super::keyword::{self, Keyword};
use super::kinds::{self, Kinds};
use crate::model::Docs;
use crate::resolve::{Findings, Node, did_you_mean, pointer, wrong_type};

static NOTHING: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);

/// What a schema says of `null`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nulls {
    /// Nothing.
    Unsaid,
    /// `nullable: true`, or a `type` array that lists it.
    Allowed,
    /// A `type` that leaves it out.
    Refused,
    /// It is the only value: `type: 'null'`.
    Only,
}

/// How much a schema says besides its `$ref` and `allOf`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// Documentation at most.
    Nothing,
    /// A `type`, a `format`, bounds: what another schema's shape may stand in for.
    Hint,
    /// Properties, items, values, alternatives.
    Shape,
}

/// A schema seen in one dialect.
#[derive(Debug, Clone)]
pub(crate) struct View<'a> {
    /// The schema where it stands.
    pub(crate) node: Node<'a>,
    /// `$ref` and its dynamic kin, as a reference that can be resolved.
    pub(crate) reference: Option<Cow<'a, str>>,
    /// What is said beside `$ref` and `allOf`.
    pub(crate) strength: Strength,
    /// The types that `type` lists; all of them when it is absent.
    pub(crate) kinds: Kinds,
    /// Whether `null` is admitted.
    pub(crate) nulls: Nulls,
    /// Its keywords; none for a boolean schema.
    pub(crate) keywords: &'a Map<String, Value>,
}

impl<'a> View<'a> {
    /// Lays a view over a schema. A value that is no schema is told, and reads as one that says nothing.
    pub(crate) fn read(node: &Node<'a>, dialect: Dialect, findings: &mut Findings<'_>) -> Self {
        let keywords = match node.value {
            Value::Object(keywords) => keywords,
            // `true` admits everything; a key without a value most likely means the same.
            Value::Bool(true) | Value::Null => &*NOTHING,
            Value::Bool(false) => {
                let message = "a `false` schema admits no value: it is read as any value";
                findings.count("CD-SCHEMA-FALSE", &node.origin, message, "");
                &*NOTHING
            }
            other => {
                wrong_type(&node.origin, "a schema", other, findings);
                &*NOTHING
            }
        };
        let mut view = Self {
            node: node.clone(),
            reference: None,
            strength: strength(keywords),
            kinds: Kinds::ALL,
            nulls: Nulls::Unsaid,
            keywords,
        };
        view.read_type(findings);
        view.read_nullable(dialect, findings);
        view.read_reference(findings);
        view
    }

    /// A member that has a value.
    pub(crate) fn get(&self, key: &str) -> Option<Node<'a>> {
        let value = self.keywords.get(key).filter(|value| !value.is_null())?;
        Some(self.node.child(key, value))
    }

    /// Whether `null` is the only value it admits, in any spelling.
    pub(crate) fn is_only_null(&self) -> bool {
        let listed_null = match (self.keywords.get("const"), self.keywords.get("enum")) {
            (Some(value), _) => value.is_null(),
            (None, Some(Value::Array(values))) => !values.is_empty() && values.iter().all(Value::is_null),
            _ => false,
        };
        self.nulls == Nulls::Only || listed_null
    }

    /// Whether `type` says anything but `null`.
    pub(crate) fn is_typed(&self) -> bool {
        self.kinds != Kinds::ALL
    }

    /// `title`, `description`, `deprecated`.
    pub(crate) fn docs(&self, findings: &mut Findings<'_>) -> Docs {
        Docs {
            summary: self.node.text("title", findings).map(str::to_owned),
            description: self.node.text("description", findings).map(str::to_owned),
            deprecated: self.node.flag("deprecated", findings).unwrap_or(false),
        }
    }

    /// `title`, when it is text.
    pub(crate) fn title(&self) -> Option<&'a str> {
        self.keywords.get("title").and_then(Value::as_str)
    }

    /// The rule of `type`: one word, or 3.1's array of words, of which `null` is set apart.
    fn read_type(&mut self, findings: &mut Findings<'_>) {
        let Some(said) = self.keywords.get("type") else { return };
        let at = self.node.at("type");
        match said {
            Value::String(word) => match word.as_str() {
                "null" => self.only_null(),
                word => {
                    self.kinds = kinds_of(word, &at, findings);
                    self.nulls = if self.kinds == Kinds::ALL { Nulls::Unsaid } else { Nulls::Refused };
                }
            },
            Value::Array(words) => {
                let mut kinds = Kinds::NONE;
                let mut null = false;
                for word in words {
                    match word {
                        Value::String(word) if word == "null" => null = true,
                        Value::Null => null = true,
                        Value::String(word) => kinds = kinds.or(kinds_of(word, &at, findings)),
                        other => wrong_type(&at, "the names of types", other, findings),
                    }
                }
                match (kinds == Kinds::NONE, null) {
                    (true, true) => self.only_null(),
                    (true, false) => {}
                    (false, _) => {
                        self.kinds = kinds;
                        self.nulls = if null { Nulls::Allowed } else { Nulls::Refused };
                    }
                }
            }
            Value::Null => {
                let message = "`type` has no value: it is read as the type 'null'";
                findings.count_warning("CD-TYPE-EMPTY", &at, message, "write the type in quotes: 'null'");
                self.only_null();
            }
            other => wrong_type(&at, "the name of a type, or an array of them", other, findings),
        }
    }

    fn only_null(&mut self) {
        self.kinds = Kinds::NONE;
        self.nulls = Nulls::Only;
    }

    /// The rule of `nullable`, 3.0's word; documents of 3.1 carry it on.
    fn read_nullable(&mut self, dialect: Dialect, findings: &mut Findings<'_>) {
        if self.node.flag("nullable", findings) != Some(true) || self.nulls == Nulls::Only {
            return;
        }
        self.nulls = Nulls::Allowed;
        if dialect >= Dialect::V3_1 {
            let message = "`nullable` is a word of OpenAPI 3.0: it is honoured here all the same";
            findings.count("CD-NULLABLE-31", &self.node.at("nullable"), message, "list 'null' in `type`");
        }
    }

    /// The rule of `$ref` and of the dynamic references, which are resolved where they are written.
    fn read_reference(&mut self, findings: &mut Findings<'_>) {
        match self.keywords.get("$ref") {
            Some(Value::String(reference)) if reference.trim().is_empty() => {
                let message = "`$ref` is empty: it is read as any value";
                findings.count_warning("CD-REF-EMPTY", &self.node.at("$ref"), message, "");
            }
            Some(Value::String(reference)) => self.reference = Some(Cow::Borrowed(reference)),
            Some(Value::Null) => {
                let message = "`$ref` has no value: it is read as the type 'null'";
                findings.count_warning("CD-REF-EMPTY", &self.node.at("$ref"), message, "");
                self.only_null();
            }
            Some(other) => wrong_type(&self.node.at("$ref"), "a reference", other, findings),
            None => self.read_dynamic_reference(findings),
        }
    }

    fn read_dynamic_reference(&mut self, findings: &mut Findings<'_>) {
        let Some((key, reference)) = ["$dynamicRef", "$recursiveRef"]
            .into_iter()
            .find_map(|key| self.keywords.get(key).and_then(Value::as_str).map(|reference| (key, reference)))
        else {
            return;
        };
        let message = format!("`{key}` is resolved where it is written, not where it is used");
        findings.count("CD-REF-DYNAMIC", &self.node.at(key), message, "");
        self.reference = match reference {
            // The root of the schema it stands in, which in an OpenAPI document is the component.
            "#" => component_of(&self.node.origin.pointer).map(Cow::Owned),
            reference => Some(Cow::Borrowed(reference)),
        };
    }

    /// Tells of keywords that are not honoured. To be called once a schema.
    pub(crate) fn survey(&self, findings: &mut Findings<'_>) {
        for key in self.keywords.keys() {
            match keyword::class(key) {
                Keyword::Constraint => {
                    let message = format!("`{key}` is not enforced: the API itself checks it");
                    findings.count("CD-CONSTRAINT", &self.node.at(key), message, "");
                }
                Keyword::Unsupported(instead) => {
                    findings.count("CD-UNSUPPORTED", &self.node.at(key), format!("`{key}`: {instead}"), "");
                }
                Keyword::Unknown => {
                    let message = format!("`{key}` is no keyword of a schema: it has no effect");
                    findings.count("CD-UNKNOWN-KEYWORD", &self.node.at(key), message, "");
                }
                Keyword::Shape | Keyword::Hint | Keyword::Annotation | Keyword::Extension => {}
            }
        }
    }
}

fn strength(keywords: &Map<String, Value>) -> Strength {
    let of = |(key, value): (&String, &Value)| match keyword::class(key) {
        // `const: null` is a constant like any other.
        _ if is_empty(value) && key != "const" => Strength::Nothing,
        Keyword::Shape if key == "additionalProperties" && value == &Value::Bool(false) => Strength::Hint,
        Keyword::Shape if key == "unevaluatedProperties" && value.is_boolean() => Strength::Hint,
        Keyword::Shape if key == "required" && value.is_boolean() => Strength::Nothing,
        Keyword::Shape => Strength::Shape,
        Keyword::Hint | Keyword::Constraint => Strength::Hint,
        _ => Strength::Nothing,
    };
    keywords.iter().map(of).max().unwrap_or(Strength::Nothing)
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

fn kinds_of(word: &str, at: &crate::model::Origin, findings: &mut Findings<'_>) -> Kinds {
    match kinds::kinds_of_word(word) {
        Some((kinds, None)) => kinds,
        Some((kinds, Some(meant))) => {
            let message = format!("`{word}` is no type of OpenAPI: it is read as {meant}");
            findings.count_warning("CD-TYPE-WORD", at, message, "");
            kinds
        }
        None => {
            let help = did_you_mean(word, kinds::WORDS);
            let help = help.unwrap_or_else(|| format!("the types are {}", kinds::WORDS.join(", ")));
            findings.error("CD-TYPE-WORD", at, format!("`{word}` is no type of OpenAPI"), help);
            Kinds::ALL
        }
    }
}

/// The reference to the component that a pointer lies in.
fn component_of(pointer: &str) -> Option<String> {
    let rest = pointer.strip_prefix("/components/schemas/")?;
    let name = rest.split('/').next()?;
    Some(format!("#{}", pointer::join("/components/schemas", &name.replace("~1", "/").replace("~0", "~"))))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::{Report, Severity};

    fn read(schema: &Value, dialect: Dialect) -> (View<'_>, Report) {
        let mut report = Report::default();
        let mut findings = Findings::new(&mut report);
        let view = View::read(&Node::new(0, "/components/schemas/X/items", schema), dialect, &mut findings);
        view.survey(&mut findings);
        findings.finish();
        (view, report)
    }

    #[test]
    fn type_arrays_set_null_apart() {
        let schema = json!({"type": ["string", "integer", "null"]});
        let (view, report) = read(&schema, Dialect::V3_1);
        assert_eq!(view.kinds, Kinds::TEXT.or(Kinds::INT));
        assert_eq!(view.nulls, Nulls::Allowed);
        assert!(report.diagnostics().is_empty());
    }

    #[test]
    fn only_null_in_every_spelling() {
        for schema in [
            json!({"type": "null"}),
            json!({"type": ["null"]}),
            json!({"type": null}),
            json!({"const": null}),
            json!({"enum": [null]}),
            json!({"$ref": null}),
        ] {
            assert!(read(&schema, Dialect::V3_1).0.is_only_null(), "{schema}");
        }
        assert!(!read(&json!({}), Dialect::V3_1).0.is_only_null());
    }

    #[test]
    fn nullable_is_honoured_and_noted_in_31() {
        let schema = json!({"type": "string", "nullable": true});
        let (view, report) = read(&schema, Dialect::V3_0);
        assert_eq!(view.nulls, Nulls::Allowed);
        assert!(report.diagnostics().is_empty());
        let (view, report) = read(&schema, Dialect::V3_1);
        assert_eq!(view.nulls, Nulls::Allowed);
        assert_eq!(report.diagnostics()[0].code, "CD-NULLABLE-31");
    }

    #[test]
    fn boolean_schemas() {
        let schema = json!(true);
        let (view, report) = read(&schema, Dialect::V3_1);
        assert_eq!((view.kinds, view.strength), (Kinds::ALL, Strength::Nothing));
        assert!(report.diagnostics().is_empty());
        let (_, report) = read(&json!(false), Dialect::V3_1);
        assert_eq!(report.diagnostics()[0].code, "CD-SCHEMA-FALSE");
    }

    #[test]
    fn strength_of_what_is_said() {
        let of = |schema: Value| read(&schema, Dialect::V3_1).0.strength;
        assert_eq!(of(json!({"$ref": "#/x", "description": "d"})), Strength::Nothing);
        assert_eq!(of(json!({"type": "object", "required": []})), Strength::Hint);
        assert_eq!(of(json!({"required": ["a"]})), Strength::Shape);
        assert_eq!(of(json!({"additionalProperties": false})), Strength::Hint);
    }

    #[test]
    fn a_word_people_write_is_read_as_what_they_meant() {
        let schema = json!({"type": "int"});
        let (view, report) = read(&schema, Dialect::V3_0);
        assert_eq!(view.kinds, Kinds::INT);
        assert_eq!(report.diagnostics()[0].severity, Severity::Warning);
    }

    #[test]
    fn an_unknown_type_is_an_error_with_the_nearest_word() {
        let (_, report) = read(&json!({"type": "strng"}), Dialect::V3_0);
        let [only] = report.diagnostics() else { panic!("{report:?}") };
        assert_eq!(only.severity, Severity::Error);
        assert_eq!(only.help.as_deref(), Some("did you mean `string`?"));
    }

    #[test]
    fn keywords_without_effect_are_told() {
        let schema = json!({"type": "string", "maxLength": 3, "if": {}, "optional": true, "x-a": 1});
        let (_, report) = read(&schema, Dialect::V3_1);
        let codes: Vec<_> = report.diagnostics().iter().map(|d| d.code).collect();
        assert_eq!(codes, ["CD-CONSTRAINT", "CD-UNSUPPORTED", "CD-UNKNOWN-KEYWORD"]);
    }

    #[test]
    fn a_recursive_reference_means_the_component() {
        let schema = json!({"$recursiveRef": "#"});
        let (view, _) = read(&schema, Dialect::V3_1);
        assert_eq!(view.reference.as_deref(), Some("#/components/schemas/X"));
    }
}
