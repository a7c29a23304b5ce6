//! Diagnostics for programs: one JSON object a line.

use serde_json::{Value, json};

use super::Located;

/// The version of the form; a key that is added does not change it.
const VERSION: u32 = 1;

/// A diagnostic as an object. `line` and `column` count from 1, columns in characters; what is not known is `null`.
#[must_use]
pub fn record(one: &Located) -> Value {
    let location = one.location.as_ref();
    let position = location.and_then(|location| location.position());
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    json!({
        "version": VERSION,
        "type": "diagnostic",
        "severity": one.severity.word(),
        "code": one.code,
        "message": one.message,
        "file": location.and_then(|location| text(&location.file)),
        "line": position.map(|position| position.line),
        "column": position.map(|position| position.col),
        "pointer": location.and_then(|location| text(&location.pointer)),
        "help": one.help,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Located, Location, Severity};
    use super::record;

    #[test]
    fn what_is_not_known_is_null() {
        let mut one = Located {
            severity: Severity::Warning,
            code: "CD-X".into(),
            message: "m".into(),
            location: Some(Location { file: "a.yaml".into(), line: 3, col: 7, pointer: "/a".into() }),
            help: Some("h".into()),
        };
        let wanted = r#"{"version":1,"type":"diagnostic","severity":"warning","code":"CD-X","message":"m","file":"a.yaml","line":3,"column":7,"pointer":"/a","help":"h"}"#;
        assert_eq!(record(&one).to_string(), wanted);
        one.location = Some(Location::file("a.yaml"));
        one.help = None;
        let wanted = r#"{"version":1,"type":"diagnostic","severity":"warning","code":"CD-X","message":"m","file":"a.yaml","line":null,"column":null,"pointer":null,"help":null}"#;
        assert_eq!(record(&one).to_string(), wanted);
    }
}
