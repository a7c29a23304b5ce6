//! An adapter made with a team's own templates, in `templates/`:
//!
//! - `stubs/port.rs.jinja`, ejected and changed: the port answers with the team's [`error::SupplierError`], one type for
//!   all systems;
//! - insertion points: a header in every generated file, and an [`audit::AuditLog`] in each method of the adapter;
//! - `own/operations.md.jinja`: a page of the operations beside the code.
#![deny(warnings)]

pub mod audit;
pub mod error;
pub mod integrations;
