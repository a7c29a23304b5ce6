//! What the workbench asks of `roos`, in its own words. The adapter stays behind them.

use std::future::Future;

use super::domain::{NoSuchStore, Shortage};
use super::generated::adapter::RoosAdapter;
use super::mapper::RoosMapping;
use crate::integrations::failure::Failure;

/// Replenishment of stores.
pub trait Replenishment: Send + Sync {
    /// What a store runs out of, the worst first.
    fn shortages(&self, store: String) -> impl Future<Output = Result<Vec<Shortage>, Failure<NoSuchStore>>> + Send;
}

impl Replenishment for RoosAdapter<RoosMapping> {
    async fn shortages(&self, store: String) -> Result<Vec<Shortage>, Failure<NoSuchStore>> {
        Ok(self.list_shortages(store).await?)
    }
}
