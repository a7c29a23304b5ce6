//! minijinja, set up to print what askama prints.

use std::collections::BTreeSet;

use minijinja::{AutoEscape, Environment, UndefinedBehavior};

use super::{Layered, faults, filters};
use crate::diagnose::{Report, nearest};
use crate::render::View;

/// The environment of all templates, built-in ones among them. Faults of syntax go to the report.
pub(super) fn environment(layered: &Layered, report: &mut Report) -> Environment<'static> {
    let mut environment = bare();
    for name in layered.names() {
        let text = layered.text(name).unwrap_or_default();
        if let Err(error) = environment.add_template_owned(name.to_owned(), text.to_owned()) {
            faults::of_syntax(layered, name, text, &error, report);
        }
    }
    environment
}

/// An environment without templates. What is not there is an error, and nothing is escaped for HTML.
pub(crate) fn bare() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_debug(true);
    filters::add(&mut environment);
    environment
}

/// Names behind `view.` in a template that its view does not have, each with the nearest one.
pub(super) fn unknown_fields(environment: &Environment<'_>, view: &View<'_>) -> Vec<(String, Option<String>)> {
    let Ok(template) = environment.get_template(view.template()) else { return Vec::new() };
    let Ok(serde_json::Value::Object(known)) = serde_json::to_value(view) else { return Vec::new() };
    let used: BTreeSet<String> = template.undeclared_variables(true).into_iter().collect();
    let fields = used.iter().filter_map(|name| name.strip_prefix("view.")?.split('.').next());
    let unknown: BTreeSet<&str> = fields.filter(|field| !known.contains_key(*field)).collect();
    let near = |field: &str| nearest(field, known.keys().map(String::as_str)).map(str::to_owned);
    unknown.into_iter().map(|field| (field.to_owned(), near(field))).collect()
}
