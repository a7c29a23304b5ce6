use std::sync::Arc;
#[cfg(feature = "http")]
use std::sync::Weak;
use std::sync::atomic::{AtomicU64, Ordering};

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
    place: Arc<Place>,
    #[cfg(feature = "http")]
    engine: EngineSlot,
}

/// Where the settings of a system stand.
#[derive(Debug)]
struct Place {
    current: ArcSwap<SystemSettings>,
    /// Counts up after each change.
    edition: AtomicU64,
}

impl SystemHandle {
    /// A handle on checked settings. `name` is the system's name everywhere (R-RES-ISO-3).
    pub fn new(name: &str, settings: SystemSettings) -> Self {
        Self {
            name: name.into(),
            place: Arc::new(Place { current: ArcSwap::from_pointee(settings), edition: AtomicU64::new(0) }),
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
        self.place.current.load()
    }

    /// Puts checked settings in place of the present ones. Calls under way keep the times they started with; how they
    /// are repeated is read when they first fail.
    pub fn store(&self, settings: SystemSettings) {
        self.place.current.store(Arc::new(settings));
        self.place.edition.fetch_add(1, Ordering::Release);
    }

    /// The number of the settings' edition: with the next one it is another. Whoever reads this and then the settings
    /// gets that edition's or a later one's.
    #[cfg(feature = "http")]
    #[inline]
    pub(crate) fn edition(&self) -> u64 {
        self.place.edition.load(Ordering::Acquire)
    }
}

/// A handle that does not keep its place alive.
#[cfg(feature = "http")]
#[derive(Debug, Clone)]
pub(super) struct WeakSystemHandle {
    name: Arc<str>,
    place: Weak<Place>,
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
        WeakSystemHandle { name: Arc::clone(&self.name), place: Arc::downgrade(&self.place) }
    }
}

#[cfg(feature = "http")]
impl WeakSystemHandle {
    /// The handle, if there is anybody else who holds one.
    pub(super) fn upgrade(&self) -> Option<SystemHandle> {
        let (name, place) = (Arc::clone(&self.name), self.place.upgrade()?);
        Some(SystemHandle { name, place, engine: EngineSlot::default() })
    }
}
