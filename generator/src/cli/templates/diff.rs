//! `cofferdam templates diff`

use cofferdam::templates::built_in;
use similar::TextDiff;

use super::NamedArguments;
use crate::cli::{Ended, output};

pub(super) fn run(arguments: &NamedArguments) -> Result<Ended, Ended> {
    let layered = arguments.place.layered()?;
    for name in arguments.chosen(&layered)? {
        let (Some(file), Some(text)) = (layered.file(&name), built_in(&name)) else { continue };
        let diff = TextDiff::from_lines(text, file.own());
        let diff =
            diff.unified_diff().context_radius(3).header(&format!("{name} (built in)"), &file.display).to_string();
        output::text(&diff);
    }
    Ok(Ended::Well)
}
