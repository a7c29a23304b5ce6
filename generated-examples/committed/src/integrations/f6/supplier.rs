//! What the shop does with the supplier: a list that may be an old one, and errors that say nothing of the supplier's.

use cofferdam_runtime::CallError;
use cofferdam_runtime::fallback::{Served, Stale};

use super::domain::{
    CreateOrderRejection, GetProcurementRejection, ListProcurementsCommand, ListProcurementsRejection, ProcurementList,
    ProcurementStatus,
};
use super::generated::adapter::F6Adapter;
use super::generated::operations::ListProcurements;
use super::mapper::F6Mapping;

/// What tells one list from another.
type ListKey = (String, Option<Vec<ProcurementStatus>>, Option<i32>);

/// The supplier, with what the shop remembers of it.
#[derive(Debug)]
pub struct Supplier {
    f6: F6Adapter<F6Mapping>,
    lists: Stale<ListProcurements, ListKey, ProcurementList>,
}

impl Supplier {
    /// A supplier of which nothing is remembered yet.
    pub fn new(f6: F6Adapter<F6Mapping>) -> Self {
        let lists = f6.guard().stale(ListProcurements);
        Self { f6, lists }
    }

    /// The adapter itself.
    pub fn adapter(&self) -> &F6Adapter<F6Mapping> {
        &self.f6
    }

    /// What a store may buy: as the supplier says it now or, where it cannot answer, as it last said it, marked as that.
    ///
    /// # Errors
    /// A no of the supplier's, and an outage of which no list is remembered that is young enough.
    pub async fn procurements(
        &self,
        command: ListProcurementsCommand,
    ) -> Result<Served<ProcurementList>, SupplierError> {
        let ListProcurementsCommand { store_id, status, limit } = command.clone();
        let answer = self.lists.answer((store_id, status, limit), self.f6.list_procurements(command)).await;
        answer.map_err(|error| SupplierError::of(&error))
    }
}

/// What the shop's own clients hear: a number and words of ours. What the supplier said is in the log, and nowhere else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SupplierError {
    /// 300xx: stable, by kind of error.
    pub code: u32,
    /// The HTTP status that fits.
    pub status: u16,
    /// In words.
    pub message: &'static str,
}

impl std::fmt::Display for SupplierError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl std::error::Error for SupplierError {}

impl SupplierError {
    /// The error of a call, told in the log with the supplier's number and words, and turned into ours.
    pub fn of<R: SupplierWords>(error: &CallError<R>) -> Self {
        let (number, words) = error.rejection().map_or((None, None), |rejection| {
            let told = rejection.told();
            (Some(told.code), Some(told.message.as_str()))
        });
        tracing::warn!(external.system = error.system(), code = error.code(), number, words, "supplier: {error}");
        let message = match error {
            CallError::Rejected { .. } => "the supplier refused",
            _ if error.is_outage() => "the supplier is not available",
            _ => "the supplier's answer makes no sense",
        };
        Self { code: error.code(), status: error.suggested_status(), message }
    }
}

/// A rejection that carries the supplier's own words.
pub trait SupplierWords {
    /// What the supplier said.
    fn told(&self) -> &super::domain::Error;
}

macro_rules! words {
    ($($rejection:ident { $($known:ident),* }),* $(,)?) => {$(
        impl SupplierWords for $rejection {
            fn told(&self) -> &super::domain::Error {
                match self {
                    $(Self::$known(body) => body,)*
                    Self::ClientError { body, .. } | Self::ServerError { body, .. } => body,
                }
            }
        }
    )*};
}

words! {
    ListProcurementsRejection {},
    GetProcurementRejection { NotFound },
    CreateOrderRejection { Conflict },
}
