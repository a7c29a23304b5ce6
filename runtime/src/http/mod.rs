//! HTTP: requests as plain parts, replies as plain bytes, and the one client that carries them.

mod client;
mod credentials;
mod multipart;
mod parts;
mod reply;
mod request;
mod tls;
mod transport;

pub use client::HttpClient;
pub use credentials::{ApiKeyPlace, ClientAuthentication, CredentialError, Credentials, SchemeUse, Secret};
pub use multipart::{Multipart, Part};
pub use parts::{BodyStream, RequestBody, RequestParts};
pub use reply::RawReply;
pub use request::{BuildError, RequestWriter};
