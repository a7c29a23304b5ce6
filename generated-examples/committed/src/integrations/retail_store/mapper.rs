//! Between the workbench's stores and the JSON of `retail-store`.

use cofferdam_runtime::{Mapping, MappingError, Refusal, StatusCode};

use super::domain::{NoSuchStore, Store};
use super::generated::{operations, types};

/// Translates between the workbench and `retail-store`.
#[derive(Debug, Clone, Copy, Default)]
pub struct RetailStoreMapping;

// `GET /stores/{storeId}`
impl Mapping<operations::GetStore> for RetailStoreMapping {
    type Command = String;
    type Outcome = Store;
    type Rejection = NoSuchStore;

    fn request(&self, store: &String) -> Result<operations::GetStoreRequest, MappingError> {
        Ok(operations::GetStoreRequest { store_id: store.clone() })
    }

    fn outcome(&self, reply: types::Store) -> Result<Store, Refusal<NoSuchStore>> {
        let types::Store { id: _, name, open, on_shift, hours: types::Hours { opens, closes } } = reply;
        let on_shift = u32::try_from(on_shift).map_err(|_| MappingError::new("less than nobody at work"))?;
        Ok(Store { name, open, on_shift, hours: (opens, closes) })
    }

    fn rejection(&self, _: StatusCode, body: operations::GetStoreRejection) -> NoSuchStore {
        match body {
            operations::GetStoreRejection::NotFound => NoSuchStore,
        }
    }
}
