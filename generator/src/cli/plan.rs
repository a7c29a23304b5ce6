//! `cofferdam plan`

use std::path::Path;

use cofferdam::plan::OperationKind;
use cofferdam::view::plan_page::{PageInput, plan_page};
use cofferdam::view::{PLAN_VERSION, PlanDocument, system_document};
use cofferdam::write::write_if_changed;
use cofferdam::{Planned, render, sample};

use super::arguments::{PlanArguments, PlanFormat};
use super::inputs::{Inputs, SystemRun};
use super::{Ended, output};

pub(super) fn run(arguments: &PlanArguments) -> Ended {
    if arguments.samples && arguments.format != PlanFormat::Json {
        output::say("error: `--samples` goes with `--format json`");
        return Ended::Usage;
    }
    if arguments.deadline.is_some() && arguments.format != PlanFormat::Html {
        output::say("error: `--deadline` goes with `--format html`");
        return Ended::Usage;
    }
    let inputs = match Inputs::read(&arguments.source, None) {
        Ok(inputs) => inputs,
        Err(ended) => return ended,
    };
    let mut runs = inputs.plan();
    if output::tell(&inputs.diagnostics(&runs)) {
        return Ended::Faults;
    }
    let text = match arguments.format {
        PlanFormat::Table => Ok(tables(&runs)),
        PlanFormat::Json => json(&inputs, &mut runs, arguments.samples).map_err(|error| error.to_string()),
        PlanFormat::Html => html(&inputs, &runs, arguments),
    };
    match text.and_then(|text| print(&text, arguments.out.as_deref())) {
        Ok(()) => Ended::Well,
        Err(message) => {
            output::say(&format!("error: {message}"));
            Ended::Faults
        }
    }
}

/// Prints a text, or writes it to a file.
fn print(text: &str, out: Option<&Path>) -> Result<(), String> {
    let Some(out) = out else {
        output::text(text);
        return Ok(());
    };
    let changed = write_if_changed(out, text).map_err(|error| error.to_string())?;
    output::line(&format!("{} {}", if changed { "written" } else { "unchanged" }, out.display()));
    Ok(())
}

/// One page for reviewers.
fn html(inputs: &Inputs, runs: &[SystemRun], arguments: &PlanArguments) -> Result<String, String> {
    let source = arguments.source.spec.as_ref().unwrap_or(&arguments.source.project).display().to_string();
    let notes = |run: &SystemRun| [inputs.about(&run.system.name), run.found()].concat();
    let notes: Vec<_> = runs.iter().map(notes).collect();
    let specs: Vec<String> = runs.iter().map(|run| run.system.spec.value.display().to_string()).collect();
    let systems: Vec<PageInput<'_>> = runs
        .iter()
        .zip(notes.iter().zip(&specs))
        .filter_map(|(run, (notes, spec))| {
            let governed = inputs.governed.get(&run.system.name)?;
            let (planned, file) = (run.planned.as_ref()?, governed.file.as_deref());
            Some(PageInput { planned, settings: &governed.settings, file, spec, notes })
        })
        .collect();
    render::page::plan_page(&plan_page(&source, &systems, arguments.deadline)).map_err(|error| error.to_string())
}

fn json(inputs: &Inputs, runs: &mut [SystemRun], with_samples: bool) -> Result<String, serde_json::Error> {
    let system = |run: &mut SystemRun| {
        let Planned { plan, policies, .. } = run.planned.as_ref()?;
        let files: Vec<String> = run.sources.files.iter().map(|file| file.display.clone()).collect();
        let spec = run.system.spec.value.display().to_string();
        let mut notes = inputs.about(&run.system.name);
        notes.extend(run.found());
        let samples = if with_samples { sample::of_operations(plan, &mut run.sources) } else { Vec::new() };
        Some(system_document(plan, policies, &spec, &files, &notes).with_samples(&samples))
    };
    let document = PlanDocument { plan_version: PLAN_VERSION, systems: runs.iter_mut().filter_map(system).collect() };
    serde_json::to_string_pretty(&document).map(|text| text + "\n")
}

/// One table a system.
fn tables(runs: &[SystemRun]) -> String {
    let mut text = String::new();
    for planned in runs.iter().filter_map(|run| run.planned.as_ref()) {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&format!("{} ({})\n", planned.plan.system, planned.plan.document));
        text.push_str(&aligned(&rows(planned)));
    }
    text
}

const HEAD: [&str; 7] = ["id", "method", "path", "kind", "layers", "timeouts", "reason"];

fn rows(planned: &Planned) -> Vec<[String; 7]> {
    let mut rows = vec![HEAD.map(str::to_owned)];
    for (operation, policy) in planned.plan.operations.iter().zip(&planned.policies) {
        let model = planned.plan.operation(operation);
        let kind = match operation.kind {
            OperationKind::Read => "read",
            OperationKind::Keyed => "keyed",
            OperationKind::Once => "once",
        };
        let layers: Vec<&str> = policy.layers.iter().map(|layer| layer.name()).collect();
        let times = [policy.timeouts.connect_ms, policy.timeouts.read_ms, policy.timeouts.call_ms].map(seconds);
        rows.push([
            model.id.clone(),
            model.method.clone(),
            model.path.raw.clone(),
            kind.to_owned(),
            layers.join(" > "),
            times.join("/"),
            operation.reason.clone(),
        ]);
    }
    rows
}

/// `36s`, `2.5s`, `500ms`
fn seconds(milliseconds: u64) -> String {
    match (milliseconds / 1000, milliseconds % 1000) {
        (seconds, 0) => format!("{seconds}s"),
        (0, rest) => format!("{rest}ms"),
        (seconds, rest) => format!("{seconds}.{}s", format!("{rest:03}").trim_end_matches('0')),
    }
}

/// Columns as wide as their widest cell; the last one is not padded.
fn aligned(rows: &[[String; 7]]) -> String {
    let cell = |text: &str| text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>();
    let rows: Vec<[String; 7]> = rows.iter().map(|row| row.clone().map(|text| cell(&text))).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: [usize; 7] = std::array::from_fn(width);
    let mut text = String::new();
    for row in &rows {
        let mut line = String::from("  ");
        for (value, width) in row.iter().zip(widths) {
            line.push_str(&format!("{value:<width$}  "));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
