use serde_json::{Map, Value};

use super::context::Lowering;
use crate::model::{Server, ServerVariable};
use crate::resolve::{Node, wrong_type};

impl<'a> Lowering<'a> {
    /// The servers that a document, path item or operation lists.
    pub(super) fn servers(&mut self, holder: &Node<'a>) -> Vec<Server> {
        let nodes = holder.list("servers", &mut self.findings);
        nodes.iter().filter_map(|node| self.server(node)).collect()
    }

    fn server(&mut self, node: &Node<'a>) -> Option<Server> {
        let map = node.object(&mut self.findings)?;
        let mut texts = self.texts_of(node, map, &["url", "description"]);
        let mut variables = Map::new();
        for (name, variable) in node.entries("variables", &mut self.findings) {
            if let Some(read) = self.server_variable(name, &variable) {
                variables.insert(name.to_owned(), read);
            }
        }
        texts.insert("variables".to_owned(), Value::Object(variables));
        let server = match serde_json::from_value::<openapiv3::Server>(Value::Object(texts)) {
            Ok(server) => server,
            Err(error) => {
                self.findings.error("CD-SERVER", &node.origin, format!("this is not a server: {error}"), "");
                return None;
            }
        };
        let mut variables: Vec<_> = server.variables.unwrap_or_default().into_iter().map(variable).collect();
        self.check_variables(node, &server.url, &mut variables);
        Some(Server { url: server.url, description: server.description, variables })
    }

    /// A variable as `openapiv3` reads it, its texts made texts.
    fn server_variable(&mut self, name: &str, node: &Node<'a>) -> Option<Value> {
        let map = node.object(&mut self.findings)?;
        let mut texts = self.texts_of(node, map, &["default", "description"]);
        let mut allowed = Vec::new();
        for value in node.list("enum", &mut self.findings) {
            match value.value {
                Value::String(_) => allowed.push(value.value.clone()),
                Value::Number(_) | Value::Bool(_) => allowed.push(Value::String(value.value.to_string())),
                other => wrong_type(&value.origin, "a string", other, &mut self.findings),
            }
        }
        if !texts.contains_key("default") {
            // The first allowed value is the best guess at what a missing default would be.
            let (default, message) = match allowed.first() {
                Some(first) => (first.clone(), format!("a server variable has no `default`: {first} is taken")),
                None => (Value::String(placeholder(name)), format!("the server variable `{name}` has no `default`")),
            };
            self.findings.warning("CD-SERVER", &node.origin, message, "give it a `default`");
            texts.insert("default".to_owned(), default);
        }
        texts.insert("enum".to_owned(), Value::Array(allowed));
        Some(Value::Object(texts))
    }

    /// Tells what is wrong with the variables, and adds those of the URL that nobody describes.
    fn check_variables(&mut self, node: &Node<'a>, url: &str, variables: &mut Vec<ServerVariable>) {
        for variable in variables.iter() {
            if !variable.allowed.is_empty() && !variable.allowed.contains(&variable.default) {
                let message =
                    format!("the default `{}` of `{}` is none of its values", variable.default, variable.name);
                self.findings.warning("CD-SERVER", &node.origin, message, "add it to `enum`");
            }
        }
        for name in url.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(name, _)| name) {
            if !variables.iter().any(|variable| variable.name == name) {
                let message = format!("the URL has a variable `{name}` that `variables` does not describe");
                self.findings.warning("CD-SERVER", &node.at("url"), message, "describe it with a `default`");
                variables.push(ServerVariable {
                    name: name.to_owned(),
                    default: placeholder(name),
                    allowed: Vec::new(),
                });
            }
        }
    }
}

/// What stands in a URL for a variable without a value: what is written there.
fn placeholder(name: &str) -> String {
    format!("{{{name}}}")
}

fn variable((name, variable): (String, openapiv3::ServerVariable)) -> ServerVariable {
    ServerVariable { name, default: variable.default, allowed: variable.enumeration }
}
