//! Servers: the URLs that variables make.

use serde_json::Value;

use crate::case::Case;
use crate::vector::{items, members, text};

/// A function that tells the URL of every expectation of a vector about servers.
pub(crate) fn function(plan: &Value, case: &Case, vectors: &[Value]) -> String {
    let mut wanted: Vec<&String> = vectors
        .iter()
        .filter(|vector| text(vector, "kind") == "server" && text(vector, "case") == case.name)
        .flat_map(|vector| members(vector, "expect"))
        .map(|(name, _)| name)
        .filter(|name| *name != "url")
        .collect();
    wanted.sort();
    wanted.dedup();
    let lines: String = wanted
        .iter()
        .map(|name| {
            let url = url(plan, name).unwrap_or_else(|| "\"not representable\"".to_owned());
            format!("urls[{name:?}] = json!({url});\n")
        })
        .collect();
    let base = url(plan, "default").unwrap_or_else(|| "\"http://nowhere.test\"".to_owned());
    let own: String = items(plan, "operations")
        .enumerate()
        .map(|(index, operation)| {
            let (id, marker) = (text(operation, "id"), text(&operation["rust"], "marker"));
            format!("{id:?} => http.url::<{marker}>(&request_{index}(ask)?, None).map_err(unfit)?.to_string(),\n")
        })
        .collect();
    format!(
        "fn server(ask: &Ask) -> Result<Value, Unfit> {{\nlet mut urls = json!({{}});\n{lines}\
         let http = ask.http_at({:?}, &{base}.to_string(), credentials(ask))?;\n\
         let url: String = match text(&ask.vector[\"operation_id\"]) {{ {own} _ => return Ok(urls) }};\n\
         urls[\"url\"] = json!(url);\nOk(urls)\n}}\n",
        text(plan, "name")
    )
}

/// An expression for the URL of `default`, of a server by its constant's name, or of variables: `a=1,b=2`.
fn url(plan: &Value, wanted: &str) -> Option<String> {
    let templated = items(plan, "servers").find(|server| !server["type"].is_null());
    if wanted == "default" {
        return match templated {
            Some(server) => Some(format!("{}::default().url()", text(server, "type"))),
            None => items(plan, "servers").next().map(|server| text(server, "constant").to_owned()),
        };
    }
    if !wanted.contains('=') {
        let suffix = format!("::{}", wanted.to_uppercase());
        let named = items(plan, "servers").find(|server| text(server, "constant").ends_with(&suffix))?;
        return Some(text(named, "constant").to_owned());
    }
    let server = templated?;
    let mut fields = String::new();
    for pair in wanted.split(',') {
        let (name, value) = pair.split_once('=')?;
        let variable = items(server, "variables").find(|variable| text(variable, "name") == name)?;
        let field = text(variable, "field");
        match variable["type"].as_str() {
            Some(choice) => {
                let variant = variable["variants"].get(value)?.as_str()?;
                fields.push_str(&format!("{field}: {choice}::{variant}, "));
            }
            None => fields.push_str(&format!("{field}: {value:?}.to_owned(), ")),
        }
    }
    let ty = text(server, "type");
    Some(format!("{ty} {{ {fields} ..{ty}::default() }}.url()"))
}
