//! `[systems.NAME.operations.ID.pages]`: how a list comes page by page.

use super::Declared;
use super::section::{Reading, Section};
use crate::diagnose::Location;

/// How the pages of an operation follow each other. Whether the document has the fields and parameters is for the plan
/// to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredPages {
    /// Where it is declared.
    pub at: Location,
    /// What leads from a page to the next.
    pub next: DeclaredNext,
    /// `items`: the list in the reply, as property names from its root.
    pub items: Option<Declared<Vec<String>>>,
}

/// What leads from a page to the next. Fields are property names from the reply's root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeclaredNext {
    /// `cursor = { from = "…", to = "…" }`
    Cursor {
        /// The field of the reply.
        from: Declared<Vec<String>>,
        /// The query parameter.
        to: Declared<String>,
    },
    /// `page = { parameter = "…", first = 1, size = … }`
    Number {
        /// The query parameter.
        parameter: Declared<String>,
        /// The number of the first page.
        first: u64,
        /// How many items a full page has.
        size: Option<Declared<DeclaredSize>>,
    },
    /// `link = true`: the header `Link`.
    LinkHeader,
    /// `link = "…"`: a field of the reply that is a URL.
    LinkField(Declared<Vec<String>>),
}

/// How many items a full page has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeclaredSize {
    /// Always so many.
    Fixed(u64),
    /// As many as this query parameter says.
    Parameter(String),
}

const WAYS: [&str; 3] = ["cursor", "page", "link"];

/// Reads what is declared of an operation's pages.
pub(super) fn pages(operation: &Section<'_>, reading: &mut Reading<'_>) -> Option<DeclaredPages> {
    let help = "for example `{ cursor = { from = \"next_cursor\", to = \"cursor\" }, items = \"data\" }`";
    let section = operation.section_or("pages", help, reading)?;
    section.known_keys(&["cursor", "page", "link", "items"], reading);
    let ways: Vec<&str> = WAYS.into_iter().filter(|key| section.contains(key)).collect();
    let [way] = ways.as_slice() else {
        let message = if ways.is_empty() {
            "nothing leads from a page to the next"
        } else {
            "more than one thing leads from a page to the next"
        };
        reading.error("CD-PROJECT-VALUE", &section.at, message, "one of `cursor`, `page`, `link`");
        return None;
    };
    let items = section.steps("items", "the reply", reading);
    let next = match *way {
        "cursor" => cursor(&section, reading)?,
        "page" => number(&section, reading)?,
        _ => link(&section, reading)?,
    };
    // An `items` that could not be read was reported; without it the plan would only complain once more.
    (items.is_some() || !section.contains("items")).then_some(DeclaredPages { at: section.at, next, items })
}

fn cursor(pages: &Section<'_>, reading: &mut Reading<'_>) -> Option<DeclaredNext> {
    let help = "write `cursor = { from = \"…\", to = \"…\" }`: a field of the reply, and a query parameter";
    let section = pages.section_or("cursor", help, reading)?;
    section.known_keys(&["from", "to"], reading);
    for key in ["from", "to"].into_iter().filter(|key| !section.contains(key)) {
        reading.error("CD-PROJECT-MISSING", &section.at, format!("the cursor has no `{key}`"), help);
    }
    let (from, to) = (section.steps("from", "the reply", reading), section.text("to", reading));
    Some(DeclaredNext::Cursor { from: from?, to: to? })
}

fn number(pages: &Section<'_>, reading: &mut Reading<'_>) -> Option<DeclaredNext> {
    let help = "write `page = { parameter = \"…\" }`: the query parameter that takes the number of a page";
    let section = pages.section_or("page", help, reading)?;
    section.known_keys(&["parameter", "first", "size"], reading);
    if !section.contains("parameter") {
        reading.error("CD-PROJECT-MISSING", &section.at, "the number of a page has no `parameter`", help);
    }
    let parameter = section.text("parameter", reading);
    let first = section.number("first", reading).map(|first| first.value);
    let size = size(&section, reading);
    // What could not be read was reported.
    let is_read = (first.is_some() || !section.contains("first")) && (size.is_some() || !section.contains("size"));
    let parameter = parameter.filter(|_| is_read)?;
    Some(DeclaredNext::Number { parameter, first: first.unwrap_or(1), size })
}

/// A number of items, or the name of the parameter that has it.
fn size(section: &Section<'_>, reading: &mut Reading<'_>) -> Option<Declared<DeclaredSize>> {
    if section.is_text("size") {
        let Declared { value, at } = section.text("size", reading)?;
        return Some(Declared { value: DeclaredSize::Parameter(value), at });
    }
    let Declared { value, at } = section.number("size", reading)?;
    if value == 0 {
        reading.error("CD-PROJECT-VALUE", &at, "a full page has no item", "leave `size` out if it is not known");
        return None;
    }
    Some(Declared { value: DeclaredSize::Fixed(value), at })
}

fn link(pages: &Section<'_>, reading: &mut Reading<'_>) -> Option<DeclaredNext> {
    if pages.is_text("link") {
        return pages.steps("link", "the reply", reading).map(DeclaredNext::LinkField);
    }
    let help = "`true` for the header `Link`, or the field of the reply that is the URL of the next page";
    let flag = pages.flag("link", help, reading)?;
    if !flag.value {
        reading.error("CD-PROJECT-VALUE", &flag.at, "nothing leads from a page to the next", help);
        return None;
    }
    Some(DeclaredNext::LinkHeader)
}
