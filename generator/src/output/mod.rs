//! Output: which files a system becomes, and where they stand.

mod arrange;
mod relative;
mod rendered;

pub(crate) use arrange::hand_written;
#[cfg(test)]
pub(crate) use arrange::items;
pub use arrange::{Layout, StubPlace, StubRoot, arrange, missing_stubs};
pub use relative::relative;
pub use rendered::{Rendered, RenderedModule, render};
