use crate::diagnose::nearest;

/// What an extra template makes a file for each of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Per {
    /// The project: one file, for all systems.
    Project,
    /// Each system.
    System,
    /// Each tag of a system.
    Tag,
    /// Each chosen operation of a system.
    Operation,
    /// Each schema of a system that has a type.
    Schema,
}

impl Per {
    /// The word in project files.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::System => "system",
            Self::Tag => "tag",
            Self::Operation => "operation",
            Self::Schema => "schema",
        }
    }
}

/// The paths of the files that an extra template makes: a relative path in which `{system}`, `{tag}`, `{operation}` or
/// `{schema}` stand for names. It cannot leave the folder it is for, whatever the names are.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OutputPattern {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Part {
    Text(String),
    Name(String),
}

impl OutputPattern {
    /// Reads a pattern. An error says what is wrong, and what to do.
    ///
    /// # Errors
    /// When it could leave its folder, or would give several files one path.
    pub fn parse(text: &str, per: Per) -> Result<Self, (String, String)> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, after) = rest.split_at(at);
            let inner = after.strip_prefix('{').and_then(|after| after.split_once('}'));
            let Some((name, after)) = inner else {
                return Err(("has a brace without its partner".to_owned(), "write `{operation}`".to_owned()));
            };
            parts.push(Part::Text(before.to_owned()));
            parts.push(Part::Name(known(name, per)?));
            rest = after;
        }
        parts.push(Part::Text(rest.to_owned()));
        parts.retain(|part| *part != Part::Text(String::new()));
        let pattern = Self { parts };
        if let Some(fault) = path_fault(&pattern.fill(|_| "name".to_owned())) {
            let help = "a relative path of plain names with `/` between them, such as `docs/{system}.md`";
            return Err((fault, help.to_owned()));
        }
        let own = per.word();
        let many = !matches!(per, Per::Project | Per::System);
        if many && !pattern.parts.contains(&Part::Name(own.to_owned())) {
            let help = format!("put `{{{own}}}` into it");
            return Err((format!("is the same path for every {own}"), help));
        }
        Ok(pattern)
    }

    /// The path for names, which become plain ones: lower-case words with `_` between them.
    #[must_use]
    pub fn path(&self, name: impl Fn(&str) -> String) -> String {
        self.fill(|placeholder| plain(&name(placeholder)))
    }

    fn fill(&self, name: impl Fn(&str) -> String) -> String {
        let text = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Name(placeholder) => name(placeholder),
        };
        self.parts.iter().map(text).collect()
    }
}

fn known(name: &str, per: Per) -> Result<String, (String, String)> {
    let known: &[&str] = match per {
        Per::Project => &[],
        Per::System => &["system"],
        Per::Tag => &["system", "tag"],
        Per::Operation => &["system", "operation"],
        Per::Schema => &["system", "schema"],
    };
    if known.contains(&name) {
        return Ok(name.to_owned());
    }
    let help = match (nearest(name, known.iter().copied()), known) {
        (Some(nearest), _) => format!("`{{{nearest}}}` is meant?"),
        (None, []) => "a file of the project has no name in its path".to_owned(),
        (None, _) => {
            format!("known here: {}", known.iter().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join(", "))
        }
    };
    Err((format!("has an unknown `{{{name}}}`"), help))
}

/// Names that Windows keeps for devices.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// As long as a name of a document may be in a path, in characters.
const MAX_NAME: usize = 100;

/// Any text as a name that is a plain one in a path, on every machine.
fn plain(text: &str) -> String {
    use heck::ToSnakeCase as _;
    let kept: String = text.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let snake: String = kept.to_snake_case().chars().take(MAX_NAME).collect();
    let is_taken = snake.is_empty() || is_device(&snake);
    if is_taken { format!("{snake}_") } else { snake }
}

fn is_device(name: &str) -> bool {
    let numbered = |prefix| {
        name.strip_prefix(prefix).is_some_and(|rest: &str| rest.len() == 1 && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    DEVICES.contains(&name) || numbered("com") || numbered("lpt")
}

/// What is wrong with a path that is to stay in a folder and be one on every machine.
#[must_use]
pub fn path_fault(path: &str) -> Option<String> {
    if path.contains('\\') || path.contains(':') {
        return Some("has a `\\` or a `:`".to_owned());
    }
    if let Some(odd) =
        path.chars().find(|c| c.is_control() || "<>\"|?*".contains(*c) || crate::format::is_invisible(*c))
    {
        return Some(format!("has the character {odd:?}"));
    }
    for name in path.split('/') {
        let stem = name.split('.').next().unwrap_or_default().to_lowercase();
        let fault = match name {
            "" => "has an empty name: it would leave its folder, or be none",
            "." | ".." => "would leave its folder",
            _ if name.starts_with('.') => "has a hidden name",
            _ if name.ends_with(['.', ' ']) || name.starts_with(' ') => "has a name that not every machine can have",
            _ if is_device(&stem) => "has the name of a device of Windows",
            _ if name.eq_ignore_ascii_case(crate::write::LOCK_FILE) => "is the lock",
            _ => continue,
        };
        return Some(fault.to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_document_cannot_leave_the_folder() {
        let pattern = OutputPattern::parse("docs/{system}/{tag}.md", Per::Tag).unwrap();
        for (hostile, expected) in [
            ("../../etc/passwd", "docs/shop/etc_passwd.md"),
            ("/", "docs/shop/_.md"),
            ("..", "docs/shop/_.md"),
            ("C:\\x", "docs/shop/c_x.md"),
            ("CON", "docs/shop/con_.md"),
            ("a\0b\nc", "docs/shop/a_b_c.md"),
            ("\u{202e}x", "docs/shop/x.md"),
            ("getOrderStatus", "docs/shop/get_order_status.md"),
            (&"x".repeat(4000), &format!("docs/shop/{}.md", "x".repeat(100))),
        ] {
            let path = pattern.path(|name| if name == "system" { "shop".to_owned() } else { hostile.to_owned() });
            assert_eq!(path, expected, "{hostile:?}");
            assert_eq!(path_fault(&path), None);
        }
    }

    #[test]
    fn patterns_that_leave_their_folder_or_meet_are_refused() {
        for bad in [
            "/etc/x",
            "../x",
            "a/../../x",
            "a//b",
            "a/",
            "",
            ".git/hooks/x",
            "C:/x",
            "a\\..\\x",
            "x.",
            "cofferdam.lock",
            "nul.txt",
            "a/{system}/../x",
            "\u{202e}x",
        ] {
            assert!(OutputPattern::parse(bad, Per::System).is_err(), "{bad:?}");
        }
        for (bad, per, message) in [
            ("x.md", Per::Operation, "is the same path for every operation"),
            ("{operaton}.md", Per::Operation, "has an unknown `{operaton}`"),
            ("{operation}.md", Per::System, "has an unknown `{operation}`"),
            ("{system", Per::System, "has a brace without its partner"),
        ] {
            assert_eq!(OutputPattern::parse(bad, per).unwrap_err().0, message);
        }
        assert_eq!(OutputPattern::parse("{operaton}.md", Per::Operation).unwrap_err().1, "`{operation}` is meant?");
    }
}
