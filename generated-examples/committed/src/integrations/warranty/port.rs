//! What the workbench asks of `warranty`, in its own words. The adapter stays behind them.

use std::future::Future;

use super::domain::{Claim, NoSuchStore};
use super::generated::adapter::WarrantyAdapter;
use super::mapper::WarrantyMapping;
use crate::integrations::failure::Failure;

/// Warranty claims.
pub trait Claims: Send + Sync {
    /// The claims of a store, the oldest first.
    fn waiting(&self, store: String) -> impl Future<Output = Result<Vec<Claim>, Failure<NoSuchStore>>> + Send;
}

impl Claims for WarrantyAdapter<WarrantyMapping> {
    async fn waiting(&self, store: String) -> Result<Vec<Claim>, Failure<NoSuchStore>> {
        Ok(self.list_claims(store).await?)
    }
}
