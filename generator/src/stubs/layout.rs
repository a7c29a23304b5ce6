//! Lines as rustfmt would leave them with its default settings, for the few forms that stubs are made of.

/// rustfmt's `max_width`.
const WIDTH: usize = 100;
/// rustfmt's `struct_lit_width`: a literal or pattern longer than this is vertical.
const STRUCT_WIDTH: usize = 18;
/// rustfmt's `chain_width`.
const CHAIN_WIDTH: usize = 60;
/// rustfmt's `fn_call_width`.
const CALL_WIDTH: usize = 60;
/// rustfmt's `tab_spaces`.
const STEP: usize = 4;

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expr {
    /// Something that stays on one line.
    Text(String),
    /// `function(argument)`
    Call(String, Box<Expr>),
    /// `root.call().call()`, the calls with their dots.
    Chain(String, Vec<String>),
}

impl Expr {
    /// All of it on one line.
    pub(crate) fn one_line(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Call(function, argument) => format!("{function}({})", argument.one_line()),
            Self::Chain(root, calls) => format!("{root}{}", calls.concat()),
        }
    }

    /// Whether rustfmt leaves it on one line of this width.
    fn fits(&self, width: usize) -> bool {
        let long = self.one_line().chars().count();
        let narrow = match self {
            Self::Text(_) => true,
            Self::Call(_, argument) => argument.one_line().chars().count() <= CALL_WIDTH && argument.fits(WIDTH),
            // A single call is no chain to rustfmt.
            Self::Chain(_, calls) => calls.len() == 1 || long <= CHAIN_WIDTH,
        };
        narrow && long <= width
    }

    /// The expression after `before` and before `after`, both on its own lines.
    pub(crate) fn lines(&self, indent: usize, before: &str, after: &str) -> Vec<String> {
        let pad = " ".repeat(indent);
        let around = indent + before.chars().count() + after.chars().count();
        if self.fits(WIDTH.saturating_sub(around)) {
            return vec![format!("{pad}{before}{}{after}", self.one_line())];
        }
        match self {
            Self::Text(text) => vec![format!("{pad}{before}{text}{after}")],
            Self::Call(function, argument) => {
                let mut lines = vec![format!("{pad}{before}{function}(")];
                lines.extend(argument.lines(indent + STEP, "", ","));
                lines.push(format!("{pad}){after}"));
                lines
            }
            Self::Chain(root, calls) => {
                let mut lines = vec![format!("{pad}{before}{root}")];
                let mut calls = calls.iter();
                // rustfmt lets the first call stand beside a root that is no longer than an indentation.
                if before.is_empty() && root.chars().count() <= STEP {
                    if let (Some(first), Some(call)) = (lines.first_mut(), calls.next()) {
                        first.push_str(call);
                    }
                }
                lines.extend(calls.map(|call| format!("{pad}    {call}")));
                if let Some(last) = lines.last_mut() {
                    last.push_str(after);
                }
                lines
            }
        }
    }
}

/// A field in a struct literal or pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its name.
    pub(crate) name: String,
    /// What it is, unless it is what its name says.
    pub(crate) value: Option<Expr>,
}

impl Entry {
    fn one_line(&self) -> String {
        match &self.value {
            None => self.name.clone(),
            Some(value) => format!("{}: {}", self.name, value.one_line()),
        }
    }
}

/// `{head} { entries }{tail}`: a struct literal or pattern.
pub(crate) fn braces(indent: usize, head: &str, entries: &[Entry], tail: &str) -> Vec<String> {
    let pad = " ".repeat(indent);
    if entries.is_empty() {
        return vec![format!("{pad}{head} {{}}{tail}")];
    }
    let inside = entries.iter().map(Entry::one_line).collect::<Vec<_>>().join(", ");
    let line = format!("{pad}{head} {{ {inside} }}{tail}");
    if inside.chars().count() <= STRUCT_WIDTH && line.chars().count() <= WIDTH {
        return vec![line];
    }
    let mut lines = vec![format!("{pad}{head} {{")];
    for entry in entries {
        match &entry.value {
            None => lines.push(format!("{pad}    {},", entry.name)),
            Some(value) => lines.extend(value.lines(indent + STEP, &format!("{}: ", entry.name), ",")),
        }
    }
    lines.push(format!("{pad}}}{tail}"));
    lines
}

/// `pattern => body,` with a body of one expression.
pub(crate) fn arm(indent: usize, pattern: &str, body: &Expr) -> Vec<String> {
    let pad = " ".repeat(indent);
    let before = format!("{pattern} => ");
    let width = WIDTH.saturating_sub(indent + before.chars().count() + 1);
    if body.fits(width) {
        return vec![format!("{pad}{before}{},", body.one_line())];
    }
    let mut lines = vec![format!("{pad}{pattern} => {{")];
    lines.extend(body.lines(indent + STEP, "", ""));
    lines.push(format!("{pad}}}"));
    lines
}

/// `pattern => {` and a struct literal or whatever lines stand in the arm.
pub(crate) fn block_arm(indent: usize, pattern: &[String], body: Vec<String>) -> Vec<String> {
    let pad = " ".repeat(indent);
    let mut lines = pattern.to_vec();
    if let Some(last) = lines.last_mut() {
        last.push_str(" => {");
    }
    lines.extend(body);
    lines.push(format!("{pad}}}"));
    lines
}

/// `fn name(arguments) -> result {`, without its body. `ending` is ` {` or `;`.
pub(crate) fn signature(indent: usize, head: &str, arguments: &[String], result: &str, ending: &str) -> Vec<String> {
    let pad = " ".repeat(indent);
    let line = format!("{pad}{head}({}) -> {result}{ending}", arguments.join(", "));
    if line.chars().count() <= WIDTH {
        return vec![line];
    }
    let mut lines = vec![format!("{pad}{head}(")];
    lines.extend(arguments.iter().map(|argument| format!("{pad}    {argument},")));
    lines.push(format!("{pad}) -> {result}{ending}"));
    lines
}
