//! Templates of a team's own.

mod ejecting;
mod entries;
mod extras;
mod faults;
mod overriding;
mod points;
mod upgrading;

use crate::sandbox::Sandbox;

/// The project with a folder of templates.
pub(crate) fn sandbox() -> Sandbox {
    let sandbox = Sandbox::project();
    sandbox.replace("cofferdam.toml", "out =", "templates = \"templates\"\nout =");
    sandbox.write("templates/README.md", "Ours.\n");
    sandbox
}

pub(crate) const PORT: &str = "src/integrations/payments/port.rs";
pub(crate) const ADAPTER: &str = "src/integrations/payments/generated/adapter.rs";
