//! A mapping that is asked for requests as they are, and is the team's own in everything else.

use cofferdam_runtime::wire::{Wire, json};
use cofferdam_runtime::{Mapping, MappingError, Operation, Refusal, StatusCode, Verdict};

/// A team's mapping whose commands are the requests themselves: samples of the document need no domain.
#[derive(Debug, Clone)]
pub struct Sampled<M>(M);

impl<M> Sampled<M> {
    /// The team's mapping, for samples.
    pub fn new(mapping: M) -> Self {
        Self(mapping)
    }
}

impl<Op, M> Mapping<Op> for Sampled<M>
where
    Op: Operation,
    Op::Request: Clone,
    M: Mapping<Op>,
{
    type Command = Op::Request;
    type Outcome = M::Outcome;
    type Rejection = M::Rejection;

    fn request(&self, command: &Op::Request) -> Result<Op::Request, MappingError> {
        Ok(command.clone())
    }

    fn verdict(&self, reply: &Op::Reply) -> Verdict {
        self.0.verdict(reply)
    }

    fn outcome(&self, reply: Op::Reply) -> Result<Self::Outcome, Refusal<Self::Rejection>> {
        self.0.outcome(reply)
    }

    fn rejection(&self, status: StatusCode, body: Op::Rejection) -> Self::Rejection {
        self.0.rejection(status, body)
    }
}

/// A value of a transport type.
///
/// # Panics
/// When the text is no value of it: the generator promised that it is, and the test should say so.
#[must_use]
pub fn sample<T: Wire>(text: &str) -> T {
    let value = json::parse(text.as_bytes()).map_err(|error| error.to_string());
    match value.and_then(|value| T::decode(&value).map_err(|error| error.to_string())) {
        Ok(value) => value,
        Err(error) => panic!("the sample {text} is no {}: {error}", std::any::type_name::<T>()),
    }
}
