/// What a keyword of a schema does here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keyword {
    /// Shapes the type: two schemas that both have one must be merged.
    Shape,
    /// Says something about the type that another schema's shape may stand in for (`type`, `format`).
    Hint,
    /// Describes or documents.
    Annotation,
    /// Restricts the values; a client does not check it.
    Constraint,
    /// Cannot be done; the text says what happens instead.
    Unsupported(&'static str),
    /// An extension (`x-…`).
    Extension,
    /// No keyword of OpenAPI or JSON Schema.
    Unknown,
}

/// The class of a keyword.
pub(crate) fn class(keyword: &str) -> Keyword {
    match keyword {
        "properties"
        | "required"
        | "additionalProperties"
        | "patternProperties"
        | "unevaluatedProperties"
        | "items"
        | "prefixItems"
        | "enum"
        | "const"
        | "oneOf"
        | "anyOf"
        | "contentEncoding"
        | "contentMediaType" => Keyword::Shape,
        "type" | "format" | "nullable" | "discriminator" => Keyword::Hint,
        "$ref" | "allOf" | "title" | "description" | "default" | "deprecated" | "readOnly" | "writeOnly"
        | "example" | "examples" | "externalDocs" | "$defs" | "definitions" | "$schema" | "$id" | "$anchor"
        | "$comment" | "additionalItems" | "$vocabulary" | "$dynamicAnchor" | "$recursiveAnchor" | "$dynamicRef"
        | "$recursiveRef" => Keyword::Annotation,
        "multipleOf" | "maximum" | "exclusiveMaximum" | "minimum" | "exclusiveMinimum" | "maxLength" | "minLength"
        | "pattern" | "maxItems" | "minItems" | "uniqueItems" | "maxProperties" | "minProperties" | "contains"
        | "minContains" | "maxContains" | "propertyNames" | "unevaluatedItems" | "dependentRequired" | "not"
        | "contentSchema" => Keyword::Constraint,
        "if" | "then" | "else" => Keyword::Unsupported("conditional schemas do not shape a type: it is left out"),
        "dependentSchemas" | "dependencies" => {
            Keyword::Unsupported("schemas that depend on a property's presence do not shape a type: it is left out")
        }
        "xml" => Keyword::Unsupported("XML bodies are carried as text, so it has no effect"),
        _ if keyword.starts_with("x-") => Keyword::Extension,
        _ => Keyword::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes() {
        assert_eq!(class("properties"), Keyword::Shape);
        assert_eq!(class("type"), Keyword::Hint);
        assert_eq!(class("description"), Keyword::Annotation);
        assert_eq!(class("exclusiveMinimum"), Keyword::Constraint);
        assert!(matches!(class("if"), Keyword::Unsupported(_)));
        assert_eq!(class("x-enum-varnames"), Keyword::Extension);
        assert_eq!(class("min_items"), Keyword::Unknown);
    }
}
