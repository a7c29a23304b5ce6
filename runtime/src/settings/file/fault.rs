use std::fmt;

/// One thing that is wrong with a settings file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SettingsFault {
    /// The rule (`R-RES-TO-1`), or `CD-SETTINGS-…` for what no rule is about.
    pub code: &'static str,
    /// The key's path, `systems.sber.timeouts.read`; empty when it is about the file as a whole.
    pub key: String,
    /// The file, or the variable of the environment that overrides it.
    pub file: String,
    /// The line, from 1; 0 when there is none.
    pub line: usize,
    /// The column in characters, from 1; 0 when there is none.
    pub col: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it; may be empty.
    pub help: String,
}

/// `file:line:col: error[CODE] key: message`, and the help on a line of its own.
impl fmt::Display for SettingsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        harmless(f, &self.file)?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.col)?;
        }
        write!(f, ": error[{}]", self.code)?;
        if !self.key.is_empty() {
            f.write_str(" ")?;
            harmless(f, &self.key)?;
        }
        f.write_str(": ")?;
        harmless(f, &self.message)?;
        if !self.help.is_empty() {
            f.write_str("\n  help: ")?;
            harmless(f, &self.help)?;
        }
        Ok(())
    }
}

/// A message stays one line, whatever text it quotes.
fn harmless(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    text.chars().try_for_each(|character| match character.is_control() {
        true => write!(f, "{}", character.escape_default()),
        false => write!(f, "{character}"),
    })
}

/// Everything that is wrong with a settings file, at once. Nothing of such a file is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsError {
    faults: Vec<SettingsFault>,
}

impl SettingsError {
    /// Sorts the faults by their places and drops repetitions (a value of `defaults` is checked for every system).
    pub(super) fn new(mut faults: Vec<SettingsFault>) -> Self {
        let place = |fault: &SettingsFault| (fault.line == 0, fault.file.clone(), fault.line, fault.col);
        faults.sort_by_key(place);
        let mut seen = std::collections::HashSet::new();
        faults.retain(|fault| seen.insert(fault.clone()));
        Self { faults }
    }

    /// The faults, by their places in the file; those of the environment last.
    #[must_use]
    pub fn faults(&self) -> &[SettingsFault] {
        &self.faults
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for SettingsError {}
