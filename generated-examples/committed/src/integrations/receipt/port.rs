//! What the shop asks of the receipt service, in its own words. The adapter stays behind them.

use std::future::Future;

use super::domain::{Fate, HandedIn, Receipt, ReceiptQuery, ReceiptRefused};
use super::generated::adapter::ReceiptAdapter;
use super::mapper::ReceiptMapping;
use crate::integrations::failure::Failure;

/// What the service answers.
pub type ReceiptResult<T> = Result<T, Failure<ReceiptRefused>>;

/// A service that has receipts written, as the shop sees it: a receipt is handed in, then asked about until its fate is
/// known. The asking is no loop of this port: whoever asks keeps the number where it outlives the process, and asks again
/// later (R-RES-ASYNC-1).
pub trait Receipts: Send + Sync {
    /// Hands in the receipt of a sale. Handed in again, it is answered with the number of the first time.
    fn hand_in(&self, receipt: Receipt) -> impl Future<Output = ReceiptResult<HandedIn>> + Send;

    /// Hands in the receipt of a refund, likewise.
    fn hand_in_refund(&self, receipt: Receipt) -> impl Future<Output = ReceiptResult<HandedIn>> + Send;

    /// What became of a receipt so far.
    fn fate(&self, query: ReceiptQuery) -> impl Future<Output = ReceiptResult<Fate>> + Send;
}

impl Receipts for ReceiptAdapter<ReceiptMapping> {
    async fn hand_in(&self, receipt: Receipt) -> ReceiptResult<HandedIn> {
        once_only(self.sell(receipt).await.map_err(Failure::from))
    }

    async fn hand_in_refund(&self, receipt: Receipt) -> ReceiptResult<HandedIn> {
        once_only(self.sell_refund(receipt).await.map_err(Failure::from))
    }

    async fn fate(&self, query: ReceiptQuery) -> ReceiptResult<Fate> {
        Ok(self.get_report(query).await?)
    }
}

/// A receipt that was there before is as good as one that was taken now.
fn once_only(answer: ReceiptResult<HandedIn>) -> ReceiptResult<HandedIn> {
    match answer {
        Err(Failure::Refused { why: ReceiptRefused::Duplicate(uuid), .. }) => Ok(HandedIn { uuid, before: true }),
        other => other,
    }
}
