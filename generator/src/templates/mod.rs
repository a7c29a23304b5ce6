//! Templates that a team owns: folders in which a file takes the place of the built-in template of its name, and files
//! beside those that every system has. They are rendered by minijinja from the views that the built-in ones print.

mod engine;
mod extras;
mod faults;
pub mod filters;
mod includes;
mod layers;
mod own;
#[cfg(feature = "cli")]
mod schema;
mod stamp;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use minijinja::Environment;
use minijinja::value::Serde;
use minijinja::{Value, context};

#[cfg(test)]
pub(crate) use engine::bare as bare_environment;
pub use extras::project_files;
pub use layers::{Layered, TemplateFile, contents, listing, nearest_built_in};
#[cfg(feature = "cli")]
pub use schema::{context, contexts};
pub use stamp::{Stamp, base_path};

use crate::Planned;
use crate::diagnose::{Location, Report};
use crate::load::Sources;
use crate::project::{ExtraTemplate, TemplateSettings};
use crate::render::templates::BUILT_IN;
use crate::render::{ExtraFile, Renderer, Rendering, View};

/// Where templates of a team's own stand that take the place of no built-in one.
pub const OWN: &str = "own/";

/// Where the insertion points stand.
pub const POINTS: &str = "points/";

/// The text of a built-in template.
#[must_use]
pub fn built_in(name: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The templates of a team, read and understood.
#[derive(Debug)]
pub struct TeamTemplates {
    layered: Layered,
    environment: Environment<'static>,
    /// The built-in templates that come out different: they, or what they include, are in the team's folders.
    changed: BTreeSet<&'static str>,
    extras: Vec<ExtraTemplate>,
}

impl TeamTemplates {
    /// Reads the folders of a team. Every file that was read is remembered by `sources`. Everything wrong goes to the
    /// report; then there are none.
    pub fn load(settings: &TemplateSettings, sources: &mut Sources, report: &mut Report) -> Option<Self> {
        let before = faults::count(report);
        let layered = Layered::read(&settings.folders, sources, report);
        layered.tell_changed(report);
        let environment = engine::environment(&layered, report);
        includes::check(&layered, report);
        for extra in &settings.extras {
            own::check(&layered, extra, report);
        }
        let changed = includes::reached(&layered);
        (faults::count(report) == before).then(|| Self {
            layered,
            environment,
            changed,
            extras: settings.extras.clone(),
        })
    }

    /// The files in the team's folders.
    #[must_use]
    pub fn layered(&self) -> &Layered {
        &self.layered
    }

    /// Names behind `view.` in a template that no view of it has, each with the nearest one that it has.
    pub fn unknown_fields(&self, view: &View<'_>) -> Vec<(String, Option<String>)> {
        engine::unknown_fields(&self.environment, view)
    }

    fn text(&self, template: &str, context: Value) -> Result<String, minijinja::Error> {
        // As the built-in templates have it: both engines drop the line end at the end of a template.
        self.environment.get_template(template)?.render(context).map(|text| text + "\n")
    }
}

impl Renderer for TeamTemplates {
    fn name(&self) -> &str {
        "templates"
    }

    fn render(&self, view: View<'_>, planned: &Planned, report: &mut Report) -> Rendering {
        let template = view.template();
        if !self.changed.contains(template) {
            return Rendering::Left;
        }
        match self.text(template, context! { view => Value::from(Serde(&view)) }) {
            Ok(text) => Rendering::Text(text),
            Err(error) => {
                faults::of_view(self, &view, &planned.plan.system, &error, report);
                Rendering::Failed
            }
        }
    }

    fn fills(&self, point: &str) -> bool {
        self.layered.file(point).is_some()
    }

    fn files(&self, planned: &Planned, report: &mut Report) -> Vec<ExtraFile> {
        extras::files(self, planned, report)
    }

    fn source(&self, template: &str) -> Location {
        self.layered.location(template)
    }
}
