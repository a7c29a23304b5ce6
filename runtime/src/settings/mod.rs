//! What a system may be asked to do, checked once and readable at any moment.
//!
//! The guard and the client never see text: they read [`SystemSettings`], plain values that hold every rule
//! already, through a [`SystemHandle`], so that a reload changes all calls from the next one on. [`Settings`] makes
//! them from a file.

mod changes;
mod classes;
mod file;
mod handle;
mod health;
mod keys;
mod operation;
mod profile;
mod profiles;
mod reload;
mod rules;
mod schema;
mod values;
#[cfg(feature = "http")]
mod watch;
mod worst_case;

pub use crate::secret::Secret;
pub use changes::SettingChange;
pub use classes::{Counting, FailureClass, FailureClasses};
pub use file::{
    EffectiveSetting, EffectiveSettings, MissingSystem, SettingSource, Settings, SettingsError, SettingsFault,
    duration, process_variables,
};
pub use handle::SystemHandle;
pub use health::{HealthSettings, NoProbe, Probe};
pub use operation::{CallPolicy, OperationSettings};
pub use profile::Profile;
pub use schema::schema;
pub use values::{
    AdaptiveSettings, BreakerSettings, BudgetSettings, BulkheadSettings, FallbackSettings, HeaderSettings, LayerOrder,
    PoolSettings, ProxySettings, RateLimitSettings, RetrySettings, SystemSettings, Timeouts, TlsSettings,
};
pub use worst_case::DEADLINE_MARGIN;
