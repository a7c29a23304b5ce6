//! Requests and replies as data, and the one client that carries them. Only that is behind the feature `http`.

mod build_error;
#[cfg(feature = "http")]
mod client;
#[cfg(feature = "http")]
mod credentials;
mod form;
mod media_type;
mod multipart;
mod parts;
mod reply;
mod request;
#[cfg(feature = "http")]
mod tls;
#[cfg(feature = "http")]
mod transport;

pub use self::{
    build_error::{BuildError, Place},
    form::FieldEncoding,
    multipart::{FilePart, FileSource, Multipart, Part},
    parts::{BodyStream, RequestBody, RequestParts},
    reply::RawReply,
    request::RequestWriter,
};
#[cfg(feature = "http")]
pub use self::{
    client::HttpClient,
    credentials::{ApiKeyPlace, ClientAuthentication, CredentialError, Credentials, SchemeUse, Secret},
};
