//! In which forms an operation gives its success: whole, item by item, as bytes that come in pieces.

use crate::model::{Content, ContentKind, Operation, Response};

/// The forms of an operation's success. At least one of `whole` and `items` is there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Forms<'o> {
    /// As a whole reply: always, but where everything it documents comes item by item.
    pub(crate) whole: bool,
    /// Item by item: server-sent events or JSON lines. The first that is documented.
    pub(crate) items: Option<(&'o Response, &'o Content)>,
    /// As bytes that come in pieces, besides whole.
    pub(crate) bytes: bool,
}

/// The forms of an operation.
pub(crate) fn forms(operation: &Operation) -> Forms<'_> {
    let successes = operation.responses.iter().filter(|response| operation.is_success(response.status));
    let contents: Vec<(&Response, &Content)> = successes
        .flat_map(|response| operation.contents(response).iter().map(move |content| (response, content)))
        .collect();
    let items = contents.iter().find(|(_, content)| content.kind.is_stream()).copied();
    Forms {
        whole: items.is_none() || contents.iter().any(|(_, content)| !content.kind.is_stream()),
        items,
        bytes: contents.iter().any(|(_, content)| content.kind == ContentKind::Binary),
    }
}

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;

    use super::*;
    use crate::model::testing::{operation, text};
    use crate::model::{Docs, Origin, Status};

    fn given(responses: &[(Status, &[ContentKind])]) -> (bool, bool, bool) {
        let mut operation = operation("watch", "GET", "/watch");
        operation.responses = responses
            .iter()
            .map(|(status, kinds)| Response {
                status: *status,
                docs: Docs::default(),
                headers: Vec::new(),
                contents: kinds
                    .iter()
                    .map(|kind| Content {
                        media_type: "a/b".to_owned(),
                        kind: *kind,
                        ty: text(),
                        encoding: IndexMap::new(),
                    })
                    .collect(),
                origin: Origin::default(),
            })
            .collect();
        let forms = forms(&operation);
        (forms.whole, forms.items.is_some(), forms.bytes)
    }

    #[test]
    fn a_stream_beside_a_whole_reply_is_a_form_of_its_own() {
        use ContentKind::{Binary, EventStream, Json, JsonLines};
        const OK: Status = Status::Code(200);
        assert_eq!(given(&[(OK, &[Json])]), (true, false, false));
        assert_eq!(given(&[(OK, &[Json, EventStream])]), (true, true, false));
        assert_eq!(given(&[(OK, &[JsonLines])]), (false, true, false));
        assert_eq!(given(&[(OK, &[Binary, EventStream])]), (true, true, true));
        assert_eq!(given(&[(OK, &[JsonLines]), (Status::Code(204), &[])]), (false, true, false));
        assert_eq!(given(&[(OK, &[JsonLines]), (Status::Code(202), &[Json])]), (true, true, false));
        assert_eq!(given(&[(OK, &[Json]), (Status::Code(400), &[EventStream])]), (true, false, false));
        assert_eq!(given(&[(Status::Default, &[EventStream])]), (false, true, false));
        assert_eq!(given(&[]), (true, false, false));
    }
}
