use serde::Serialize;

use super::{Health, HealthReport, HealthStatus};

/// Whether the process itself works. External systems have no part in it: restarting us heals none of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Liveness {
    /// Always up: a process that is not does not answer.
    pub status: HealthStatus,
}

/// Whether the process itself works (R-RES-HC-4).
pub fn liveness() -> Liveness {
    Liveness { status: HealthStatus::Up }
}

/// Whether the process can do its work, as far as external systems have a part in it.
#[derive(Debug, Clone, Default)]
pub struct Readiness {
    systems: Vec<(Health, bool)>,
}

/// What a [`Readiness`] found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReadinessReport {
    /// Down when a required system is; degraded when one is degraded, or an optional one is down.
    pub status: HealthStatus,
    /// Each system.
    pub systems: Vec<SystemReadiness>,
}

/// One system of a [`ReadinessReport`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SystemReadiness {
    /// Whether the process is of no use without it.
    pub required: bool,
    /// How it is.
    #[serde(flatten)]
    pub health: HealthReport,
}

impl Readiness {
    /// Of no system yet: ready.
    pub fn new() -> Self {
        Self::default()
    }

    /// With a system without which the process is of no use: while it is down, no requests should come here. Think
    /// twice: all instances see the same system, and will all be taken out together.
    #[must_use]
    pub fn required(mut self, health: Health) -> Self {
        self.systems.push((health, true));
        self
    }

    /// With a system that is shown, and without which the process still does something.
    #[must_use]
    pub fn optional(mut self, health: Health) -> Self {
        self.systems.push((health, false));
        self
    }

    /// The health of one of the systems.
    pub fn system(&self, name: &str) -> Option<&Health> {
        self.systems.iter().map(|(health, _)| health).find(|health| health.system() == name)
    }

    /// Checks all systems at once.
    pub async fn check(&self) -> ReadinessReport {
        // Those that need a probe have it under way before the first is waited for.
        let checks: Vec<_> =
            self.systems.iter().map(|(health, required)| (health, health.begin(), *required)).collect();
        let mut systems = Vec::with_capacity(checks.len());
        for (health, check, required) in checks {
            systems.push(SystemReadiness { required, health: health.finish(check).await });
        }
        let status = systems.iter().map(SystemReadiness::weighed).max().unwrap_or(HealthStatus::Up);
        ReadinessReport { status, systems }
    }
}

impl SystemReadiness {
    /// What it means for the process.
    fn weighed(&self) -> HealthStatus {
        match self.health.status {
            HealthStatus::Down if !self.required => HealthStatus::Degraded,
            status => status,
        }
    }
}
