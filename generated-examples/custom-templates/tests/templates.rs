//! What the team's templates put into the adapter, at work.

use cofferdam_example_custom_templates::error::SupplierError;
use cofferdam_example_custom_templates::integrations::f6::domain::ListProcurementsCommand;
use cofferdam_example_custom_templates::integrations::f6::{F6Adapter, F6Credentials, F6Mapping, F6Port};
use cofferdam_runtime::Settings;

/// Nobody listens there.
const SETTINGS: &str =
    "systems: { f6: { profile: supplier, base-url: 'http://127.0.0.1:9', retry: { max-attempts: 1 } } }";

#[tokio::test]
async fn each_method_writes_to_the_audit_log_and_the_port_answers_with_the_teams_error() {
    let settings = Settings::parse(SETTINGS, "settings").expect("settings");
    let adapter = F6Adapter::connect(&settings, F6Credentials::new(), F6Mapping).expect("an adapter");
    let asked = ListProcurementsCommand { store_id: "7".to_owned(), status: None, limit: None };
    let answer = F6Port::list_procurements(&adapter, asked).await;
    assert!(matches!(answer, Err(SupplierError::TryLater(_))), "{answer:?}");
    assert_eq!(
        adapter.audit().entries(),
        ["f6 listProcurements asked", "f6 listProcurements failed, delivery NotSent"]
    );
}

#[test]
fn header_and_page_are_generated() {
    let adapter = include_str!("../src/integrations/f6/generated/adapter.rs");
    assert!(adapter.lines().nth(1).is_some_and(|line| line.starts_with("// Copyright Example Shop.")));
    assert_eq!(adapter.matches("self.audit.asked(").count(), adapter.matches("map_request(").count());
    let page = include_str!("../src/integrations/f6/docs/f6.md");
    assert!(page.contains("| createOrder | `POST /f6/orders` |"), "{page}");
}
