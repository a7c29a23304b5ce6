//! Between the shop's tickets and the box office's JSON.
//!
//! Lists that the document calls unique become sets, whatever order a reply has them in. A state or currency that the shop
//! does not know is a mistake of the mapping, told as such, never a guess.

use std::collections::BTreeSet;

use cofferdam_runtime::{Mapping, MappingError, Refusal, StatusCode};

use super::domain::{
    CancelReason, Cancellation, Hold, Order, OrderPage, OrderSearch, OrderState, Payment, Place, Progress, Ticket,
    TicketsRefused,
};
use super::generated::{operations, types};
use crate::money::{Currency, Money};

/// Translates between the shop's tickets and `odnakassa`.
#[derive(Debug, Clone, Copy, Default)]
pub struct OdnakassaMapping;

// `POST /orders`
impl Mapping<operations::CreateOrder> for OdnakassaMapping {
    type Command = Hold;
    type Outcome = Order;
    type Rejection = TicketsRefused;

    fn request(&self, hold: &Hold) -> Result<operations::CreateOrderRequest, MappingError> {
        let Hold { session, places, email, phone, currency } = hold;
        let body = types::NewOrder {
            session_id: session.clone(),
            places: places.iter().map(place_to_wire).collect(),
            buyer: types::Buyer { email: email.clone(), phone: phone.clone() },
            currency: currency.letters().to_owned(),
        };
        Ok(operations::CreateOrderRequest { body })
    }

    fn outcome(&self, reply: types::Order) -> Result<Order, Refusal<TicketsRefused>> {
        Ok(order(reply)?)
    }

    fn rejection(&self, _: StatusCode, body: operations::CreateOrderRejection) -> TicketsRefused {
        match body {
            operations::CreateOrderRejection::Conflict(problem) => TicketsRefused::Conflict(problem.code),
            operations::CreateOrderRejection::UnprocessableEntity(problem) => TicketsRefused::WrongValue(problem.code),
            operations::CreateOrderRejection::Default { body, .. } => TicketsRefused::Other(body.code),
        }
    }
}

// `GET /orders`
impl Mapping<operations::FindOrder> for OdnakassaMapping {
    type Command = OrderSearch;
    type Outcome = OrderPage;
    type Rejection = TicketsRefused;

    fn request(&self, search: &OrderSearch) -> Result<operations::FindOrderRequest, MappingError> {
        let OrderSearch { email, session, states, page_size } = search;
        let states: Vec<_> = states.iter().copied().map(state_to_wire).collect();
        Ok(operations::FindOrderRequest {
            buyer_email: email.clone(),
            session_id: session.clone(),
            state: (!states.is_empty()).then_some(states),
            cursor: None,
            limit: *page_size,
        })
    }

    fn outcome(&self, reply: types::OrderPage) -> Result<OrderPage, Refusal<TicketsRefused>> {
        // The cursor is followed by the pages themselves.
        let types::OrderPage { orders, next_cursor: _, total_orders } = reply;
        let orders = orders.into_iter().map(order).collect::<Result<_, _>>()?;
        let total = u64::try_from(total_orders).map_err(|_| MappingError::new("less than no orders"))?;
        Ok(OrderPage { orders, total })
    }

    fn rejection(&self, _: StatusCode, body: operations::FindOrderRejection) -> TicketsRefused {
        let operations::FindOrderRejection::Default { body, .. } = body;
        TicketsRefused::Other(body.code)
    }
}

// `GET /orders/{orderId}/status`
impl Mapping<operations::GetStatus> for OdnakassaMapping {
    type Command = String;
    type Outcome = Progress;
    type Rejection = TicketsRefused;

    fn request(&self, order: &String) -> Result<operations::GetStatusRequest, MappingError> {
        Ok(operations::GetStatusRequest { order_id: order.clone() })
    }

    fn outcome(&self, reply: types::OrderStatus) -> Result<Progress, Refusal<TicketsRefused>> {
        let types::OrderStatus { id: _, state: told, changed_at, ticket_count } = reply;
        let tickets = u32::try_from(ticket_count).map_err(|_| MappingError::new("less than no tickets"))?;
        Ok(Progress { state: state(told)?, since: changed_at, tickets })
    }

    fn rejection(&self, _: StatusCode, body: operations::GetStatusRejection) -> TicketsRefused {
        match body {
            operations::GetStatusRejection::NotFound(_) => TicketsRefused::UnknownOrder,
            operations::GetStatusRejection::Default { body, .. } => TicketsRefused::Other(body.code),
        }
    }
}

// `POST /orders/{orderId}/payment`
impl Mapping<operations::ConfirmPayment> for OdnakassaMapping {
    type Command = Payment;
    type Outcome = Order;
    type Rejection = TicketsRefused;

    fn request(&self, payment: &Payment) -> Result<operations::ConfirmPaymentRequest, MappingError> {
        let Payment { order, gateway, gateway_order, amount } = payment;
        if !amount.is_positive() {
            return Err(MappingError::new("an amount must be positive"));
        }
        let body = types::PaymentConfirmation {
            gateway: gateway.clone(),
            gateway_order_id: gateway_order.clone(),
            amount: amount.in_minor(),
            currency: amount.currency().letters().to_owned(),
        };
        Ok(operations::ConfirmPaymentRequest { order_id: order.clone(), body })
    }

    fn outcome(&self, reply: types::Order) -> Result<Order, Refusal<TicketsRefused>> {
        Ok(order(reply)?)
    }

    fn rejection(&self, _: StatusCode, body: operations::ConfirmPaymentRejection) -> TicketsRefused {
        match body {
            operations::ConfirmPaymentRejection::NotFound(_) => TicketsRefused::UnknownOrder,
            operations::ConfirmPaymentRejection::Conflict(problem) => TicketsRefused::Conflict(problem.code),
            operations::ConfirmPaymentRejection::UnprocessableEntity(problem) => {
                TicketsRefused::WrongValue(problem.code)
            }
            operations::ConfirmPaymentRejection::Default { body, .. } => TicketsRefused::Other(body.code),
        }
    }
}

// `POST /orders/{orderId}/cancellation`
impl Mapping<operations::Cancel> for OdnakassaMapping {
    type Command = Cancellation;
    type Outcome = ();
    type Rejection = TicketsRefused;

    fn request(&self, cancellation: &Cancellation) -> Result<operations::CancelRequest, MappingError> {
        let Cancellation { order, reason } = cancellation;
        let reason = match reason {
            CancelReason::Buyer => types::CancellationReason::Buyer,
            CancelReason::Organiser => types::CancellationReason::Organiser,
            CancelReason::Fraud => types::CancellationReason::Fraud,
            CancelReason::Timeout => types::CancellationReason::Timeout,
        };
        Ok(operations::CancelRequest { order_id: order.clone(), body: types::Cancellation { reason } })
    }

    fn outcome(&self, (): ()) -> Result<(), Refusal<TicketsRefused>> {
        Ok(())
    }

    fn rejection(&self, _: StatusCode, body: operations::CancelRejection) -> TicketsRefused {
        match body {
            operations::CancelRejection::NotFound(_) => TicketsRefused::UnknownOrder,
            operations::CancelRejection::Conflict(problem) => TicketsRefused::Conflict(problem.code),
            operations::CancelRejection::Default { body, .. } => TicketsRefused::Other(body.code),
        }
    }
}

fn order(order: types::Order) -> Result<Order, MappingError> {
    let types::Order { id, state: told, total, currency, held_until, tickets } = order;
    let currency = Currency::of_letters(&currency)
        .ok_or_else(|| MappingError::new(format!("a currency this shop does not know: {currency}")))?;
    let tickets: BTreeSet<_> = tickets.into_iter().map(|one| ticket(one, currency)).collect();
    Ok(Order { id, state: state(told)?, total: Money::minor(total, currency), held_until, tickets })
}

fn ticket(ticket: types::Ticket, currency: Currency) -> Ticket {
    let types::Ticket { code, place, price } = ticket;
    let types::Place { sector, row, seat } = place;
    Ticket { code, place: Place { sector, row, seat }, price: Money::minor(price, currency) }
}

fn place_to_wire(place: &Place) -> types::Place {
    let Place { sector, row, seat } = place;
    types::Place { sector: sector.clone(), row: row.clone(), seat: seat.clone() }
}

fn state(state: types::OrderState) -> Result<OrderState, MappingError> {
    Ok(match state {
        types::OrderState::Held => OrderState::Held,
        types::OrderState::Paid => OrderState::Paid,
        types::OrderState::Cancelled => OrderState::Cancelled,
        types::OrderState::Expired => OrderState::Expired,
        types::OrderState::Unknown(word) => {
            return Err(MappingError::new(format!("a state this shop does not know: {word}")));
        }
    })
}

fn state_to_wire(state: OrderState) -> types::OrderState {
    match state {
        OrderState::Held => types::OrderState::Held,
        OrderState::Paid => types::OrderState::Paid,
        OrderState::Cancelled => types::OrderState::Cancelled,
        OrderState::Expired => types::OrderState::Expired,
    }
}
