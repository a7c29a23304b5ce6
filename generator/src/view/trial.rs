use serde::Serialize;

use super::{VIEW_VERSION, literal};
use crate::model::{SecurityKind, SecurityScheme};
use crate::plan::SystemPlan;

/// What the resilience tests of a system run with: a hand-written file, created once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct TrialView {
    /// [`VIEW_VERSION`].
    pub view_version: u32,
    /// `sber`
    pub system: String,
    /// The path of the module that has mapping and credentials.
    pub root: String,
    /// `SberMapping`
    pub mapping: String,
    /// `SberCredentials`
    pub credentials: String,
    /// Whether a token is fetched for any credential.
    pub needs_tokens: bool,
    /// The name of the argument that is the server's address.
    pub server: String,
    /// The expression that gives credentials, line by line.
    pub credential_lines: Vec<String>,
    /// The expression that gives the settings, line by line.
    pub settings_lines: Vec<String>,
}

/// How wide a chain of calls may be before it is broken into lines, as rustfmt has it.
const CHAIN: usize = 60;

/// The view of what resilience tests run with. `settings` is the way to the settings file from the file it is for.
#[must_use]
pub fn trial(plan: &SystemPlan, root: &str, settings: Option<&str>) -> TrialView {
    let credentials = format!("{}Credentials", plan.type_prefix);
    let schemes = plan.api.security_schemes.iter().zip(&plan.names.schemes);
    let calls: Vec<String> = schemes.filter_map(|(scheme, name)| credential(scheme, name)).collect();
    let needs_tokens = calls.iter().any(|call| call.contains("{server}"));
    TrialView {
        view_version: VIEW_VERSION,
        system: plan.system.clone(),
        root: root.to_owned(),
        mapping: format!("{}Mapping", plan.type_prefix),
        needs_tokens,
        server: if needs_tokens { "server" } else { "_server" }.to_owned(),
        credential_lines: chain(&format!("{credentials}::new()"), &calls),
        credentials,
        settings_lines: settings_lines(&plan.system, settings),
    }
}

/// A call that gives a credential for a scheme. Secrets are no secrets: they go to a server of the test.
fn credential(scheme: &SecurityScheme, name: &str) -> Option<String> {
    Some(match &scheme.kind {
        SecurityKind::ApiKey { .. } | SecurityKind::Bearer => format!(".{name}(\"trial\")"),
        SecurityKind::Basic => format!(".{name}(\"trial\", \"trial\")"),
        SecurityKind::ClientCredentials { .. } => format!(
            ".{name}(ClientCredentials::new(\"trial\", \"trial\").token_url(format!(\"{{server}}{{TOKEN_PATH}}\")))"
        ),
        SecurityKind::Unsupported(_) => return None,
    })
}

/// A chain of calls as rustfmt lays it out.
fn chain(first: &str, calls: &[String]) -> Vec<String> {
    let line = format!("{first}{}", calls.concat());
    if calls.is_empty() || line.len() <= CHAIN {
        return vec![line];
    }
    let mut lines = vec![first.to_owned()];
    lines.extend(calls.iter().map(|call| format!("    {call}")));
    lines
}

fn settings_lines(system: &str, settings: Option<&str>) -> Vec<String> {
    match settings {
        Some(path) => {
            let name = path.rsplit('/').next().unwrap_or(path);
            vec![
                format!("let text = include_str!({});", literal(path)),
                format!("Ok(Settings::parse(text, {})?)", literal(name)),
            ]
        }
        None => {
            let text = format!("systems: {{ {system}: {{ base-url: 'http://127.0.0.1:9' }} }}");
            vec![format!("let text = {};", literal(&text)), "Ok(Settings::parse(text, \"trial\")?)".to_owned()]
        }
    }
}
