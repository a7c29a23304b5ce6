/// How the pages of an operation follow each other. Paths are property names from the reply's root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRule {
    /// What leads from a page to the next.
    pub next: NextPage,
    /// The list in the reply: a page in which it is empty is the last. `None` where it is not told.
    pub items: Option<&'static [&'static str]>,
}

/// What leads from a page to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextPage {
    /// A text or number in the reply is an argument of the next request. None, null or an empty one: the last page.
    Cursor {
        /// Where it is in the reply.
        from: &'static [&'static str],
        /// The query parameter it becomes.
        to: &'static str,
    },
    /// The next page has the next number.
    Number {
        /// The query parameter.
        parameter: &'static str,
        /// The number of the first page.
        first: u64,
        /// How many items a full page has: one with fewer is the last.
        size: PageSize,
    },
    /// The header `Link` has the next page under `rel=next` (RFC 8288).
    LinkHeader,
    /// A text in the reply is the URL of the next page. None, null or an empty one: the last page.
    LinkField {
        /// Where it is in the reply.
        from: &'static [&'static str],
    },
}

/// How many items a full page has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageSize {
    /// Nobody knows: only an empty page is the last.
    Unknown,
    /// Always so many.
    Fixed(u64),
    /// As many as the request asks for in this query parameter, if it does.
    Parameter(&'static str),
}
