use std::fmt::{Debug, Write as _};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// One hash over all that decides a system's code besides the files it is read from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// Of things by name. A thing is told by its `Debug` form: a form that changes with nothing behind it costs one run.
    /// `None` where it cannot be said which program this is.
    #[must_use]
    pub fn of(things: &[(&str, &dyn Debug)]) -> Option<Self> {
        let mut hasher = Hasher(Sha256::new());
        let _ = write!(hasher, "{}", program()?);
        for (name, thing) in things {
            let _ = write!(hasher, "\n{name}: {thing:?}");
        }
        let mut hash = String::with_capacity(64);
        for byte in hasher.0.finalize() {
            let _ = write!(hash, "{byte:02x}");
        }
        Some(Self(hash))
    }
}

/// This build of this program: its version alone would take a program under development for the one of yesterday.
fn program() -> Option<String> {
    let file = std::env::current_exe().ok()?;
    let about = file.metadata().ok()?;
    let built = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!(
        "cofferdam {} in {} of {} bytes and {built:?}",
        env!("CARGO_PKG_VERSION"),
        file.display(),
        about.len()
    ))
}

struct Hasher(Sha256);

impl std::fmt::Write for Hasher {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}
