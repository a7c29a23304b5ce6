//! One module an external system.

pub mod failure;

pub mod f6;
pub mod insurance;
pub mod o2o;
pub mod odnakassa;
pub mod payment_service;
pub mod receipt;
pub mod retail_store;
pub mod roos;
pub mod sber;
pub mod warranty;
