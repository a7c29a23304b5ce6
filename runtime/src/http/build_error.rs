use std::{borrow::Cow, error::Error, fmt};

/// Where in a request something travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// The path.
    Path,
    /// The query string.
    Query,
    /// A header.
    Header,
    /// The `Cookie` header.
    Cookie,
    /// The body.
    Body,
}

/// Why a request could not be built: nothing was sent. It never shows values, which may be secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildError {
    /// Where the value was to travel.
    pub place: Place,
    /// The name of the parameter, property or scheme; empty for a body as a whole.
    pub name: Cow<'static, str>,
    /// What is wrong with it.
    pub message: Cow<'static, str>,
}

impl BuildError {
    /// An error about the value `name` in `place`. The message must not hold the value.
    #[must_use]
    pub fn new(place: Place, name: impl Into<Cow<'static, str>>, message: impl Into<Cow<'static, str>>) -> Self {
        Self { place, name: name.into(), message: message.into() }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match self.place {
            Place::Path => "path parameter",
            Place::Query => "query parameter",
            Place::Header => "header",
            Place::Cookie => "cookie",
            Place::Body => "body",
        };
        f.write_str(place)?;
        if !self.name.is_empty() {
            write!(f, " `{}`", self.name)?;
        }
        write!(f, ": {}", self.message)
    }
}

impl Error for BuildError {}
