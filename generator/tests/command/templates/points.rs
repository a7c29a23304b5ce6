//! Insertion points: what a team wants most, without a template of its own.

use super::{ADAPTER, sandbox};

#[test]
fn every_point_of_a_project_is_filled() {
    let sandbox = sandbox();
    for (name, text) in [
        ("adapter-imports.rs", "use crate::audit::Audit;"),
        ("adapter-attributes.rs", "#[must_use]"),
        ("adapter-fields.rs", "    audit: Audit,"),
        ("adapter-values.rs", "            audit: Audit::default(),"),
        ("method-before.rs", "        self.audit.asked({{ operation.id|rust_string }});"),
        ("method-after.rs", "        self.audit.answered({{ operation.id|rust_string }}, answer.is_ok());"),
        ("adapter-methods.rs", "\n    /// The audit.\n    pub fn audit(&self) -> &Audit {\n        &self.audit\n    }"),
        ("adapter-end.rs", "\n/// The last item.\npub struct Last;"),
        ("root-end.rs", "\n/// More.\npub mod more {}"),
        ("header.rs", "// Copyright of {{ view.system|pascal }}."),
        ("domain-attributes.rs", "#[non_exhaustive]"),
        ("domain-end.rs", "\n/// Of the domain {{ view.system }}.\npub struct End;"),
        ("mapper-end.rs", "\n/// Of the mapper {{ view.mapping }}.\npub struct End;"),
        ("port-end.rs", "\n/// Of the port {{ view.port }}.\npub struct End;"),
    ] {
        sandbox.write(&format!("templates/points/{name}.jinja"), &format!("{text}\n"));
    }
    sandbox.run(&["generate"]).well();
    let adapter = sandbox.read(ADAPTER);
    for part in [
        "// Copyright of Payments.\n//! The protected adapter",
        "use ::cofferdam_runtime::http::HttpClient;",
        "\nuse crate::audit::Audit;\n",
        "#[derive(Debug, Clone)]\n#[must_use]\npub struct PaymentsAdapter<M> {",
        "    mapping: M,\n    audit: Audit,\n}",
        "        Ok(Self {\n            audit: Audit::default(), client, guard, mapping })",
        "    {\n        self.audit.asked(\"showPayment\");\n        let request = self.guard.map_request(",
        "        let answer: Answer<M, ShowPayment> =\n        self.guard\n            .read(ShowPayment, &self.mapping, || self.client.show_payment(&request))\n            .await;\n        self.audit.answered(\"showPayment\", answer.is_ok());\n        answer\n    }",
        "            }\n        };\n        self.audit.answered(\"pay\", answer.is_ok());\n        answer\n",
        "    pub fn audit(&self) -> &Audit {\n        &self.audit\n    }\n}\n",
        "\n/// The last item.\npub struct Last;\n",
    ] {
        assert!(adapter.contains(part), "{part}\n---\n{adapter}");
    }
    for (name, text) in sandbox.files("src/integrations/payments/generated") {
        let (first, rest) = text.split_once('\n').unwrap();
        assert!(first.starts_with("// @generated "), "{name}");
        assert!(rest.starts_with("// Copyright of Payments.\n"), "{name}");
    }
    let read = |name: &str| sandbox.read(&format!("src/integrations/payments/{name}"));
    assert!(read("generated/mod.rs").contains("/// More.\npub mod more {}"));
    assert!(read("domain.rs").contains("#[non_exhaustive]\npub struct"));
    assert!(read("domain.rs").ends_with("/// Of the domain payments.\npub struct End;\n"));
    assert!(read("mapper.rs").ends_with("/// Of the mapper PaymentsMapping.\npub struct End;\n"));
    assert!(read("port.rs").ends_with("/// Of the port PaymentsPort.\npub struct End;\n"));
    sandbox.write("templates/points/manifest-dependencies.toml.jinja", "audit = \"1\"\n");
    sandbox
        .run(&[
            "generate",
            "--spec",
            "specs/stock.yaml",
            "--system",
            "stock",
            "--out",
            "made",
            "--crate",
            "--templates",
            "templates",
        ])
        .well();
    assert!(sandbox.read("made/Cargo.toml").contains("\naudit = \"1\"\n"));
}

#[test]
fn a_point_that_is_ejected_and_left_as_it_is_adds_nothing_but_the_room() {
    let sandbox = sandbox();
    sandbox.run(&["generate"]).well();
    let before = sandbox.files("src");
    let points: Vec<&str> = cofferdam::render::templates::BUILT_IN
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| name.starts_with("points/") && !name.contains("method-after"))
        .collect();
    sandbox.run(&[&["templates", "eject"], points.as_slice()].concat()).well();
    sandbox.run(&["generate"]).well();
    assert_eq!(before, sandbox.files("src"));
}
