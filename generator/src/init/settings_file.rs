//! The section of a system in the run-time settings.

use cofferdam_runtime::settings::Probe;
use url::Url;

use super::{NoPlace, comment, quoted};
use crate::model::{Api, Operation, ParameterPlace, Server};
use crate::plan::{OperationKind, SystemPlan, presets};
use crate::project::Profile;

/// Where the system is, as far as the document says: the first server that calls can be sent to as it is.
#[must_use]
pub fn base_url(api: &Api) -> Option<String> {
    let filled = |server: &Server| {
        let fill = |url: String, variable: &crate::model::ServerVariable| {
            url.replace(&format!("{{{}}}", variable.name), &variable.default)
        };
        server.variables.iter().fold(server.url.clone(), fill)
    };
    api.servers.iter().map(filled).find(|url| is_base(url))
}

fn is_base(url: &str) -> bool {
    let Ok(parsed) = Url::parse(url) else { return false };
    let is_bare = parsed.query().is_none() && parsed.fragment().is_none();
    let has_no_credentials = parsed.username().is_empty() && parsed.password().is_none();
    matches!(parsed.scheme(), "http" | "https")
        && parsed.has_host()
        && is_bare
        && has_no_credentials
        && !url.contains(['{', '}'])
}

/// What the system can be asked to see whether it is there: a read of the document that needs nothing and whose path ends
/// in a name for health (R-RES-HC-X2).
#[must_use]
pub fn probe(plan: &SystemPlan) -> Option<Probe> {
    let reads = plan.operations.iter().filter(|planned| planned.kind == OperationKind::Read);
    let probes = reads.filter_map(|planned| as_probe(plan.operation(planned))).filter(Probe::asks_for_health);
    // What says most plainly that it is about health goes first.
    let plain = |probe: &Probe| !probe.path.to_ascii_lowercase().contains("health");
    probes.min_by_key(|probe| (plain(probe), probe.path.matches('/').count()))
}

fn as_probe(operation: &Operation) -> Option<Probe> {
    let needs_something = operation.parameters.iter().any(|parameter| parameter.required);
    let has_place = operation.parameters.iter().any(|parameter| parameter.place == ParameterPlace::Path);
    if needs_something || has_place || operation.path.raw.contains(['{', '?']) {
        return None;
    }
    let probe: Probe = format!("{} {}", operation.method, operation.path.raw).parse().ok()?;
    probe.is_light().then_some(probe)
}

/// The text of the settings with one system more. What was there stays as it was, byte for byte.
///
/// # Errors
/// When the section has no place in the file, or the file as a whole would not hold.
pub fn with_settings(existing: Option<&str>, plan: &SystemPlan) -> Result<String, NoPlace> {
    let Some(before) = existing else {
        return Ok(format!("{HEAD}systems:\n{}", section(plan, 2)));
    };
    let (at, indent) = match place(before) {
        Ok(place) => place,
        Err(cause) => return Err(NoPlace { cause: cause.to_owned(), section: section(plan, 2) }),
    };
    let section = section(plan, indent);
    let (head, tail) = before.split_at(at);
    let gap = if head.ends_with('\n') { "" } else { "\n" };
    let text = format!("{head}{gap}{section}{tail}");
    match holds(before, &text, &plan.system) {
        true => Ok(text),
        false => Err(NoPlace { cause: "it is not laid out in blocks".to_owned(), section }),
    }
}

const HEAD: &str = "\
# What the external systems are governed by at run time. A system starts from the presets of its profile; `defaults` is laid
# over them, and the system's own section over both. The file is checked as a whole, every fault at once, when it is loaded
# and by `cofferdam generate`. A value that departs from the usual ones needs a `reason` beside it.

";

fn section(plan: &SystemPlan, indent: usize) -> String {
    let preset = presets(Profile::External);
    let (name, timeouts) = (&plan.system, &preset.timeouts);
    let seconds = |time: std::time::Duration| format!("{}s", time.as_secs());
    let mut lines = vec![format!("{name}:"), "  profile: external".to_owned()];
    match base_url(&plan.api) {
        Some(url) => {
            if plan.api.servers.len() > 1 {
                let servers: Vec<String> = plan.api.servers.iter().map(|server| comment(&server.url)).collect();
                lines.push(format!("  # The document names {}.", servers.join(", ")));
            }
            lines.push(format!("  base-url: {}", scalar(&url)));
        }
        None => {
            let variable = format!("COFFERDAM__{}__BASE_URL", name.to_uppercase().replace('-', "_"));
            lines.push(format!("  # To fill in, here or as {variable}: the document does not say where it is."));
            lines.push("  # base-url: https://".to_owned());
        }
    }
    match probe(plan) {
        Some(probe) => lines.push(format!("  health: {{probe: {}}}", scalar(&probe.to_string()))),
        None => {
            lines.push("  # Light and no business call; the document has none that is known for it.".to_owned());
            lines.push("  # health: {probe: OPTIONS /}".to_owned());
        }
    }
    lines.push("  # What holds if nothing is said; take your agreement with the other side for it.".to_owned());
    lines.push(format!(
        "  # timeouts: {{connect: {}, read: {}, call: {}}}",
        seconds(timeouts.connect),
        seconds(timeouts.read),
        seconds(timeouts.call)
    ));
    lines.push(format!("  # retry: {{max-attempts: {}}}  # reads and writes with a key", preset.retry.max_attempts));
    lines.push("  # breaker: {failure-rate-threshold: 50 %}  # another one with a reason: \"\"".to_owned());
    lines.push("  # max-concurrent: 20  # calls at once that you plan for".to_owned());
    let pad = " ".repeat(indent);
    lines.iter().map(|line| format!("{pad}{line}\n")).collect()
}

/// A text as YAML, in quotes only where it has to be.
fn scalar(text: &str) -> String {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b":/._- ".contains(&byte));
    // `: ` and what begins with a sign mean something.
    let is_safe = !text.contains(": ") && !text.ends_with(':') && text.starts_with(|c: char| c.is_ascii_alphabetic());
    if is_plain && is_safe { text.to_owned() } else { quoted(text) }
}

/// Where the block `systems` ends, and how far its sections are indented.
fn place(text: &str) -> Result<(usize, usize), &'static str> {
    let mut lines = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        lines.push((at, line));
        at += line.len();
    }
    let is_head = |line: &str| {
        line.strip_prefix("systems:").is_some_and(|rest| rest.trim().is_empty() || rest.trim_start().starts_with('#'))
    };
    let head = lines.iter().position(|(_, line)| is_head(line)).ok_or("it has no block `systems:`")?;
    let is_said = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let inside = lines.iter().skip(head + 1);
    let own: Vec<&(usize, &str)> =
        inside.take_while(|(_, line)| !is_said(line) || line.starts_with([' ', '\t'])).collect();
    let first = own.iter().find(|(_, line)| is_said(line));
    let indent = first.map_or(2, |(_, line)| line.len() - line.trim_start_matches(' ').len());
    // What is commented at the end of the block and stands deeper belongs to it; what stands at the left, to what follows.
    let belongs = |line: &str| !line.trim().is_empty() && line.starts_with(' ');
    let last = own.iter().rfind(|(_, line)| belongs(line));
    let (start, line) = last.copied().or_else(|| lines.get(head)).copied().ok_or("it has no block `systems:`")?;
    Ok((start + line.len(), indent))
}

/// Whether a file with a section more says the same as before, and that.
fn holds(before: &str, after: &str, name: &str) -> bool {
    let parsed = |text: &str| serde_yaml::from_str::<serde_yaml::Value>(text);
    let (Ok(mut before), Ok(mut after)) = (parsed(before), parsed(after)) else { return false };
    let systems = |value: &mut serde_yaml::Value| -> Option<serde_yaml::Mapping> {
        let own = value.as_mapping_mut()?.remove("systems")?;
        own.as_mapping().cloned().or_else(|| own.is_null().then(serde_yaml::Mapping::new))
    };
    let (Some(had), Some(mut has)) = (systems(&mut before), systems(&mut after)) else { return false };
    has.remove(name).is_some() && had == has && before == after
}

/// Whether settings hold as a whole, but for a base URL that comes from the environment.
#[cfg(test)]
pub(super) fn is_right(text: &str) -> bool {
    match cofferdam_runtime::settings::Settings::parse(text, "resilience.yaml") {
        Ok(_) => true,
        Err(error) => error.faults().iter().all(|fault| fault.code == "CD-SETTINGS-MISSING"),
    }
}
