//! Output: which files a system becomes, and where they stand.

mod arrange;
mod rendered;

pub use arrange::{Layout, StubPlace, StubRoot, arrange};
pub(crate) use arrange::{hand_written, items};
pub use rendered::{Rendered, RenderedModule, render};
