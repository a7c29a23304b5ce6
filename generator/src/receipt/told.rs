//! Diagnostics in a receipt.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::diagnose::{Located, Location, Severity};

#[derive(Serialize, Deserialize)]
struct Told<'a> {
    severity: u8,
    code: Cow<'a, str>,
    message: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    place: Option<Place<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    help: Option<Cow<'a, str>>,
}

#[derive(Serialize, Deserialize)]
struct Place<'a> {
    file: Cow<'a, str>,
    line: usize,
    col: usize,
    pointer: Cow<'a, str>,
}

pub(super) fn serialize<S: Serializer>(found: &[Located], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(found.iter().map(told))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Located>, D::Error> {
    Ok(Vec::<Told<'_>>::deserialize(deserializer)?.into_iter().map(located).collect())
}

fn told(one: &Located) -> Told<'_> {
    Told {
        severity: match one.severity {
            Severity::Note => 0,
            Severity::Warning => 1,
            Severity::Error => 2,
        },
        code: Cow::Borrowed(&one.code),
        message: Cow::Borrowed(&one.message),
        place: one.location.as_ref().map(|at| Place {
            file: Cow::Borrowed(&at.file),
            line: at.line,
            col: at.col,
            pointer: Cow::Borrowed(&at.pointer),
        }),
        help: one.help.as_deref().map(Cow::Borrowed),
    }
}

fn located(told: Told<'_>) -> Located {
    Located {
        severity: match told.severity {
            0 => Severity::Note,
            1 => Severity::Warning,
            _ => Severity::Error,
        },
        code: Cow::Owned(told.code.into_owned()),
        message: told.message.into_owned(),
        location: told.place.map(|at| Location {
            file: at.file.into_owned(),
            line: at.line,
            col: at.col,
            pointer: at.pointer.into_owned(),
        }),
        help: told.help.map(Cow::into_owned),
    }
}
