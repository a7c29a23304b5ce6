use std::fmt;

/// The longest excerpt of somebody else's data that an error shows, in characters.
const EXCERPT: usize = 40;

/// Of a longer path, this many steps are shown from either end.
const ENDS: usize = 8;

/// One step from a value to a value inside it.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Step {
    Member(String),
    Index(usize),
    /// A header is always the outermost step.
    Header(String),
}

/// Where in a value something is, collected from the inside out while an error travels up.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Path {
    inside_out: Vec<Step>,
}

impl Path {
    pub(super) fn push_outer(&mut self, step: Step) {
        self.inside_out.push(step);
    }

    /// From the outermost step inwards.
    pub(super) fn steps(&self) -> impl Iterator<Item = &Step> {
        self.inside_out.iter().rev()
    }

    /// The whole path as a JSON pointer, nothing shortened; a header's name is not part of it.
    pub(super) fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in self.steps() {
            match step {
                Step::Member(name) => {
                    pointer.push('/');
                    pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                }
                Step::Index(index) => pointer.push_str(&format!("/{index}")),
                Step::Header(_) => {}
            }
        }
        pointer
    }
}

/// For people: `/items/3/level: `, `header location: `, or nothing at the root.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.inside_out.is_empty() {
            return Ok(());
        }
        let hidden = ENDS..self.inside_out.len().saturating_sub(ENDS).max(ENDS);
        for (index, step) in self.steps().enumerate() {
            if hidden.contains(&index) {
                if index == hidden.start {
                    f.write_str("/…")?;
                }
                continue;
            }
            match step {
                Step::Member(name) => {
                    write!(f, "/{}", shorten(name).escape_debug().to_string().replace('~', "~0").replace('/', "~1"))?;
                }
                Step::Index(index) => write!(f, "/{index}")?,
                Step::Header(name) => write!(f, "header {name}")?,
            }
        }
        f.write_str(": ")
    }
}

/// An excerpt of somebody else's data.
pub(super) fn shorten(text: &str) -> String {
    shorten_to(EXCERPT, text)
}

/// The first `most` characters, with an ellipsis when something was cut.
pub(super) fn shorten_to(most: usize, text: &str) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pointer_escapes_and_the_display_shortens() {
        let mut path = Path::default();
        path.push_outer(Step::Index(3));
        path.push_outer(Step::Member("a/b~c".to_owned()));
        path.push_outer(Step::Member("x".repeat(100)));
        assert_eq!(path.pointer(), format!("/{}/a~1b~0c/3", "x".repeat(100)));
        assert_eq!(path.to_string(), format!("/{}…/a~1b~0c/3: ", "x".repeat(EXCERPT)));
    }

    #[test]
    fn of_a_long_path_both_ends_are_shown() {
        let path = |length: usize| {
            let mut path = Path::default();
            (0..length).rev().for_each(|index| path.push_outer(Step::Index(index)));
            path.to_string()
        };
        assert_eq!(path(16), "/0/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15: ");
        assert_eq!(path(17), "/0/1/2/3/4/5/6/7/…/9/10/11/12/13/14/15/16: ");
        assert_eq!(path(3), "/0/1/2: ");
    }

    #[test]
    fn shortening_never_cuts_a_character() {
        assert_eq!(shorten(&"é".repeat(EXCERPT)), "é".repeat(EXCERPT));
        assert_eq!(shorten(&"é".repeat(EXCERPT + 1)), format!("{}…", "é".repeat(EXCERPT)));
    }
}
