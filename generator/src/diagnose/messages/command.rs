//! Messages about the run itself: the command line, what stands on disk, and faults of our own.

use super::{Message, error, told};

pub(super) const MESSAGES: &[Message] = &[
    error(
        "CD-COMMAND",
        "The command line makes no sense, or asks for something that is not there. Nothing was done.",
        "cofferdam plan --samples      # goes with `--format json`",
        "Do what the message says; `cofferdam COMMAND --help` has examples.",
    ),
    error(
        "CD-DRIFT",
        "Generated files on disk are not what the documents say. Told by `cofferdam check`, with the difference.",
        "a document was changed, and `cofferdam generate` did not run since",
        "Run `cofferdam generate`, and commit what it writes.",
    ),
    error(
        "CD-FOREIGN",
        "In the place of a file that is to be generated stands one that Cofferdam did not write. It is not touched.",
        "src/pay/generated/client.rs written by hand, or `cofferdam.lock` was lost",
        "Move the file away, or run with `--force` to replace it. Keep `cofferdam.lock` in version control.",
    ),
    error(
        "CD-INTERNAL",
        "A fault of Cofferdam itself: what it made is no Rust.",
        "there should be none",
        "Please report it, with the document if you may show it.",
    ),
    error(
        "CD-LOCK",
        "`cofferdam.lock` cannot be read or understood. Without it nobody knows which files are generated.",
        "<<<<<<< HEAD      # in cofferdam.lock, after a merge",
        "Restore it from version control, or delete it and run `cofferdam generate --force`.",
    ),
    error(
        "CD-STUB-EXISTS",
        "Stubs are to be written to a file that is there already. A file of yours is never touched.",
        "cofferdam stubs --system pay --write src/pay/mapper.rs",
        "Name a new file.",
    ),
    told(
        "CD-STUB-MISSING",
        "warning",
        "An operation has no mapping yet. It is generated, and costs nothing until it is called; `cofferdam check` fails.",
        "the document has a new operation",
        "`cofferdam stubs --system NAME` prints what to write.",
    ),
    told(
        "CD-STUB-UNREADABLE",
        "error, warning",
        "A hand-written file of a system is no Rust that can be read, so nobody knows what is mapped.",
        "src/pay/mapper.rs with a brace too many",
        "Mend the file: the compiler says where.",
    ),
    error(
        "CD-WRITE",
        "The disk refused: no permission, no space, or a file where a folder is needed.",
        "out = \"src/main.rs\"",
        "Mend it and run again: a run that was cut off leaves every file either old or new.",
    ),
];
