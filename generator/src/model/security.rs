use super::{Docs, Origin};

/// A security scheme of the document, or one declared in the project file.
#[derive(Debug, Clone)]
pub struct SecurityScheme {
    /// Its name in `components/securitySchemes`.
    pub name: String,
    /// What it does to a request.
    pub kind: SecurityKind,
    /// Documentation.
    pub docs: Docs,
    /// Where it is written.
    pub origin: Origin,
}

/// The kinds of security scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecurityKind {
    /// `apiKey`.
    ApiKey {
        /// Where the key travels.
        place: ApiKeyPlace,
        /// The name of the header, query parameter, cookie or body field.
        name: String,
    },
    /// `http` with scheme `basic`.
    Basic,
    /// `http` with scheme `bearer`, `oauth2` with a flow a person must walk, `openIdConnect`: the caller brings the token.
    Bearer,
    /// `oauth2` with client credentials: the client fetches the token itself.
    ClientCredentials {
        /// `tokenUrl`, absolute or relative to the server.
        token_url: String,
    },
    /// What cannot be done by a header, such as `mutualTLS`; the name as written.
    Unsupported(String),
}

/// Where an API key travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ApiKeyPlace {
    /// A header.
    Header,
    /// The query string.
    Query,
    /// A cookie.
    Cookie,
    /// A field of the form or JSON body (declared in the project file: OpenAPI has no word for it).
    Body,
}

/// One way to be allowed: all these schemes together (AND). Empty: anonymous.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Requirement {
    /// Scheme names with the scopes asked for.
    pub schemes: Vec<(String, Vec<String>)>,
}

/// A server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// The URL with `{variables}` as written.
    pub url: String,
    /// `description`.
    pub description: Option<String>,
    /// Variables in document order.
    pub variables: Vec<ServerVariable>,
}

/// A variable of a server's URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerVariable {
    /// Its name.
    pub name: String,
    /// Its default.
    pub default: String,
    /// Allowed values; empty: any.
    pub allowed: Vec<String>,
}
