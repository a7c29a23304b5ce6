//! A mapping that maps nothing: the domain is the wire.

use cofferdam_runtime::{Mapping, MappingError, Operation, Refusal, StatusCode};

#[derive(Debug, Clone, Copy)]
pub struct AsIs;

impl<Op> Mapping<Op> for AsIs
where
    Op: Operation,
    Op::Request: Clone,
{
    type Command = Op::Request;
    type Outcome = Op::Reply;
    type Rejection = (StatusCode, Op::Rejection);

    fn request(&self, command: &Op::Request) -> Result<Op::Request, MappingError> {
        Ok(command.clone())
    }

    fn outcome(&self, reply: Op::Reply) -> Result<Op::Reply, Refusal<Self::Rejection>> {
        Ok(reply)
    }

    fn rejection(&self, status: StatusCode, body: Op::Rejection) -> Self::Rejection {
        (status, body)
    }
}
