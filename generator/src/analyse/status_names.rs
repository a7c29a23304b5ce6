//! Words for HTTP statuses: variants of replies and rejections, and parts of the names of inline types.

use super::identifiers::{Case, identifier};
use crate::model::Status;

/// The variant for a status: `NotFound`, `ClientError` for `4XX`, `Status299` where HTTP has no word.
pub(crate) fn variant(status: Status) -> String {
    match status {
        Status::Code(code) => reason(code).unwrap_or_else(|| format!("Status{code}")),
        Status::Range(1) => "Informational".to_owned(),
        Status::Range(2) => "Success".to_owned(),
        Status::Range(3) => "Redirection".to_owned(),
        Status::Range(4) => "ClientError".to_owned(),
        Status::Range(5) => "ServerError".to_owned(),
        Status::Range(class) => format!("Status{class}xx"),
        Status::Default => "Default".to_owned(),
    }
}

/// Puts words for the status into the path of an inline type: `["reply", "200", "item"]` is `["Ok", "item"]`.
pub(crate) fn replace(words: &[String]) -> Vec<String> {
    let [reply, status, rest @ ..] = words else { return words.to_vec() };
    match (reply.as_str(), parse(status)) {
        ("reply", Some(status)) => std::iter::once(variant(status)).chain(rest.iter().cloned()).collect(),
        _ => words.to_vec(),
    }
}

fn parse(text: &str) -> Option<Status> {
    if text == "default" {
        return Some(Status::Default);
    }
    if let Some(class) = text.strip_suffix("XX").or_else(|| text.strip_suffix("xx")) {
        return class.parse().ok().map(Status::Range);
    }
    text.parse().ok().map(Status::Code)
}

fn reason(code: u16) -> Option<String> {
    let status = http::StatusCode::from_u16(code).ok()?;
    status.canonical_reason().map(|reason| identifier(&reason.replace('\'', ""), Case::Camel))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_have_words() {
        let statuses = [Status::Code(200), Status::Code(418), Status::Code(299), Status::Range(5), Status::Default];
        assert_eq!(statuses.map(variant), ["Ok", "ImATeapot", "Status299", "ServerError", "Default"]);
        let words = ["reply", "404", "item"].map(str::to_owned);
        assert_eq!(replace(&words), ["NotFound", "item"]);
    }
}
