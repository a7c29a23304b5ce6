//! What the shop asks of an insurer, in its own words. The adapter stays behind them.

use std::future::Future;

use cofferdam_runtime::IdempotencyKey;
use cofferdam_runtime::http::ByteStream;

use super::domain::{Acceptance, InsuranceRefused, Offer, Policy, Wish};
use super::generated::adapter::InsuranceAdapter;
use super::mapper::InsuranceMapping;
use crate::integrations::failure::Failure;

/// What the insurer answers.
pub type InsuranceResult<T> = Result<T, Failure<InsuranceRefused>>;

/// An insurer, as the shop sees it.
pub trait Insurer: Send + Sync {
    /// Asks for an offer. It stores nothing, so it may be asked again.
    fn offer(&self, wish: Wish) -> impl Future<Output = InsuranceResult<Offer>> + Send;

    /// Takes an offer: one policy for a key, however often it is sent.
    fn issue(
        &self,
        acceptance: Acceptance,
        key: IdempotencyKey,
    ) -> impl Future<Output = InsuranceResult<Policy>> + Send;

    /// What a policy is worth.
    fn policy(&self, policy: String) -> impl Future<Output = InsuranceResult<Policy>> + Send;

    /// The document of a policy, in pieces as they come: it is never held as a whole.
    fn document(&self, policy: String) -> impl Future<Output = InsuranceResult<ByteStream>> + Send;
}

impl Insurer for InsuranceAdapter<InsuranceMapping> {
    async fn offer(&self, wish: Wish) -> InsuranceResult<Offer> {
        Ok(self.quote(wish).await?)
    }

    async fn issue(&self, acceptance: Acceptance, key: IdempotencyKey) -> InsuranceResult<Policy> {
        Ok(self.issue_policy(acceptance, key).await?)
    }

    async fn policy(&self, policy: String) -> InsuranceResult<Policy> {
        Ok(self.get_policy(policy).await?)
    }

    async fn document(&self, policy: String) -> InsuranceResult<ByteStream> {
        Ok(self.download_policy_stream(policy).await?)
    }
}
