//! Crates made for a test, and the tools run in them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

/// The workspace's root.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// A folder for a test: a crate, or only specs.
pub(crate) struct Workshop {
    folder: TempDir,
}

/// How a tool ended.
pub(crate) struct Ended {
    pub(crate) ok: bool,
    /// What it printed.
    pub(crate) printed: String,
    /// What it said besides, on the error stream.
    pub(crate) said: String,
}

impl Ended {
    /// What a run printed that went well.
    #[track_caller]
    pub(crate) fn well(self) -> String {
        assert!(self.ok, "{}{}", self.printed, self.said);
        self.printed
    }

    /// What a run said that failed.
    #[track_caller]
    pub(crate) fn badly(self) -> String {
        assert!(!self.ok, "it went well:\n{}{}", self.printed, self.said);
        self.said
    }
}

impl Workshop {
    pub(crate) fn empty() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// A folder with the example specs in `specs/`.
    pub(crate) fn with_specs() -> Self {
        let workshop = Self::empty();
        copy(&root().join("specs"), &workshop.path("specs"));
        // What the workspace's own examples are recorded in says nothing about this folder.
        fs::remove_file(workshop.path("specs/cofferdam.lock")).unwrap();
        workshop.edit(
            "specs/cofferdam.toml",
            r#"out = "../generated-examples/committed/src/integrations""#,
            r#"out = "../src/integrations""#,
        );
        // Two of the ten systems: one that is keyed in the body, one in a header.
        workshop.cut("specs/cofferdam.toml", "\n[systems.odnakassa]");
        workshop.cut("specs/resilience.yaml", "\n  odnakassa:");
        workshop
    }

    /// Leaves out the rest of a file, from a text that stands exactly once in it.
    #[track_caller]
    fn cut(&self, name: &str, from: &str) {
        let text = self.read(name);
        assert_eq!(text.matches(from).count(), 1, "{from:?} in {name}");
        self.write(name, text.split(from).next().unwrap());
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Replaces a text that stands exactly once in a file.
    #[track_caller]
    pub(crate) fn edit(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert_eq!(text.matches(from).count(), 1, "{from:?} in {name}");
        self.write(name, &text.replace(from, to));
    }

    /// Makes the folder a crate that uses the runtime; with a build script, the generator too.
    pub(crate) fn make_crate(&self, name: &str, edition: &str, build_script: bool) {
        let mut manifest = String::new();
        writeln!(manifest, "[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = {edition:?}\n").unwrap();
        let runtime = root().join("runtime");
        writeln!(manifest, "[dependencies]\ncofferdam-runtime = {{ path = {runtime:?} }}\n").unwrap();
        if build_script {
            let generator = root().join("generator");
            writeln!(manifest, "[build-dependencies]\ncofferdam = {{ path = {generator:?} }}\n").unwrap();
        }
        // Nobody's member, wherever temporary folders are.
        manifest.push_str("[workspace]\n\n");
        // The workspace's own profile, so that its dependencies are built once for both.
        let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
        let (_, profile) = workspace.split_once("[profile.dev]").unwrap();
        manifest.push_str("[profile.dev]");
        manifest.push_str(profile);
        self.write("Cargo.toml", &manifest);
        fs::copy(root().join("Cargo.lock"), self.path("Cargo.lock")).unwrap();
    }

    /// Gives a crate that was generated the workspace's own profile and versions, so that dependencies are built once.
    pub(crate) fn take_profile_and_lock(&self) {
        let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
        let (_, profile) = workspace.split_once("[profile.dev]").unwrap();
        let own = self.read("Cargo.toml");
        self.write("Cargo.toml", &format!("{own}\n[profile.dev]{profile}"));
        fs::copy(root().join("Cargo.lock"), self.path("Cargo.lock")).unwrap();
    }

    /// Runs cargo here.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Ended {
        let mut command = cargo();
        command.args(arguments).env("CARGO_NET_OFFLINE", "true").current_dir(self.folder.path());
        command.env("CARGO_TARGET_DIR", target());
        command.env("CARGO_TERM_COLOR", "never").env("CARGO_INCREMENTAL", "0");
        run(command)
    }

    /// Runs `cofferdam` here.
    pub(crate) fn cofferdam(&self, arguments: &[&str]) -> Ended {
        let mut command = Command::new(binary());
        command.args(arguments).current_dir(self.folder.path());
        run(command)
    }

    /// Runs `cofferdam` on the project file of the specs.
    pub(crate) fn on_specs(&self, command: &str) -> Ended {
        self.cofferdam(&[command, "--project", "specs/cofferdam.toml"])
    }

    /// Every file below a folder, by its path from there.
    pub(crate) fn files(&self, folder: &str) -> BTreeMap<PathBuf, String> {
        let base = self.path(folder);
        let mut files = BTreeMap::new();
        collect(&base, &base, &mut files);
        files
    }
}

/// The command, built as it is now.
fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let mut command = cargo();
        command.args(["build", "--quiet", "--package", "cofferdam", "--bin", "cofferdam", "--offline"]);
        command.args(["--message-format", "json-render-diagnostics"]).current_dir(root());
        let built = run(command).well();
        let executable = built.lines().find_map(|line| {
            let message: serde_json::Value = serde_json::from_str(line).ok()?;
            message.get("executable")?.as_str().map(PathBuf::from)
        });
        executable.unwrap_or_else(|| panic!("no executable:\n{built}"))
    })
}

fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

fn run(mut command: Command) -> Ended {
    let output = command.output().unwrap();
    let [printed, said] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ended { ok: output.status.success(), printed, said }
}

fn collect(base: &Path, folder: &Path, files: &mut BTreeMap<PathBuf, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(base, &path, files);
        } else {
            let name = path.strip_prefix(base).unwrap().to_owned();
            files.insert(name, fs::read_to_string(&path).unwrap());
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() { copy(&path, &target) } else { fs::copy(&path, &target).map(drop).unwrap() }
    }
}

/// The workspace's own target folder: what was built for it, and is the same for a crate, is not built again.
fn target() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap()
}
