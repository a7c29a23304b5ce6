//! Between the order service's charges and the payment service's JSON.

use cofferdam_runtime::{Mapping, MappingError, Refusal, StatusCode};

use super::domain::{Charge, ChargeRefused, ChargeState, NewCharge};
use super::generated::{operations, types};
use crate::money::{Currency, Money};

/// Translates between the order service's charges and `payment-service`.
#[derive(Debug, Clone, Copy, Default)]
pub struct PaymentServiceMapping;

// `POST /charges`
impl Mapping<operations::Charge> for PaymentServiceMapping {
    type Command = NewCharge;
    type Outcome = Charge;
    type Rejection = ChargeRefused;

    fn request(&self, charge: &NewCharge) -> Result<operations::ChargeRequest, MappingError> {
        let NewCharge { order, card, amount } = charge;
        if !amount.is_positive() {
            return Err(MappingError::new("an amount must be positive"));
        }
        let body = types::NewCharge {
            order_id: order.clone(),
            card_id: card.clone(),
            amount: amount.in_minor(),
            currency: amount.currency().letters().to_owned(),
        };
        Ok(operations::ChargeRequest { body })
    }

    fn outcome(&self, reply: types::Charge) -> Result<Charge, Refusal<ChargeRefused>> {
        Ok(charge(reply)?)
    }

    fn rejection(&self, _: StatusCode, body: operations::ChargeRejection) -> ChargeRefused {
        match body {
            operations::ChargeRejection::PaymentRequired(declined) => ChargeRefused::Declined(declined.reason),
            operations::ChargeRejection::ClientError { .. } | operations::ChargeRejection::ServerError { .. } => {
                ChargeRefused::Other
            }
        }
    }
}

// `GET /charges/{orderId}`
impl Mapping<operations::FindCharge> for PaymentServiceMapping {
    type Command = String;
    type Outcome = Charge;
    type Rejection = ChargeRefused;

    fn request(&self, order: &String) -> Result<operations::FindChargeRequest, MappingError> {
        Ok(operations::FindChargeRequest { order_id: order.clone() })
    }

    fn outcome(&self, reply: types::Charge) -> Result<Charge, Refusal<ChargeRefused>> {
        Ok(charge(reply)?)
    }

    fn rejection(&self, _: StatusCode, body: operations::FindChargeRejection) -> ChargeRefused {
        match body {
            operations::FindChargeRejection::NotFound(_) => ChargeRefused::Unknown,
            operations::FindChargeRejection::ServerError { .. } => ChargeRefused::Other,
        }
    }
}

fn charge(charge: types::Charge) -> Result<Charge, MappingError> {
    let types::Charge { charge_id, order_id, state, amount, currency } = charge;
    let state = match state {
        types::ChargeState::Captured => ChargeState::Captured,
        types::ChargeState::Pending => ChargeState::Pending,
        types::ChargeState::Unknown(word) => {
            return Err(MappingError::new(format!("a state this shop does not know: {word}")));
        }
    };
    let currency = Currency::of_letters(&currency)
        .ok_or_else(|| MappingError::new(format!("a currency this shop does not know: {currency}")))?;
    Ok(Charge { id: charge_id, order: order_id, state, amount: Money::minor(amount, currency) })
}
