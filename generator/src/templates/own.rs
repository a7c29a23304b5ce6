//! Templates for outputs of a team's own.

use super::{Layered, OWN, built_in, includes};
use crate::diagnose::{Report, Severity, nearest};
use crate::project::ExtraTemplate;

/// Whether the template of an extra output is there.
pub(super) fn check(layered: &Layered, extra: &ExtraTemplate, report: &mut Report) {
    let name = extra.template.value.as_str();
    let fault = if built_in(name).is_some() {
        let help = format!("an extra output has a template of its own, in `{OWN}`");
        (format!("`{name}` is a built-in template"), help)
    } else if layered.file(name).is_some() {
        return;
    } else {
        let own = layered.names().filter(|name| name.starts_with(OWN));
        let help = match nearest(name, own) {
            Some(near) => format!("`{near}` is meant?"),
            None => format!("it is looked for in the folders of `templates`, by a name that begins with `{OWN}`"),
        };
        (format!("there is no template `{name}`"), help)
    };
    report.at(Severity::Error, "CD-TEMPLATE-NAME", extra.template.at.clone(), fault.0, fault.1);
}

impl Layered {
    /// The team's own templates that nothing uses: no extra output of `used`, and no other template.
    #[must_use]
    pub fn unused<'l>(&'l self, used: &[&str]) -> Vec<&'l str> {
        let taken = includes::taken(self);
        let own = self.files().map(|(name, _)| name).filter(|name| name.starts_with(OWN));
        own.filter(|name| !used.contains(name) && !taken.contains(name)).collect()
    }
}
