//! A shop's order service upon ten generated adapters, as a team would have it.
//!
//! - [`systems`]: the adapters, made from one settings file; who we are at each system comes from the environment.
//! - [`order`]: an order is paid by `sber`, insured by `insurance`, its receipt is written by `receipt`.
//! - [`workbench`]: a page out of four internal systems, which degrades tile by tile.
//! - [`shop`]: what else the shop asks: procurements (and old ones in their place), charges, tickets.
//! - [`problem`]: how the errors of calls become answers: a number of ours, and never a word of theirs.
//! - [`operator`]: the page that shows what the layers do, live, and lets an operator force a breaker.
//! - [`routes`]: two routers, one for the world and one for those who run the service.
//! - [`demo`]: the same service among servers that misbehave on cue, under a small load.

pub mod demo;
pub mod operator;
pub mod order;
pub mod problem;
pub mod routes;
pub mod shop;
pub mod systems;
pub mod workbench;
