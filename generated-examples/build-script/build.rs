//! Generates the adapters at each build whose inputs changed; the hand-written files are made when they are absent.

fn main() -> Result<(), cofferdam::BuildError> {
    cofferdam::Build::new("../../specs/cofferdam.toml").system("sber").system("f6").stubs_dir("src").run()?;
    Ok(())
}
