use crate::diagnose::Item;

/// The JSON pointer of where a reading stands.
#[derive(Default)]
pub(super) struct Path {
    open: Vec<Level>,
    last: Option<String>,
}

/// An open collection: the token that led into it, and the index of its next element.
struct Level {
    token: Option<String>,
    next: Option<usize>,
    key: Option<String>,
}

impl Path {
    /// Moves on: the pointer is then that of the key or value just met.
    pub(super) fn follow(&mut self, item: &Item<'_>) {
        match item {
            Item::Key { text, .. } => {
                self.last = Some(text.clone().into_owned());
                if let Some(level) = self.open.last_mut() {
                    level.key.clone_from(&self.last);
                }
            }
            Item::Scalar { .. } | Item::Alias { .. } => self.last = self.token(),
            Item::Open { mapping, .. } => {
                let token = self.token();
                self.last = None;
                self.open.push(Level { token, next: (!mapping).then_some(0), key: None });
            }
            Item::Close => {
                self.last = None;
                self.open.pop();
            }
            Item::Document(_) => {}
        }
    }

    fn token(&mut self) -> Option<String> {
        let level = self.open.last_mut()?;
        match &mut level.next {
            Some(next) => {
                *next += 1;
                Some((*next - 1).to_string())
            }
            None => level.key.take(),
        }
    }

    pub(super) fn pointer(&self) -> String {
        let mut pointer = String::new();
        for token in self.open.iter().filter_map(|level| level.token.as_ref()).chain(&self.last) {
            pointer.push('/');
            pointer.push_str(&token.replace('~', "~0").replace('/', "~1"));
        }
        pointer
    }
}
