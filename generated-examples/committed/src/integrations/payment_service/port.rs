//! What the order service asks of the payment service, in its own words. The adapter stays behind them.

use std::future::Future;

use cofferdam_runtime::IdempotencyKey;
use cofferdam_runtime::fallback::Confirmation;

use super::domain::{Charge, ChargeRefused, ChargeResult, NewCharge};
use super::generated::adapter::PaymentServiceAdapter;
use super::generated::operations;
use super::mapper::PaymentServiceMapping;
use crate::integrations::failure::Failure;

/// What the payment service answers.
pub type ChargingResult<T> = Result<T, Failure<ChargeRefused>>;

/// The payment service, as the order service sees it.
pub trait Charging: Send + Sync {
    /// Charges a card. Without an answer the charge is unconfirmed, and the order waits until somebody has found out.
    fn charge(
        &self,
        charge: NewCharge,
        key: IdempotencyKey,
    ) -> impl Future<Output = ChargingResult<ChargeResult>> + Send;

    /// The charge of an order: how an unconfirmed one is found out about.
    fn find(&self, order: String) -> impl Future<Output = ChargingResult<Charge>> + Send;
}

impl Charging for PaymentServiceAdapter<PaymentServiceMapping> {
    async fn charge(&self, charge: NewCharge, key: IdempotencyKey) -> ChargingResult<ChargeResult> {
        let order = charge.order.clone();
        let fallback = self.guard().unconfirmed(operations::Charge);
        let call = PaymentServiceAdapter::charge(self, charge, key);
        Ok(match fallback.answer(call).await? {
            Confirmation::Done(charge) => ChargeResult::Made(charge),
            Confirmation::Unconfirmed { delivery, code, .. } => ChargeResult::Unconfirmed { order, delivery, code },
        })
    }

    async fn find(&self, order: String) -> ChargingResult<Charge> {
        Ok(self.find_charge(order).await?)
    }
}
