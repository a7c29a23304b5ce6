//! Vectors: what must hold for a case, told by example.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// A folder of documents with the vectors about them.
pub(crate) struct Set {
    /// The folder.
    folder: PathBuf,
    /// The vectors, in the order of the file.
    pub(crate) vectors: Vec<Value>,
}

impl Set {
    /// A set among the fixtures.
    pub(crate) fn read(folder: &str, vectors: &str) -> Self {
        let fixtures = workspace().join("tests/fixtures");
        let text = fs::read(fixtures.join(vectors)).unwrap();
        let mut document: Value = serde_json::from_slice(&text).unwrap();
        let Value::Array(vectors) = document["vectors"].take() else { panic!("no list of vectors") };
        Self { folder: fixtures.join(folder), vectors }
    }

    /// The documents of its cases that have vectors, by name.
    pub(crate) fn cases(&self) -> BTreeMap<String, PathBuf> {
        let names = self.vectors.iter().map(|vector| text(vector, "case").to_owned());
        names.map(|name| (name.clone(), self.folder.join(format!("{name}.yaml")))).collect()
    }
}

/// The text of a member; empty when there is none.
pub(crate) fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

/// The members of an object; none when it is no object.
pub(crate) fn members<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = (&'v String, &'v Value)> {
    value[name].as_object().into_iter().flatten()
}

/// The items of a list; none when it is no list.
pub(crate) fn items<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    value[name].as_array().into_iter().flatten()
}

/// The root of the workspace.
pub(crate) fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}
