//! What the domain asks of `f6`.
//!
//! Created once by Cofferdam; yours from here on. Cofferdam never opens this file for writing again. Keep the methods
//! the domain needs, in its own words; the adapter stays behind them.

use std::future::Future;

use cofferdam_runtime::{CallError, Delivery, IdempotencyKey};

use super::domain;
use super::generated::adapter::F6Adapter;
use super::mapper::F6Mapping;

/// What a call answers: with the error that the team has for every supplier.
pub type F6Result<T, R> = Result<T, crate::error::SupplierError<R>>;

/// Why there is no answer.
pub use crate::error::SupplierError as F6Error;

/// `f6`, as the domain sees it.
pub trait F6Port: Send + Sync {
    /// Lists what a store may buy
    fn list_procurements(
        &self,
        command: domain::ListProcurementsCommand,
    ) -> impl Future<Output = F6Result<domain::ProcurementList, domain::ListProcurementsRejection>> + Send;

    /// Tells one procurement
    fn get_procurement(
        &self,
        command: domain::GetProcurementCommand,
    ) -> impl Future<Output = F6Result<domain::Procurement, domain::GetProcurementRejection>> + Send;

    /// Orders goods
    fn create_order(
        &self,
        command: domain::NewOrder,
        key: Option<IdempotencyKey>,
    ) -> impl Future<Output = F6Result<domain::Order, domain::CreateOrderRejection>> + Send;

    /// Exchanges a ticket for a token
    fn exchange_ticket(
        &self,
        command: domain::TicketExchange,
    ) -> impl Future<Output = F6Result<domain::TicketToken, domain::ExchangeTicketRejection>> + Send;
}

impl F6Port for F6Adapter<F6Mapping> {
    async fn list_procurements(
        &self,
        command: domain::ListProcurementsCommand,
    ) -> F6Result<domain::ProcurementList, domain::ListProcurementsRejection> {
        Ok(self.list_procurements(command).await?)
    }

    async fn get_procurement(
        &self,
        command: domain::GetProcurementCommand,
    ) -> F6Result<domain::Procurement, domain::GetProcurementRejection> {
        Ok(self.get_procurement(command).await?)
    }

    async fn create_order(
        &self,
        command: domain::NewOrder,
        key: Option<IdempotencyKey>,
    ) -> F6Result<domain::Order, domain::CreateOrderRejection> {
        Ok(self.create_order(command, key).await?)
    }

    async fn exchange_ticket(
        &self,
        command: domain::TicketExchange,
    ) -> F6Result<domain::TicketToken, domain::ExchangeTicketRejection> {
        Ok(self.exchange_ticket(command).await?)
    }
}
