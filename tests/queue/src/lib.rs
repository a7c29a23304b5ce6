//! What the tests of the durable queue stand on: databases of their own, a shop that pays through the example adapter of
//! `sber`, workers as processes that can be killed, and a ledger of what arrived.

pub mod books;
pub mod database;
pub mod killing;
pub mod postgres;
pub mod shop;
