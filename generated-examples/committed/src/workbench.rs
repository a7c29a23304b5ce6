//! The workbench: one page out of four systems, asked at once, with one deadline for all, and degraded tile by tile. None
//! of the four can spoil the page: it is there when the deadline is, with the tiles that there are.

use std::time::Duration;

use cofferdam_runtime::{Settings, within};

use crate::integrations::failure::Failure;
use crate::integrations::o2o::domain::OrderSummary;
use crate::integrations::o2o::{O2oAdapter, O2oCredentials, O2oMapping, OnlineOrders as _};
use crate::integrations::retail_store::domain::Store;
use crate::integrations::retail_store::{RetailStoreAdapter, RetailStoreCredentials, RetailStoreMapping, Stores as _};
use crate::integrations::roos::domain::Shortage;
use crate::integrations::roos::{Replenishment as _, RoosAdapter, RoosCredentials, RoosMapping};
use crate::integrations::warranty::domain::Claim;
use crate::integrations::warranty::{Claims as _, WarrantyAdapter, WarrantyCredentials, WarrantyMapping};

/// The four systems of the Mini domain.
#[derive(Debug, Clone)]
pub struct Workbench {
    /// Orders to be fetched.
    pub o2o: O2oAdapter<O2oMapping>,
    /// Claims.
    pub warranty: WarrantyAdapter<WarrantyMapping>,
    /// The store itself.
    pub retail_store: RetailStoreAdapter<RetailStoreMapping>,
    /// What runs out.
    pub roos: RoosAdapter<RoosMapping>,
}

/// A part of the page.
#[derive(Debug, Clone, PartialEq)]
pub enum Tile<T> {
    /// What the system said.
    Filled(T),
    /// It did not say anything in time: the number of the error, for whoever looks into it.
    Empty {
        /// Stable, within the range of the system.
        code: u32,
    },
}

/// The page.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The store itself.
    pub store: Tile<Store>,
    /// Its orders to hand out.
    pub orders: Tile<OrderSummary>,
    /// Its claims.
    pub claims: Tile<Vec<Claim>>,
    /// What it runs out of.
    pub shortages: Tile<Vec<Shortage>>,
}

impl Page {
    /// Tiles that stayed empty.
    pub fn empty_tiles(&self) -> usize {
        let Self { store, orders, claims, shortages } = self;
        let empty = [store.is_empty(), orders.is_empty(), claims.is_empty(), shortages.is_empty()];
        empty.into_iter().filter(|empty| *empty).count()
    }
}

impl<T> Tile<T> {
    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Empty { .. })
    }

    fn of<R>(answer: Result<T, Failure<R>>) -> Self {
        match answer {
            Ok(value) => Self::Filled(value),
            Err(failure) => Self::Empty { code: failure.code() },
        }
    }
}

impl Workbench {
    /// The four adapters, as the settings say.
    ///
    /// # Errors
    /// When the settings do not know one of the systems, or its client cannot be built from them.
    pub fn connect(settings: &Settings) -> Result<Self, cofferdam_runtime::ConnectError> {
        Ok(Self {
            o2o: O2oAdapter::connect(settings, O2oCredentials::new(), O2oMapping)?,
            warranty: WarrantyAdapter::connect(settings, WarrantyCredentials::new(), WarrantyMapping)?,
            retail_store: RetailStoreAdapter::connect(settings, RetailStoreCredentials::new(), RetailStoreMapping)?,
            roos: RoosAdapter::connect(settings, RoosCredentials::new(), RoosMapping)?,
        })
    }

    /// The page of a store. All four are asked at once and spend from one budget; what is not there when it ends is an
    /// empty tile.
    pub async fn page(&self, store: &str, budget: Duration) -> Page {
        let Self { o2o, warranty, retail_store, roos } = self;
        let store = || store.to_owned();
        let all = async {
            tokio::join!(
                retail_store.store(store()),
                o2o.to_hand_out(store()),
                warranty.waiting(store()),
                roos.shortages(store()),
            )
        };
        let (store, orders, claims, shortages) = within(budget, all).await;
        Page {
            store: Tile::of(store),
            orders: Tile::of(orders),
            claims: Tile::of(claims),
            shortages: Tile::of(shortages),
        }
    }
}
