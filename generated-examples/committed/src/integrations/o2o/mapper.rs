//! Between the workbench's numbers and the JSON of `o2o`.

use cofferdam_runtime::{Mapping, MappingError, Refusal, StatusCode};

use super::domain::{NoSuchStore, OrderSummary};
use super::generated::{operations, types};

/// Translates between the workbench and `o2o`.
#[derive(Debug, Clone, Copy, Default)]
pub struct O2oMapping;

// `GET /o2o/orders/summary`
impl Mapping<operations::GetOrderSummary> for O2oMapping {
    type Command = String;
    type Outcome = OrderSummary;
    type Rejection = NoSuchStore;

    fn request(&self, store: &String) -> Result<operations::GetOrderSummaryRequest, MappingError> {
        Ok(operations::GetOrderSummaryRequest { store_id: store.clone() })
    }

    fn outcome(&self, reply: types::OrderSummary) -> Result<OrderSummary, Refusal<NoSuchStore>> {
        let types::OrderSummary { store_id: _, to_pick, ready, late, updated_at } = reply;
        let summary = || {
            Some(OrderSummary {
                to_pick: to_pick.try_into().ok()?,
                ready: ready.try_into().ok()?,
                late: late.try_into().ok()?,
                counted_at: updated_at,
            })
        };
        Ok(summary().ok_or(MappingError::new("less than no orders"))?)
    }

    fn rejection(&self, _: StatusCode, body: operations::GetOrderSummaryRejection) -> NoSuchStore {
        match body {
            operations::GetOrderSummaryRejection::NotFound => NoSuchStore,
        }
    }
}
