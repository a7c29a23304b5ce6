//! The `cofferdam` command.
fn main() {}
