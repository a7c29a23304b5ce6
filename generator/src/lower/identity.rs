use std::collections::HashMap;

use super::context::Lowering;
use crate::model::Origin;
use crate::project::OnDuplicate;
use crate::resolve::Node;

/// How many derived ids a warning names.
const NAMED: usize = 10;

/// The operation ids given so far.
#[derive(Default)]
pub(super) struct Identities {
    taken: HashMap<String, Taken>,
    derived: Vec<(String, Origin)>,
    twice: Vec<Twice>,
}

struct Taken {
    by: String,
    at: Origin,
    /// The last suffix given.
    last: usize,
}

struct Twice {
    id: String,
    at: Origin,
    before: String,
    before_at: Origin,
}

/// What an operation is called.
pub(super) struct Identity {
    pub(super) id: String,
    pub(super) derived: bool,
}

impl<'a> Lowering<'a> {
    /// The id of an operation: as written, else its method and path. One that is taken already is a fault, or gets a
    /// suffix when the project says so.
    pub(super) fn identify(
        &mut self,
        node: &Node<'a>,
        method: &str,
        path: &str,
        identities: &mut Identities,
        on_duplicate: OnDuplicate,
    ) -> Identity {
        let what = format!("{method} {path}");
        let written = node.text("operationId", &mut self.findings).filter(|id| !id.trim().is_empty());
        let Some(id) = written else {
            identities.derived.push((what.clone(), node.origin.clone()));
            return Identity { id: what, derived: true };
        };
        let at = node.at("operationId");
        let id = id.to_owned();
        let Some(taken) = identities.taken.get_mut(&id) else {
            identities.taken.insert(id.clone(), Taken { by: what, at, last: 1 });
            return Identity { id, derived: false };
        };
        match on_duplicate {
            OnDuplicate::Error => {
                let (before, before_at) = (taken.by.clone(), taken.at.clone());
                identities.twice.push(Twice { id: id.clone(), at, before, before_at });
                Identity { id, derived: false }
            }
            OnDuplicate::Suffix => {
                let mut last = taken.last;
                let suffixed = loop {
                    last += 1;
                    let suffixed = format!("{id}_{last}");
                    if !identities.taken.contains_key(&suffixed) {
                        break suffixed;
                    }
                };
                let message = format!(
                    "\"{id}\" is already used by {}: this one is called \"{suffixed}\"",
                    taken_by(identities, &id)
                );
                self.findings.warning("CD-OPERATION-ID", &at, message, "give it an id of its own");
                if let Some(taken) = identities.taken.get_mut(&id) {
                    taken.last = last;
                }
                identities.taken.insert(suffixed.clone(), Taken { by: what, at, last: 1 });
                Identity { id: suffixed, derived: false }
            }
        }
    }

    /// Tells of ids that are used twice, and of operations without one.
    pub(super) fn finish_identities(&mut self, identities: Identities) {
        let places: Vec<_> = identities.twice.iter().map(|twice| twice.before_at.clone()).collect();
        let lines = self.documents.lines(&places);
        for (twice, line) in identities.twice.into_iter().zip(lines) {
            let line = line.map(|(file, line)| match file == self.documents.written(&twice.at).file {
                true => format!(" (line {line})"),
                false => format!(" (line {line} of {})", self.documents.display(file)),
            });
            let line = line.unwrap_or_default();
            let message = format!("\"{}\" is already used by {}{line}", twice.id, twice.before);
            let help = "rename one of them, or set `on-duplicate = \"suffix\"` in the project file";
            self.findings.error("CD-OPERATION-ID", &twice.at, message, help);
        }
        let Some((_, first)) = identities.derived.first() else { return };
        let count = identities.derived.len();
        let named: Vec<_> = identities.derived.iter().take(NAMED).map(|(id, _)| id.as_str()).collect();
        let more = if count > named.len() { format!(" and {} more", count - named.len()) } else { String::new() };
        let verb = if count == 1 { "operation has" } else { "operations have" };
        let message = format!("{count} {verb} no `operationId`, so names are derived: {}{more}", named.join(", "));
        self.findings.warning("CD-OPERATION-ID-NONE", first, message, "write an `operationId` to pin the name");
    }
}

fn taken_by(identities: &Identities, id: &str) -> String {
    identities.taken.get(id).map(|taken| taken.by.clone()).unwrap_or_default()
}
