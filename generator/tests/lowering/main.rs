//! Lowering: what the model holds for each case and each construct, and that whole real documents come through.

#![allow(clippy::unwrap_used)] // a test that cannot go on should stop

mod cases;
mod constructs_31;
mod corpus;
mod credentials;
mod given;
mod merging;
mod operations;
mod outline;
mod references;
mod robustness;
mod schemas;
mod stable_names;
mod unions;
