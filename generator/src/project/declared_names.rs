//! `[systems.NAME.names]`: what types and operations are called, by the place of what they come from.

use super::section::{Reading, Section};
use super::{Declared, DeclaredName};

/// The declared names, in the order of the file.
pub(super) fn names(system: &Section<'_>, reading: &mut Reading<'_>) -> Vec<DeclaredName> {
    let Some(section) = system.section("names", reading) else { return Vec::new() };
    let mut names: Vec<DeclaredName> = Vec::new();
    for pointer in section.keys() {
        let Some(Declared { value, at }) = section.text(pointer, reading) else { continue };
        if !pointer.starts_with('/') {
            let message = format!("{pointer:?} is no JSON pointer");
            let help = "name a schema or an operation by its place: `\"/components/schemas/order\" = \"Order\"`";
            reading.error("CD-PROJECT-VALUE", &at, message, help);
        } else if syn::parse_str::<syn::Ident>(&value).is_err() {
            let message = format!("{value:?} cannot be a name in Rust");
            reading.error("CD-PROJECT-VALUE", &at, message, "letters, digits and `_`, and no keyword");
        } else {
            names.push(DeclaredName { pointer: pointer.to_owned(), name: Declared { value, at } });
        }
    }
    names
}
