//! Output: which files a system becomes, and where they stand.

mod arrange;
mod relative;
mod rendered;
mod resilience;

pub(crate) use arrange::hand_written;
#[cfg(test)]
pub(crate) use arrange::items;
pub use arrange::{Layout, StubPlace, StubRoot, arrange, missing_stubs};
pub use relative::relative;
pub use rendered::{Beside, Rendered, RenderedModule, TrialPlace, render};
pub use resilience::{Resilience, Tests};
