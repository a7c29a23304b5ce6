//! A comparison as Markdown, for a comment on a pull request.

use super::text::{by_file, heading, meaning, title};
use super::{Change, Impact, SpecDiff};

/// All that is to say of some systems, in the Markdown of GitHub.
#[must_use]
pub fn markdown(systems: &[SpecDiff]) -> String {
    systems.iter().map(of_system).collect::<Vec<_>>().join("\n")
}

fn of_system(diff: &SpecDiff) -> String {
    let mut text = format!("### {}\n", escaped(&heading(diff)));
    if diff.changes.is_empty() {
        text.push_str("\nNothing changed.\n");
        return text;
    }
    for impact in Impact::ALL {
        let changes: Vec<&Change> = diff.of(impact).collect();
        if changes.is_empty() {
            continue;
        }
        // Of changes that reach the same functions the last one names them.
        let next = |index: usize| changes.get(index + 1).map(|next| &next.functions);
        let listed = changes.iter().enumerate();
        let listed: String =
            listed.map(|(index, change)| of_change(change, next(index) != Some(&change.functions))).collect();
        let head = format!("**{} ({})**: {}", title(impact), changes.len(), meaning(impact));
        match impact {
            // A box that nobody overlooks.
            Impact::Protection => text.push_str(&boxed(&head, &listed)),
            Impact::Breaking | Impact::Mapper => text.push_str(&format!("\n{head}\n\n{listed}")),
            Impact::Compatible => text.push_str(&folded(&format!("{} ({})", title(impact), changes.len()), &listed)),
        }
    }
    let functions = diff.functions();
    if !functions.is_empty() {
        let listed: String = by_file(functions.into_iter())
            .iter()
            .map(|(file, names)| {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                format!("- `{file}`: {}\n", names.join(", "))
            })
            .collect();
        text.push_str(&folded("Functions to look at", &listed));
    }
    text
}

fn boxed(head: &str, listed: &str) -> String {
    let inside: String = listed.lines().map(|line| format!("> {line}\n")).collect();
    format!("\n> [!CAUTION]\n> {head}\n>\n{inside}")
}

fn folded(summary: &str, listed: &str) -> String {
    format!("\n<details><summary>{summary}</summary>\n\n{listed}\n</details>\n")
}

fn of_change(change: &Change, with_functions: bool) -> String {
    let message = escaped(&change.message);
    let message = if change.impact == Impact::Protection { format!("**{message}**") } else { message };
    let mut text = format!("- {message}\n");
    for detail in &change.details {
        text.push_str(&format!("  - {}\n", escaped(detail)));
    }
    for (file, names) in by_file(change.functions.iter().filter(|_| with_functions)) {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        text.push_str(&format!("  - `{file}`: {}\n", names.join(", ")));
    }
    text
}

/// Text with what Markdown would read as something else escaped, outside of code.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut in_code = false;
    for letter in text.chars() {
        match letter {
            '`' => {
                in_code = !in_code;
                escaped.push(letter);
            }
            _ if in_code => escaped.push(letter),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '@' => escaped.push_str("&#64;"),
            '\\' | '*' | '_' | '[' | ']' | '#' | '|' | '~' => escaped.extend(['\\', letter]),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn what_a_document_says_is_no_markup() {
        assert_eq!(escaped("`a_b<T>` is <b>*gone*</b> @all"), "`a_b<T>` is &lt;b&gt;\\*gone\\*&lt;/b&gt; &#64;all");
    }
}
