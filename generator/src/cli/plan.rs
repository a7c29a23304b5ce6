//! `cofferdam plan`

use cofferdam::Planned;
use cofferdam::plan::OperationKind;
use cofferdam::sample;
use cofferdam::view::{PLAN_VERSION, PlanDocument, system_document};

use super::arguments::{PlanArguments, PlanFormat};
use super::inputs::{Inputs, SystemRun};
use super::{Ended, output};

pub(super) fn run(arguments: &PlanArguments) -> Ended {
    if arguments.samples && arguments.format != PlanFormat::Json {
        output::fault("CD-COMMAND", None, "`--samples` goes with `--format json`", "");
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
    match arguments.format {
        PlanFormat::Table => output::text(&tables(&runs)),
        PlanFormat::Json => match json(&inputs, &mut runs, arguments.samples) {
            Ok(text) => output::line(&text),
            Err(error) => {
                output::fault("CD-INTERNAL", None, format!("the plan cannot be written as JSON: {error}"), "");
                return Ended::Faults;
            }
        },
    }
    Ended::Well
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
    serde_json::to_string_pretty(&document)
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
