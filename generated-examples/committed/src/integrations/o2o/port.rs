//! What the workbench asks of `o2o`, in its own words. The adapter stays behind them.

use std::future::Future;

use super::domain::{NoSuchStore, OrderSummary};
use super::generated::adapter::O2oAdapter;
use super::mapper::O2oMapping;
use crate::integrations::failure::Failure;

/// Orders that are fetched in a store.
pub trait OnlineOrders: Send + Sync {
    /// How many a store has to hand out.
    fn to_hand_out(&self, store: String) -> impl Future<Output = Result<OrderSummary, Failure<NoSuchStore>>> + Send;
}

impl OnlineOrders for O2oAdapter<O2oMapping> {
    async fn to_hand_out(&self, store: String) -> Result<OrderSummary, Failure<NoSuchStore>> {
        Ok(self.get_order_summary(store).await?)
    }
}
