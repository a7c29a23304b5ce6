//! Where a system is, and what it wants to see before it answers.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::analyse::server_names;
use crate::model::{Requirement, SecurityKind};
use crate::plan::SystemPlan;
use crate::render;

/// A server the document names, for all operations or for some.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ServerDocument {
    /// Its URL as written.
    pub url: String,
    /// The constant that holds it, when the URL has no variables.
    pub constant: Option<String>,
    /// The struct of its variables, when it has some: `Default`, and `url()`.
    #[serde(rename = "type")]
    pub ty: Option<String>,
    /// The variables in document order.
    pub variables: Vec<ServerVariableDocument>,
}

/// A variable of a server's URL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ServerVariableDocument {
    /// Its name in the URL.
    pub name: String,
    /// Its default.
    pub default: String,
    /// Its field in the struct.
    pub field: String,
    /// The enum of its allowed values; `None` for a `String` that may be anything.
    #[serde(rename = "type")]
    pub ty: Option<String>,
    /// The variant of each allowed value.
    pub variants: Map<String, Value>,
}

/// A security scheme.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct CredentialDocument {
    /// Its name in the document.
    pub scheme: String,
    /// `api-key`, `basic`, `bearer`, `client-credentials`, or `unsupported`.
    pub kind: &'static str,
    /// The method of the credentials that takes it; `None` for what is not supported.
    pub method: Option<String>,
}

pub(super) fn servers(plan: &SystemPlan) -> Vec<ServerDocument> {
    let servers = render::listed_servers(plan);
    let path = |name: &str| format!("client::servers::{name}");
    let named = servers.iter().zip(server_names(&servers));
    named
        .map(|(server, names)| {
            let has_variables = !server.variables.is_empty();
            let variables = server.variables.iter().zip(&names.variables);
            ServerDocument {
                url: server.url.clone(),
                constant: (!has_variables).then(|| path(&names.constant)),
                ty: has_variables.then(|| path(&names.item)),
                variables: variables
                    .map(|(variable, names)| ServerVariableDocument {
                        name: variable.name.clone(),
                        default: variable.default.clone(),
                        field: names.field.clone(),
                        ty: (!variable.allowed.is_empty()).then(|| path(&names.item)),
                        variants: super::texts(variable.allowed.iter().zip(&names.variants)),
                    })
                    .collect(),
            }
        })
        .collect()
}

pub(super) fn credentials(plan: &SystemPlan) -> Vec<CredentialDocument> {
    let schemes = plan.api.security_schemes.iter().zip(&plan.names.schemes);
    schemes
        .map(|(scheme, method)| {
            let kind = match scheme.kind {
                SecurityKind::ApiKey { .. } => "api-key",
                SecurityKind::Basic => "basic",
                SecurityKind::Bearer => "bearer",
                SecurityKind::ClientCredentials { .. } => "client-credentials",
                SecurityKind::Unsupported(_) => "unsupported",
            };
            CredentialDocument {
                scheme: scheme.name.clone(),
                kind,
                method: (kind != "unsupported").then(|| method.clone()),
            }
        })
        .collect()
}

/// The ways to be allowed to call an operation; `None` when the document says nothing.
pub(super) fn security(alternatives: Option<&[Requirement]>) -> Option<Vec<Map<String, Value>>> {
    let schemes = |requirement: &Requirement| {
        let schemes = requirement.schemes.iter();
        schemes.map(|(scheme, scopes)| (scheme.clone(), Value::from(scopes.clone()))).collect()
    };
    Some(alternatives?.iter().map(schemes).collect())
}
