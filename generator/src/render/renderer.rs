//! Who makes a text of a view: the built-in templates, a team's own, or code of whoever uses this library.

use std::fmt::Debug;

use super::templates::View;
use crate::Planned;
use crate::diagnose::{Location, Report};

/// Makes files of a plan, in the place of the built-in templates or beside them.
///
/// Those of a [`Planned`] are asked in their order, and the first that does not leave a view to the next one makes its
/// text; what all leave is made by the built-in template. A team's templates are one, the last.
///
/// ```
/// use cofferdam::Planned;
/// use cofferdam::diagnose::Report;
/// use cofferdam::render::{ExtraFile, Renderer, Rendering, View};
///
/// /// A port of our own, and a list of the operations.
/// #[derive(Debug)]
/// struct House;
///
/// impl Renderer for House {
///     fn name(&self) -> &str {
///         "house"
///     }
///
///     fn render(&self, view: View<'_>, _planned: &Planned, _report: &mut Report) -> Rendering {
///         match view {
///             View::Port(port) => Rendering::Text(format!("pub trait {} {{}}\n", port.port)),
///             _ => Rendering::Left,
///         }
///     }
///
///     fn files(&self, planned: &Planned, _report: &mut Report) -> Vec<ExtraFile> {
///         let ids: Vec<&str> = planned.plan.operations.iter().map(|one| planned.plan.operation(one).id.as_str()).collect();
///         vec![ExtraFile { path: "operations.txt".to_owned(), text: ids.join("\n"), source: None }]
///     }
/// }
/// ```
pub trait Renderer: Debug + Send + Sync {
    /// Its name, for messages and the lock.
    fn name(&self) -> &str;

    /// The text of a view. A text for a Rust file must be Rust: it is checked.
    fn render(&self, view: View<'_>, planned: &Planned, report: &mut Report) -> Rendering {
        let _ = (view, planned, report);
        Rendering::Left
    }

    /// Whether it fills an insertion point that the plan has to know of (`points/method-after.rs.jinja`).
    fn fills(&self, point: &str) -> bool {
        let _ = point;
        false
    }

    /// More files of a system. A file that cannot be made is told in the report.
    fn files(&self, planned: &Planned, report: &mut Report) -> Vec<ExtraFile> {
        let _ = (planned, report);
        Vec::new()
    }

    /// Where its text of a template is written, for messages.
    fn source(&self, template: &str) -> Location {
        let _ = template;
        Location::file(self.name())
    }
}

/// What a renderer makes of a view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rendering {
    /// The whole text of the file, without the first line of generated Rust files.
    Text(String),
    /// Nothing: it is left to the next renderer.
    Left,
    /// Nothing, for a reason that has been told in the report.
    Failed,
}

/// A file beside those that every system has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtraFile {
    /// Its path below the folder of the system, with `/` between names. It cannot leave it.
    pub path: String,
    /// Its whole text. A Rust file gets the first line of generated files in front.
    pub text: String,
    /// Where it comes from, for messages; the renderer's name when nothing is said.
    pub source: Option<Location>,
}
