//! Requests and replies as data. Only the client behind the feature `http` sends them.

mod build_error;
mod form;
mod media_type;
mod multipart;
mod parts;
mod reply;
mod request;

pub use self::{
    build_error::{BuildError, Place},
    form::FieldEncoding,
    multipart::{FilePart, FileSource, Multipart, Part},
    parts::{BodyStream, RequestBody, RequestParts},
    reply::RawReply,
    request::RequestWriter,
};
