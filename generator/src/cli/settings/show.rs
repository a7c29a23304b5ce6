//! `cofferdam settings show`: what holds for a system, and where each value comes from.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use cofferdam::diagnose::nearest;
use cofferdam::plan::OperationKind;
use cofferdam_runtime::settings::{EffectiveSetting, EffectiveSettings, SettingSource, process_variables};
use serde_json::{Value, json};

use crate::cli::inputs::Inputs;
use crate::cli::{Ended, output};

#[derive(Debug, Clone, Args)]
pub(super) struct ShowArguments {
    /// The system
    #[arg(value_name = "SYSTEM")]
    system: String,
    /// What holds for this operation, by its operationId
    #[arg(long, value_name = "ID")]
    operation: Option<String>,
    /// The project file, which names the settings
    #[arg(long, value_name = "FILE", default_value = "cofferdam.toml", conflicts_with = "settings")]
    project: PathBuf,
    /// The settings, instead of a project
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// How to show them
    #[arg(long, value_enum, default_value_t = ShowFormat::Text)]
    format: ShowFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ShowFormat {
    /// Aligned columns for people
    Text,
    /// JSON for programs
    Json,
}

pub(super) fn run(arguments: &ShowArguments) -> Ended {
    match shown(arguments) {
        Ok(text) => {
            output::text(&text);
            Ended::Well
        }
        Err(ended) => ended,
    }
}

fn shown(arguments: &ShowArguments) -> Result<String, Ended> {
    let file = settings_file(arguments)?;
    let name = file.display().to_string();
    let text = std::fs::read_to_string(&file).map_err(|error| fault(&format!("cannot read {name}: {error}")))?;
    let systems = EffectiveSettings::read(&text, &name, process_variables())
        .map_err(|error| fault(&format!("nothing holds, since the settings are refused\n{error}")))?;
    let names = systems.iter().map(|system| system.system.as_str());
    let Some(system) = systems.iter().find(|system| system.system == arguments.system) else {
        return Err(unknown(&format!("{name} has no system"), &arguments.system, names));
    };
    let kind = arguments.operation.as_ref().map(|id| kind(arguments, system, id)).transpose()?.flatten();
    let settings = match &arguments.operation {
        Some(id) => system.operation(id),
        None => system.settings.clone(),
    };
    Ok(match arguments.format {
        ShowFormat::Text => in_columns(system, arguments.operation.as_deref(), kind.as_ref(), &name, &settings),
        ShowFormat::Json => {
            let mut document = json!({ "system": system.system, "profile": system.profile.word(), "file": name });
            if let (Some(id), Some(document)) = (&arguments.operation, document.as_object_mut()) {
                document.insert("operation".into(), id.as_str().into());
                document.extend(kind.map(|kind| ("kind".to_owned(), Value::from(kind.word))));
            }
            let settings: Vec<Value> = settings.iter().map(as_json).collect();
            document.as_object_mut().into_iter().for_each(|document| {
                document.insert("settings".into(), settings.clone().into());
            });
            format!("{document:#}\n")
        }
    })
}

fn fault(message: &str) -> Ended {
    output::say(&format!("error: {message}"));
    Ended::Faults
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Ended {
    let help = match nearest(name, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there is {}", known.take(20).collect::<Vec<_>>().join(", ")),
    };
    output::say(&format!("error: {what} `{name}`; {help}"));
    Ended::Usage
}

fn settings_file(arguments: &ShowArguments) -> Result<PathBuf, Ended> {
    if let Some(file) = &arguments.settings {
        return Ok(file.clone());
    }
    let inputs = Inputs::project(&arguments.project, &[])?;
    let none =
        || fault(&format!("{} names no settings: add `settings = \"resilience.yaml\"`", arguments.project.display()));
    inputs.settings.ok_or_else(none)
}

/// What a retry setting means for an operation.
struct Kind {
    word: &'static str,
    reason: String,
}

/// The kind of an operation, where a project says what operations there are.
fn kind(arguments: &ShowArguments, system: &EffectiveSettings, id: &str) -> Result<Option<Kind>, Ended> {
    if arguments.settings.is_some() {
        return Ok(None);
    }
    let inputs = Inputs::project(&arguments.project, std::slice::from_ref(&system.system))?;
    let runs = inputs.plan();
    let Some(planned) = runs.first().and_then(|run| run.planned.as_ref()) else {
        output::tell(&inputs.diagnostics(&runs));
        return Err(Ended::Faults);
    };
    let plan = &planned.plan;
    let ids = || plan.operations.iter().map(|operation| plan.operation(operation).id.as_str());
    match plan.operations.iter().find(|operation| plan.operation(operation).id == id) {
        None => Err(unknown(&format!("the document of `{}` has no operation", system.system), id, ids())),
        Some(operation) => {
            let word = match operation.kind {
                OperationKind::Read => "read",
                OperationKind::Keyed => "keyed",
                OperationKind::Once => "once",
            };
            Ok(Some(Kind { word, reason: operation.reason.clone() }))
        }
    }
}

fn in_columns(
    system: &EffectiveSettings,
    operation: Option<&str>,
    kind: Option<&Kind>,
    file: &str,
    settings: &[EffectiveSetting],
) -> String {
    let mut text = format!("{} ({}), {file}\n", system.system, system.profile.word());
    if let Some(id) = operation {
        text.push_str(&format!("operation {id}"));
        if let Some(kind) = kind {
            text.push_str(&format!(": {}, since {}", kind.word, kind.reason));
            if kind.word == "once" {
                text.push_str("; it is never repeated, whatever `retry` says");
            }
        }
        text.push('\n');
    }
    let rows: Vec<[String; 3]> = settings
        .iter()
        .map(|setting| {
            [setting.key.clone(), setting.value.clone(), from(&setting.source, file)].map(|cell| plain(&cell))
        })
        .collect();
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let (keys, values) = (width(0).unwrap_or_default(), width(1).unwrap_or_default());
    for [key, value, from] in &rows {
        text.push_str(&format!("  {key:<keys$}  {value:<values$}  {from}\n"));
    }
    text
}

/// Text of a file stays on its line.
fn plain(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

/// Which layer a key of the file belongs to.
fn layer(key: &str) -> &'static str {
    let mut parts = key.splitn(4, '.');
    match (parts.next(), parts.next(), parts.next()) {
        (Some("defaults"), ..) => "defaults",
        (_, _, Some("operations")) => "operation",
        _ => "system",
    }
}

fn from(source: &SettingSource, file: &str) -> String {
    match source {
        SettingSource::Preset(profile) => format!("preset {}", profile.word()),
        SettingSource::Follows { key } => format!("follows from {key}"),
        SettingSource::File { key, line, col } => format!("{} {file}:{line}:{col}", layer(key)),
        SettingSource::Variable { name, .. } => format!("environment {name}"),
        SettingSource::Missing => "nobody says it".to_owned(),
    }
}

fn as_json(setting: &EffectiveSetting) -> Value {
    let source = match &setting.source {
        SettingSource::Preset(profile) => json!({ "kind": "preset", "profile": profile.word() }),
        SettingSource::Follows { key } => json!({ "kind": "follows", "key": key }),
        SettingSource::File { key, line, col } => json!({ "kind": layer(key), "key": key, "line": line, "col": col }),
        SettingSource::Variable { key, name } => json!({ "kind": "environment", "key": key, "variable": name }),
        SettingSource::Missing => json!({ "kind": "missing" }),
    };
    json!({ "key": setting.key, "value": setting.value, "source": source })
}
