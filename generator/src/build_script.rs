//! Use from a `build.rs`: the same code as the command's, in one file of the build's output.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Planned;
use crate::diagnose::{self, Located, Location, Report, Severity};
use crate::load::{Opened, Sources};
use crate::output::{self, StubPlace, StubRoot};
use crate::plan::Governed;
use crate::project::{Declared, Project, System, TemplateSettings};
use crate::receipt::{Fingerprint, Receipt};
use crate::stubs::GeneratedAt;
use crate::templates;
use crate::write::{self, FileBody, LOCK_FILE, Lock, Ownership, Scope, Tree};

/// Generates systems from a build script.
///
/// ```no_run
/// fn main() -> Result<(), cofferdam::BuildError> {
///     cofferdam::Build::new("specs/cofferdam.toml").stubs_dir("src/integrations").run()?;
///     Ok(())
/// }
/// ```
///
/// Each system becomes one file of `OUT_DIR`, named for it, with modules inside. The crate includes it:
///
/// ```ignore
/// pub mod sber {
///     include!(concat!(env!("OUT_DIR"), "/sber.rs"));
/// }
/// ```
///
/// Hand-written files are only made where [`stubs_dir`](Self::stubs_dir) says, and only when they are absent.
#[derive(Debug, Clone)]
#[must_use = "nothing happens until `run`"]
pub struct Build {
    source: Source,
    only: Vec<String>,
    out_dir: Option<PathBuf>,
    stubs_dir: Option<PathBuf>,
    deny_warnings: bool,
    deny_unsupported: bool,
    rerun_if_changed: bool,
    templates: Vec<PathBuf>,
    plan_hooks: Vec<PlanHook>,
}

#[derive(Debug, Clone)]
enum Source {
    Project(PathBuf),
    Document { spec: PathBuf, system: String },
}

/// Something done to each plan before it is rendered.
#[derive(Clone)]
struct PlanHook(Arc<Hook>);

type Hook = dyn Fn(&mut Planned, &mut Report) + Send + Sync;

impl std::fmt::Debug for PlanHook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PlanHook")
    }
}

/// What a build made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Built {
    /// The file of each system, by its name.
    pub files: BTreeMap<String, PathBuf>,
    /// Every file that was read: a change of any of them is a reason to build again.
    pub inputs: Vec<PathBuf>,
    /// What there is to say that is no error, as lines.
    pub remarks: Vec<String>,
}

/// Why a build made nothing. Its text is the whole report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildError {
    message: String,
}

impl std::fmt::Display for BuildError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for BuildError {}

impl Build {
    /// Generates the systems of a project file.
    pub fn new(project: impl Into<PathBuf>) -> Self {
        Self::of(Source::Project(project.into()))
    }

    /// Generates one system from a document, without a project file.
    pub fn from_spec(spec: impl Into<PathBuf>, system: impl Into<String>) -> Self {
        Self::of(Source::Document { spec: spec.into(), system: system.into() })
    }

    fn of(source: Source) -> Self {
        Self {
            source,
            only: Vec::new(),
            out_dir: None,
            stubs_dir: None,
            deny_warnings: false,
            deny_unsupported: false,
            rerun_if_changed: true,
            templates: Vec::new(),
            plan_hooks: Vec::new(),
        }
    }

    /// Only this system, and the others that are named so; without it, all of them.
    pub fn system(mut self, name: impl Into<String>) -> Self {
        self.only.push(name.into());
        self
    }

    /// Another folder than `OUT_DIR`.
    pub fn out_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.out_dir = Some(folder.into());
        self
    }

    /// Makes the hand-written files of each system (`mod.rs`, `domain.rs`, `mapper.rs`, `port.rs`) in the folder of its
    /// module below this one, where they are absent. Files that are there are never touched.
    pub fn stubs_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.stubs_dir = Some(folder.into());
        self
    }

    /// Takes warnings about documents for errors.
    pub fn deny_warnings(mut self, deny: bool) -> Self {
        self.deny_warnings = deny;
        self
    }

    /// Takes what of the documents cannot be honoured for an error, but for the codes that the project file puts up with
    /// (`allow-unsupported`). The project file can ask for it too (`deny-unsupported`).
    pub fn deny_unsupported(mut self, deny: bool) -> Self {
        self.deny_unsupported = deny;
        self
    }

    /// Whether to print `cargo::rerun-if-changed` for every file that was read. Yes, if nothing is said.
    pub fn rerun_if_changed(mut self, print: bool) -> Self {
        self.rerun_if_changed = print;
        self
    }

    /// A folder of templates of your own. Those that the project file names go before it.
    pub fn templates_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.templates.push(folder.into());
        self
    }

    /// Looks at the plan of each system before anything is made of it, and may change it: what is generated, and who
    /// renders it ([`Planned::renderers`]). An error in the report stops the build. With a hook nothing of an earlier
    /// build is taken over.
    ///
    /// ```no_run
    /// # #[derive(Debug)] struct House;
    /// # impl cofferdam::render::Renderer for House { fn name(&self) -> &str { "house" } }
    /// fn main() -> Result<(), cofferdam::BuildError> {
    ///     cofferdam::Build::new("specs/cofferdam.toml")
    ///         .on_plan(|planned, _report| planned.renderers.insert(0, std::sync::Arc::new(House)))
    ///         .run()?;
    ///     Ok(())
    /// }
    /// ```
    pub fn on_plan(mut self, hook: impl Fn(&mut Planned, &mut Report) + Send + Sync + 'static) -> Self {
        self.plan_hooks.push(PlanHook(Arc::new(hook)));
        self
    }

    /// Generates, and tells cargo which files it depends on.
    ///
    /// # Errors
    /// When anything is wrong with the project or its documents: all of it is in the error's text. When a file cannot
    /// be written.
    pub fn run(self) -> Result<Built, BuildError> {
        let mut built = Built::default();
        let outcome = self.generate(&mut built);
        if self.rerun_if_changed {
            // After an error too: the repaired file is a reason to build again.
            for input in &built.inputs {
                println!("cargo::rerun-if-changed={}", input.display());
            }
            for remark in &built.remarks {
                println!("cargo::warning={remark}");
            }
        }
        outcome.map(|()| built)
    }

    fn generate(&self, built: &mut Built) -> Result<(), BuildError> {
        let out_dir = self.folder()?;
        let (systems, project, mut found) = self.systems(built)?;
        let lock = self.lock(built)?;
        let mut outputs = Tree::default();
        let mut stubs = Tree::default();
        let mut receipts = Vec::new();
        let mut plans = Vec::new();
        let mut kept: Vec<Option<Receipt>> =
            systems.iter().map(|system| self.receipt(system, &project, &lock, &out_dir)).collect();
        // Files of the project as a whole are made of all plans, or not again.
        if !project.extras.is_empty() && kept.iter().any(Option::is_none) {
            kept.iter_mut().for_each(|receipt| *receipt = None);
        }
        for (system, receipt) in systems.into_iter().zip(kept) {
            let mut run = SystemRun::default();
            let file = format!("{}.rs", crate::project::module_name(&system.name));
            if let Some(receipt) = receipt {
                built.files.insert(system.name.clone(), out_dir.join(&file));
                built.inputs.extend(inputs(&system, &receipt.read));
                found.extend(receipt.found);
                continue;
            }
            let made = self.one(&system, &lock, &mut run, &mut stubs);
            built.inputs.extend(inputs(&system, &run.sources.opened));
            let mut unsupported = system.unsupported.clone();
            unsupported.deny |= self.deny_unsupported;
            let mut of_system = run.report.located(&run.sources);
            unsupported.apply(&mut of_system);
            if let Some((planned, files)) = made {
                built.files.insert(system.name.clone(), out_dir.join(&file));
                let digest =
                    |(path, body): (&str, &FileBody)| Some((path.to_owned(), write::digest(body.text.as_deref()?)));
                let written = files.iter().filter_map(digest).collect();
                receipts.extend(self.new_receipt(&system, &project, &lock, &run, written, &of_system));
                outputs.merge(files);
                plans.push(planned);
            }
            found.extend(of_system);
        }
        found.extend(self.of_project(&project, &plans, &mut outputs, built));
        self.judge(&found)?;
        built.remarks = found.iter().filter(|one| one.severity == Severity::Warning).map(remark).collect();
        self.write(&out_dir, &outputs, &stubs)?;
        for (system, receipt) in receipts {
            // Without one the next build does it again: no more is lost.
            let _ = receipt.keep(&out_dir, &system);
        }
        Ok(())
    }

    /// The receipt of a system, when there is nothing to do for it.
    fn receipt(&self, system: &System, project: &TemplateSettings, lock: &Lock, out_dir: &Path) -> Option<Receipt> {
        if !self.plan_hooks.is_empty() {
            return None;
        }
        let module = crate::project::module_name(&system.name);
        let all_there = self.stubs_dir.iter().all(|root| {
            output::listed(root, &module, true).iter().all(|(file, _)| root.join(&module).join(file).exists())
        });
        let fingerprint = self.fingerprint(system, project, lock).filter(|_| all_there)?;
        Receipt::valid(out_dir, &system.name, &fingerprint, None)
    }

    fn new_receipt(
        &self,
        system: &System,
        project: &TemplateSettings,
        lock: &Lock,
        run: &SystemRun,
        written: BTreeMap<String, String>,
        found: &[Located],
    ) -> Option<(String, Receipt)> {
        let receipt = Receipt {
            fingerprint: self.fingerprint(system, project, lock)?,
            read: run.sources.opened.clone(),
            written,
            summary: String::new(),
            operations: Vec::new(),
            found: found.to_vec(),
        };
        Some((system.name.clone(), receipt))
    }

    /// All that decides what a system becomes, besides the files it is read from.
    fn fingerprint(&self, system: &System, project: &TemplateSettings, lock: &Lock) -> Option<Fingerprint> {
        let names = lock.names_of(&system.name);
        let of_project = (!project.extras.is_empty()).then(|| (project, templates::contents(project)));
        Fingerprint::of(&[
            ("system", system),
            ("denied", &self.deny_unsupported),
            ("names", &names),
            ("templates", &templates::listing(&system.templates)),
            ("of the project", &of_project),
        ])
    }

    fn folder(&self) -> Result<PathBuf, BuildError> {
        match (&self.out_dir, std::env::var_os("OUT_DIR")) {
            (Some(folder), _) => Ok(folder.clone()),
            (None, Some(folder)) => Ok(PathBuf::from(folder)),
            (None, None) => Err(fault("OUT_DIR is not set: call this from a build script, or name an `out_dir`")),
        }
    }

    /// What an earlier run of the command left behind: the names it gave are kept here too, so that both give the same
    /// code.
    fn lock(&self, built: &mut Built) -> Result<Lock, BuildError> {
        let Source::Project(project) = &self.source else { return Ok(Lock::default()) };
        let root = project.parent().unwrap_or(Path::new(""));
        let file = root.join(LOCK_FILE);
        if file.exists() {
            built.inputs.push(file);
        }
        Lock::read(root).map_err(|error| fault(error.to_string()))
    }

    /// The systems, the templates of the project as a whole, and what there is to say.
    fn systems(&self, built: &mut Built) -> Result<(Vec<System>, TemplateSettings, Vec<Located>), BuildError> {
        let mut report = Report::default();
        let mut project = TemplateSettings::default();
        let systems = match &self.source {
            Source::Project(path) => {
                built.inputs.push(path.clone());
                Project::load(path, &mut report).map(|loaded| {
                    project = loaded.templates;
                    loaded.systems
                })
            }
            Source::Document { spec, system } => {
                System::single(system, spec, Path::new("."), &mut report).map(|system| vec![system])
            }
        };
        let found = report.located(&Sources::default());
        self.judge(&found)?;
        let systems = systems.unwrap_or_default();
        if let Some(unknown) = self.only.iter().find(|name| !systems.iter().any(|system| system.name == **name)) {
            return Err(fault(format!("the project has no system `{unknown}`")));
        }
        let asked_for = |system: &System| self.only.is_empty() || self.only.contains(&system.name);
        let mut systems: Vec<System> = systems.into_iter().filter(asked_for).collect();
        // What a build includes is no crate of its own.
        systems.iter_mut().for_each(|system| system.own_crate = None);
        let named = self.templates.iter().map(|folder| Declared { value: folder.clone(), at: Location::default() });
        for system in &mut systems {
            system.templates.folders.extend(named.clone());
        }
        if !self.only.is_empty() {
            project = TemplateSettings::default();
        }
        Ok((systems, project, found))
    }

    /// A system's plan, and its files below the build's output.
    fn one(&self, system: &System, lock: &Lock, run: &mut SystemRun, stubs: &mut Tree) -> Option<(Planned, Tree)> {
        // Settings are checked where they are used: a build may have others than the service.
        let governed = Governed::by(system.profile);
        let earlier = lock.names_of(&system.name);
        let mut planned = crate::plan_after(system, &governed, &earlier, &mut run.sources, &mut run.report)?;
        self.plan_hooks.iter().for_each(|hook| (hook.0)(&mut planned, &mut run.report));
        run.sources.release();
        let rendered = output::render(&planned, output::Beside::default(), &mut run.report)?;
        let module = crate::project::module_name(&system.name);
        if let Some(root) = &self.stubs_dir {
            let included = format!("{module}.rs");
            let place = StubPlace {
                folder: &module,
                generated: GeneratedAt::Beside,
                root: Some(StubRoot::Includes(&included)),
            };
            output::hand_written(stubs, &planned, place, root, &mut run.report)?;
        }
        let mut files = Tree::default();
        files.insert(format!("{module}.rs"), generated(&system.name, rendered.inline()));
        output::extra(&planned, &mut files, &module, &rendered.header, &mut run.report);
        Some((planned, files))
    }

    /// Adds the files of the project as a whole, where all of its systems have been planned.
    fn of_project(
        &self,
        project: &TemplateSettings,
        plans: &[Planned],
        outputs: &mut Tree,
        built: &mut Built,
    ) -> Vec<Located> {
        if project.extras.is_empty() || plans.is_empty() {
            return Vec::new();
        }
        let (mut sources, mut report) = (Sources::default(), Report::default());
        let plans: Vec<&Planned> = plans.iter().collect();
        let files = templates::project_files(project, &plans, &mut sources, &mut report);
        output::extra_of_project(files, outputs, "", &mut report);
        built.inputs.extend(
            sources
                .opened
                .iter()
                .map(|file| file.real.clone())
                .filter(|file| !built.inputs.contains(file))
                .collect::<Vec<_>>(),
        );
        report.located(&sources)
    }

    /// The whole report as an error, if there is any in it.
    fn judge(&self, found: &[Located]) -> Result<(), BuildError> {
        let worst = if self.deny_warnings { Severity::Warning } else { Severity::Error };
        if !found.iter().any(|one| one.severity >= worst) {
            return Ok(());
        }
        let told: Vec<Located> = found.iter().filter(|one| one.severity >= worst).cloned().collect();
        Err(fault(format!("\n{}", diagnose::render(&told, snippet))))
    }

    fn write(&self, out_dir: &Path, outputs: &Tree, stubs: &Tree) -> Result<(), BuildError> {
        // The build's output is nobody's to edit, so there is no lock to ask.
        for (path, body) in outputs.iter() {
            let Some(text) = &body.text else { continue };
            write::write_if_changed(&out_dir.join(path), text).map_err(|error| fault(error.to_string()))?;
        }
        let Some(root) = &self.stubs_dir else { return Ok(()) };
        let create = |error: write::WriteError| fault(error.to_string());
        write::changes(root, stubs, Lock::default(), BTreeMap::new(), Scope::All, false)
            .and_then(|changes| changes.create_hand_written())
            .map_err(create)
    }
}

/// What is known of one system while it is worked on.
#[derive(Debug, Default)]
struct SystemRun {
    sources: Sources,
    report: Report,
}

/// The files that a system is made of: its document and overlays, whether they could be read or not, and the parts that
/// were read.
fn inputs(system: &System, read: &[Opened]) -> Vec<PathBuf> {
    let named: Vec<PathBuf> =
        std::iter::once(&system.spec).chain(&system.overlays).map(|path| path.value.clone()).collect();
    let real: Vec<PathBuf> = named.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let parts = read.iter().map(|file| &file.real).filter(|path| !real.contains(path)).cloned();
    // A file that comes to a folder of templates counts as one that is changed.
    let folders = system.templates.folders.iter().map(|folder| folder.value.clone());
    named.iter().cloned().chain(parts).chain(folders).collect()
}

fn generated(system: &str, text: String) -> FileBody {
    FileBody {
        text: Some(text.into()),
        ownership: Ownership::Generated,
        template: "inline".to_owned(),
        system: system.to_owned(),
    }
}

fn fault(message: impl Into<String>) -> BuildError {
    BuildError { message: message.into() }
}

/// A diagnostic as one line for cargo.
fn remark(located: &Located) -> String {
    diagnose::render(std::slice::from_ref(located), |_| None).lines().collect::<Vec<_>>().join(" ")
}

/// The author's line at a place.
fn snippet(location: &Location) -> Option<String> {
    let text = std::fs::read_to_string(&location.file).ok()?;
    diagnose::snippet(&text, location.position()?)
}
