//! Blank lines: `prettyplease` sets none between items.

/// Sets a blank line after every item and method that spans lines, and after the imports.
pub(super) fn spaced(code: &str) -> String {
    let mut out = String::with_capacity(code.len() + code.len() / 16);
    let mut lines = code.lines().peekable();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        if lines.peek().is_some_and(|next| stand_apart(line, next)) {
            out.push('\n');
        }
    }
    out
}

fn stand_apart(line: &str, next: &str) -> bool {
    let (body, next_body) = (line.trim_start(), next.trim_start());
    let indent = line.len() - body.len();
    if indent == 0 && body.starts_with("//!") {
        return !next_body.starts_with("//!") && !next_body.is_empty();
    }
    if body.starts_with("//")
        || next_body.is_empty()
        || next.len() - next_body.len() != indent
        || next_body.starts_with('}')
    {
        return false;
    }
    if body.starts_with("#[") {
        return false;
    }
    match indent {
        // Items of a file, methods and items of an inner module, methods of those.
        0 if is_import(body) != is_import(next_body) => true,
        // Marker impls stay together.
        0 if body.starts_with("impl ") && next_body.starts_with("impl ") => false,
        0 => (body == "}" || body.ends_with(';') || body.ends_with("{}")) && !is_import(body),
        4 => body == "}" && begins_item(next_body),
        8 => body == "}" && begins_item(next_body) && !next_body.starts_with("if "),
        _ => false,
    }
}

fn is_import(body: &str) -> bool {
    body.starts_with("use ") || body.starts_with("pub use ") || body.starts_with("mod ") || body.starts_with("#![")
}

fn begins_item(body: &str) -> bool {
    ["///", "#[", "pub ", "fn ", "impl ", "const "].iter().any(|start| body.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_methods_stand_apart_and_nothing_else() {
        let code = "#![allow(x)]\nuse a;\nuse b;\n/// A;\npub struct A;\nimpl A {\n    fn a() {\n        if x {\n            y();\n        }\n        \
                    z();\n    }\n    fn b() {}\n}\npub type B = A;\n";
        let expected = "#![allow(x)]\nuse a;\nuse b;\n\n/// A;\npub struct A;\n\nimpl A {\n    fn a() {\n        if x {\n            y();\n        }\n        \
                        z();\n    }\n\n    fn b() {}\n}\n\npub type B = A;\n";
        assert_eq!(spaced(code), expected);
    }
}
