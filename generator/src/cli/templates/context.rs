//! `cofferdam templates context`

use cofferdam::diagnose::nearest;
use cofferdam::render::templates::BUILT_IN;
use cofferdam::templates::{context, contexts};

use super::ContextArguments;
use crate::cli::{Ended, output};

pub(super) fn run(arguments: &ContextArguments) -> Result<Ended, Ended> {
    let Some(name) = &arguments.name else {
        output::line(&format!("{:#}", contexts()));
        return Ok(Ended::Well);
    };
    let Some(schema) = context(name) else {
        let pages = ["project", "system", "tag", "operation", "schema"];
        let known = BUILT_IN.iter().map(|(name, _)| *name).chain(pages);
        let help = match nearest(name, known) {
            Some(near) => format!("`{near}` is meant?"),
            None => "`cofferdam templates list` prints them all".to_owned(),
        };
        output::say(&format!("error: there is no template `{name}`; {help}"));
        return Err(Ended::Faults);
    };
    output::line(&format!("{schema:#}"));
    Ok(Ended::Well)
}
