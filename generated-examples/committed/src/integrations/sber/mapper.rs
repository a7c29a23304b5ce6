//! Between the shop's payments and the gateway's forms and replies.
//!
//! Everything is taken apart field by field. When the document gains or drops a field, the compiler stops here, at that
//! field: that is the point.
//!
//! The gateway answers 200 to everything; how it went stands in `errorCode`. Its code 7 is the gateway's own failure:
//! it counts against it in the breaker, and a read or a registration is tried again. All other codes are healthy
//! answers, even if they are a no.

use cofferdam_runtime::{Mapping, MappingError, NoRejection, Refusal, StatusCode, Verdict};

use super::domain::{
    Cancellation, Currency, Money, NewOrder, OrderQuery, Payment, PaymentRefused, PaymentState, RegisteredOrder,
    Transfer,
};
use super::generated::{operations, types};

/// Translates between the shop's payments and `sber`.
#[derive(Debug, Clone, Copy, Default)]
pub struct SberMapping;

// `POST /register.do`
impl Mapping<operations::RegisterOrder> for SberMapping {
    type Command = NewOrder;
    type Outcome = RegisteredOrder;
    type Rejection = PaymentRefused;

    fn request(&self, order: &NewOrder) -> Result<operations::RegisterOrderRequest, MappingError> {
        Ok(operations::RegisterOrderRequest { body: order_form(order)? })
    }

    fn verdict(&self, reply: &operations::RegisterOrderReply) -> Verdict {
        health(reply.error_code.as_deref())
    }

    fn outcome(&self, reply: operations::RegisterOrderReply) -> Result<RegisteredOrder, Refusal<PaymentRefused>> {
        registered(reply)
    }

    fn rejection(&self, status: StatusCode, body: NoRejection) -> PaymentRefused {
        body.never(status)
    }
}

// `POST /registerPreAuth.do`
impl Mapping<operations::RegisterPreAuth> for SberMapping {
    type Command = NewOrder;
    type Outcome = RegisteredOrder;
    type Rejection = PaymentRefused;

    fn request(&self, order: &NewOrder) -> Result<operations::RegisterPreAuthRequest, MappingError> {
        Ok(operations::RegisterPreAuthRequest { body: order_form(order)? })
    }

    fn verdict(&self, reply: &operations::RegisterPreAuthReply) -> Verdict {
        health(reply.error_code.as_deref())
    }

    fn outcome(&self, reply: operations::RegisterPreAuthReply) -> Result<RegisteredOrder, Refusal<PaymentRefused>> {
        registered(reply)
    }

    fn rejection(&self, status: StatusCode, body: NoRejection) -> PaymentRefused {
        body.never(status)
    }
}

// `POST /getOrderStatusExtended.do`
impl Mapping<operations::GetOrderStatus> for SberMapping {
    type Command = OrderQuery;
    type Outcome = Payment;
    type Rejection = PaymentRefused;

    fn request(&self, query: &OrderQuery) -> Result<operations::GetOrderStatusRequest, MappingError> {
        let (order_id, order_number) = match query {
            OrderQuery::Id(id) => (Some(id.clone()), None),
            OrderQuery::Number(number) => (None, Some(number.clone())),
        };
        Ok(operations::GetOrderStatusRequest {
            body: types::OrderStatusForm { order_id, order_number, language: None },
        })
    }

    fn verdict(&self, reply: &operations::GetOrderStatusReply) -> Verdict {
        health(reply.error_code.as_deref())
    }

    fn outcome(&self, reply: operations::GetOrderStatusReply) -> Result<Payment, Refusal<PaymentRefused>> {
        // What a shop asks for; the rest of the reply is for the gateway's own pages.
        let types::OrderStatusResult { error_code, order_number, order_status, amount, currency, attributes, .. } =
            reply;
        done(error_code)?;
        let named = attributes.unwrap_or_default().into_iter().find(|one| one.name == "mdOrder");
        Ok(Payment {
            gateway_order: named.and_then(|one| one.value),
            number: order_number.ok_or(MappingError::new("an order without a number"))?,
            state: state(&order_status.ok_or(MappingError::new("an order without a state"))?)?,
            amount: money(amount.ok_or(MappingError::new("an order without an amount"))?, currency.as_deref())?,
        })
    }

    fn rejection(&self, status: StatusCode, body: NoRejection) -> PaymentRefused {
        body.never(status)
    }
}

// `POST /deposit.do`
impl Mapping<operations::Deposit> for SberMapping {
    type Command = Transfer;
    type Outcome = ();
    type Rejection = PaymentRefused;

    fn request(&self, transfer: &Transfer) -> Result<operations::DepositRequest, MappingError> {
        let Transfer { order_id, amount } = transfer;
        let body = types::DepositForm { order_id: order_id.clone(), amount: some_amount(*amount)?, language: None };
        Ok(operations::DepositRequest { body })
    }

    fn verdict(&self, reply: &operations::DepositReply) -> Verdict {
        health(Some(&reply.error_code))
    }

    fn outcome(&self, reply: operations::DepositReply) -> Result<(), Refusal<PaymentRefused>> {
        operated(reply)
    }

    fn rejection(&self, status: StatusCode, body: NoRejection) -> PaymentRefused {
        body.never(status)
    }
}

// `POST /reverse.do`
impl Mapping<operations::Reverse> for SberMapping {
    type Command = Cancellation;
    type Outcome = ();
    type Rejection = PaymentRefused;

    fn request(&self, cancellation: &Cancellation) -> Result<operations::ReverseRequest, MappingError> {
        let Cancellation { order_id } = cancellation;
        Ok(operations::ReverseRequest { body: types::ReverseForm { order_id: order_id.clone(), language: None } })
    }

    fn verdict(&self, reply: &operations::ReverseReply) -> Verdict {
        health(Some(&reply.error_code))
    }

    fn outcome(&self, reply: operations::ReverseReply) -> Result<(), Refusal<PaymentRefused>> {
        operated(reply)
    }

    fn rejection(&self, status: StatusCode, body: NoRejection) -> PaymentRefused {
        body.never(status)
    }
}

// `POST /refund.do`
impl Mapping<operations::Refund> for SberMapping {
    type Command = Transfer;
    type Outcome = ();
    type Rejection = PaymentRefused;

    fn request(&self, transfer: &Transfer) -> Result<operations::RefundRequest, MappingError> {
        let Transfer { order_id, amount } = transfer;
        let body = types::RefundForm { order_id: order_id.clone(), amount: some_amount(*amount)?, language: None };
        Ok(operations::RefundRequest { body })
    }

    fn verdict(&self, reply: &operations::RefundReply) -> Verdict {
        health(Some(&reply.error_code))
    }

    fn outcome(&self, reply: operations::RefundReply) -> Result<(), Refusal<PaymentRefused>> {
        operated(reply)
    }

    fn rejection(&self, status: StatusCode, body: NoRejection) -> PaymentRefused {
        body.never(status)
    }
}

/// Both registrations take the same form. What the shop does not use is left out, by name.
fn order_form(order: &NewOrder) -> Result<types::RegisterOrderForm, MappingError> {
    let NewOrder { number, amount, return_url, description } = order;
    Ok(types::RegisterOrderForm {
        order_number: number.clone(),
        amount: some_amount(*amount)?,
        return_url: return_url.clone(),
        description: description.clone(),
        // Without a number the gateway takes roubles.
        currency: (amount.currency() != Currency::Rub).then(|| amount.currency().number().to_owned()),
        fail_url: None,
        language: None,
        page_view: None,
        client_id: None,
        json_params: None,
        session_timeout_secs: None,
        expiration_date: None,
    })
}

/// Money that is really moved. The gateway takes a deposit of 0 for "all of it": nobody shall say that by accident.
fn some_amount(amount: Money) -> Result<i64, MappingError> {
    match amount.is_positive() {
        true => Ok(amount.in_minor()),
        false => Err(MappingError::new("an amount must be positive")),
    }
}

/// What the gateway tells of an amount: the currency is a number, the rouble when absent.
fn money(minor: i64, number: Option<&str>) -> Result<Money, MappingError> {
    let currency = number.map_or(Some(Currency::Rub), Currency::of_number);
    let currency = currency.ok_or(MappingError::new("a currency this shop does not know"))?;
    Ok(Money::minor(minor, currency))
}

fn registered(reply: types::RegisterOrderResult) -> Result<RegisteredOrder, Refusal<PaymentRefused>> {
    // The message is for people and may change: it goes to the log, not to the domain.
    let types::RegisterOrderResult { order_id, form_url, error_code, error_message: _ } = reply;
    done(error_code)?;
    match (order_id, form_url) {
        (Some(id), Some(payment_page)) => Ok(RegisteredOrder { id, payment_page }),
        _ => Err(MappingError::new("a registered order without its number or payment page").into()),
    }
}

fn operated(reply: types::OperationResult) -> Result<(), Refusal<PaymentRefused>> {
    let types::OperationResult { error_code, error_message: _ } = reply;
    done(Some(error_code))
}

/// What a code says about the gateway's health.
fn health(code: Option<&str>) -> Verdict {
    match code {
        Some("7") => Verdict::Failure,
        _ => Verdict::Success,
    }
}

/// The no that a code stands for, if it stands for one.
fn done(code: Option<String>) -> Result<(), Refusal<PaymentRefused>> {
    let refused = match code.as_deref() {
        None | Some("0") => return Ok(()),
        Some("1") => PaymentRefused::AlreadyRegistered,
        Some("5") => PaymentRefused::WrongValue,
        Some("6") => PaymentRefused::UnknownOrder,
        Some("7") => PaymentRefused::GatewayFailed,
        Some(other) => PaymentRefused::Other(other.to_owned()),
    };
    Err(Refusal::Rejected(refused))
}

fn state(status: &types::OrderStatus) -> Result<PaymentState, MappingError> {
    Ok(match status {
        types::OrderStatus::Registered | types::OrderStatus::Authorising => PaymentState::Waiting,
        types::OrderStatus::Held => PaymentState::Held,
        types::OrderStatus::Paid => PaymentState::Paid,
        types::OrderStatus::Cancelled => PaymentState::Cancelled,
        types::OrderStatus::Refunded => PaymentState::Refunded,
        types::OrderStatus::Declined => PaymentState::Declined,
        types::OrderStatus::Unknown(status) => {
            return Err(MappingError::new(format!("a state this shop does not know: {status}")));
        }
    })
}
