//! Resolving: references of every kind become places in the files that were read.
//!
//! A place is an [`Origin`](crate::model::Origin): file and normalised pointer. Two references to the same place give
//! the same origin, whatever they look like, so a part file that refers back to the root yields no second copy.

mod anchors;
mod documents;
mod findings;
mod node;
pub(crate) mod pointer;

pub(crate) use documents::{Documents, did_you_mean};
pub(crate) use findings::Findings;
pub(crate) use node::{Node, describe, wrong_type};
