//! Between the domain and the transport types of `f6`.
//!
//! Created once by Cofferdam; yours from here on. Cofferdam never opens this file for writing again: when the document
//! gains an operation, `cofferdam stubs` prints what is missing.
//!
//! Everything is taken apart field by field. When the document gains or drops a field, the compiler stops here, at that
//! field: that is the point.
//!
//! A mapping may also say what a reply tells about the health of the system. Left alone, every documented success
//! counts as one. Where the system answers 200 with an error in the body, write `fn verdict`: `Verdict::Failure` counts
//! against the system (and may be repeated, for reads and keyed writes), `Verdict::Success` is a healthy answer even if
//! it is a no. The no itself is returned from `outcome`, as `Refusal::Rejected`.

use cofferdam_runtime::{Mapping, MappingError, Refusal, StatusCode};

use super::domain;
use super::generated::{operations, types};

/// Translates between the domain and `f6`.
#[derive(Debug, Clone, Copy, Default)]
pub struct F6Mapping;

// `GET /f6/procurement/list`
impl Mapping<operations::ListProcurements> for F6Mapping {
    type Command = domain::ListProcurementsCommand;
    type Outcome = domain::ProcurementList;
    type Rejection = domain::ListProcurementsRejection;

    fn request(&self, command: &Self::Command) -> Result<operations::ListProcurementsRequest, MappingError> {
        Ok(list_procurements_command_to_wire(command))
    }

    fn outcome(&self, reply: operations::ListProcurementsReply) -> Result<Self::Outcome, Refusal<Self::Rejection>> {
        Ok(procurement_list_from_wire(reply))
    }

    fn rejection(&self, _status: StatusCode, body: operations::ListProcurementsRejection) -> Self::Rejection {
        list_procurements_rejection_from_wire(body)
    }
}

// `GET /f6/procurement/{id}`
impl Mapping<operations::GetProcurement> for F6Mapping {
    type Command = domain::GetProcurementCommand;
    type Outcome = domain::Procurement;
    type Rejection = domain::GetProcurementRejection;

    fn request(&self, command: &Self::Command) -> Result<operations::GetProcurementRequest, MappingError> {
        Ok(get_procurement_command_to_wire(command))
    }

    fn outcome(&self, reply: operations::GetProcurementReply) -> Result<Self::Outcome, Refusal<Self::Rejection>> {
        Ok(procurement_from_wire(reply))
    }

    fn rejection(&self, _status: StatusCode, body: operations::GetProcurementRejection) -> Self::Rejection {
        get_procurement_rejection_from_wire(body)
    }
}

// `POST /f6/orders`
impl Mapping<operations::CreateOrder> for F6Mapping {
    type Command = domain::NewOrder;
    type Outcome = domain::Order;
    type Rejection = domain::CreateOrderRejection;

    fn request(&self, command: &Self::Command) -> Result<operations::CreateOrderRequest, MappingError> {
        Ok(operations::CreateOrderRequest { body: new_order_to_wire(command) })
    }

    fn outcome(&self, reply: operations::CreateOrderReply) -> Result<Self::Outcome, Refusal<Self::Rejection>> {
        Ok(order_from_wire(reply))
    }

    fn rejection(&self, _status: StatusCode, body: operations::CreateOrderRejection) -> Self::Rejection {
        create_order_rejection_from_wire(body)
    }
}

// `POST /f6/ticket`
impl Mapping<operations::ExchangeTicket> for F6Mapping {
    type Command = domain::TicketExchange;
    type Outcome = domain::TicketToken;
    type Rejection = domain::ExchangeTicketRejection;

    fn request(&self, command: &Self::Command) -> Result<operations::ExchangeTicketRequest, MappingError> {
        Ok(operations::ExchangeTicketRequest { body: ticket_exchange_to_wire(command) })
    }

    fn outcome(&self, reply: operations::ExchangeTicketReply) -> Result<Self::Outcome, Refusal<Self::Rejection>> {
        Ok(ticket_token_from_wire(reply))
    }

    fn rejection(&self, _status: StatusCode, body: operations::ExchangeTicketRejection) -> Self::Rejection {
        exchange_ticket_rejection_from_wire(body)
    }
}

fn list_procurements_command_to_wire(value: &domain::ListProcurementsCommand) -> operations::ListProcurementsRequest {
    let domain::ListProcurementsCommand { store_id, status, limit } = value;
    operations::ListProcurementsRequest {
        store_id: store_id.clone(),
        status: status.as_ref().map(|value| procurement_status_list_to_wire(value)),
        limit: *limit,
    }
}

fn procurement_list_from_wire(value: types::ProcurementList) -> domain::ProcurementList {
    let types::ProcurementList { items, total } = value;
    domain::ProcurementList { items: items.into_iter().map(procurement_from_wire).collect(), total }
}

fn list_procurements_rejection_from_wire(
    value: operations::ListProcurementsRejection,
) -> domain::ListProcurementsRejection {
    match value {
        operations::ListProcurementsRejection::ClientError { status, body } => {
            domain::ListProcurementsRejection::ClientError { status: status.as_u16(), body: error_from_wire(body) }
        }
        operations::ListProcurementsRejection::ServerError { status, body } => {
            domain::ListProcurementsRejection::ServerError { status: status.as_u16(), body: error_from_wire(body) }
        }
    }
}

fn get_procurement_command_to_wire(value: &domain::GetProcurementCommand) -> operations::GetProcurementRequest {
    let domain::GetProcurementCommand { id } = value;
    operations::GetProcurementRequest { id: id.clone() }
}

fn procurement_from_wire(value: types::Procurement) -> domain::Procurement {
    let types::Procurement { id, store_id, status, lines, created_at, delivery_on, comment } = value;
    domain::Procurement {
        id,
        store_id,
        status: procurement_status_from_wire(status),
        lines: lines.into_iter().map(procurement_line_from_wire).collect(),
        created_at,
        delivery_on,
        comment,
    }
}

fn get_procurement_rejection_from_wire(value: operations::GetProcurementRejection) -> domain::GetProcurementRejection {
    match value {
        operations::GetProcurementRejection::NotFound(inner) => {
            domain::GetProcurementRejection::NotFound(error_from_wire(inner))
        }
        operations::GetProcurementRejection::ClientError { status, body } => {
            domain::GetProcurementRejection::ClientError { status: status.as_u16(), body: error_from_wire(body) }
        }
        operations::GetProcurementRejection::ServerError { status, body } => {
            domain::GetProcurementRejection::ServerError { status: status.as_u16(), body: error_from_wire(body) }
        }
    }
}

fn new_order_to_wire(value: &domain::NewOrder) -> types::NewOrder {
    let domain::NewOrder { store_id, procurement_id, lines, comment } = value;
    types::NewOrder {
        store_id: store_id.clone(),
        procurement_id: procurement_id.clone(),
        lines: lines.iter().map(order_line_to_wire).collect(),
        comment: comment.clone(),
    }
}

fn order_from_wire(value: types::Order) -> domain::Order {
    let types::Order { id, status, total } = value;
    domain::Order { id, status: order_status_from_wire(status), total }
}

fn create_order_rejection_from_wire(value: operations::CreateOrderRejection) -> domain::CreateOrderRejection {
    match value {
        operations::CreateOrderRejection::Conflict(inner) => {
            domain::CreateOrderRejection::Conflict(error_from_wire(inner))
        }
        operations::CreateOrderRejection::ClientError { status, body } => {
            domain::CreateOrderRejection::ClientError { status: status.as_u16(), body: error_from_wire(body) }
        }
        operations::CreateOrderRejection::ServerError { status, body } => {
            domain::CreateOrderRejection::ServerError { status: status.as_u16(), body: error_from_wire(body) }
        }
    }
}

fn ticket_exchange_to_wire(value: &domain::TicketExchange) -> types::TicketExchange {
    let domain::TicketExchange { ticket, store_id } = value;
    types::TicketExchange { ticket: ticket.clone(), store_id: store_id.clone() }
}

fn ticket_token_from_wire(value: types::TicketToken) -> domain::TicketToken {
    let types::TicketToken { token, expires_in } = value;
    domain::TicketToken { token, expires_in }
}

fn exchange_ticket_rejection_from_wire(value: operations::ExchangeTicketRejection) -> domain::ExchangeTicketRejection {
    match value {
        operations::ExchangeTicketRejection::ClientError { status, body } => {
            domain::ExchangeTicketRejection::ClientError { status: status.as_u16(), body: error_from_wire(body) }
        }
        operations::ExchangeTicketRejection::ServerError { status, body } => {
            domain::ExchangeTicketRejection::ServerError { status: status.as_u16(), body: error_from_wire(body) }
        }
    }
}

fn procurement_status_list_to_wire(value: &[domain::ProcurementStatus]) -> Vec<types::ProcurementStatus> {
    value.iter().map(procurement_status_to_wire).collect()
}

fn error_from_wire(value: types::Error) -> domain::Error {
    let types::Error { code, message, details } = value;
    domain::Error { code, message, details }
}

fn procurement_status_from_wire(value: types::ProcurementStatus) -> domain::ProcurementStatus {
    match value {
        types::ProcurementStatus::Draft => domain::ProcurementStatus::Draft,
        types::ProcurementStatus::Open => domain::ProcurementStatus::Open,
        types::ProcurementStatus::Ordered => domain::ProcurementStatus::Ordered,
        types::ProcurementStatus::Delivered => domain::ProcurementStatus::Delivered,
        types::ProcurementStatus::Cancelled => domain::ProcurementStatus::Cancelled,
        types::ProcurementStatus::Unknown(inner) => domain::ProcurementStatus::Unknown(inner),
    }
}

fn procurement_line_from_wire(value: types::ProcurementLine) -> domain::ProcurementLine {
    let types::ProcurementLine { sku, name, quantity, price } = value;
    domain::ProcurementLine { sku, name, quantity, price }
}

fn order_line_to_wire(value: &domain::OrderLine) -> types::OrderLine {
    let domain::OrderLine { sku, quantity } = value;
    types::OrderLine { sku: sku.clone(), quantity: *quantity }
}

fn order_status_from_wire(value: types::OrderStatus) -> domain::OrderStatus {
    match value {
        types::OrderStatus::Accepted => domain::OrderStatus::Accepted,
        types::OrderStatus::Confirmed => domain::OrderStatus::Confirmed,
        types::OrderStatus::Shipped => domain::OrderStatus::Shipped,
        types::OrderStatus::Unknown(inner) => domain::OrderStatus::Unknown(inner),
    }
}

fn procurement_status_to_wire(value: &domain::ProcurementStatus) -> types::ProcurementStatus {
    match value {
        domain::ProcurementStatus::Draft => types::ProcurementStatus::Draft,
        domain::ProcurementStatus::Open => types::ProcurementStatus::Open,
        domain::ProcurementStatus::Ordered => types::ProcurementStatus::Ordered,
        domain::ProcurementStatus::Delivered => types::ProcurementStatus::Delivered,
        domain::ProcurementStatus::Cancelled => types::ProcurementStatus::Cancelled,
        domain::ProcurementStatus::Unknown(inner) => types::ProcurementStatus::Unknown(inner.clone()),
    }
}
