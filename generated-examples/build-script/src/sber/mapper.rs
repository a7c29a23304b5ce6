//! Between the domain and the transport types of `sber`.
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

use std::convert::Infallible;

use cofferdam_runtime::{Mapping, MappingError, Refusal, StatusCode};

use super::domain;
use super::generated::{operations, types};

/// Translates between the domain and `sber`.
#[derive(Debug, Clone, Copy, Default)]
pub struct SberMapping;

// `POST /register.do`
//
// Its success has `error_code`: if that can be an error, say so in `fn verdict` and `fn outcome`.
impl Mapping<operations::RegisterOrder> for SberMapping {
    type Command = domain::RegisterOrderForm;
    type Outcome = domain::RegisterOrderResult;
    type Rejection = Infallible;

    fn request(&self, command: &Self::Command) -> Result<operations::RegisterOrderRequest, MappingError> {
        Ok(operations::RegisterOrderRequest { body: register_order_form_to_wire(command) })
    }

    fn outcome(&self, reply: operations::RegisterOrderReply) -> Result<Self::Outcome, Refusal<Self::Rejection>> {
        Ok(register_order_result_from_wire(reply))
    }

    fn rejection(&self, _status: StatusCode, body: operations::RegisterOrderRejection) -> Self::Rejection {
        match body {}
    }
}

// `POST /registerPreAuth.do`
//
// Its success has `error_code`: if that can be an error, say so in `fn verdict` and `fn outcome`.
impl Mapping<operations::RegisterPreAuth> for SberMapping {
    type Command = domain::RegisterOrderForm;
    type Outcome = domain::RegisterOrderResult;
    type Rejection = Infallible;

    fn request(&self, command: &Self::Command) -> Result<operations::RegisterPreAuthRequest, MappingError> {
        Ok(operations::RegisterPreAuthRequest { body: register_order_form_to_wire(command) })
    }

    fn outcome(&self, reply: operations::RegisterPreAuthReply) -> Result<Self::Outcome, Refusal<Self::Rejection>> {
        Ok(register_order_result_from_wire(reply))
    }

    fn rejection(&self, _status: StatusCode, body: operations::RegisterPreAuthRejection) -> Self::Rejection {
        match body {}
    }
}

// `POST /getOrderStatusExtended.do`
//
// Its success has `error_code`: if that can be an error, say so in `fn verdict` and `fn outcome`.
impl Mapping<operations::GetOrderStatus> for SberMapping {
    type Command = domain::OrderStatusForm;
    type Outcome = domain::OrderStatusResult;
    type Rejection = Infallible;

    fn request(&self, command: &Self::Command) -> Result<operations::GetOrderStatusRequest, MappingError> {
        Ok(operations::GetOrderStatusRequest { body: order_status_form_to_wire(command) })
    }

    fn outcome(&self, reply: operations::GetOrderStatusReply) -> Result<Self::Outcome, Refusal<Self::Rejection>> {
        Ok(order_status_result_from_wire(reply))
    }

    fn rejection(&self, _status: StatusCode, body: operations::GetOrderStatusRejection) -> Self::Rejection {
        match body {}
    }
}

// `POST /deposit.do`
//
// Its success has `error_code`: if that can be an error, say so in `fn verdict` and `fn outcome`.
impl Mapping<operations::Deposit> for SberMapping {
    type Command = domain::DepositForm;
    type Outcome = domain::OperationResult;
    type Rejection = Infallible;

    fn request(&self, command: &Self::Command) -> Result<operations::DepositRequest, MappingError> {
        Ok(operations::DepositRequest { body: deposit_form_to_wire(command) })
    }

    fn outcome(&self, reply: operations::DepositReply) -> Result<Self::Outcome, Refusal<Self::Rejection>> {
        Ok(operation_result_from_wire(reply))
    }

    fn rejection(&self, _status: StatusCode, body: operations::DepositRejection) -> Self::Rejection {
        match body {}
    }
}

// `POST /reverse.do`
//
// Its success has `error_code`: if that can be an error, say so in `fn verdict` and `fn outcome`.
impl Mapping<operations::Reverse> for SberMapping {
    type Command = domain::ReverseForm;
    type Outcome = domain::OperationResult;
    type Rejection = Infallible;

    fn request(&self, command: &Self::Command) -> Result<operations::ReverseRequest, MappingError> {
        Ok(operations::ReverseRequest { body: reverse_form_to_wire(command) })
    }

    fn outcome(&self, reply: operations::ReverseReply) -> Result<Self::Outcome, Refusal<Self::Rejection>> {
        Ok(operation_result_from_wire(reply))
    }

    fn rejection(&self, _status: StatusCode, body: operations::ReverseRejection) -> Self::Rejection {
        match body {}
    }
}

// `POST /refund.do`
//
// Its success has `error_code`: if that can be an error, say so in `fn verdict` and `fn outcome`.
impl Mapping<operations::Refund> for SberMapping {
    type Command = domain::RefundForm;
    type Outcome = domain::OperationResult;
    type Rejection = Infallible;

    fn request(&self, command: &Self::Command) -> Result<operations::RefundRequest, MappingError> {
        Ok(operations::RefundRequest { body: refund_form_to_wire(command) })
    }

    fn outcome(&self, reply: operations::RefundReply) -> Result<Self::Outcome, Refusal<Self::Rejection>> {
        Ok(operation_result_from_wire(reply))
    }

    fn rejection(&self, _status: StatusCode, body: operations::RefundRejection) -> Self::Rejection {
        match body {}
    }
}

fn register_order_form_to_wire(value: &domain::RegisterOrderForm) -> types::RegisterOrderForm {
    let domain::RegisterOrderForm {
        order_number,
        amount,
        currency,
        return_url,
        fail_url,
        description,
        language,
        page_view,
        client_id,
        json_params,
        session_timeout_secs,
        expiration_date,
    } = value;
    types::RegisterOrderForm {
        order_number: order_number.clone(),
        amount: *amount,
        currency: currency.clone(),
        return_url: return_url.clone(),
        fail_url: fail_url.clone(),
        description: description.clone(),
        language: language.clone(),
        page_view: page_view.as_ref().map(page_view_to_wire),
        client_id: client_id.clone(),
        json_params: json_params.clone(),
        session_timeout_secs: *session_timeout_secs,
        expiration_date: expiration_date.clone(),
    }
}

fn register_order_result_from_wire(value: types::RegisterOrderResult) -> domain::RegisterOrderResult {
    let types::RegisterOrderResult { order_id, form_url, error_code, error_message } = value;
    domain::RegisterOrderResult { order_id, form_url, error_code, error_message }
}

fn order_status_form_to_wire(value: &domain::OrderStatusForm) -> types::OrderStatusForm {
    let domain::OrderStatusForm { order_id, order_number, language } = value;
    types::OrderStatusForm {
        order_id: order_id.clone(),
        order_number: order_number.clone(),
        language: language.clone(),
    }
}

fn order_status_result_from_wire(value: types::OrderStatusResult) -> domain::OrderStatusResult {
    let types::OrderStatusResult {
        error_code,
        error_message,
        order_number,
        order_status,
        action_code,
        action_code_description,
        amount,
        currency,
        date,
        order_description,
        ip,
        attributes,
        merchant_order_params,
        card_auth_info,
        payment_amount_info,
        bank_info,
        refunds,
    } = value;
    domain::OrderStatusResult {
        error_code,
        error_message,
        order_number,
        order_status: order_status.map(order_status_from_wire),
        action_code,
        action_code_description,
        amount,
        currency,
        date,
        order_description,
        ip,
        attributes: attributes.map(named_value_list_from_wire),
        merchant_order_params: merchant_order_params.map(named_value_list_from_wire),
        card_auth_info: card_auth_info.map(card_auth_info_from_wire),
        payment_amount_info: payment_amount_info.map(payment_amount_info_from_wire),
        bank_info: bank_info.map(bank_info_from_wire),
        refunds: refunds.map(refund_record_list_from_wire),
    }
}

fn deposit_form_to_wire(value: &domain::DepositForm) -> types::DepositForm {
    let domain::DepositForm { order_id, amount, language } = value;
    types::DepositForm { order_id: order_id.clone(), amount: *amount, language: language.clone() }
}

fn operation_result_from_wire(value: types::OperationResult) -> domain::OperationResult {
    let types::OperationResult { error_code, error_message } = value;
    domain::OperationResult { error_code, error_message }
}

fn reverse_form_to_wire(value: &domain::ReverseForm) -> types::ReverseForm {
    let domain::ReverseForm { order_id, language } = value;
    types::ReverseForm { order_id: order_id.clone(), language: language.clone() }
}

fn refund_form_to_wire(value: &domain::RefundForm) -> types::RefundForm {
    let domain::RefundForm { order_id, amount, language } = value;
    types::RefundForm { order_id: order_id.clone(), amount: *amount, language: language.clone() }
}

fn page_view_to_wire(value: &domain::PageView) -> types::PageView {
    match value {
        domain::PageView::Desktop => types::PageView::Desktop,
        domain::PageView::Mobile => types::PageView::Mobile,
        domain::PageView::Unknown(inner) => types::PageView::Unknown(inner.clone()),
    }
}

fn order_status_from_wire(value: types::OrderStatus) -> domain::OrderStatus {
    match value {
        types::OrderStatus::Registered => domain::OrderStatus::Registered,
        types::OrderStatus::Held => domain::OrderStatus::Held,
        types::OrderStatus::Paid => domain::OrderStatus::Paid,
        types::OrderStatus::Cancelled => domain::OrderStatus::Cancelled,
        types::OrderStatus::Refunded => domain::OrderStatus::Refunded,
        types::OrderStatus::Authorising => domain::OrderStatus::Authorising,
        types::OrderStatus::Declined => domain::OrderStatus::Declined,
        types::OrderStatus::Unknown(inner) => domain::OrderStatus::Unknown(inner),
    }
}

fn named_value_list_from_wire(value: Vec<types::NamedValue>) -> Vec<domain::NamedValue> {
    value.into_iter().map(named_value_from_wire).collect()
}

fn card_auth_info_from_wire(value: types::CardAuthInfo) -> domain::CardAuthInfo {
    let types::CardAuthInfo { masked_pan, expiration, cardholder_name, approval_code, payment_system } = value;
    domain::CardAuthInfo { masked_pan, expiration, cardholder_name, approval_code, payment_system }
}

fn payment_amount_info_from_wire(value: types::PaymentAmountInfo) -> domain::PaymentAmountInfo {
    let types::PaymentAmountInfo { payment_state, approved_amount, deposited_amount, refunded_amount, fee_amount } =
        value;
    domain::PaymentAmountInfo { payment_state, approved_amount, deposited_amount, refunded_amount, fee_amount }
}

fn bank_info_from_wire(value: types::BankInfo) -> domain::BankInfo {
    let types::BankInfo { bank_name, bank_country_code, bank_country_name } = value;
    domain::BankInfo { bank_name, bank_country_code, bank_country_name }
}

fn refund_record_list_from_wire(value: Vec<types::RefundRecord>) -> Vec<domain::RefundRecord> {
    value.into_iter().map(refund_record_from_wire).collect()
}

fn named_value_from_wire(value: types::NamedValue) -> domain::NamedValue {
    let types::NamedValue { name, value } = value;
    domain::NamedValue { name, value }
}

fn refund_record_from_wire(value: types::RefundRecord) -> domain::RefundRecord {
    let types::RefundRecord { reference_number, action_code, amount, date } = value;
    domain::RefundRecord { reference_number, action_code, amount, date }
}
