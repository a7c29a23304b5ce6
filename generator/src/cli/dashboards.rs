//! `cofferdam dashboards`: what those who watch the systems need, in the files their tools read.

use std::path::Path;

use cofferdam::write::write_if_changed;
use cofferdam_runtime::observability;

use super::arguments::DashboardsArguments;
use super::inputs::Inputs;
use super::{Ended, output};

/// To be imported into Grafana, or provisioned.
const DASHBOARD: &str = "cofferdam.dashboard.json";
/// To be named under `rule_files` of Prometheus.
const ALERTS: &str = "cofferdam.alerts.yaml";

pub(super) fn run(arguments: &DashboardsArguments) -> Ended {
    let inputs = match Inputs::project(&arguments.project, &arguments.system) {
        Ok(inputs) => inputs,
        Err(ended) => return ended,
    };
    if output::tell(&inputs.found) {
        return Ended::Faults;
    }
    let systems: Vec<&str> = inputs.systems.iter().map(|system| system.name.as_str()).collect();
    let dashboard = format!("{:#}\n", observability::dashboard(&systems));
    let files = [(DASHBOARD, dashboard), (ALERTS, observability::alert_rules(&systems))];
    let written: Result<(), String> = files.iter().try_for_each(|(name, text)| write(&arguments.out.join(name), text));
    match written {
        Ok(()) => Ended::Well,
        Err(message) => {
            output::fault("CD-WRITE", None, message, "");
            Ended::Faults
        }
    }
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    let changed = write_if_changed(file, text).map_err(|error| error.to_string())?;
    let told = if changed { "written" } else { "unchanged" };
    output::news(&format!("{told} {}", file.display()));
    Ok(())
}
