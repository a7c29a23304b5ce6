//! Between the workbench's claims and the JSON of `warranty`.

use cofferdam_runtime::{Mapping, MappingError, Refusal, StatusCode};

use super::domain::{Claim, ClaimState, NoSuchStore};
use super::generated::{operations, types};

/// Translates between the workbench and `warranty`.
#[derive(Debug, Clone, Copy, Default)]
pub struct WarrantyMapping;

// `GET /warranty/claims`
impl Mapping<operations::ListClaims> for WarrantyMapping {
    type Command = String;
    type Outcome = Vec<Claim>;
    type Rejection = NoSuchStore;

    fn request(&self, store: &String) -> Result<operations::ListClaimsRequest, MappingError> {
        Ok(operations::ListClaimsRequest { store_id: store.clone(), state: None })
    }

    fn outcome(&self, reply: types::ClaimList) -> Result<Vec<Claim>, Refusal<NoSuchStore>> {
        let types::ClaimList { claims } = reply;
        Ok(claims.into_iter().map(claim).collect())
    }

    fn rejection(&self, _: StatusCode, body: operations::ListClaimsRejection) -> NoSuchStore {
        match body {
            operations::ListClaimsRejection::NotFound => NoSuchStore,
        }
    }
}

fn claim(claim: types::Claim) -> Claim {
    let types::Claim { id, sku, state, since, note: _ } = claim;
    let state = match state {
        types::ClaimState::Open => ClaimState::Open,
        types::ClaimState::Inspected => ClaimState::Inspected,
        types::ClaimState::Approved => ClaimState::Approved,
        types::ClaimState::Refused => ClaimState::Refused,
        types::ClaimState::Unknown(word) => ClaimState::Other(word),
    };
    Claim { id, sku, state, since }
}
