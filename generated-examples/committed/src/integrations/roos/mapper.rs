//! Between the workbench's shortages and the JSON of `roos`.

use cofferdam_runtime::{Mapping, MappingError, Refusal, StatusCode};

use super::domain::{NoSuchStore, Shortage};
use super::generated::{operations, types};

/// Translates between the workbench and `roos`.
#[derive(Debug, Clone, Copy, Default)]
pub struct RoosMapping;

// `GET /roos/stores/{storeId}/shortages`
impl Mapping<operations::ListShortages> for RoosMapping {
    type Command = String;
    type Outcome = Vec<Shortage>;
    type Rejection = NoSuchStore;

    fn request(&self, store: &String) -> Result<operations::ListShortagesRequest, MappingError> {
        Ok(operations::ListShortagesRequest { store_id: store.clone() })
    }

    fn outcome(&self, reply: Vec<types::Shortage>) -> Result<Vec<Shortage>, Refusal<NoSuchStore>> {
        Ok(reply.into_iter().map(shortage).collect::<Result<_, _>>()?)
    }

    fn rejection(&self, _: StatusCode, body: operations::ListShortagesRejection) -> NoSuchStore {
        match body {
            operations::ListShortagesRejection::NotFound => NoSuchStore,
        }
    }
}

fn shortage(shortage: types::Shortage) -> Result<Shortage, MappingError> {
    let types::Shortage { sku, left, per_day, arrives_on } = shortage;
    let left = u32::try_from(left).map_err(|_| MappingError::new("less than none left"))?;
    Ok(Shortage { sku, left, per_day, arrives_on })
}
