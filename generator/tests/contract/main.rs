//! Examples of documents: which are found, which contradict their schemas, what is written back; and samples made where
//! the document gives none.

#![allow(clippy::unwrap_used, reason = "an unwrap is an assertion here")]

mod contradictions;
mod examples;
mod given;
mod samples;
mod tests_of_a_crate;
