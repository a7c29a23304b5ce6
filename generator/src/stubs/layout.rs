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
                let opening = format!("{pad}{before}{function}(");
                match &**argument {
                    // Calls within calls open and close together, if there is room for their names.
                    Self::Call(inner, innermost) if opening.chars().count() + inner.chars().count() < WIDTH => {
                        let mut lines = vec![format!("{opening}{inner}(")];
                        lines.extend(innermost.lines(indent + STEP, "", ","));
                        lines.push(format!("{pad})){after}"));
                        lines
                    }
                    _ => {
                        let mut lines = vec![opening];
                        lines.extend(argument.lines(indent + STEP, "", ","));
                        lines.push(format!("{pad}){after}"));
                        lines
                    }
                }
            }
            Self::Chain(root, calls) => {
                let mut lines = vec![format!("{pad}{before}{root}")];
                let mut calls = calls.iter();
                // rustfmt lets the first call stand beside a root that is no longer than an indentation.
                if before.is_empty()
                    && root.chars().count() <= STEP
                    && let (Some(first), Some(call)) = (lines.first_mut(), calls.next())
                {
                    first.push_str(call);
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
            Some(value) => lines.extend(field(indent + STEP, &entry.name, value)),
        }
    }
    lines.push(format!("{pad}}}{tail}"));
    lines
}

/// `name: value,`, or the value on lines of its own where it is better off there.
fn field(indent: usize, name: &str, value: &Expr) -> Vec<String> {
    let before = format!("{name}: ");
    let beside = value.lines(indent, &before, ",");
    let overflows = beside.first().is_some_and(|line| line.chars().count() > WIDTH);
    let below = value.lines(indent + STEP, "", ",");
    if beside.len() > 1 && below.len() == 1 || overflows {
        let mut lines = vec![format!("{}{name}:", " ".repeat(indent))];
        lines.extend(below);
        return lines;
    }
    beside
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

/// What a function answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answered {
    /// A type that is never broken.
    Plain(String),
    /// `head<arguments>`
    Generic(String, Vec<String>),
    /// `impl Future<Output = head<arguments>> + Send`
    Future(String, Vec<String>),
}

impl Answered {
    fn one_line(&self) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::Generic(head, arguments) => format!("{head}<{}>", arguments.join(", ")),
            Self::Future(head, arguments) => {
                format!("impl Future<Output = {head}<{}>> + Send", arguments.join(", "))
            }
        }
    }

    /// The answer after `before` and before `after`.
    fn lines(&self, indent: usize, before: &str, after: &str) -> Vec<String> {
        let pad = " ".repeat(indent);
        let line = format!("{pad}{before}{}{after}", self.one_line());
        let counted = match self {
            // rustfmt measures the bounds one by one.
            Self::Future(..) => line.chars().count().saturating_sub(" + Send".len() + after.len()),
            Self::Plain(_) | Self::Generic(..) => line.chars().count(),
        };
        match self {
            _ if counted <= WIDTH => vec![line],
            Self::Plain(_) => vec![line],
            Self::Generic(head, arguments) => {
                let mut lines = vec![format!("{pad}{before}{head}<")];
                lines.extend(arguments.iter().map(|argument| format!("{pad}    {argument},")));
                lines.push(format!("{pad}>{after}"));
                lines
            }
            Self::Future(head, arguments) => {
                let mut lines = vec![format!("{pad}{before}impl Future<")];
                let output = Self::Generic(head.clone(), arguments.clone());
                lines.extend(output.lines(indent + STEP, "Output = ", ","));
                lines.push(format!("{pad}> + Send{after}"));
                lines
            }
        }
    }
}

/// `fn name(arguments) -> answered {`, without its body. `ending` is ` {` or `;`.
pub(crate) fn signature(
    indent: usize,
    head: &str,
    arguments: &[String],
    answered: &Answered,
    ending: &str,
) -> Vec<String> {
    let pad = " ".repeat(indent);
    let line = format!("{pad}{head}({}) -> {}{ending}", arguments.join(", "), answered.one_line());
    if line.chars().count() <= WIDTH {
        return vec![line];
    }
    let mut lines = vec![format!("{pad}{head}(")];
    lines.extend(arguments.iter().map(|argument| format!("{pad}    {argument},")));
    lines.extend(answered.lines(indent, ") -> ", ending));
    lines
}

/// `Ok(self.method(arguments).await?)`
pub(crate) fn awaited(indent: usize, method: &str, arguments: &str) -> Vec<String> {
    let pad = " ".repeat(indent);
    let chain = format!("self.{method}({arguments}).await?");
    if chain.chars().count() <= CHAIN_WIDTH {
        return vec![format!("{pad}Ok({chain})")];
    }
    vec![format!("{pad}Ok(self"), format!("{pad}    .{method}({arguments})"), format!("{pad}    .await?)")]
}
