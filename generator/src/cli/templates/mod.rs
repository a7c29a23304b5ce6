//! `cofferdam templates`, and what other commands have to do for a team's templates.

pub(super) mod generating;
