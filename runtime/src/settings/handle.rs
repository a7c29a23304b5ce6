use std::sync::Arc;
#[cfg(feature = "http")]
use std::sync::Weak;

use arc_swap::ArcSwap;

use super::SystemSettings;
#[cfg(feature = "http")]
use crate::engine::Engine;
#[cfg(feature = "http")]
use crate::guard::EngineSlot;

/// The settings of one system as they are now. Clones look at the same place: what [`SystemHandle::store`] puts
/// there is what the next call of every client and guard of the system reads.
#[derive(Debug, Clone)]
pub struct SystemHandle {
    name: Arc<str>,
    current: Arc<ArcSwap<SystemSettings>>,
    #[cfg(feature = "http")]
    engine: EngineSlot,
}

impl SystemHandle {
    /// A handle on checked settings. `name` is the system's name everywhere (R-RES-ISO-3).
    pub fn new(name: &str, settings: SystemSettings) -> Self {
        Self {
            name: name.into(),
            current: Arc::new(ArcSwap::from_pointee(settings)),
            #[cfg(feature = "http")]
            engine: EngineSlot::default(),
        }
    }

    /// The system's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The settings as they are now.
    #[inline]
    pub fn load(&self) -> arc_swap::Guard<Arc<SystemSettings>> {
        self.current.load()
    }

    /// Puts checked settings in place of the present ones. Calls under way keep the times they started with; how they
    /// are repeated is read when they first fail.
    pub fn store(&self, settings: SystemSettings) {
        self.current.store(Arc::new(settings));
    }
}

/// A handle that does not keep its place alive.
#[cfg(feature = "http")]
#[derive(Debug, Clone)]
pub(super) struct WeakSystemHandle {
    name: Arc<str>,
    current: Weak<ArcSwap<SystemSettings>>,
}

#[cfg(feature = "http")]
impl SystemHandle {
    /// The same settings for guards whose calls are to be decided about by this engine.
    #[must_use]
    pub fn with_engine(mut self, engine: Arc<dyn Engine>) -> Self {
        self.engine = EngineSlot(Some(engine));
        self
    }

    pub(crate) fn engine(&self) -> Option<Arc<dyn Engine>> {
        self.engine.0.clone()
    }

    pub(super) fn downgrade(&self) -> WeakSystemHandle {
        WeakSystemHandle { name: Arc::clone(&self.name), current: Arc::downgrade(&self.current) }
    }
}

#[cfg(feature = "http")]
impl WeakSystemHandle {
    /// The handle, if there is anybody else who holds one.
    pub(super) fn upgrade(&self) -> Option<SystemHandle> {
        let (name, current) = (Arc::clone(&self.name), self.current.upgrade()?);
        Some(SystemHandle { name, current, engine: EngineSlot::default() })
    }
}
