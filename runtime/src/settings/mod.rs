//! What a system may be asked to do, checked once and readable at any moment.
//!
//! The guard and the client never see text: they read [`SystemSettings`], plain values that hold every rule
//! already, through a [`SystemHandle`], so that a reload changes all calls from the next one on.

mod handle;
mod operation;
mod profiles;
mod values;

pub use handle::SystemHandle;
pub use operation::{CallPolicy, OperationSettings};
pub use values::{
    BreakerSettings, BudgetSettings, BulkheadSettings, HeaderSettings, LayerOrder, PoolSettings, RetrySettings,
    SystemSettings, Timeouts,
};
