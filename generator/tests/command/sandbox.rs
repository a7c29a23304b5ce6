//! A folder with a small project, and the command run in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A payment gateway with one operation of each kind.
pub(crate) const PAYMENTS: &str = r##"openapi: 3.0.3
info: {title: Payments, version: "1"}
paths:
  /payments:
    post:
      operationId: pay
      tags: [money]
      parameters:
        - {name: Idempotency-Key, in: header, schema: {type: string}}
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/Payment"}}}
      responses:
        "201": {description: done, content: {application/json: {schema: {$ref: "#/components/schemas/Receipt"}}}}
        "409": {description: done before, content: {application/json: {schema: {$ref: "#/components/schemas/Fault"}}}}
  /payments/{id}:
    get:
      operationId: showPayment
      tags: [money]
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        "200": {description: it, content: {application/json: {schema: {$ref: "#/components/schemas/Receipt"}}}}
        "404": {description: none}
    delete:
      operationId: cancelPayment
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {"204": {description: gone}}
components:
  schemas:
    Payment:
      type: object
      required: [order, amount]
      properties: {order: {type: string}, amount: {type: integer}, note: {type: string}}
    Receipt:
      type: object
      required: [id]
      properties: {id: {type: string}, state: {type: string, enum: [new, paid]}}
    Fault: {type: object, properties: {code: {type: integer}}}
"##;

/// A second system.
pub(crate) const STOCK: &str = r#"openapi: 3.0.3
info: {title: Stock, version: "1"}
paths:
  /level:
    get: {operationId: level, responses: {"200": {description: ok, content: {application/json: {schema: {type: integer}}}}}}
"#;

/// A project of both.
pub(crate) const PROJECT: &str = r#"out = "src/integrations"

[systems.payments]
spec = "specs/payments.yaml"

[systems.stock]
spec = "specs/stock.yaml"
profile = "supplier"
"#;

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ended {
    /// The same, having ended well.
    #[track_caller]
    pub(crate) fn well(self) -> Self {
        assert_eq!(self.code, 0, "{self:#?}");
        self
    }

    /// The same, having ended with faults.
    #[track_caller]
    pub(crate) fn faults(self) -> Self {
        assert_eq!(self.code, 1, "{self:#?}");
        self
    }

    /// The same, having been told that the command line makes no sense.
    #[track_caller]
    pub(crate) fn usage(self) -> Self {
        assert_eq!(self.code, 2, "{self:#?}");
        self
    }
}

pub(crate) struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    /// A folder with nothing in it.
    pub(crate) fn empty() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// A folder with the project.
    pub(crate) fn project() -> Self {
        let sandbox = Self::empty();
        sandbox.write("specs/payments.yaml", PAYMENTS);
        sandbox.write("specs/stock.yaml", STOCK);
        sandbox.write("cofferdam.toml", PROJECT);
        sandbox
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn replace(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{name} has no {from:?}");
        self.write(name, &text.replacen(from, to, 1));
    }

    /// Runs the command in the folder.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        let output = Command::new(env!("CARGO_BIN_EXE_cofferdam"))
            .args(arguments)
            .current_dir(self.folder.path())
            .output()
            .unwrap();
        Ended {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Every file below a folder with its text, by its path from there; receipts are left out.
    pub(crate) fn files(&self, below: &str) -> Vec<(String, String)> {
        files(&self.path(below))
    }
}

/// Every file below a folder with its text, by its path from there.
pub(crate) fn files(root: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.ends_with(cofferdam::receipt::RECEIPTS) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                found.push((name, fs::read_to_string(path).unwrap()));
            }
        }
    }
    found.sort();
    found
}
