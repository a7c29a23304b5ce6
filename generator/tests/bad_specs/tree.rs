//! Folders: copied, and compared as a whole.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Every file and folder below a folder; files with their bytes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Tree(BTreeMap<PathBuf, Option<Vec<u8>>>);

impl Tree {
    pub(crate) fn of(root: &Path) -> Self {
        let mut found = BTreeMap::new();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let bytes = path.is_file().then(|| fs::read(&path).unwrap());
                if path.is_dir() {
                    folders.push(path.clone());
                }
                found.insert(path.strip_prefix(root).unwrap().to_owned(), bytes);
            }
        }
        Self(found)
    }
}

/// Copies a folder with all that is in it.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}
