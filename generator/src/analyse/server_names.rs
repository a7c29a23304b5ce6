//! What servers and their variables are called.

use super::collisions::{Scope, Wanted};
use super::identifiers::{Case, bare, identifier};
use crate::model::{Server, ServerVariable};

/// A description longer than this is no name.
const MOST_WORDS: usize = 4;

/// Names of a server.
#[derive(Debug, Clone)]
pub(crate) struct ServerNames {
    /// `SANDBOX`, for a URL without variables.
    pub(crate) constant: String,
    /// `Sandbox`, for one with variables.
    pub(crate) item: String,
    /// Names of the variables, in document order.
    pub(crate) variables: Vec<VariableNames>,
}

/// Names of a variable of a server.
#[derive(Debug, Clone)]
pub(crate) struct VariableNames {
    /// The field.
    pub(crate) field: String,
    /// The enum of its allowed values.
    pub(crate) item: String,
    /// Variants of that enum.
    pub(crate) variants: Vec<String>,
}

/// Names servers by their descriptions, or by number.
pub(crate) fn server_names(servers: &[&Server]) -> Vec<ServerNames> {
    let mut scope = Scope::new(Case::Camel);
    // `Default` is implemented, `String` is used.
    ["Default", "String", "Self"].iter().for_each(|name| scope.reserve(name));
    let items: Vec<String> = servers.iter().map(|server| scope.give(&wanted(server))).collect();
    let named = servers.iter().zip(items);
    named
        .map(|(server, item)| ServerNames {
            constant: bare(&identifier(&item, Case::Snake)).to_uppercase(),
            variables: variables(server, &item, &mut scope),
            item,
        })
        .collect()
}

fn wanted(server: &Server) -> Wanted {
    let words: Vec<&str> = server.description.as_deref().unwrap_or_default().split_whitespace().collect();
    let is_name = (1..=MOST_WORDS).contains(&words.len());
    let name = if is_name { identifier(&words.join(" "), Case::Camel) } else { "Server".to_owned() };
    Wanted::composed(name, vec!["Server".to_owned()])
}

fn variables(server: &Server, item: &str, scope: &mut Scope) -> Vec<VariableNames> {
    let wanted: Vec<Wanted> =
        server.variables.iter().map(|variable| Wanted::text(&variable.name, Case::Snake)).collect();
    let fields = Scope::new(Case::Snake).assign(&wanted);
    let named = server.variables.iter().zip(fields);
    named
        .map(|(variable, field)| {
            let name = format!("{}{}", item.trim_end_matches('_'), identifier(&variable.name, Case::Camel));
            let item = match variable.allowed.is_empty() {
                true => String::new(),
                false => scope.give(&Wanted::composed(name, Vec::new())),
            };
            VariableNames { field, item, variants: variants(variable) }
        })
        .collect()
}

fn variants(variable: &ServerVariable) -> Vec<String> {
    let wanted: Vec<Wanted> = variable.allowed.iter().map(|value| Wanted::value(value)).collect();
    Scope::new(Case::Camel).assign(&wanted)
}
