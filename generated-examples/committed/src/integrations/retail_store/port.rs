//! What the workbench asks of `retail-store`, in its own words. The adapter stays behind them.

use std::future::Future;

use super::domain::{NoSuchStore, Store};
use super::generated::adapter::RetailStoreAdapter;
use super::mapper::RetailStoreMapping;
use crate::integrations::failure::Failure;

/// Stores.
pub trait Stores: Send + Sync {
    /// A store, as it is today.
    fn store(&self, store: String) -> impl Future<Output = Result<Store, Failure<NoSuchStore>>> + Send;
}

impl Stores for RetailStoreAdapter<RetailStoreMapping> {
    async fn store(&self, store: String) -> Result<Store, Failure<NoSuchStore>> {
        Ok(self.get_store(store).await?)
    }
}
