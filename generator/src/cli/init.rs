//! `cofferdam init`: a document becomes a system of a project, new or there already.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use cofferdam::Planned;
use cofferdam::diagnose::Report;
use cofferdam::init::{
    Candidates, NoPlace, ProjectFile, base_url, candidates, system_name, with_settings, with_system,
};
use cofferdam::load::Sources;
use cofferdam::model::SecurityKind;
use cofferdam::output::{Layout, relative};
use cofferdam::plan::{Governed, OperationKind};
use cofferdam::project::{OnDuplicate, Project, System, module_name};

use super::arguments::{GenerateArguments, OutputArguments, SourceArguments};
use super::{Ended, generate, output};

/// The settings of a new project.
const SETTINGS: &str = "resilience.yaml";

#[derive(Debug, Clone, Args)]
pub(super) struct InitArguments {
    /// The OpenAPI document of the other system
    #[arg(value_name = "SPEC")]
    spec: PathBuf,
    /// What the system is called here; if not said, after the document's title or file
    #[arg(long, value_name = "NAME")]
    system: Option<String>,
    /// The project file: made anew, or given one more system
    #[arg(long, value_name = "FILE", default_value = "cofferdam.toml")]
    project: PathBuf,
}

pub(super) fn run(arguments: &InitArguments) -> Ended {
    let prepared = match prepare(arguments) {
        Ok(prepared) => prepared,
        Err(message) => {
            output::say(&format!("error: {message}"));
            output::say("nothing was written");
            return Ended::Faults;
        }
    };
    for file in &prepared.files {
        if let Err(message) = file.write() {
            output::say(&format!("error: {message}"));
            return Ended::Faults;
        }
        output::line(&format!(
            "{} {}",
            if file.before.is_some() { "added to" } else { "created" },
            file.path.display()
        ));
    }
    let ended = generate::run(&generated(&arguments.project, &prepared.name));
    if ended == Ended::Well {
        next_steps(arguments, &prepared).iter().for_each(|line| output::line(line));
    }
    ended
}

/// What is to be written, and what there is to say.
struct Prepared {
    name: String,
    planned: Planned,
    candidates: Candidates,
    files: Vec<File>,
    settings: PathBuf,
    project_text: String,
}

/// A file with its new text.
struct File {
    path: PathBuf,
    before: Option<String>,
    after: String,
}

impl File {
    /// A new file is created, and one that was there is replaced by itself with more in it; one that came or changed in
    /// between is left alone.
    fn write(&self) -> Result<(), String> {
        let name = self.path.display();
        if read(&self.path)? != self.before {
            return Err(format!("{name} changed while this ran: try again"));
        }
        cofferdam::write::write_if_changed(&self.path, &self.after).map(drop).map_err(|error| error.to_string())
    }
}

/// The text of a file; `None` where there is none.
fn read(path: &Path) -> Result<Option<String>, String> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("cannot read {}: {error}", path.display())),
    }
}

fn prepare(arguments: &InitArguments) -> Result<Prepared, String> {
    let root = folder(&arguments.project);
    let before = read(&arguments.project)?;
    let project = match &before {
        Some(_) => Some(known(&arguments.project)?),
        None => None,
    };
    let (planned, on_duplicate) = planned(arguments, &root)?;
    let name = planned.plan.system.clone();
    if let Some(project) = &project {
        is_free(project, &name, arguments)?;
    }
    let spec = relative(&root, &arguments.spec);
    let out = if root.join("src").is_dir() { "src" } else { "generated" };
    let candidates = candidates(&planned.plan);
    let new = ProjectFile {
        plan: &planned.plan,
        spec: &spec,
        on_duplicate,
        candidates: &candidates,
        out,
        settings: SETTINGS,
    };
    let after = with_system(before.as_deref(), &new).map_err(|no| by_hand(&arguments.project, &no))?;
    let project_text = after.clone();
    // A project that names no settings goes without.
    let settings = match &project {
        None => Some(arguments.project.with_file_name(SETTINGS)),
        Some(project) => project.settings.as_ref().map(|settings| settings.value.clone()),
    };
    let mut files = Vec::new();
    if let Some(path) = &settings {
        let before = read(path)?;
        let after = with_settings(before.as_deref(), &planned.plan).map_err(|no| by_hand(path, &no))?;
        files.push(File { path: path.clone(), before, after });
    }
    // The project file comes last: with it, the system is there.
    files.push(File { path: arguments.project.clone(), before, after });
    let settings = settings.unwrap_or_default();
    Ok(Prepared { name, planned, candidates, files, settings, project_text })
}

fn folder(file: &Path) -> PathBuf {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// The project that is there.
fn known(file: &Path) -> Result<Project, String> {
    let mut report = Report::default();
    Project::load(file, &mut report).ok_or_else(|| {
        output::tell(&report.located(&Sources::default()));
        format!("{} has faults: repair them first", file.display())
    })
}

/// Plans the document, under its own name if none is given. Faults are told here, before anything is written.
fn planned(arguments: &InitArguments, root: &Path) -> Result<(Planned, OnDuplicate), String> {
    // The title is known once the document is read: the name given now is for messages only.
    let asked = arguments.system.clone();
    let first = attempt(arguments, asked.as_deref().unwrap_or("external"), OnDuplicate::Error);
    let (planned, on_duplicate) = match first {
        Ok(planned) => (planned, OnDuplicate::Error),
        Err(faults) if faults.iter().any(|one| one.code == "CD-OPERATION-ID") => {
            let again = attempt(arguments, asked.as_deref().unwrap_or("external"), OnDuplicate::Suffix);
            (again.map_err(|faults| told(&faults))?, OnDuplicate::Suffix)
        }
        Err(faults) => return Err(told(&faults)),
    };
    let name = asked.unwrap_or_else(|| system_name(&planned.plan.api.title, &arguments.spec));
    let planned = attempt(arguments, &name, on_duplicate).map_err(|faults| told(&faults))?;
    let mut report = Report::default();
    let folder = module_name(&name);
    match cofferdam::generate(&planned, &Layout::Project, root, &folder, &mut report) {
        Some(_) => Ok((planned, on_duplicate)),
        None => Err(told(&report.located(&Sources::default()))),
    }
}

type Faults = Vec<cofferdam::diagnose::Located>;

fn attempt(arguments: &InitArguments, name: &str, on_duplicate: OnDuplicate) -> Result<Planned, Faults> {
    let (mut sources, mut report) = (Sources::default(), Report::default());
    let planned = System::single(name, &arguments.spec, Path::new(""), &mut report).and_then(|mut system| {
        system.on_duplicate = on_duplicate;
        let governed = Governed::by(system.profile);
        cofferdam::plan_after(&system, &governed, &BTreeMap::new(), &mut sources, &mut report)
    });
    planned.filter(|_| !report.has_errors()).ok_or_else(|| report.located(&sources))
}

fn told(faults: &Faults) -> String {
    let is_error = |one: &&cofferdam::diagnose::Located| one.severity == cofferdam::diagnose::Severity::Error;
    let errors: Faults = faults.iter().filter(is_error).cloned().collect();
    output::tell(&errors);
    "the document cannot be used as it is; an overlay can repair what is not yours to change (docs/overlays.md)"
        .to_owned()
}

fn is_free(project: &Project, name: &str, arguments: &InitArguments) -> Result<(), String> {
    let same = |system: &&System| {
        let real = |path: &Path| path.canonicalize().ok();
        real(&system.spec.value).is_some_and(|spec| Some(spec) == real(&arguments.spec))
    };
    if let Some(system) = project.systems.iter().find(same) {
        let (file, name) = (arguments.project.display(), &system.name);
        return Err(format!("{file} has this document already, as `{name}`; `cofferdam generate` works with it"));
    }
    if project.systems.iter().any(|system| module_name(&system.name) == module_name(name)) {
        let file = arguments.project.display();
        return Err(format!("{file} has a system `{name}` already: give this one another name, `--system NAME`"));
    }
    Ok(())
}

/// What to say when a file cannot be added to.
fn by_hand(file: &Path, no: &NoPlace) -> String {
    format!("{} cannot be added to: {}. Put this into it yourself:\n{}", file.display(), no.cause, no.section)
}

fn generated(project: &Path, name: &str) -> GenerateArguments {
    let source = SourceArguments {
        project: project.to_owned(),
        spec: None,
        deny_unsupported: false,
        allow_unsupported: Vec::new(),
        system: vec![name.to_owned()],
    };
    let output = OutputArguments {
        source,
        out: None,
        as_crate: false,
        runtime_path: None,
        tag_features: false,
        with_stubs: false,
        templates: Vec::new(),
        with_tests: false,
    };
    GenerateArguments { output, force: false }
}

/// What nobody but the reader can do.
fn next_steps(arguments: &InitArguments, prepared: &Prepared) -> Vec<String> {
    let (name, module) = (&prepared.name, module_name(&prepared.name));
    let project = arguments.project.display();
    let folder = known(&arguments.project).ok().and_then(|project| {
        let system = project.systems.into_iter().find(|system| system.name == *name)?;
        Some(system.out.display().to_string())
    });
    let folder = folder.unwrap_or(module);
    let mut lines = vec![
        String::new(),
        "Next:".to_owned(),
        format!(
            "1. Compile it: `cargo add cofferdam-runtime`, and declare the module of {folder}/ in the one above it."
        ),
        "2. Fill in what no document says:".to_owned(),
    ];
    lines.extend(to_fill_in(prepared, &project.to_string()).iter().map(|line| format!("   - {line}")));
    lines.push(format!("3. Make {folder}/domain.rs, mapper.rs and port.rs yours; they are never written again."));
    lines.push(
        "   When the document changes: `cofferdam diff NEW`, then `cofferdam generate`; in CI: `cofferdam check`."
            .to_owned(),
    );
    lines
}

fn to_fill_in(prepared: &Prepared, project: &str) -> Vec<String> {
    let Prepared { planned, candidates, settings, project_text, name, .. } = prepared;
    let plan = &planned.plan;
    let settings =
        if settings.as_os_str().is_empty() { "the settings".to_owned() } else { settings.display().to_string() };
    let mut lines = match base_url(&plan.api) {
        Some(url) => {
            vec![format!("{settings}: is {url} where calls should go? And your agreement on times and calls.")]
        }
        None => vec![format!(
            "{settings}: `base-url`, which the document does not say. And your agreement on times and calls."
        )],
    };
    let once = plan.operations.iter().filter(|operation| operation.kind == OperationKind::Once).count();
    if once > 0 {
        let proposed = candidates.keyed.len() + candidates.reads.len();
        let proposals = match proposed {
            0 => String::new(),
            _ => format!("; for {proposed} of them there is a proposal"),
        };
        let which = match once {
            1 => "whether the operation that is sent once".to_owned(),
            _ => format!("which of the {once} operations that are sent once"),
        };
        lines.push(format!("{project}: {which} may be repeated{proposals}."));
    }
    if !candidates.writes.is_empty() {
        lines.push(format!("{project}: {} reads are called as if they changed something.", candidates.writes.len()));
    }
    let schemes = plan.api.security_schemes.iter().zip(&plan.names.schemes);
    let methods: Vec<String> = schemes
        .filter(|(scheme, _)| !matches!(scheme.kind, SecurityKind::Unsupported(_)))
        .map(|(_, method)| format!("`{method}`"))
        .collect();
    if !methods.is_empty() {
        lines.push(format!("in your code: `{}Credentials::new()` with {}.", plan.type_prefix, methods.join(", or ")));
    }
    if !project_text.contains(&format!("[systems.{name}.operations")) && once == 0 {
        lines.push(format!("{project}: nothing, all operations only read or have a key."));
    }
    lines
}
