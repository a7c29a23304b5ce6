//! What a run works on: the systems of a project, or one document.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use cofferdam::Planned;
use cofferdam::diagnose::{Located, Location, Report, Severity, Unsupported, nearest};
use cofferdam::load::Sources;
use cofferdam::output::Layout;
use cofferdam::plan::{Governed, governed};
use cofferdam::project::{Project, System, TemplateSettings};
use cofferdam::receipt::Receipt;
use cofferdam::write::{Lock, LockError};

use super::arguments::SourceArguments;
use super::progress::Progress;
use super::{Ended, output};

/// The systems of a run.
#[derive(Debug)]
pub(super) struct Inputs {
    /// The folder of the lock: the project's, or the output's.
    pub(super) root: PathBuf,
    /// The systems, in the order of the project.
    pub(super) systems: Vec<System>,
    /// All names the project knows, whether they were asked for or not.
    pub(super) all: bool,
    /// The file of run-time settings, if the project names one.
    pub(super) settings: Option<PathBuf>,
    /// Templates for the project as a whole, and the folder of what they make.
    pub(super) templates: TemplateSettings,
    pub(super) out: PathBuf,
    /// What the last run left behind.
    pub(super) lock: Lock,
    /// What each is governed by.
    pub(super) governed: BTreeMap<String, Governed>,
    /// What there is to say of the project and its settings.
    pub(super) found: Vec<Located>,
}

/// A system, and what there is to say of it.
#[derive(Debug)]
pub(super) struct SystemRun {
    /// The system.
    pub(super) system: System,
    /// The files that were read.
    pub(super) sources: Sources,
    /// What was found.
    pub(super) report: Report,
    /// Its plan, if nothing is wrong.
    pub(super) planned: Option<Planned>,
    /// The receipt of an earlier run, when it still holds: then there is no plan, and nothing to do.
    pub(super) receipt: Option<Receipt>,
}

impl SystemRun {
    /// What there is to say of its document, with what is not honoured as an error where that is asked for.
    pub(super) fn found(&self) -> Vec<Located> {
        if let Some(receipt) = &self.receipt {
            return receipt.found.clone();
        }
        let mut found = self.report.located(&self.sources);
        self.system.unsupported.apply(&mut found);
        found
    }
}

impl Inputs {
    /// Reads what the arguments name. Faults have been told when it fails.
    pub(super) fn read(arguments: &SourceArguments, out: Option<&Path>) -> Result<Self, Ended> {
        let allowed = allowed(&arguments.allow_unsupported)?;
        let mut inputs = match &arguments.spec {
            Some(spec) => Self::document(arguments, spec, out),
            None => Self::project(&arguments.project, &arguments.system),
        }?;
        for system in &mut inputs.systems {
            system.unsupported.deny |= arguments.deny_unsupported;
            system.unsupported.allow.extend(allowed.iter().cloned());
        }
        Ok(inputs)
    }

    fn document(arguments: &SourceArguments, spec: &Path, out: Option<&Path>) -> Result<Self, Ended> {
        let [name] = arguments.system.as_slice() else {
            output::fault("CD-COMMAND", None, "`--spec` is about one system", "give exactly one `--system NAME`");
            return Err(Ended::Usage);
        };
        let root = out.map_or_else(|| PathBuf::from("."), Path::to_owned);
        let mut report = Report::default();
        let system = System::single(name, spec, &root, &mut report);
        let lock = lock(&root, &mut report);
        let found = report.located(&Sources::default());
        let Some(system) = system else {
            output::tell(&found);
            return Err(Ended::Usage);
        };
        let governed = BTreeMap::from([(system.name.clone(), Governed::by(system.profile))]);
        let (templates, out) = (TemplateSettings::default(), root.clone());
        Ok(Self { root, systems: vec![system], all: true, settings: None, templates, out, lock, governed, found })
    }

    /// Reads a project.
    pub(super) fn project(file: &Path, only: &[String]) -> Result<Self, Ended> {
        if !file.exists() {
            let help = "run in its folder, or name it by `--project FILE`; `--spec FILE` goes without one";
            let place = Location::file(file.display().to_string());
            output::fault("CD-FILE-MISSING", Some(place), "there is no project file", help);
            return Err(Ended::Faults);
        }
        let mut report = Report::default();
        let Some(project) = Project::load(file, &mut report) else {
            output::tell(&report.located(&Sources::default()));
            return Err(Ended::Faults);
        };
        for name in only {
            let names: Vec<&str> = project.systems.iter().map(|system| system.name.as_str()).collect();
            if !names.contains(&name.as_str()) {
                let help = match nearest(name, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("there is {}", names.join(", ")),
                };
                output::fault("CD-COMMAND", None, format!("{} has no system `{name}`", file.display()), &help);
                return Err(Ended::Usage);
            }
        }
        let governed = governed(&project, &mut report);
        let root = project.file.parent().map_or_else(|| PathBuf::from("."), Path::to_owned);
        let root = if root.as_os_str().is_empty() { PathBuf::from(".") } else { root };
        let settings = project.settings.map(|settings| settings.value);
        let all = only.is_empty();
        let (templates, out) = (project.templates, project.out);
        let systems = project.systems.into_iter().filter(|system| all || only.contains(&system.name)).collect();
        let lock = lock(&root, &mut report);
        let found = report.located(&Sources::default());
        Ok(Self { root, systems, all, settings, templates, out, lock, governed, found })
    }

    /// Plans every system, whatever is wrong with the others.
    pub(super) fn plan(&self) -> Vec<SystemRun> {
        self.plan_unless(|_| None)
    }

    /// Plans every system that has no valid receipt.
    pub(super) fn plan_unless(&self, receipt: impl Fn(&System) -> Option<Receipt>) -> Vec<SystemRun> {
        let progress = Progress::new(self.systems.len());
        let plan = |system: &System| {
            progress.doing(format!("{}: reading {}", system.name, system.spec.value.display()));
            let planned = self.plan_one(system, &receipt);
            progress.done();
            planned
        };
        self.systems.iter().map(plan).collect()
    }

    fn plan_one(&self, system: &System, receipt: impl Fn(&System) -> Option<Receipt>) -> SystemRun {
        let began = Instant::now();
        let (mut sources, mut report) = (Sources::default(), Report::default());
        if let Some(receipt) = receipt(system) {
            output::detail(|| format!("{}: nothing has changed since the last run", system.name));
            return SystemRun { system: system.clone(), sources, report, planned: None, receipt: Some(receipt) };
        }
        // A system whose settings are wrong has been told of; its document is looked at all the same.
        let presets = Governed::by(system.profile);
        let governed = self.governed.get(&system.name).unwrap_or(&presets);
        let earlier = self.lock.names_of(&system.name);
        let planned = cofferdam::plan_after(system, governed, &earlier, &mut sources, &mut report);
        for file in &sources.files {
            output::detail(|| format!("{}: read {}", system.name, file.display));
        }
        output::detail(|| format!("{}: planned in {} ms", system.name, began.elapsed().as_millis()));
        SystemRun { system: system.clone(), sources, report, planned, receipt: None }
    }

    /// What the project and its settings have to say of one system.
    pub(super) fn about(&self, system: &str) -> Vec<Located> {
        let section = format!("systems.{system}");
        let is_about =
            |pointer: &str| pointer.strip_prefix(&section).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        let found = self.found.iter();
        found.filter(|one| one.location.as_ref().is_some_and(|at| is_about(&at.pointer))).cloned().collect()
    }

    /// Everything found so far, over the project and all systems.
    pub(super) fn diagnostics(&self, runs: &[SystemRun]) -> Vec<Located> {
        let mut found = self.found.clone();
        // A template of several systems is told of once.
        let mut seen: HashSet<Located> = HashSet::new();
        found.extend(runs.iter().flat_map(SystemRun::found));
        found.retain(|one| !one.code.starts_with("CD-TEMPLATE-") || seen.insert(one.clone()));
        found
    }
}

/// The codes of the command line that are put up with.
fn allowed(codes: &[String]) -> Result<&[String], Ended> {
    let wrong: Vec<_> = codes.iter().filter_map(|code| Unsupported::check(code)).collect();
    for (message, help) in &wrong {
        output::fault("CD-COMMAND", None, message, help);
    }
    if wrong.is_empty() { Ok(codes) } else { Err(Ended::Usage) }
}

/// The lock of a root folder. One that cannot be used is told with everything else: nothing is written then.
fn lock(root: &Path, report: &mut Report) -> Lock {
    Lock::read(root).unwrap_or_else(|error| {
        let (path, message, help) = match error {
            LockError::Read(path, error) => (path, format!("the lock cannot be read: {error}"), ""),
            LockError::Malformed(path, cause) => (path, format!("the lock cannot be used: {cause}"), RESTORE),
        };
        let path = path.strip_prefix(".").unwrap_or(&path);
        report.at(Severity::Error, "CD-LOCK", Location::file(path.display().to_string()), message, help);
        Lock::default()
    })
}

const RESTORE: &str = "restore it from version control, or delete it and run `cofferdam generate --force`";

/// How the files of a system are laid out.
pub(super) fn layout(arguments: &super::arguments::OutputArguments, system: &System) -> Layout {
    use cofferdam::view::RuntimeSource;
    let runtime = |path: Option<&Path>| match path {
        Some(path) => RuntimeSource::Path(cofferdam::output::relative(&system.out, path)),
        None => RuntimeSource::Version,
    };
    match (&arguments.source.spec, &system.own_crate) {
        (None, Some(own)) => Layout::Crate { runtime: runtime(own.runtime.as_deref()), with_stubs: false },
        (None, None) => Layout::Project,
        (Some(_), _) if arguments.as_crate => {
            let with_stubs = arguments.with_stubs;
            Layout::Crate { runtime: runtime(arguments.runtime_path.as_deref()), with_stubs }
        }
        (Some(_), _) => Layout::Module { with_stubs: arguments.with_stubs },
    }
}
