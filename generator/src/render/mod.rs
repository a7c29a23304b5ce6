//! Rendering: views become text through templates, the plan becomes syntax through tokens.

pub mod templates;
