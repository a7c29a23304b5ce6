//! What the domain knows of `sber`.
//!
//! Created once by Cofferdam; yours from here on. Cofferdam never opens this file for writing again. These types mirror
//! the transport types so that everything works from the first minute: rename them, merge them, drop what the domain
//! does not need. The mapper is the only place that follows.

/// An order to register.
#[derive(Debug, Clone, PartialEq)]
pub struct RegisterOrderForm {
    /// The shop's number of the order. Unique for a shop.
    pub order_number: String,
    /// An amount in minor units (kopecks) of the order's currency.
    pub amount: i64,
    /// Currency as a number of ISO 4217; `643`, the rouble, when absent.
    pub currency: Option<String>,
    /// Where the buyer is sent after the payment.
    pub return_url: String,
    /// Where the buyer is sent when the payment fails; `returnUrl` when absent.
    pub fail_url: Option<String>,
    /// Free text about the order.
    pub description: Option<String>,
    /// Language of messages and of the payment page, by ISO 639-1; the shop's own when absent.
    pub language: Option<String>,
    /// Which payment page the buyer sees.
    pub page_view: Option<PageView>,
    /// The buyer's number in the shop.
    pub client_id: Option<String>,
    /// More parameters of the shop, as the text of one JSON object.
    pub json_params: Option<String>,
    /// How long the order may be paid, in seconds; 1200 when absent.
    pub session_timeout_secs: Option<i32>,
    /// Until when the order may be paid, `yyyy-MM-ddTHH:mm:ss`. Wins over `sessionTimeoutSecs`.
    pub expiration_date: Option<String>,
}

/// A registered order, or the reason why there is none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RegisterOrderResult {
    /// The gateway's number of the order. Absent when the registration failed.
    pub order_id: Option<String>,
    /// Address of the payment page. Absent when the registration failed.
    pub form_url: Option<String>,
    /// The outcome of an operation: `0` done, `1` an order with this number was registered already, `3` unknown
    /// currency, `4` a required value is missing, `5` a value is wrong, `6` no such order, `7` the gateway failed.
    /// Absent means `0`.
    pub error_code: Option<String>,
    /// The reason in words. For people, it may change.
    pub error_message: Option<String>,
}

/// Which order to tell about.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OrderStatusForm {
    /// The gateway's number of the order.
    pub order_id: Option<String>,
    /// The shop's number of the order.
    pub order_number: Option<String>,
    /// Language of messages and of the payment page, by ISO 639-1; the shop's own when absent.
    pub language: Option<String>,
}

/// The state of an order, or the reason why it is not told.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OrderStatusResult {
    /// The outcome of an operation: `0` done, `1` an order with this number was registered already, `3` unknown
    /// currency, `4` a required value is missing, `5` a value is wrong, `6` no such order, `7` the gateway failed.
    /// Absent means `0`.
    pub error_code: Option<String>,
    /// The reason in words. For people, it may change.
    pub error_message: Option<String>,
    /// The shop's number of the order.
    pub order_number: Option<String>,
    /// State of an order: 0 registered, not paid; 1 the amount is held; 2 the amount is taken; 3 cancelled;
    /// 4 returned; 5 the buyer's bank is asked; 6 declined.
    pub order_status: Option<OrderStatus>,
    /// What the bank's system answered to the payment; 0 is an approval.
    pub action_code: Option<i32>,
    /// The answer in words.
    pub action_code_description: Option<String>,
    /// An amount in minor units (kopecks) of the order's currency.
    pub amount: Option<i64>,
    /// Currency as a number of ISO 4217.
    pub currency: Option<String>,
    /// When the order was registered, in milliseconds since 1970.
    pub date: Option<i64>,
    /// The text given at registration.
    pub order_description: Option<String>,
    /// Address of the buyer.
    pub ip: Option<String>,
    /// More about the order; the one named `mdOrder` is the gateway's number.
    pub attributes: Option<Vec<NamedValue>>,
    /// What the shop gave in `jsonParams`.
    pub merchant_order_params: Option<Vec<NamedValue>>,
    /// How the card was accepted.
    pub card_auth_info: Option<CardAuthInfo>,
    /// Where the money of an order is.
    pub payment_amount_info: Option<PaymentAmountInfo>,
    /// The bank that issued the card.
    pub bank_info: Option<BankInfo>,
    /// What was returned so far.
    pub refunds: Option<Vec<RefundRecord>>,
}

/// Which money to take.
#[derive(Debug, Clone, PartialEq)]
pub struct DepositForm {
    /// The gateway's number of the order.
    pub order_id: String,
    /// How much to take, in minor units; 0 takes all that is held.
    pub amount: i64,
    /// Language of messages and of the payment page, by ISO 639-1; the shop's own when absent.
    pub language: Option<String>,
}

/// The outcome of an operation on an order.
#[derive(Debug, Clone, PartialEq)]
pub struct OperationResult {
    /// The outcome of an operation: `0` done, `1` an order with this number was registered already, `3` unknown
    /// currency, `4` a required value is missing, `5` a value is wrong, `6` no such order, `7` the gateway failed.
    /// Absent means `0`.
    pub error_code: String,
    /// The reason in words. For people, it may change.
    pub error_message: Option<String>,
}

/// Which payment to cancel.
#[derive(Debug, Clone, PartialEq)]
pub struct ReverseForm {
    /// The gateway's number of the order.
    pub order_id: String,
    /// Language of messages and of the payment page, by ISO 639-1; the shop's own when absent.
    pub language: Option<String>,
}

/// Which money to return.
#[derive(Debug, Clone, PartialEq)]
pub struct RefundForm {
    /// The gateway's number of the order.
    pub order_id: String,
    /// An amount in minor units (kopecks) of the order's currency.
    pub amount: i64,
    /// Language of messages and of the payment page, by ISO 639-1; the shop's own when absent.
    pub language: Option<String>,
}

/// Which payment page the buyer sees.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PageView {
    Desktop,
    Mobile,
    /// A value the document does not list.
    Unknown(String),
}

/// State of an order: 0 registered, not paid; 1 the amount is held; 2 the amount is taken; 3 cancelled;
/// 4 returned; 5 the buyer's bank is asked; 6 declined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderStatus {
    Registered,
    Held,
    Paid,
    Cancelled,
    Refunded,
    Authorising,
    Declined,
    /// A value the document does not list.
    Unknown(i64),
}

/// How the card was accepted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CardAuthInfo {
    /// The card's number with its middle hidden.
    pub masked_pan: Option<String>,
    /// Until when the card is good, `yyyyMM`.
    pub expiration: Option<String>,
    pub cardholder_name: Option<String>,
    /// The bank's code of approval.
    pub approval_code: Option<String>,
    pub payment_system: Option<String>,
}

/// Where the money of an order is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PaymentAmountInfo {
    /// State of the payment, in the gateway's words.
    pub payment_state: Option<String>,
    /// An amount in minor units (kopecks) of the order's currency.
    pub approved_amount: Option<i64>,
    /// An amount in minor units (kopecks) of the order's currency.
    pub deposited_amount: Option<i64>,
    /// An amount in minor units (kopecks) of the order's currency.
    pub refunded_amount: Option<i64>,
    /// An amount in minor units (kopecks) of the order's currency.
    pub fee_amount: Option<i64>,
}

/// The bank that issued the card.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BankInfo {
    pub bank_name: Option<String>,
    pub bank_country_code: Option<String>,
    pub bank_country_name: Option<String>,
}

/// A value with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedValue {
    pub name: String,
    pub value: Option<String>,
}

/// Money that was returned.
#[derive(Debug, Clone, PartialEq)]
pub struct RefundRecord {
    /// The bank's number of the refund.
    pub reference_number: Option<String>,
    /// What the bank's system answered; 0 is an approval.
    pub action_code: Option<i32>,
    /// An amount in minor units (kopecks) of the order's currency.
    pub amount: i64,
    /// When, in milliseconds since 1970.
    pub date: Option<i64>,
}
