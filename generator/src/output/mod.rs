//! Output: which files a system becomes, and where they stand.

mod arrange;
mod extra;
mod relative;
mod rendered;
mod resilience;
mod text;
mod trial_run;

pub(crate) use arrange::items;
pub use arrange::{
    Layout, MissingParts, StubPlace, StubRoot, arrange, hand_written_files, missing_parts, missing_stubs,
};
pub(crate) use arrange::{hand_written, listed};
pub(crate) use extra::extra;
pub use extra::{PROJECT, extra_of_project};
pub use relative::relative;
pub use rendered::{Beside, Rendered, RenderedModule, TrialPlace, render};
pub use resilience::{Resilience, Tests};
pub use trial_run::try_all;
