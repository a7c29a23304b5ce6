//! Where a text stops being Rust, to the item or method.

/// What is no Rust.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RustFault {
    /// The line on which the item or method begins that cannot be read, from 1.
    pub(crate) line: usize,
    /// What the parser says.
    pub(crate) cause: String,
}

/// The first item or method of a text that is no Rust; `None` when all of it is.
///
/// Tokens know no lines here: keeping them would take longer for every text, and this is asked about broken ones.
pub(crate) fn rust_fault(text: &str) -> Option<RustFault> {
    let cause = syn::parse_file(text).err()?.to_string();
    let lines: Vec<&str> = text.lines().collect();
    Some(narrowed(&lines, 0, "", "").unwrap_or(RustFault { line: 1, cause }))
}

/// Reads as many whole items as there are, and goes into the one after them. `open` and `close` make a file of what
/// stands inside an item.
fn narrowed(lines: &[&str], before: usize, open: &str, close: &str) -> Option<RustFault> {
    let parse = |lines: &[&str]| syn::parse_file(&format!("{open}{}{close}", lines.join("\n")));
    let (mut start, mut depth) = (0, 0_i64);
    for (index, line) in lines.iter().enumerate() {
        depth += braces(line);
        if depth <= 0 && parse(lines.get(start..=index)?).is_ok() {
            (start, depth) = (index + 1, 0);
        }
    }
    let rest = lines.get(start..)?;
    let cause = parse(rest).err()?.to_string();
    // Documentation and attributes belong to what follows them.
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    let first = start + rest.iter().position(is_code).unwrap_or_default();
    let inside = inner(lines, first).and_then(|(from, to)| {
        narrowed(lines.get(from..to)?, before + from, "impl X {\n", "\n}").filter(|fault| fault.line > before + from)
    });
    Some(inside.unwrap_or(RustFault { line: before + first + 1, cause }))
}

/// The lines inside an implementation that begins with a line.
fn inner(lines: &[&str], first: usize) -> Option<(usize, usize)> {
    let head = lines.get(first)?.trim_start();
    let is_impl = head.starts_with("impl") || head.starts_with("pub trait") || head.starts_with("trait");
    let open = first + lines.get(first..)?.iter().position(|line| line.ends_with('{'))?;
    let close = open + lines.get(open..)?.iter().position(|line| line.starts_with('}')).unwrap_or(lines.len() - open);
    is_impl.then_some((open + 1, close))
}

/// How many more braces a line opens than it closes, as far as it can be told without reading it.
fn braces(line: &str) -> i64 {
    line.chars().map(|c| i64::from(matches!(c, '{' | '(' | '[')) - i64::from(matches!(c, '}' | ')' | ']'))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_item_or_method_is_found() {
        assert_eq!(rust_fault("struct A;\n\nfn b() {}\n"), None);
        let at = |text: &str| rust_fault(text).map(|fault| fault.line);
        assert_eq!(at("struct A;\n\n/// B\nfn b( {}\n\nstruct C;\n"), Some(4));
        assert_eq!(
            at(
                "use a;\nimpl A {\n    fn a(&self) {\n        x();\n    }\n\n    fn b(&self) {\n        let = 1;\n    }\n}\n\nstruct C;\n"
            ),
            Some(7)
        );
        assert_eq!(at("fn a() {\n    \"open\n}\n"), Some(1));
        assert_eq!(at("struct A;\nnot rust at all\n"), Some(2));
    }
}
