//! Resilience tests: generated for a team's own adapters, they hold as generated, and fail when somebody breaks the
//! protection.

use crate::workshop::{Workshop, root};

/// A crate with both example systems and their tests.
fn team() -> Workshop {
    let workshop = Workshop::with_specs();
    workshop.cofferdam(&["generate", "--project", "specs/cofferdam.toml", "--with-tests"]).well();
    workshop.make_crate("team", "2024", false);
    let testing = root().join("testing");
    let dependency = format!(
        "[dev-dependencies]\ncofferdam-testing = {{ path = {testing:?}, features = [\"trial\"] }}\n\n[workspace]"
    );
    workshop.edit("Cargo.toml", "[workspace]", &dependency);
    workshop.write("src/lib.rs", "//! A team's crate.\n#![deny(warnings)]\n\n/// Others.\npub mod integrations {\n    pub mod f6;\n    pub mod sber;\n}\n");
    workshop
}

const ADAPTER: &str = "src/integrations/sber/generated/adapter.rs";

#[test]
fn they_hold_as_generated_and_fail_when_the_protection_is_broken() {
    let workshop = team();
    workshop.cargo(&["clippy", "--quiet", "--tests", "--", "-D", "warnings"]).well();
    let printed = workshop.cargo(&["test", "--lib", "resilience"]).well();
    assert!(printed.contains("12 passed; 0 failed"), "{printed}");

    // A second try for a write that has no key.
    let twice = "|| async { let _ = self.client.deposit(&request).await; self.client.deposit(&request).await }";
    workshop.edit(ADAPTER, "|| self.client.deposit(&request)", twice);
    // A guard for each call, which remembers nothing and holds nobody back.
    let own_guard = "Guard::new(self.guard.settings()).expect(\"a guard\")\n            .once(Reverse, ";
    workshop.edit(ADAPTER, "self.guard\n            .once(Reverse, ", own_guard);
    // A read that is not repeated.
    workshop.edit(ADAPTER, ".read(GetOrderStatus, ", ".once(GetOrderStatus, ");
    // A key for each attempt.
    let own_key = "let _ = key;\n                        let own = IdempotencyKey::random();\n                        \
                   async { let own = own; self.client.create_order(&request, Some(&own)).await }";
    workshop.edit("src/integrations/f6/generated/adapter.rs", "self.client.create_order(&request, Some(key))", own_key);
    let broken = workshop.cargo(&["test", "--lib", "resilience"]);
    assert!(!broken.ok, "{}", broken.printed);
    for told in [
        "`deposit` has no idempotency key, and arrived 2 times when the system was well",
        "`getOrderStatus` arrived 1 times at a system that always fails; the settings say 3",
        "`createOrder`: the header `idempotency-key` is not the same in all attempts",
        "`reverse` failed, and the breaker did not hear of it",
        "3 calls are let in at once, and `reverse` is let in beside them",
    ] {
        assert!(broken.printed.contains(told), "not told: {told}\n{}", broken.printed);
    }
    assert!(broken.printed.contains("resilience::health_is_asked_lightly ... ok"), "{}", broken.printed);
}

#[test]
fn a_crate_of_its_own_has_them() {
    let workshop = Workshop::with_specs();
    let runtime = root().join("runtime");
    let arguments = ["generate", "--spec", "specs/f6/f6.openapi.yaml", "--system", "f6", "--out", ".", "--crate"];
    let rest = ["--with-stubs", "--with-tests", "--runtime-path", &runtime.to_string_lossy()];
    workshop.cofferdam(&[arguments.as_slice(), &rest].concat()).well();
    workshop.take_profile_and_lock();
    let printed = workshop.cargo(&["test", "--test", "resilience"]).well();
    assert!(printed.contains("6 passed; 0 failed"), "{printed}");
}
