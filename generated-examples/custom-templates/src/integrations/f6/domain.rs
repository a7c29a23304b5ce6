//! What the domain knows of `f6`.
//!
//! Created once by Cofferdam; yours from here on. Cofferdam never opens this file for writing again. These types mirror
//! the transport types so that everything works from the first minute: rename them, merge them, drop what the domain
//! does not need. The mapper is the only place that follows.

/// What `ListProcurements` takes.
#[derive(Debug, Clone, PartialEq)]
pub struct ListProcurementsCommand {
    /// Number of the store.
    pub store_id: String,
    /// Only those in one of these states; all when absent.
    pub status: Option<Vec<ProcurementStatus>>,
    /// How many at most; 50 when absent.
    pub limit: Option<i32>,
}

/// A page of procurements.
#[derive(Debug, Clone, PartialEq)]
pub struct ProcurementList {
    pub items: Vec<Procurement>,
    /// How many there are in all.
    pub total: i64,
}

/// How `ListProcurements` fails, as documented.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant)]
pub enum ListProcurementsRejection {
    /// The request was refused.
    ClientError {
        /// The status.
        status: u16,
        /// The body.
        body: Error,
    },
    /// The supplier failed.
    ServerError {
        /// The status.
        status: u16,
        /// The body.
        body: Error,
    },
}

impl std::fmt::Display for ListProcurementsRejection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::ClientError { .. } => "client error",
            Self::ServerError { .. } => "server error",
        })
    }
}

impl std::error::Error for ListProcurementsRejection {}

/// What `GetProcurement` takes.
#[derive(Debug, Clone, PartialEq)]
pub struct GetProcurementCommand {
    /// Number of the procurement.
    pub id: String,
}

/// Goods that a store may buy together.
#[derive(Debug, Clone, PartialEq)]
pub struct Procurement {
    /// Number of the procurement.
    pub id: String,
    /// Number of the store.
    pub store_id: String,
    /// State of a procurement.
    pub status: ProcurementStatus,
    pub lines: Vec<ProcurementLine>,
    pub created_at: cofferdam_runtime::DateTime,
    /// The day of delivery; `null` while it is not known.
    pub delivery_on: cofferdam_runtime::Maybe<cofferdam_runtime::Date>,
    /// Free text of the supplier.
    pub comment: Option<String>,
}

/// How `GetProcurement` fails, as documented.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant)]
pub enum GetProcurementRejection {
    /// There is no procurement with this number.
    NotFound(Error),
    /// The request was refused.
    ClientError {
        /// The status.
        status: u16,
        /// The body.
        body: Error,
    },
    /// The supplier failed.
    ServerError {
        /// The status.
        status: u16,
        /// The body.
        body: Error,
    },
}

impl std::fmt::Display for GetProcurementRejection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NotFound(..) => "not found",
            Self::ClientError { .. } => "client error",
            Self::ServerError { .. } => "server error",
        })
    }
}

impl std::error::Error for GetProcurementRejection {}

/// Goods to order.
#[derive(Debug, Clone, PartialEq)]
pub struct NewOrder {
    /// Number of the store.
    pub store_id: String,
    /// The procurement it belongs to, if any.
    pub procurement_id: Option<String>,
    pub lines: Vec<OrderLine>,
    /// Free text for the supplier.
    pub comment: Option<String>,
}

/// An order that was taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The supplier's number of the order.
    pub id: String,
    /// State of an order.
    pub status: OrderStatus,
    /// What it costs, in minor units.
    pub total: i64,
}

/// How `CreateOrder` fails, as documented.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant)]
pub enum CreateOrderRejection {
    /// The goods are not there in the quantity asked for, or the key was used for another order.
    Conflict(Error),
    /// The request was refused.
    ClientError {
        /// The status.
        status: u16,
        /// The body.
        body: Error,
    },
    /// The supplier failed.
    ServerError {
        /// The status.
        status: u16,
        /// The body.
        body: Error,
    },
}

impl std::fmt::Display for CreateOrderRejection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Conflict(..) => "conflict",
            Self::ClientError { .. } => "client error",
            Self::ServerError { .. } => "server error",
        })
    }
}

impl std::error::Error for CreateOrderRejection {}

/// A ticket to exchange.
#[derive(Debug, Clone, PartialEq)]
pub struct TicketExchange {
    pub ticket: String,
    /// The store for which the token is wanted.
    pub store_id: String,
}

/// A token and how long it is good.
#[derive(Debug, Clone, PartialEq)]
pub struct TicketToken {
    pub token: String,
    /// For how many seconds it is good.
    pub expires_in: i64,
}

/// How `ExchangeTicket` fails, as documented.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant)]
pub enum ExchangeTicketRejection {
    /// The request was refused.
    ClientError {
        /// The status.
        status: u16,
        /// The body.
        body: Error,
    },
    /// The supplier failed.
    ServerError {
        /// The status.
        status: u16,
        /// The body.
        body: Error,
    },
}

impl std::fmt::Display for ExchangeTicketRejection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::ClientError { .. } => "client error",
            Self::ServerError { .. } => "server error",
        })
    }
}

impl std::error::Error for ExchangeTicketRejection {}

/// What went wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct Error {
    /// The supplier's number of the error.
    pub code: i32,
    /// The error in words. For the log, not for buyers.
    pub message: String,
    /// More about it, by field.
    pub details: Option<std::collections::BTreeMap<String, String>>,
}

/// State of a procurement.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ProcurementStatus {
    Draft,
    Open,
    Ordered,
    Delivered,
    Cancelled,
    /// A value the document does not list.
    Unknown(String),
}

/// One kind of goods.
#[derive(Debug, Clone, PartialEq)]
pub struct ProcurementLine {
    /// The supplier's article number.
    pub sku: String,
    pub name: Option<String>,
    pub quantity: i32,
    /// Price of one piece in minor units.
    pub price: i64,
}

/// How much of one kind of goods.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderLine {
    pub sku: String,
    pub quantity: i32,
}

/// State of an order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum OrderStatus {
    Accepted,
    Confirmed,
    Shipped,
    /// A value the document does not list.
    Unknown(String),
}
