//! Operations whose document gives them a server of their own.

use std::borrow::Cow;

use url::Url;

use crate::error::NotSentCause;
use crate::settings::SystemSettings;

/// A server of an operation's own.
///
/// A call goes there as long as the settings' base URL is where the document itself puts the system. A base URL of one's
/// own, such as a sandbox or a test server, is for every operation; `operations.<id>.base-url` of the settings goes
/// before both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnServer {
    /// Its URL. With nothing but a path, it is on the host of the base URL.
    pub url: &'static str,
    /// Where the document puts the system. One that is only a path is the same on every host.
    pub beside: &'static [&'static str],
}

/// Where a call goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Destination<'s> {
    pub(super) base_url: Cow<'s, Url>,
    /// Only the document names the host: no credential goes there.
    pub(super) is_foreign: bool,
}

impl<'s> Destination<'s> {
    pub(super) fn of(
        operation: &str,
        own: Option<OwnServer>,
        settings: &'s SystemSettings,
    ) -> Result<Self, NotSentCause> {
        let base_url = &settings.base_url;
        if let Some(said) = settings.operations.get(operation).and_then(|own| own.base_url.as_ref()) {
            return Ok(Self { base_url: Cow::Borrowed(said), is_foreign: false });
        }
        let Some(own) = own.filter(|own| own.beside.iter().any(|documented| is_at(base_url, documented))) else {
            return Ok(Self { base_url: Cow::Borrowed(base_url), is_foreign: false });
        };
        let url = base_url.join(own.url);
        let url =
            url.map_err(|_| NotSentCause::Request(format!("{:?}, the operation's server, is no URL", own.url)))?;
        Ok(Self { is_foreign: url.origin() != base_url.origin(), base_url: Cow::Owned(url) })
    }
}

fn is_at(base_url: &Url, documented: &str) -> bool {
    let Ok(documented_url) = base_url.join(documented) else { return false };
    let path = |url: &Url| url.path().trim_end_matches('/').to_owned();
    documented_url.origin() == base_url.origin() && path(&documented_url) == path(base_url)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::OperationSettings;

    const FILES: OwnServer = OwnServer {
        url: "https://files.example.test/v2",
        beside: &["https://eu.api.example.test:443/v2/", "https://us.api.example.test/v2/"],
    };

    fn destination(base_url: &str, own: OwnServer) -> (String, bool) {
        let settings = SystemSettings::external(Url::parse(base_url).unwrap());
        let destination = Destination::of("files", Some(own), &settings).unwrap();
        (destination.base_url.to_string(), destination.is_foreign)
    }

    #[test]
    fn its_own_server_stands_beside_the_documented_ones() {
        for base_url in ["https://eu.api.example.test/v2", "https://us.api.example.test/v2/"] {
            assert_eq!(destination(base_url, FILES), ("https://files.example.test/v2".to_owned(), true));
        }
    }

    #[test]
    fn another_base_url_is_for_every_operation() {
        for base_url in ["http://eu.api.example.test/v2/", "https://eu.api.example.test/", "http://127.0.0.1:80/v2"] {
            assert_eq!(destination(base_url, FILES), (Url::parse(base_url).unwrap().to_string(), false));
        }
    }

    #[test]
    fn a_path_is_on_the_same_host() {
        let own = OwnServer { url: "/files", beside: &["/api"] };
        assert_eq!(destination("http://127.0.0.1:80/api/", own), ("http://127.0.0.1/files".to_owned(), false));
        assert_eq!(destination("http://127.0.0.1:80/", own), ("http://127.0.0.1/".to_owned(), false));
    }

    #[test]
    fn what_the_settings_say_of_an_operation_goes_before() {
        let mut settings = SystemSettings::external(Url::parse("https://eu.api.example.test/v2").unwrap());
        let said = Url::parse("https://files.sandbox.test").unwrap();
        let own = OperationSettings { base_url: Some(said.clone()), ..OperationSettings::default() };
        settings.operations.insert("files".to_owned(), own);
        let destination = Destination::of("files", Some(FILES), &settings).unwrap();
        assert_eq!(destination, Destination { base_url: Cow::Owned(said), is_foreign: false });
    }
}
