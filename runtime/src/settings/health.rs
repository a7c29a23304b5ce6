use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use http::Method;

/// How a system is asked whether it is there (R-RES-HC-1 to HC-4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthSettings {
    /// What it is asked; `None`: nothing, and only the state of breaker and bulkhead is told.
    pub probe: Option<Probe>,
    /// An answer holds for so long; nobody asks again before (R-RES-HC-2, HC-X1).
    pub cache: Duration,
    /// It has so long to answer.
    pub timeout: Duration,
}

impl Default for HealthSettings {
    fn default() -> Self {
        Self { probe: None, cache: Duration::from_secs(30), timeout: Duration::from_secs(2) }
    }
}

/// What the last part of a path is called where nothing but a system's health is told.
const HEALTHY_NAMES: [&str; 17] = [
    "alive",
    "health",
    "health-check",
    "healthcheck",
    "healthz",
    "heartbeat",
    "info",
    "live",
    "liveness",
    "livez",
    "ping",
    "readiness",
    "ready",
    "readyz",
    "status",
    "up",
    "version",
];

/// A light request, such as `GET /health` or `OPTIONS /`: never a business operation (R-RES-HC-X2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// GET, HEAD or OPTIONS.
    pub method: Method,
    /// Starts with `/`, put behind the base URL's own path.
    pub path: String,
    /// Without the `?`; empty for none.
    pub query: String,
}

impl Probe {
    /// Whether its method is one that only looks.
    #[must_use]
    pub fn is_light(&self) -> bool {
        [Method::GET, Method::HEAD, Method::OPTIONS].contains(&self.method)
    }

    /// Whether the last part of its path is a name for health: `/health`, `/ping`, `/status`, `/version` and kin.
    #[must_use]
    pub fn asks_for_health(&self) -> bool {
        HEALTHY_NAMES.contains(&self.path.rsplit('/').next().unwrap_or_default())
    }
}

/// How to write a [`Probe`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoProbe(&'static str);

impl fmt::Display for NoProbe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for NoProbe {}

impl FromStr for Probe {
    type Err = NoProbe;

    fn from_str(text: &str) -> Result<Self, NoProbe> {
        let (method, target) =
            text.trim().split_once(' ').ok_or(NoProbe("write it like `GET /health` or `OPTIONS /`"))?;
        let method =
            Method::from_bytes(method.as_bytes()).map_err(|_| NoProbe("it begins with a method: `GET /health`"))?;
        let target = target.trim_start();
        let plain = target.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#');
        if !target.starts_with('/') || !plain {
            return Err(NoProbe("its path begins with `/` and is written as it is sent: `GET /health`"));
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        Ok(Self { method, path: path.to_owned(), query: query.to_owned() })
    }
}

impl fmt::Display for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)?;
        if self.query.is_empty() { Ok(()) } else { write!(f, "?{}", self.query) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_is_written_as_it_is_read() {
        for text in ["GET /health", "OPTIONS /", "HEAD /a/b?deep=0"] {
            assert_eq!(text.parse::<Probe>().map(|probe| probe.to_string()), Ok(text.to_owned()));
        }
        assert!("GET  /health".parse::<Probe>().is_ok_and(|probe| probe.path == "/health" && probe.is_light()));
        for wrong in ["", "GET", "/health", "GET health", "GET /a b", "GET /a#b", "GET http://a/", "G(T /", "GET /ю"] {
            assert!(wrong.parse::<Probe>().is_err(), "{wrong}");
        }
        assert!("POST /orders".parse::<Probe>().is_ok_and(|probe| !probe.is_light()));
    }
}
