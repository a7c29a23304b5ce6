//! HTTP: requests as plain parts, replies as plain bytes, and the one client that carries them.

mod build_error;
mod client;
mod credentials;
mod form;
mod link;
mod media_type;
mod multipart;
mod own_server;
mod parts;
mod reply;
mod request;
mod tls;
mod transport;

pub use build_error::{BuildError, Place};
pub use client::HttpClient;
pub use credentials::{
    ApiKeyPlace, ClientAuthentication, ClientCredentials, CredentialError, Credentials, SchemeUse, Secret,
};
pub use form::FieldEncoding;
pub use multipart::{FilePart, FileSource, Multipart, Part};
pub use own_server::OwnServer;
pub use parts::{BodyStream, RequestBody, RequestParts};
pub use reply::RawReply;
pub use request::RequestWriter;
pub(crate) use transport::SendError;
