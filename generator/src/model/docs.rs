/// Human text of the document, kept as written. It is data: rendering escapes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Docs {
    /// `summary` or `title`: one line.
    pub summary: Option<String>,
    /// `description`: Markdown (CommonMark).
    pub description: Option<String>,
    /// `deprecated: true`.
    pub deprecated: bool,
}

/// Where in the author's files something is written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    /// Index of the source file in the run's [`Sources`](crate::load::Sources); 0 is the root document.
    pub file: usize,
    /// JSON pointer in that file, as the author wrote the document (before normalising).
    pub pointer: String,
}
