//! What a system may be asked to do, checked once and readable at any moment.
//!
//! The guard and the client never see text: they read [`SystemSettings`], plain values that hold every rule
//! already, through a [`SystemHandle`], so that a reload changes all calls from the next one on. [`Settings`] makes
//! them from a file.

mod file;
mod handle;
mod operation;
mod profile;
mod profiles;
mod rules;
mod values;
mod worst_case;

pub use file::{MissingSystem, Settings, SettingsError, SettingsFault};
pub use handle::SystemHandle;
pub use operation::{CallPolicy, OperationSettings};
pub use profile::Profile;
pub use values::{
    BreakerSettings, BudgetSettings, BulkheadSettings, HeaderSettings, LayerOrder, PoolSettings, RateLimitSettings,
    RetrySettings, SystemSettings, Timeouts,
};
