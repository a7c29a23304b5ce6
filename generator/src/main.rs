//! The `cofferdam` command.

mod cli;

/// Most of a run is many small allocations on all cores: with the allocator of the system they take a third of its time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
