//! Between the shop's insurance and the insurer's JSON.

use cofferdam_runtime::{Bytes, Mapping, MappingError, Refusal, StatusCode};

use super::domain::{Acceptance, InsuranceRefused, Offer, Policy, PolicyState, Product, Wish};
use super::generated::{operations, types};
use crate::money::{Currency, Money};

/// Translates between the shop's insurance and `insurance`.
#[derive(Debug, Clone, Copy, Default)]
pub struct InsuranceMapping;

// `POST /quotes`
impl Mapping<operations::Quote> for InsuranceMapping {
    type Command = Wish;
    type Outcome = Offer;
    type Rejection = InsuranceRefused;

    fn request(&self, wish: &Wish) -> Result<operations::QuoteRequest, MappingError> {
        let Wish { product, amount, from, birth_years } = wish;
        if !amount.is_positive() {
            return Err(MappingError::new("an amount must be positive"));
        }
        let body = types::QuoteRequest {
            product: match product {
                Product::TicketRefund => types::QuoteRequestProduct::TicketRefund,
                Product::Accident => types::QuoteRequestProduct::Accident,
            },
            insured_amount: amount.in_minor(),
            currency: amount.currency().letters().to_owned(),
            from: *from,
            persons: birth_years.iter().map(|year| types::Person { birth_year: *year }).collect(),
        };
        Ok(operations::QuoteRequest { body })
    }

    fn outcome(&self, reply: types::Quote) -> Result<Offer, Refusal<InsuranceRefused>> {
        let types::Quote { quote_id, premium, currency, valid_until } = reply;
        Ok(Offer { id: quote_id, premium: money(premium, &currency)?, valid_until })
    }

    fn rejection(&self, _: StatusCode, body: operations::QuoteRejection) -> InsuranceRefused {
        match body {
            operations::QuoteRejection::UnprocessableEntity(refusal) => InsuranceRefused::WrongValue(refusal.reason),
            operations::QuoteRejection::ServerError { body, .. } => InsuranceRefused::Failed(body.reason),
        }
    }
}

// `POST /policies`
impl Mapping<operations::IssuePolicy> for InsuranceMapping {
    type Command = Acceptance;
    type Outcome = Policy;
    type Rejection = InsuranceRefused;

    fn request(&self, acceptance: &Acceptance) -> Result<operations::IssuePolicyRequest, MappingError> {
        let Acceptance { offer, order, name, email } = acceptance;
        let body = types::IssueRequest {
            quote_id: offer.clone(),
            order_number: order.clone(),
            holder: types::Holder { name: name.clone(), email: email.clone() },
        };
        Ok(operations::IssuePolicyRequest { body })
    }

    fn outcome(&self, reply: types::Policy) -> Result<Policy, Refusal<InsuranceRefused>> {
        Ok(policy(reply)?)
    }

    fn rejection(&self, _: StatusCode, body: operations::IssuePolicyRejection) -> InsuranceRefused {
        match body {
            operations::IssuePolicyRejection::Conflict(refusal) => InsuranceRefused::OfferNotValid(refusal.reason),
            operations::IssuePolicyRejection::UnprocessableEntity(refusal) => {
                InsuranceRefused::WrongValue(refusal.reason)
            }
            operations::IssuePolicyRejection::ServerError { body, .. } => InsuranceRefused::Failed(body.reason),
        }
    }
}

// `GET /policies/{policyId}`
impl Mapping<operations::GetPolicy> for InsuranceMapping {
    type Command = String;
    type Outcome = Policy;
    type Rejection = InsuranceRefused;

    fn request(&self, policy: &String) -> Result<operations::GetPolicyRequest, MappingError> {
        Ok(operations::GetPolicyRequest { policy_id: policy.clone() })
    }

    fn outcome(&self, reply: types::Policy) -> Result<Policy, Refusal<InsuranceRefused>> {
        Ok(policy(reply)?)
    }

    fn rejection(&self, _: StatusCode, body: operations::GetPolicyRejection) -> InsuranceRefused {
        match body {
            operations::GetPolicyRejection::NotFound(_) => InsuranceRefused::UnknownPolicy,
            operations::GetPolicyRejection::ServerError { body, .. } => InsuranceRefused::Failed(body.reason),
        }
    }
}

// `GET /policies/{policyId}/document`
impl Mapping<operations::DownloadPolicy> for InsuranceMapping {
    type Command = String;
    type Outcome = Bytes;
    type Rejection = InsuranceRefused;

    fn request(&self, policy: &String) -> Result<operations::DownloadPolicyRequest, MappingError> {
        Ok(operations::DownloadPolicyRequest { policy_id: policy.clone() })
    }

    fn outcome(&self, reply: Bytes) -> Result<Bytes, Refusal<InsuranceRefused>> {
        Ok(reply)
    }

    fn rejection(&self, _: StatusCode, body: operations::DownloadPolicyRejection) -> InsuranceRefused {
        match body {
            operations::DownloadPolicyRejection::NotFound(_) => InsuranceRefused::UnknownPolicy,
            operations::DownloadPolicyRejection::ServerError { body, .. } => InsuranceRefused::Failed(body.reason),
        }
    }
}

fn policy(policy: types::Policy) -> Result<Policy, MappingError> {
    let types::Policy { policy_id, number, state, premium, currency, comment: _ } = policy;
    let state = match state {
        types::PolicyState::Active => PolicyState::Active,
        types::PolicyState::Annulled => PolicyState::Annulled,
        types::PolicyState::Expired => PolicyState::Expired,
        types::PolicyState::Unknown(word) => {
            return Err(MappingError::new(format!("a state this shop does not know: {word}")));
        }
    };
    Ok(Policy { id: policy_id, number, state, premium: money(premium, &currency)? })
}

fn money(minor: i64, letters: &str) -> Result<Money, MappingError> {
    let currency = Currency::of_letters(letters);
    let currency =
        currency.ok_or_else(|| MappingError::new(format!("a currency this shop does not know: {letters}")))?;
    Ok(Money::minor(minor, currency))
}
