//! The crate of all cases and their glue: written to a temporary folder, built once, run once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::case::Case;
use crate::glue;
use crate::vector::{text, workspace};

/// What the glue's modules of its own are made of.
const DRIVER: [(&str, &str); 5] = [
    ("driver/mod.rs", include_str!("driver/mod.rs")),
    ("driver/as_is.rs", include_str!("driver/as_is.rs")),
    ("driver/ask.rs", include_str!("driver/ask.rs")),
    ("driver/said.rs", include_str!("driver/said.rs")),
    ("driver/server.rs", include_str!("driver/server.rs")),
];

/// The kinds of vector that the crate is run for.
const RUN: [&str; 6] = ["request", "reply", "schema", "attempts", "scenario", "server"];

/// The crate.
pub(crate) struct Workshop {
    name: String,
    folder: PathBuf,
}

impl Workshop {
    /// Writes the crate of these cases under a name. It stays in the same place of the target folder, so that what has not changed
    /// since the last run is not built again.
    pub(crate) fn write(name: &str, cases: &[Case], vectors: &[Value]) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let workshop = Self { name: name.to_owned(), folder };
        if workshop.path("src").exists() {
            fs::remove_dir_all(workshop.path("src")).unwrap();
        }
        workshop.put("Cargo.toml", &manifest(name));
        fs::copy(workspace().join("Cargo.lock"), workshop.path("Cargo.lock")).unwrap();
        for (path, text) in DRIVER {
            workshop.put(&format!("src/{path}"), text);
        }
        for case in cases {
            for (path, text) in &case.files {
                workshop.put(&format!("src/{}/{path}", case.module), text);
            }
            workshop.put(&format!("src/glue_{}.rs", case.module), &glue::of_case(case, vectors));
        }
        workshop.put("src/main.rs", &glue::main(cases));
        workshop
    }

    /// Builds and runs it: what was seen of each vector, by its id.
    pub(crate) fn run(&self, vectors: &[Value], cases: &[Case]) -> BTreeMap<String, Value> {
        let is_there = |vector: &&Value| cases.iter().any(|case| case.name == text(vector, "case"));
        let is_asked = |vector: &&Value| RUN.contains(&text(vector, "kind")) && is_there(vector);
        let asked: Vec<&Value> = vectors.iter().filter(is_asked).collect();
        self.put("vectors.json", &serde_json::to_string(&asked).unwrap());
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--offline", "--quiet"]).current_dir(&self.folder).env("CARGO_TARGET_DIR", target);
        succeeded("cargo build", &cargo.output().unwrap());
        let run = Command::new(target.join("debug").join(&self.name)).arg(self.path("vectors.json")).output().unwrap();
        let lines = succeeded("the glue", &run);
        let seen = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        seen.map(|seen| (seen["id"].as_str().unwrap().to_owned(), seen)).collect()
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Dependencies that the workspace has anyway, so that its lock knows them.
fn manifest(name: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         base64 = \"0.23\"\ncofferdam-runtime = {{ path = {:?} }}\nserde = \"1\"\n\
         serde_json = {{ version = \"1\", features = [\"preserve_order\", \"float_roundtrip\"] }}\n\
         tokio = {{ version = \"1\", features = [\"rt-multi-thread\", \"net\", \"time\"] }}\n\n[workspace]\n",
        workspace().join("runtime")
    )
}

fn succeeded(what: &str, run: &Output) -> String {
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{what}:\n{said}");
    String::from_utf8(run.stdout.clone()).unwrap()
}
