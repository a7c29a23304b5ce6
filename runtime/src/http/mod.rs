//! HTTP: requests as plain parts, replies as plain bytes, and the one client that carries them.

mod build_error;
mod client;
mod credentials;
mod form;
mod link;
mod media_type;
mod multipart;
mod own_server;
mod pages;
mod parts;
mod reply;
mod request;
mod stream;
mod tls;
mod transport;

pub use build_error::{BuildError, Place};
pub use client::HttpClient;
pub use credentials::{
    ApiKeyPlace, BearerToken, ClientAuthentication, ClientCredentials, CredentialError, Credentials, FreshToken,
    NoToken, SchemeUse, Secret, TokenExchange,
};
pub use form::FieldEncoding;
pub use multipart::{FilePart, FileSource, Multipart, Part};
pub use own_server::OwnServer;
pub use pages::{NextPage, PageRule, PageSize, Pages};
pub(crate) use pages::{PageSource, Position, Tail, Walk};
pub use parts::{BinaryBody, BodyStream, RequestBody, RequestParts};
pub use reply::RawReply;
pub use request::RequestWriter;
pub(crate) use stream::WayBack;
pub use stream::{ByteStream, Event, EventData, EventStream, ItemStream, JsonLines, StreamError, StreamForm};
pub(crate) use transport::SendError;
