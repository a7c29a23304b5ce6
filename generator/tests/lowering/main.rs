//! Lowering: what the model holds for each case, and that whole real documents come through.

mod cases;
mod corpus;
mod outline;
