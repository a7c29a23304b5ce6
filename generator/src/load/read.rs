//! From a path to text: every way in which a file is not there, or is no text, has its own message.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

use crate::diagnose::Position;

/// Why a file gives no text.
#[derive(Debug)]
pub(super) struct Unreadable {
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) help: &'static str,
    pub(super) at: Option<Position>,
}

/// No API document comes near this; a device or a pipe without end must not fill the memory.
const LIMIT: u64 = 256 << 20;

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = File::open(path)?.take(LIMIT + 1).read_to_end(&mut bytes)?;
    if read as u64 > LIMIT {
        return Err(io::Error::new(ErrorKind::FileTooLarge, "it is larger than 256 MiB"));
    }
    Ok(bytes)
}

/// Reads a file as UTF-8 text, without its byte order mark. There must be something in it.
pub(super) fn text(path: &Path) -> Result<String, Unreadable> {
    let text = whole(path)?;
    if text.trim().is_empty() {
        return Err(Unreadable { code: "CD-FILE-EMPTY", message: "the file is empty".into(), help: "", at: None });
    }
    Ok(text)
}

/// The same of a file that may be empty.
pub(super) fn whole(path: &Path) -> Result<String, Unreadable> {
    let bytes = match bytes(path) {
        Ok(bytes) => bytes,
        Err(error) => return Err(unreadable(path, &error)),
    };
    if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] = bytes.as_slice() {
        return Err(not_utf8("the file is UTF-16, not UTF-8".into(), None));
    }
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let before = String::from_utf8_lossy(bytes.get(..valid).unwrap_or_default());
        let byte = bytes.get(valid).copied().unwrap_or_default();
        not_utf8(format!("byte {byte:#04x} is not UTF-8"), Some(Position::of_offset(&before, valid)))
    })?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

fn not_utf8(message: String, at: Option<Position>) -> Unreadable {
    Unreadable { code: "CD-FILE-UTF8", message, help: "save it as UTF-8", at }
}

fn unreadable(path: &Path, error: &std::io::Error) -> Unreadable {
    let (code, message, help) = match error.kind() {
        ErrorKind::NotFound => ("CD-FILE-MISSING", "there is no such file".to_owned(), "check the path"),
        ErrorKind::PermissionDenied => {
            ("CD-FILE-UNREADABLE", "no permission to read the file".to_owned(), "allow this user to read it")
        }
        _ if path.is_dir() => {
            ("CD-FILE-UNREADABLE", "this is a folder, not a file".to_owned(), "name the document in it")
        }
        _ => ("CD-FILE-UNREADABLE", format!("the file cannot be read: {error}"), ""),
    };
    Unreadable { code, message, help, at: None }
}
