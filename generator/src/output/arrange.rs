//! Where the files of a system stand: in a project, in a folder of their own, or as a crate.

use std::collections::BTreeMap;
use std::path::Path;

use super::extra::extra;
use super::rendered::with_header;
use super::text::text;
use super::{Beside, Rendered, Resilience, Tests, TrialPlace, rendered};
use crate::Planned;
use crate::contract::Contract;
use crate::diagnose::{Diagnostic, Report, Severity};
use crate::plan::SystemPlan;
use crate::render;
use crate::stubs::{self, Existing, GeneratedAt, Items, Placement};
use crate::view::{self, RuntimeSource};
use crate::write::{FileBody, Ownership, Tree};

/// How a system's files are laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layout {
    /// `generated/` with our files, and the hand-written ones around it.
    Project,
    /// Our files in the folder itself, a module of some crate.
    Module {
        /// The hand-written ones too.
        with_stubs: bool,
    },
    /// A crate.
    Crate {
        /// Where it finds the runtime.
        runtime: RuntimeSource,
        /// The hand-written files too.
        with_stubs: bool,
    },
}

impl Layout {
    /// What stands beside the generated modules of a system that has tests or none.
    #[must_use]
    pub fn beside(&self, contract: bool, resilience: bool) -> Beside {
        let trial = |place| resilience.then_some(place);
        match self {
            Self::Project => Beside { stubs: false, contract, trial: trial(TrialPlace::Above) },
            Self::Module { with_stubs } => Beside { stubs: *with_stubs, contract, trial: trial(TrialPlace::Beside) },
            // The tests of a crate stand in a folder of their own.
            Self::Crate { with_stubs, .. } => Beside { stubs: *with_stubs, contract: false, trial: None },
        }
    }
}

/// A place for hand-written files, and how they find the generated ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StubPlace<'a> {
    /// The folder, relative to the root of the tree.
    pub folder: &'a str,
    /// Where the generated modules are.
    pub generated: GeneratedAt,
    /// `mod.rs` is among them. Its generated code is in this file below `OUT_DIR`, or in `generated/`.
    pub root: Option<StubRoot<'a>>,
}

/// The hand-written root of a system's modules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StubRoot<'a> {
    /// It declares the module `generated`.
    Declares,
    /// It includes a file of the build's output.
    Includes(&'a str),
}

/// The files of a system. `folder` is the system's own, relative to `root`, with `/` between names (empty: the root
/// itself). Hand-written files that are there already are not made again.
pub fn arrange(
    planned: &Planned,
    rendered: Rendered,
    with: Tests<'_>,
    layout: &Layout,
    root: &Path,
    folder: &str,
    report: &mut Report,
) -> Option<Tree> {
    let mut tree = Tree::default();
    let plan = &planned.plan;
    let header = rendered.header.clone();
    match layout {
        Layout::Project => {
            let among = join(folder, "generated");
            generated(&mut tree, plan, rendered, &among, "mod.rs");
            tests(&mut tree, planned, with.contract, "super", &among, report)?;
            trials(&mut tree, planned, with.trials, &among, &join(folder, "trial.rs"), root, report)?;
            let place = StubPlace { folder, generated: GeneratedAt::Beside, root: Some(StubRoot::Declares) };
            hand_written(&mut tree, planned, place, root, report)?;
        }
        Layout::Module { with_stubs } => {
            generated(&mut tree, plan, rendered, folder, "mod.rs");
            tests(&mut tree, planned, with.contract, "super", folder, report)?;
            trials(&mut tree, planned, with.trials, folder, &join(folder, "trial.rs"), root, report)?;
            beside(&mut tree, planned, *with_stubs, root, folder, report)?;
        }
        Layout::Crate { runtime, with_stubs } => {
            let source = join(folder, "src");
            generated(&mut tree, plan, rendered, &source, "lib.rs");
            let manifest = view::manifest(plan, runtime, with.trials.is_some());
            let manifest = text(planned, &manifest, report)?;
            insert(&mut tree, plan, &join(folder, "Cargo.toml"), manifest, "crate/Cargo.toml.jinja");
            let own = join(folder, "tests");
            tests(&mut tree, planned, with.contract, &crate_name(plan), &own, report)?;
            trials(&mut tree, planned, with.trials, &own, &join(&own, "trial/mod.rs"), root, report)?;
            beside(&mut tree, planned, *with_stubs, root, &source, report)?;
        }
    }
    if !header.is_empty() {
        let is_headed = |path: &str, body: &FileBody| body.ownership == Ownership::Generated && path.ends_with(".rs");
        tree.rewrite(is_headed, |text| with_header(text, &header));
    }
    extra(planned, &mut tree, folder, &header, report);
    Some(tree)
}

/// The contract tests, when they are asked for.
fn tests(
    tree: &mut Tree,
    planned: &Planned,
    contract: Option<&Contract>,
    root: &str,
    folder: &str,
    report: &mut Report,
) -> Option<()> {
    let Some(contract) = contract else { return Some(()) };
    let text = rendered::contract(planned, contract, root, report)?;
    insert(tree, &planned.plan, &join(folder, "contract.rs"), text, "crate/contract.rs.jinja");
    Some(())
}

/// The resilience tests, when they are asked for, and the hand-written file that says what they run with.
fn trials(
    tree: &mut Tree,
    planned: &Planned,
    trials: Option<&Resilience>,
    folder: &str,
    hand_written: &str,
    root: &Path,
    report: &mut Report,
) -> Option<()> {
    let Some(trials) = trials else { return Some(()) };
    let tests = rendered::resilience(planned, &trials.view, report)?;
    insert(tree, &planned.plan, &join(folder, "resilience.rs"), tests, "crate/resilience.rs.jinja");
    let is_there = root.join(hand_written).exists();
    let own = if is_there { None } else { Some(text(planned, &trials.trial, report)?) };
    let body = FileBody {
        text: own.map(Into::into),
        ownership: Ownership::HandWritten,
        template: "stubs/trial.rs.jinja".to_owned(),
        system: planned.plan.system.clone(),
    };
    tree.insert(hand_written, body);
    Some(())
}

/// The name of a system's crate in code.
pub(super) fn crate_name(plan: &SystemPlan) -> String {
    let name = plan.system.replace('-', "_");
    if syn::parse_str::<syn::Ident>(&name).is_ok() { name } else { format!("r#{name}") }
}

fn beside(
    tree: &mut Tree,
    planned: &Planned,
    with_stubs: bool,
    root: &Path,
    folder: &str,
    report: &mut Report,
) -> Option<()> {
    if !with_stubs {
        return Some(());
    }
    let place = StubPlace { folder, generated: GeneratedAt::Among, root: None };
    hand_written(tree, planned, place, root, report)
}

fn generated(tree: &mut Tree, plan: &SystemPlan, rendered: Rendered, folder: &str, root: &str) {
    insert(tree, plan, &join(folder, root), rendered.root, "generated/mod.rs.jinja");
    for module in rendered.modules {
        insert(tree, plan, &join(folder, &module.file), module.text, &module.template);
    }
}

fn insert(tree: &mut Tree, plan: &SystemPlan, path: &str, text: String, template: &str) {
    let body = FileBody {
        text: Some(text.into()),
        ownership: Ownership::Generated,
        template: template.to_owned(),
        system: plan.system.clone(),
    };
    tree.insert(path, body);
}

/// The hand-written files that a layout has for a system in its folder: those that are there, and those that a run
/// makes.
#[must_use]
pub fn hand_written_files(layout: &Layout, root: &Path, folder: &str) -> Vec<String> {
    let (folder, with_root) = match layout {
        Layout::Project => (folder.to_owned(), true),
        Layout::Module { with_stubs: true } => (folder.to_owned(), false),
        Layout::Crate { with_stubs: true, .. } => (join(folder, "src"), false),
        Layout::Module { .. } | Layout::Crate { .. } => return Vec::new(),
    };
    listed(root, &folder, with_root).into_iter().map(|(name, _)| join(&folder, name)).collect()
}

/// The names of the hand-written files in a folder, with what makes them. A module that is there in its other form is
/// none of them.
pub(crate) fn listed(root: &Path, folder: &str, with_root: bool) -> Vec<(&'static str, &'static str)> {
    let mut files = vec![("domain.rs", "stubs/domain.rs.jinja"), ("mapper.rs", "stubs/mapper.rs.jinja")];
    files.push(("port.rs", "stubs/port.rs.jinja"));
    if with_root {
        files.push(("mod.rs", "stubs/mod.rs.jinja"));
    }
    files.retain(|(name, _)| root.join(join(folder, name)).exists() || !has_other_form(root, folder, name));
    files
}

/// Adds the hand-written files of a system to a tree: those that are not there with their text.
pub(crate) fn hand_written(
    tree: &mut Tree,
    planned: &Planned,
    place: StubPlace<'_>,
    root: &Path,
    report: &mut Report,
) -> Option<()> {
    let is_there = |name: &str| root.join(join(place.folder, name)).exists();
    let files = listed(root, place.folder, place.root.is_some());
    // Making them means rendering the transport types once more: only when one is to be written.
    let any = files.iter().any(|(name, _)| !is_there(name));
    let texts = if any { stub_texts(planned, place, report)? } else { BTreeMap::new() };
    for (name, template) in files {
        let text = if is_there(name) { None } else { texts.get(name).map(|text| text.as_str().into()) };
        let body = FileBody {
            text,
            ownership: Ownership::HandWritten,
            template: template.to_owned(),
            system: planned.plan.system.clone(),
        };
        tree.insert(join(place.folder, name), body);
    }
    Some(())
}

/// Whether a module is there in its other form: `mapper/mod.rs` for `mapper.rs`, and the file beside the folder for its
/// `mod.rs`. Both at once would not compile.
fn has_other_form(root: &Path, folder: &str, name: &str) -> bool {
    let folder = root.join(folder);
    match name.strip_suffix(".rs") {
        Some("mod") => folder.file_name().is_some_and(|own| {
            let mut beside = own.to_owned();
            beside.push(".rs");
            folder.with_file_name(beside).exists()
        }),
        Some(module) => folder.join(module).join("mod.rs").exists(),
        None => false,
    }
}

/// The texts of the hand-written files, by their names.
fn stub_texts(planned: &Planned, place: StubPlace<'_>, report: &mut Report) -> Option<BTreeMap<&'static str, String>> {
    let plan = &planned.plan;
    let stubs = stubs::stubs(plan, &items(plan, report)?, place.generated);
    // Everything wrong is told, whichever template it is in.
    let mut texts = vec![
        ("domain.rs", text(planned, &stubs.domain, report)),
        ("mapper.rs", text(planned, &stubs.mapper, report)),
        ("port.rs", text(planned, &stubs.port, report)),
    ];
    if let Some(root) = place.root {
        let included = match root {
            StubRoot::Declares => None,
            StubRoot::Includes(file) => Some(file),
        };
        texts.push(("mod.rs", text(planned, &view::stub_root(plan, included), report)));
    }
    texts.into_iter().map(|(name, text)| Some((name, text?))).collect()
}

/// The stubs of those operations that nothing maps yet, as text.
pub fn missing_stubs(
    planned: &Planned,
    existing: &Existing,
    placement: Placement,
    report: &mut Report,
) -> Option<String> {
    let view = stubs::missing(&planned.plan, &items(&planned.plan, report)?, existing, placement);
    text(planned, &view, report)
}

/// The stubs of those operations that nothing maps yet, in parts that go to different places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingParts {
    /// The `use` items that the mappings need, as in a file beside the mapper.
    pub imports: Vec<String>,
    /// The types that the domain lacks; empty when it lacks none.
    pub types: String,
    /// The implementations, and the functions they need.
    pub mappings: String,
}

/// The parts of what is missing, to be put where a team wants them.
pub fn missing_parts(planned: &Planned, existing: &Existing, report: &mut Report) -> Option<MissingParts> {
    let plan = &planned.plan;
    let whole = stubs::missing(plan, &items(plan, report)?, existing, Placement::Paste);
    let mut types = whole.clone();
    (types.mappings, types.conversions) = (Vec::new(), Vec::new());
    let mut mappings = whole.clone();
    (mappings.has_types, mappings.types) = (false, Vec::new());
    let mut imports = whole.imports;
    imports.push(format!("use super::mapper::{};", whole.mapping));
    let mut body = |view: view::MissingView| {
        let text = text(planned, &view, report)?;
        // The first line says what is to be pasted where; a team's template may have none.
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        Some(if first.starts_with("//") { rest } else { &text }.trim().to_owned())
    };
    let types = if types.has_types { body(types)? } else { String::new() };
    Some(MissingParts { imports, types, mappings: body(mappings)? })
}

/// The items of the rendered modules `types` and `operations`.
pub(crate) fn items(plan: &SystemPlan, report: &mut Report) -> Option<Items> {
    // What there is to say of the modules was said when they were rendered.
    let modules = render::modules(plan, &mut Report::default());
    let mut items = Items::default();
    for module in &modules {
        let target = match module.path.first().map(String::as_str) {
            Some("types") => &mut items.types,
            Some("operations") => &mut items.operations,
            _ => continue,
        };
        match render::items(plan, module) {
            Ok(found) => target.extend(found),
            Err(error) => {
                report.push(internal(format!("the module `{}` is no Rust: {error}", module.path.join("::"))));
                return None;
            }
        }
    }
    Some(items)
}

pub(super) fn internal(message: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code: "CD-INTERNAL",
        message,
        origin: None,
        location: None,
        help: Some("this is a fault of cofferdam: please report it with the document".to_owned()),
    }
}

pub(super) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}
