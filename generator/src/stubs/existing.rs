//! What a team has written already: read, never written.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use syn::visit::Visit;

/// What stands in the hand-written files of a system.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Existing {
    /// Operations (their types) that some type implements `Mapping` for.
    pub mapped: BTreeSet<String>,
    /// Functions outside of implementations.
    pub functions: BTreeSet<String>,
    /// Structs, enums and other names of types.
    pub types: BTreeSet<String>,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// Files that are no Rust, with the parser's words.
    pub unreadable: Vec<(PathBuf, String)>,
}

impl Existing {
    /// Reads every Rust file under a folder except those under the folder or of the names that are generated.
    ///
    /// # Errors
    /// When a folder or a file that is there cannot be read.
    pub fn read(folder: &Path, is_generated: impl Fn(&Path) -> bool) -> std::io::Result<Self> {
        let mut existing = Self::default();
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            let entries = match std::fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            let mut found = Vec::new();
            for entry in entries {
                let entry = entry?;
                // Links are not followed into folders: one of them may lead back up.
                found.push((entry.path(), entry.file_type()?.is_dir()));
            }
            found.sort();
            for (path, is_folder) in found.into_iter().filter(|(path, _)| !is_generated(path)) {
                if is_folder {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") && path.is_file() {
                    existing.take_in(&path, &std::fs::read_to_string(&path)?);
                }
            }
        }
        Ok(existing)
    }

    /// Takes in one file.
    pub fn take_in(&mut self, path: &Path, text: &str) {
        self.files.push(path.to_owned());
        match syn::parse_file(text) {
            Ok(file) => Reader { existing: self }.visit_file(&file),
            Err(error) => self.unreadable.push((path.to_owned(), error.to_string())),
        }
    }
}

/// The operation that an implementation maps.
pub(super) fn mapped_operation(item: &syn::ItemImpl) -> Option<String> {
    let (path, _) = item.trait_.as_ref()?;
    let last = path.segments.last().filter(|segment| segment.ident == "Mapping")?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let Some(syn::GenericArgument::Type(syn::Type::Path(operation))) = arguments.args.first() else { return None };
    operation.path.segments.last().map(|name| name.ident.to_string())
}

struct Reader<'a> {
    existing: &'a mut Existing,
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        self.existing.mapped.extend(mapped_operation(item));
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.existing.functions.insert(item.sig.ident.to_string());
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.existing.types.insert(item.ident.to_string());
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.existing.types.insert(item.ident.to_string());
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.existing.types.insert(item.ident.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn implementations_are_found_however_their_paths_are_written() {
        let mut existing = Existing::default();
        existing.take_in(
            Path::new("mapper.rs"),
            "impl Mapping<RegisterOrder> for M { type X = (); fn f() { fn inner() {} } }
             impl cofferdam_runtime::Mapping<super::generated::operations::Refund> for M {}
             impl Other<Deposit> for M {}
             impl M { fn method(&self) {} }
             mod inner { impl Mapping<Reverse> for super::M {} fn helper() {} }
             fn order_to_wire() {}
             struct Order; enum Kind {} type Id = u8;",
        );
        assert_eq!(existing.mapped.iter().collect::<Vec<_>>(), ["Refund", "RegisterOrder", "Reverse"]);
        assert_eq!(existing.functions.iter().collect::<Vec<_>>(), ["helper", "order_to_wire"]);
        assert_eq!(existing.types.iter().collect::<Vec<_>>(), ["Id", "Kind", "Order"]);
        assert!(existing.unreadable.is_empty());
    }

    #[test]
    fn file_that_is_no_rust_is_told() {
        let mut existing = Existing::default();
        existing.take_in(Path::new("mapper.rs"), "fn a() {}\nfn b( {}\n");
        assert_eq!(existing.unreadable.len(), 1);
    }

    #[test]
    fn generated_files_and_other_kinds_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("generated")).unwrap();
        std::fs::create_dir_all(folder.path().join("mapper")).unwrap();
        std::fs::write(folder.path().join("generated/mod.rs"), "impl Mapping<A> for M {}").unwrap();
        std::fs::write(folder.path().join("mapper/orders.rs"), "impl Mapping<B> for M {}").unwrap();
        std::fs::write(folder.path().join("notes.md"), "impl Mapping<C> for M {}").unwrap();
        let existing = Existing::read(folder.path(), |path| path.ends_with("generated")).unwrap();
        assert_eq!(existing.mapped.iter().collect::<Vec<_>>(), ["B"]);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(folder.path(), folder.path().join("mapper/up")).unwrap();
            let looped = Existing::read(folder.path(), |path| path.ends_with("generated")).unwrap();
            assert_eq!(looped.mapped, existing.mapped);
        }
        assert!(Existing::read(&folder.path().join("absent"), |_| false).unwrap().files.is_empty());
    }
}
