//! The front of the generator, from files to values: what loads, and what each thing that does not load says.

#![allow(clippy::unwrap_used)] // a test that cannot go on should stop

mod bad_documents;
mod fixture;
mod good_documents;
mod mutations;
mod overlays;
mod projects;
