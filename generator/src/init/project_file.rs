//! The section of a system in a project file.

use std::collections::BTreeMap;

use toml_edit::DocumentMut;

use super::candidates::{Candidate, Candidates};
use super::{NoPlace, comment, quoted};
use crate::plan::{OperationKind, SystemPlan};
use crate::project::OnDuplicate;

/// As many candidates of a kind as are written down.
const SHOWN: usize = 5;

/// From so many operations on a choice is proposed.
const MANY: usize = 30;

/// What a section is made of.
#[derive(Debug, Clone, Copy)]
pub struct ProjectFile<'a> {
    /// The plan of the system.
    pub plan: &'a SystemPlan,
    /// The document, relative to the project file.
    pub spec: &'a str,
    /// What two operations with one id mean in it.
    pub on_duplicate: OnDuplicate,
    /// What may be declared.
    pub candidates: &'a Candidates,
    /// Of a new project file: where code goes, and the settings.
    pub out: &'a str,
    /// The settings, relative to the project file.
    pub settings: &'a str,
}

/// The text of a project file with one system more. What was there stays as it was, byte for byte.
///
/// # Errors
/// When the file cannot take a section at its end.
pub fn with_system(existing: Option<&str>, new: &ProjectFile<'_>) -> Result<String, NoPlace> {
    let section = section(new);
    let text = match existing {
        None => format!("{}\n{section}", head(new)),
        Some(before) => {
            let gap = if before.is_empty() || before.ends_with("\n\n") {
                ""
            } else if before.ends_with('\n') {
                "\n"
            } else {
                "\n\n"
            };
            format!("{before}{gap}{section}")
        }
    };
    match text.parse::<DocumentMut>() {
        Ok(_) => Ok(text),
        Err(error) => Err(NoPlace { cause: error.message().trim().to_owned(), section }),
    }
}

fn head(new: &ProjectFile<'_>) -> String {
    format!(
        "# The external systems that are called from here. `cofferdam generate` reads this file; paths are relative to it.\n\
         \n\
         # What the systems are governed by at run time; `generate` and `plan` check it.\n\
         settings = {}\n\
         # Code goes here, one folder a system.\n\
         out = {}\n",
        quoted(new.settings),
        quoted(new.out)
    )
}

fn section(new: &ProjectFile<'_>) -> String {
    let plan = new.plan;
    let name = &plan.system;
    let mut lines = vec![
        format!("# {}", comment(&format!("{} {}", plan.api.title, plan.api.version))),
        format!("[systems.{name}]"),
        format!("spec = {}", quoted(new.spec)),
        "# Presets: external (somebody else's, over the internet), supplier (people wait for its answers), internal."
            .to_owned(),
        "profile = \"external\"".to_owned(),
    ];
    if new.on_duplicate == OnDuplicate::Suffix {
        lines.push("# The document gives one id to several operations: later ones get `_2`, `_3`.".to_owned());
        lines.push("on-duplicate = \"suffix\"".to_owned());
    }
    lines.extend(choice(plan));
    lines.extend(kinds(plan));
    let candidates = new.candidates;
    lines.extend(declarations(
        name,
        &candidates.keyed,
        "These are sent once. If the system refuses a second call with the same value, they may be repeated:",
        |candidate| {
            let key = candidate.key.clone().unwrap_or_default();
            vec![
                format!("idempotency-key = {key}"),
                "reason = \"\"  # who says that a second one is refused".to_owned(),
            ]
        },
    ));
    lines.extend(declarations(
        name,
        &candidates.reads,
        "These are sent once by their method. Those that change nothing may be repeated:",
        |_| vec!["kind = \"read\"".to_owned(), "reason = \"\"  # who says that it only reads".to_owned()],
    ));
    lines.extend(declarations(
        name,
        &candidates.writes,
        "These are repeated, as a GET only reads. Those that change something must not be:",
        |_| vec!["kind = \"once\"".to_owned(), "reason = \"\"  # what it changes".to_owned()],
    ));
    lines.join("\n") + "\n"
}

/// The proposal to choose some operations of many.
fn choice(plan: &SystemPlan) -> Vec<String> {
    if plan.operations.len() < MANY {
        return Vec::new();
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for tag in plan.operations.iter().flat_map(|planned| &plan.operation(planned).tags) {
        *counts.entry(tag).or_default() += 1;
    }
    let mut lines = vec![
        String::new(),
        format!(
            "# All {} operations are generated. To have those you need, by tags, paths or ids:",
            plan.operations.len()
        ),
        format!("# [systems.{}.select]", plan.system),
    ];
    if counts.is_empty() {
        let path = plan.operations.first().map(|planned| plan.operation(planned).path.raw.as_str()).unwrap_or_default();
        lines.push(format!("# paths = [{}]", commented(path)));
        return lines;
    }
    // The largest first.
    let mut tags: Vec<(&str, usize)> = counts.into_iter().collect();
    tags.sort_by_key(|(tag, count)| (std::cmp::Reverse(*count), *tag));
    let shown: Vec<String> = tags.iter().take(SHOWN).map(|(tag, _)| commented(tag)).collect();
    let sizes: Vec<String> = tags.iter().take(SHOWN).map(|(_, count)| count.to_string()).collect();
    let more = match tags.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("; {more} more tags"),
    };
    lines.push(format!("# tags = [{}]  # {} operations{more}", shown.join(", "), sizes.join(", ")));
    lines
}

/// What the document says by itself.
fn kinds(plan: &SystemPlan) -> Vec<String> {
    let keyed: Vec<String> = plan
        .operations
        .iter()
        .filter(|planned| planned.kind == OperationKind::Keyed)
        .map(|planned| comment(&plan.operation(planned).id))
        .collect();
    if keyed.is_empty() {
        return Vec::new();
    }
    let shown = keyed.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    let more = match keyed.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    vec![
        String::new(),
        format!("# With an idempotency key by the document, and so repeated: {shown}{more}. Nothing is to do."),
    ]
}

fn declarations(
    system: &str,
    candidates: &[Candidate],
    head: &str,
    keys: impl Fn(&Candidate) -> Vec<String>,
) -> Vec<String> {
    if candidates.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![String::new(), format!("# {head}")];
    for candidate in candidates.iter().take(SHOWN) {
        let id = key(&comment(&candidate.id));
        lines.push(format!("# [systems.{system}.operations.{id}]  # {}", comment(&candidate.call)));
        lines.extend(keys(candidate).iter().map(|line| format!("# {line}")));
    }
    match candidates.len().saturating_sub(SHOWN) {
        0 => {}
        more => lines.push(format!("# and {more} more: `cofferdam plan --system {system}` shows all")),
    }
    lines
}

/// A key as TOML, in quotes where it has to be.
fn key(id: &str) -> String {
    let is_bare = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if is_bare { id.to_owned() } else { quoted(id) }
}

/// A quoted text in a comment.
fn commented(text: &str) -> String {
    quoted(&comment(text))
}
