use std::collections::BTreeMap;
use std::sync::Arc;

/// Whose a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ownership {
    /// Ours: replaced on every run, never edited by hand.
    Generated,
    /// Theirs: created when it is absent, never opened for writing again.
    HandWritten,
}

/// A file to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileBody {
    /// Its whole text. `None` for a hand-written file that was there when the run began: nobody needs its text.
    pub text: Option<Arc<str>>,
    /// Whose it is.
    pub ownership: Ownership,
    /// What made it: a template's name, or the name of the renderer (`types`, `client`, …).
    pub template: String,
    /// The system it belongs to.
    pub system: String,
}

/// The files of a run by their path relative to the root (the folder of the lock), with `/` between the names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    files: BTreeMap<String, FileBody>,
}

impl Tree {
    /// Adds a file. The first one given for a path stays: `false` says that the path was taken.
    pub fn insert(&mut self, path: impl Into<String>, body: FileBody) -> bool {
        match self.files.entry(path.into()) {
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(body);
                true
            }
            std::collections::btree_map::Entry::Occupied(_) => false,
        }
    }

    /// The files in the order of their paths.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &FileBody)> {
        self.files.iter().map(|(path, body)| (path.as_str(), body))
    }

    /// The file at a path.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&FileBody> {
        self.files.get(path)
    }

    /// How many files there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Changes the texts of some files.
    pub(crate) fn rewrite(&mut self, which: impl Fn(&str, &FileBody) -> bool, change: impl Fn(&str) -> String) {
        for (path, body) in &mut self.files {
            if which(path, body) {
                body.text = body.text.as_deref().map(|text| change(text).into());
            }
        }
    }

    /// Takes over the files of another tree; gives back the paths that both have.
    pub fn merge(&mut self, other: Self) -> Vec<String> {
        let mut taken = Vec::new();
        for (path, body) in other.files {
            if !self.insert(path.clone(), body) {
                taken.push(path);
            }
        }
        taken
    }
}
