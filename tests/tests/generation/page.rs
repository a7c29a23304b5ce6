//! Code out of pages for people.

/// The code that follows the name of a file in a page.
pub(crate) fn file(page: &str, name: &str) -> String {
    let (_, after) = page.split_once(&format!("**`{name}`**")).unwrap_or_else(|| panic!("no {name}"));
    fenced(after)
}

/// The first block of code.
pub(crate) fn fenced(text: &str) -> String {
    let (_, after) = text.split_once("```").unwrap();
    let (_, code) = after.split_once('\n').unwrap();
    let (code, _) = code.split_once("```").unwrap();
    code.to_owned()
}
