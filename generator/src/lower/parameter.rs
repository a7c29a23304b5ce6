use openapiv3::{PathStyle, QueryStyle};
use serde::de::{DeserializeOwned, IntoDeserializer, value::StrDeserializer};
use serde_json::Value;

use super::content::{kind_of_media_type, media_type_essence};
use super::context::{Lowering, any};
use super::object::Annotations;
use super::place::Place;
use crate::model::{ContentKind, Docs, Parameter, ParameterPlace, Style, TypeUse};
use crate::resolve::{Node, did_you_mean};

/// What a parameter may hold; `type` and what goes with it is Swagger 2.0's way.
const PARAMETER: [&str; 15] = [
    "name",
    "in",
    "required",
    "deprecated",
    "allowEmptyValue",
    "style",
    "explode",
    "allowReserved",
    "schema",
    "content",
    "type",
    "format",
    "items",
    "enum",
    "default",
];

/// The wire form of a parameter.
struct Form {
    style: Style,
    explode: bool,
}

impl<'a> Lowering<'a> {
    /// Tells what a parameter lacks. A `name` or `in` that is no text was told already.
    fn nameless(&mut self, node: &Node<'a>) {
        let missing: Vec<&str> = ["name", "in"].into_iter().filter(|key| node.get(key).is_none()).collect();
        if !missing.is_empty() {
            let message = format!("a parameter without `{}`", missing.join("` and `"));
            let help = "write `{name: …, in: query, schema: …}`; `in` is one of path, query, header, cookie";
            self.findings.error("CD-PARAMETER", &node.origin, message, help);
        }
    }

    /// A parameter; `None` when it is not one that can be sent, which was told.
    pub(super) fn parameter(&mut self, written: &Node<'a>, place: &Place) -> Option<Parameter> {
        let node = self.documents.peel(written, &mut self.findings)?;
        node.object(&mut self.findings)?;
        let name = node.text("name", &mut self.findings);
        let travels = node.text("in", &mut self.findings);
        let (Some(name), Some(travels)) = (name, travels) else {
            self.nameless(&node);
            return None;
        };
        let at = match travels {
            "path" => ParameterPlace::Path,
            "query" => ParameterPlace::Query,
            "header" if ["accept", "content-type", "authorization"].contains(&name.to_lowercase().as_str()) => {
                let message = format!("OpenAPI ignores a header parameter named `{name}`: the client sets it itself");
                self.findings.count("CD-HEADER-RESERVED", &node.origin, message, "");
                return None;
            }
            "header" => ParameterPlace::Header,
            "cookie" => ParameterPlace::Cookie,
            "querystring" => return self.query_string(&node, name, place),
            other => {
                let help = match other {
                    "body" | "formData" => "Swagger 2.0's word: describe it in `requestBody`".to_owned(),
                    _ => did_you_mean(other, ["path", "query", "header", "cookie"])
                        .unwrap_or_else(|| "it is one of path, query, header, cookie".to_owned()),
                };
                self.findings.error(
                    "CD-PARAMETER-IN",
                    &node.at("in"),
                    format!("a parameter cannot be in `{other}`"),
                    help,
                );
                return None;
            }
        };
        self.survey(&node, "a parameter", &PARAMETER);
        let place = self.shared_place(written, &node, "parameter").unwrap_or_else(|| place.inside(name));
        let (ty, content, said) = self.parameter_type(&node, place);
        let form = self.form(&node, at);
        if node.get("allowEmptyValue").is_some_and(|allowed| allowed.value == &Value::Bool(true)) {
            let message = "`allowEmptyValue` has no effect: a parameter without a value is left out";
            self.findings.count("CD-ALLOW-EMPTY", &node.at("allowEmptyValue"), message, "");
        }
        let docs = self.docs_over(written, &node);
        Some(Parameter {
            name: name.to_owned(),
            place: at,
            required: self.required(&node, at),
            ty,
            style: form.style,
            explode: form.explode,
            allow_reserved: node.flag("allowReserved", &mut self.findings).unwrap_or(false),
            content,
            docs: or_docs(docs, said.docs),
            default: said.default,
            origin: node.origin,
        })
    }

    fn required(&mut self, node: &Node<'a>, at: ParameterPlace) -> bool {
        let said = node.flag("required", &mut self.findings).unwrap_or(false);
        if at == ParameterPlace::Path && !said {
            let message = "a path parameter is always required, and must say so";
            self.findings.count("CD-PATH-REQUIRED", &node.origin, message, "add `required: true`");
            return true;
        }
        said
    }

    /// The type, the media type when it travels in one, and what the schema says besides.
    fn parameter_type(&mut self, node: &Node<'a>, place: Place) -> (TypeUse, Option<String>, Annotations) {
        let mut said = Annotations::default();
        if let Some(schema) = node.get("schema") {
            self.annotate(&mut said, &schema);
            return (self.schema(&schema, place), None, said);
        }
        let contents = node.entries("content", &mut self.findings);
        if let Some((media_type, content)) = contents.into_iter().next() {
            let schema = content.get("schema");
            if let Some(schema) = &schema {
                self.annotate(&mut said, schema);
            }
            let ty = schema.map_or_else(any, |schema| self.schema(&schema, place));
            if kind_of_media_type(&media_type_essence(media_type)) == Some(ContentKind::Json) {
                return (ty, Some(media_type.to_owned()), said);
            }
            let message = format!("a parameter in `{media_type}` travels as if it were described by a schema");
            self.findings.count("CD-PARAMETER-CONTENT", &content.origin, message, "");
            return (ty, None, said);
        }
        if node.get("type").is_some() {
            // Swagger 2.0 wrote the schema into the parameter itself.
            let message = "the `type` of a parameter belongs into its `schema`: it is read as if it stood there";
            self.findings.count_warning("CD-PARAMETER-SCHEMA", &node.origin, message, "move it into `schema`");
            self.skip_survey(node);
            return (self.schema(node, place), None, said);
        }
        let message = "a parameter needs a `schema` or `content`: it can be any value";
        self.findings.count_warning("CD-PARAMETER-SCHEMA", &node.origin, message, "describe it");
        (any(), None, said)
    }

    fn form(&mut self, node: &Node<'a>, at: ParameterPlace) -> Form {
        let default = match at {
            ParameterPlace::Path | ParameterPlace::Header => Style::Simple,
            ParameterPlace::Query | ParameterPlace::Cookie => Style::Form,
        };
        let style = match node.text("style", &mut self.findings) {
            None => default,
            Some(word) => style(at, word).unwrap_or_else(|| {
                let message = format!("the style `{word}` is none of this kind of parameter: the default is used");
                self.findings.count_warning("CD-STYLE", &node.at("style"), message, "");
                default
            }),
        };
        let explode = node.flag("explode", &mut self.findings);
        if style == Style::DeepObject && explode != Some(true) {
            let message = "`deepObject` is only defined with `explode: true`: it is taken as that";
            self.findings.count("CD-DEEP-OBJECT", &node.origin, message, "add `explode: true`");
            return Form { style, explode: true };
        }
        Form { style, explode: explode.unwrap_or(style == Style::Form) }
    }

    /// 3.2's `in: querystring`, the whole query as one value: as a form it is an exploded object.
    fn query_string(&mut self, node: &Node<'a>, name: &str, place: &Place) -> Option<Parameter> {
        let (media_type, content) = node.entries("content", &mut self.findings).into_iter().next()?;
        if kind_of_media_type(&media_type_essence(media_type)) != Some(ContentKind::Form) {
            let message = format!("a query string in `{media_type}` cannot be written: the parameter is left out");
            self.findings.warning("CD-QUERYSTRING", &node.origin, message, "describe it as a form");
            return None;
        }
        let schema = content.get("schema");
        Some(Parameter {
            name: name.to_owned(),
            place: ParameterPlace::Query,
            required: self.required(node, ParameterPlace::Query),
            ty: schema.map_or_else(any, |schema| self.schema(&schema, place.inside(name))),
            style: Style::Form,
            explode: true,
            allow_reserved: false,
            content: None,
            docs: self.docs(node),
            default: None,
            origin: node.origin.clone(),
        })
    }
}

/// A style by its word, where it may be used.
pub(super) fn style(at: ParameterPlace, word: &str) -> Option<Style> {
    match at {
        ParameterPlace::Path => Some(match read::<PathStyle>(word)? {
            PathStyle::Matrix => Style::Matrix,
            PathStyle::Label => Style::Label,
            PathStyle::Simple => Style::Simple,
        }),
        ParameterPlace::Query => Some(match read::<QueryStyle>(word)? {
            QueryStyle::Form => Style::Form,
            QueryStyle::SpaceDelimited => Style::SpaceDelimited,
            QueryStyle::PipeDelimited => Style::PipeDelimited,
            QueryStyle::DeepObject => Style::DeepObject,
        }),
        ParameterPlace::Header => (word == "simple").then_some(Style::Simple),
        // `cookie` is 3.2's name for what everybody does.
        ParameterPlace::Cookie => matches!(word, "form" | "cookie").then_some(Style::Form),
    }
}

fn read<T: DeserializeOwned>(word: &str) -> Option<T> {
    let words: StrDeserializer<'_, serde::de::value::Error> = word.into_deserializer();
    T::deserialize(words).ok()
}

/// Documentation, or that of the schema when there is none.
fn or_docs(docs: Docs, schema: Docs) -> Docs {
    if docs.summary.is_some() || docs.description.is_some() {
        return Docs { deprecated: docs.deprecated || schema.deprecated, ..docs };
    }
    Docs { deprecated: docs.deprecated || schema.deprecated, ..schema }
}
