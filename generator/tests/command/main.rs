//! The command as people run it: what it prints, what it writes, how it ends.

#![allow(clippy::unwrap_used)] // a test that cannot go on should stop

mod checking;
mod contracts;
mod counting;
mod crashing;
mod dashboards;
mod denying;
mod diffing;
mod entries;
mod generating;
mod importing;
mod initialising;
mod naming;
mod planning;
mod receipts;
mod reviewing;
mod ruling;
mod sandbox;
mod showing;
mod stubbing;
mod telling;
mod templates;
mod trials;
