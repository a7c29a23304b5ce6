//! The ten adapters.

use std::sync::Arc;

use cofferdam_example_committed::integrations::f6::{self, F6Adapter, F6Mapping, Supplier};
use cofferdam_example_committed::integrations::insurance::{InsuranceAdapter, InsuranceCredentials, InsuranceMapping};
use cofferdam_example_committed::integrations::odnakassa::{OdnakassaAdapter, OdnakassaCredentials, OdnakassaMapping};
use cofferdam_example_committed::integrations::payment_service::{
    PaymentServiceAdapter, PaymentServiceCredentials, PaymentServiceMapping,
};
use cofferdam_example_committed::integrations::receipt::domain::Login;
use cofferdam_example_committed::integrations::receipt::{self, ReceiptAdapter, ReceiptMapping};
use cofferdam_example_committed::integrations::sber::{SberAdapter, SberCredentials, SberMapping};
use cofferdam_example_committed::workbench::Workbench;
use cofferdam_runtime::health::{Health, Readiness};
use cofferdam_runtime::http::ClientCredentials;
use cofferdam_runtime::{ConnectError, Guard, IdempotencyKey, Settings};
use metrics_exporter_prometheus::PrometheusHandle;

use crate::operator::Watch;
use crate::order::Orders;

/// What the service proves itself by at the systems.
#[derive(Clone)]
pub struct Secrets {
    /// The shop's token at the payment gateway.
    pub sber_token: String,
    /// The organiser's key at the box office.
    pub organiser_key: String,
    /// The partner's secret at the insurer, and where its tokens are, if not where the document says.
    pub insurer: (String, Option<String>),
    /// The password at the receipt service.
    pub receipt_password: String,
    /// What an operator shows to force a breaker; without one nobody can.
    pub operator_token: Option<String>,
}

impl Secrets {
    /// From the environment: `SBER_TOKEN`, `ORGANISER_KEY`, `INSURER_SECRET`, `INSURER_TOKEN_URL`, `RECEIPT_PASSWORD`,
    /// `OPERATOR_TOKEN`.
    ///
    /// # Errors
    /// The name of the first one that is missing.
    pub fn from_environment() -> Result<Self, &'static str> {
        let get = |name: &'static str| std::env::var(name).map_err(|_| name);
        Ok(Self {
            sber_token: get("SBER_TOKEN")?,
            organiser_key: get("ORGANISER_KEY")?,
            insurer: (get("INSURER_SECRET")?, get("INSURER_TOKEN_URL").ok()),
            receipt_password: get("RECEIPT_PASSWORD")?,
            operator_token: get("OPERATOR_TOKEN").ok(),
        })
    }
}

/// The ten adapters, each made once: its breaker, bulkhead and connections are shared by all who call.
pub struct Systems {
    /// The payment gateway.
    pub sber: SberAdapter<SberMapping>,
    /// The box office.
    pub odnakassa: OdnakassaAdapter<OdnakassaMapping>,
    /// The insurer.
    pub insurance: InsuranceAdapter<InsuranceMapping>,
    /// Fiscal receipts.
    pub receipt: ReceiptAdapter<ReceiptMapping>,
    /// The company's own payment service.
    pub payment_service: PaymentServiceAdapter<PaymentServiceMapping>,
    /// The supplier, with what is remembered of it.
    pub f6: Supplier,
    /// The four internal systems of the workbench.
    pub mini: Workbench,
}

impl Systems {
    /// All of them, as the settings say. Install the recorder of metrics before: series are registered here.
    ///
    /// # Errors
    /// When the settings do not know a system, or its client cannot be built from them.
    pub fn connect(settings: &Settings, secrets: &Secrets) -> Result<Self, ConnectError> {
        let (secret, token_url) = secrets.insurer.clone();
        let mut partner = ClientCredentials::new("shop", secret);
        if let Some(url) = token_url {
            partner = partner.token_url(url);
        }
        let login = Login { name: "shop".to_owned(), password: secrets.receipt_password.clone() };
        // A ticket is good for one exchange; who issues them for the shop is no part of this example.
        let tickets = f6::access::sign_in("S-7", || IdempotencyKey::random().as_str().into());
        Ok(Self {
            sber: SberAdapter::connect(
                settings,
                SberCredentials::new().token(secrets.sber_token.clone()),
                SberMapping,
            )?,
            odnakassa: OdnakassaAdapter::connect(
                settings,
                OdnakassaCredentials::new().organiser_key(secrets.organiser_key.clone()),
                OdnakassaMapping,
            )?,
            insurance: InsuranceAdapter::connect(
                settings,
                InsuranceCredentials::new().partner(partner),
                InsuranceMapping,
            )?,
            receipt: ReceiptAdapter::connect(settings, receipt::access::sign_in(login), ReceiptMapping)?,
            payment_service: PaymentServiceAdapter::connect(
                settings,
                PaymentServiceCredentials::new(),
                PaymentServiceMapping,
            )?,
            f6: Supplier::new(F6Adapter::connect(settings, tickets, F6Mapping)?),
            mini: Workbench::connect(settings)?,
        })
    }

    /// The guards of all, in the order in which an operator sees them.
    pub fn guards(&self) -> [&Guard; 10] {
        let Self { sber, odnakassa, insurance, receipt, payment_service, f6, mini } = self;
        [
            sber.guard(),
            insurance.guard(),
            receipt.guard(),
            odnakassa.guard(),
            payment_service.guard(),
            f6.adapter().guard(),
            mini.o2o.guard(),
            mini.warranty.guard(),
            mini.retail_store.guard(),
            mini.roos.guard(),
        ]
    }

    /// The guard of a system.
    pub fn guard(&self, system: &str) -> Option<&Guard> {
        self.guards().into_iter().find(|guard| guard.system() == system)
    }

    /// What the service is of no use without, and what it does something without all the same.
    ///
    /// # Errors
    /// When the settings declare a probe that is an operation which may do something.
    pub fn readiness(&self) -> Result<Readiness, ConnectError> {
        let Self { sber, odnakassa, insurance, receipt, payment_service, f6, mini } = self;
        let optional: [Health; 9] = [
            insurance.health()?,
            receipt.health()?,
            odnakassa.health()?,
            payment_service.health()?,
            f6.adapter().health()?,
            mini.o2o.health()?,
            mini.warranty.health()?,
            mini.retail_store.health()?,
            mini.roos.health()?,
        ];
        // Without the gateway nothing can be sold.
        let readiness = Readiness::new().required(sber.health()?);
        Ok(optional.into_iter().fold(readiness, Readiness::optional))
    }
}

/// Everything that handlers share.
pub type Shared = Arc<Service>;

/// The service: its systems, and what it knows itself.
pub struct Service {
    /// The settings that are reloaded.
    pub settings: Settings,
    /// The adapters.
    pub systems: Systems,
    /// The orders.
    pub orders: Orders,
    /// What operators watch.
    pub watch: Watch,
    /// What an operator shows to force a breaker.
    pub operator_token: Option<String>,
}

impl Service {
    /// A service of these settings and secrets. `prometheus` belongs to the recorder that is installed.
    ///
    /// # Errors
    /// When an adapter cannot be made.
    pub fn new(settings: Settings, secrets: &Secrets, prometheus: PrometheusHandle) -> Result<Shared, ConnectError> {
        let systems = Systems::connect(&settings, secrets)?;
        let orders = Orders::new(&systems);
        // An empty token would be one that everybody has.
        let operator_token = secrets.operator_token.clone().filter(|token| !token.is_empty());
        Ok(Arc::new(Self { settings, systems, orders, watch: Watch::new(prometheus), operator_token }))
    }
}
