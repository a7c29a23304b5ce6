//! Words that may not, or had better not, be an identifier in generated code.

/// Every reserved word of editions up to 2024, apart from those of [`NOT_RAW`]. They are legal as `r#word`.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Reserved words that have no raw form.
const NOT_RAW: &[&str] = &["self", "Self", "super", "crate"];

/// Type names that generated code writes plainly: the prelude's, and what it imports.
const PLAIN_TYPES: &[&str] =
    &["Box", "BTreeMap", "Err", "From", "None", "Ok", "Option", "Result", "Some", "String", "Vec"];

/// Names beside the operations in the adapter, the stubs and the modules' re-exports.
const BESIDE_OPERATIONS: &[&str] = &[
    "Answer",
    "CallError",
    "Client",
    "Command",
    "ConnectError",
    "Guard",
    "HttpClient",
    "IdempotencyKey",
    "Mapping",
    "MappingError",
    "Operation",
    "Refusal",
    "Settings",
    "StatusCode",
    "Style",
    "Verdict",
];

/// Methods that generated clients and adapters have of their own, or get from derives.
const OWN_METHODS: &[&str] =
    &["client", "clone", "connect", "drop", "fmt", "guard", "health", "http", "mapping", "new", "system"];

/// Methods that generated credentials have of their own, or get from derives.
const OWN_CREDENTIALS: &[&str] = &["clone", "default", "fmt", "inner", "into_inner", "new"];

/// Makes a word legal: raw where Rust allows it, else with an underscore behind.
pub(crate) fn legal(word: String) -> String {
    if NOT_RAW.contains(&word.as_str()) {
        word + "_"
    } else if KEYWORDS.contains(&word.as_str()) {
        format!("r#{word}")
    } else {
        word
    }
}

/// Whether a schema of this name would hide a type that generated code writes plainly.
pub(crate) fn hides_a_plain_type(name: &str) -> bool {
    PLAIN_TYPES.contains(&name)
}

/// Whether an operation's type of this name would clash in the adapter or the stubs.
pub(crate) fn stands_beside_operations(name: &str) -> bool {
    PLAIN_TYPES.contains(&name) || BESIDE_OPERATIONS.contains(&name)
}

/// Whether clients or adapters have a method of this name already.
pub(crate) fn is_own_method(name: &str) -> bool {
    OWN_METHODS.contains(&name)
}

/// Whether credentials have a method of this name already.
pub(crate) fn is_own_credential(name: &str) -> bool {
    OWN_CREDENTIALS.contains(&name)
}
