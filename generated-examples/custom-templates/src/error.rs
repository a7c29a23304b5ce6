//! One error for every supplier.

use cofferdam_runtime::{CallError, Delivery};

/// Why a supplier gave no answer. `R` is the domain's word for a no.
#[derive(Debug)]
pub enum SupplierError<R> {
    /// The supplier said no.
    Refused(R),
    /// Nothing was sent: try later.
    TryLater(CallError<R>),
    /// It may have been done, or was done badly: somebody has to look.
    Escalate(CallError<R>),
}

impl<R> From<CallError<R>> for SupplierError<R> {
    fn from(error: CallError<R>) -> Self {
        match error {
            CallError::Rejected { rejection, .. } => Self::Refused(rejection),
            other if other.delivery() == Delivery::NotSent => Self::TryLater(other),
            other => Self::Escalate(other),
        }
    }
}

impl<R> std::fmt::Display for SupplierError<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refused(_) => f.write_str("refused"),
            Self::TryLater(cause) => write!(f, "not available now: {cause}"),
            Self::Escalate(cause) => write!(f, "somebody has to look: {cause}"),
        }
    }
}

impl<R: std::fmt::Debug> std::error::Error for SupplierError<R> {}
