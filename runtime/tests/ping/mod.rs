//! An operation and its mapping that cost nothing: what is left of a call is the guard.

use cofferdam_runtime::http::{BuildError, RawReply, RequestWriter};
use cofferdam_runtime::wire::DecodeError;
use cofferdam_runtime::{
    Decoded, IdempotencyKey, Keyed, Mapping, MappingError, NoRejection, Once, Operation, OperationKind, OperationMeta,
    Read, Refusal, StatusCode,
};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Ping;

impl Operation for Ping {
    type Request = ();
    type Reply = u64;
    type Rejection = NoRejection;
    const META: &'static OperationMeta = &OperationMeta {
        system: "acme",
        id: "ping",
        name: "ping",
        kind: OperationKind::Read,
        method: "GET",
        path: "/",
        accept: "",
        security: None,
    };

    fn encode((): &(), _: Option<&IdempotencyKey>, out: &mut RequestWriter) -> Result<(), BuildError> {
        out.path("/");
        Ok(())
    }

    fn decode(_: &RawReply) -> Result<Decoded<u64, NoRejection>, DecodeError> {
        Ok(Decoded::Undocumented)
    }
}

impl Read for Ping {}
impl Keyed for Ping {}
impl Once for Ping {}

pub(crate) struct Plain;

impl Mapping<Ping> for Plain {
    type Command = ();
    type Outcome = u64;
    type Rejection = NoRejection;

    fn request(&self, (): &()) -> Result<(), MappingError> {
        Ok(())
    }

    fn outcome(&self, reply: u64) -> Result<u64, Refusal<NoRejection>> {
        Ok(reply)
    }

    fn rejection(&self, status: StatusCode, body: NoRejection) -> NoRejection {
        body.never(status)
    }
}
