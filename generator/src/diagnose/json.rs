//! JSON as a stream of tokens with their positions.
//!
//! It only has to be right about JSON that was read before: at anything else it gives up, and the text is read as YAML.

use std::borrow::Cow;

use super::Position;

/// What comes next in a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A key of the open object; its value is the next token.
    Key { text: Cow<'t, str>, at: Position },
    /// A value without parts.
    Scalar { at: Position },
    /// An object or array begins.
    Open { mapping: bool, at: Position },
    /// It ends.
    Close,
}

/// The tokens of a text. `None` among them: it is no JSON.
pub(super) struct Tokens<'t> {
    text: &'t str,
    /// The offset of the next byte.
    next: usize,
    /// Open collections: whether they are objects.
    open: Vec<bool>,
    /// In an object: a key comes next.
    key_next: bool,
    counted: Counted,
    failed: bool,
}

/// How far lines and columns were counted: each byte of a text is looked at once.
struct Counted {
    offset: usize,
    at: Position,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let counted = Counted { offset: 0, at: Position { line: 1, col: 1 } };
        Self { text, next: 0, open: Vec::new(), key_next: false, counted, failed: false }
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.next).copied()
    }

    fn position(&mut self, offset: usize) -> Position {
        let Counted { offset: from, at } = &mut self.counted;
        for byte in self.text.as_bytes().get(*from..offset).unwrap_or_default() {
            if *byte == b'\n' {
                *at = Position { line: at.line + 1, col: 1 };
            } else if *byte & 0b1100_0000 != 0b1000_0000 {
                at.col += 1;
            }
        }
        *from = offset;
        *at
    }

    fn skip_blanks(&mut self) {
        while self.byte().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.next += 1;
        }
    }

    /// The text between quotes, as it is written.
    fn string(&mut self) -> Option<&'t str> {
        let start = self.next + 1;
        let rest = self.text.as_bytes().get(start..)?;
        let mut length = 0;
        loop {
            match rest.get(length)? {
                b'"' => break,
                b'\\' => length += 2,
                _ => length += 1,
            }
        }
        self.next = start + length + 1;
        self.text.get(start..start + length)
    }

    fn key(&mut self) -> Option<Token<'t>> {
        let start = self.next;
        if self.byte()? != b'"' {
            return None;
        }
        let written = self.string()?;
        let text = match written.contains('\\') {
            true => Cow::Owned(serde_json::from_str(self.text.get(start..self.next)?).ok()?),
            false => Cow::Borrowed(written),
        };
        let at = self.position(start);
        self.skip_blanks();
        if self.byte()? != b':' {
            return None;
        }
        self.next += 1;
        self.key_next = false;
        Some(Token::Key { text, at })
    }

    fn value(&mut self) -> Option<Token<'t>> {
        let start = self.next;
        let opens = match self.byte()? {
            b'{' => Some(true),
            b'[' => Some(false),
            b'"' => {
                self.string()?;
                None
            }
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {
                while self.byte().is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')) {
                    self.next += 1;
                }
                None
            }
            _ => return None,
        };
        let at = self.position(start);
        self.key_next = opens.unwrap_or_else(|| self.open.last().copied().unwrap_or_default());
        Some(match opens {
            Some(mapping) => {
                self.next += 1;
                self.open.push(mapping);
                Token::Open { mapping, at }
            }
            None => Token::Scalar { at },
        })
    }

    fn close(&mut self) -> Option<Token<'t>> {
        self.next += 1;
        self.open.pop()?;
        self.key_next = self.open.last().copied().unwrap_or_default();
        Some(Token::Close)
    }

    fn token(&mut self) -> Option<Token<'t>> {
        match self.byte()? {
            b'}' | b']' => self.close(),
            _ if self.key_next => self.key(),
            _ => self.value(),
        }
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Option<Token<'t>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blanks();
        while self.byte() == Some(b',') {
            self.next += 1;
            self.skip_blanks();
        }
        if self.failed || (self.byte().is_none() && self.open.is_empty()) {
            return None;
        }
        let token = self.token();
        self.failed = token.is_none();
        Some(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_has_its_place() {
        let at = |line, col| Position { line, col };
        let text = "{\"a\\u00e9\": [1, \"é\\\"\", true],\n \"b\": {}}";
        let tokens: Option<Vec<Token<'_>>> = Tokens::new(text).collect();
        let expected = vec![
            Token::Open { mapping: true, at: at(1, 1) },
            Token::Key { text: "aé".into(), at: at(1, 2) },
            Token::Open { mapping: false, at: at(1, 13) },
            Token::Scalar { at: at(1, 14) },
            Token::Scalar { at: at(1, 17) },
            Token::Scalar { at: at(1, 24) },
            Token::Close,
            Token::Key { text: "b".into(), at: at(2, 2) },
            Token::Open { mapping: true, at: at(2, 7) },
            Token::Close,
            Token::Close,
        ];
        assert_eq!(tokens.as_deref(), Some(expected.as_slice()));
    }

    #[test]
    fn what_is_no_json_ends_the_reading() {
        for text in ["{a: 1}", "{\"a\" 1}", "[1", "{\"a", "[\"a\\", "[}]]", "{\"a\": &x 1}", "{\"a\": 'b'}"] {
            let tokens: Option<Vec<Token<'_>>> = Tokens::new(text).collect();
            assert_eq!(tokens, None, "{text}");
        }
    }
}
