//! Every operation that a document declares is generated, or the run ends with an error that names the reason: none is
//! dropped in silence. Over the fixtures of this repository, and over the folder that `COFFERDAM_CORPUS` names.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cofferdam::diagnose::Report;
use cofferdam::load::Sources;
use serde_json::Value;
use syn::visit::Visit;

use crate::sandbox::Sandbox;

/// An operation as a document and the generated code know it: method and path.
type Declared = (String, String);

const METHODS: [&str; 9] = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/// The operations under `paths`, found without the code that lowers documents.
fn declared(document: &Path) -> BTreeSet<Declared> {
    let root = read(document);
    let mut all = BTreeSet::new();
    let paths = root.get("paths").and_then(Value::as_object);
    for (path, item) in paths.into_iter().flatten().filter(|(path, _)| !path.starts_with("x-")) {
        let item = match item.get("$ref").and_then(Value::as_str) {
            Some(reference) => referenced(document, &root, reference),
            None => item.clone(),
        };
        let standard = METHODS.iter().filter(|method| item.get(**method).is_some_and(Value::is_object));
        all.extend(standard.map(|method| (method.to_uppercase(), path.clone())));
        let additional = item.get("additionalOperations").and_then(Value::as_object);
        all.extend(additional.into_iter().flatten().map(|(method, _)| (method.clone(), path.clone())));
    }
    all
}

fn read(document: &Path) -> Value {
    let mut sources = Sources::open_root(document, &mut Report::default()).unwrap();
    sources.files.remove(0).value
}

fn referenced(document: &Path, root: &Value, reference: &str) -> Value {
    let (file, pointer) = reference.split_once('#').unwrap_or((reference, ""));
    let other = if file.is_empty() { root.clone() } else { read(&document.parent().unwrap().join(file)) };
    other.pointer(pointer).cloned().unwrap_or_default()
}

/// The operations of generated code, by the metadata that requests are sent with.
#[derive(Default)]
struct Generated(BTreeSet<Declared>);

impl<'ast> Visit<'ast> for Generated {
    fn visit_expr_struct(&mut self, made: &'ast syn::ExprStruct) {
        if made.path.segments.last().is_some_and(|last| last.ident == "OperationMeta") {
            let text = |name: &str| {
                made.fields.iter().find_map(|field| match (&field.member, &field.expr) {
                    (syn::Member::Named(member), syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }))
                        if member == name =>
                    {
                        Some(text.value())
                    }
                    _ => None,
                })
            };
            self.0.extend(text("method").zip(text("path")));
        }
        syn::visit::visit_expr_struct(self, made);
    }
}

fn generated(sandbox: &Sandbox, folder: &str) -> BTreeSet<Declared> {
    let mut found = Generated::default();
    for (name, text) in sandbox.files(folder) {
        if name.starts_with("operations") {
            found.visit_file(&syn::parse_file(&text).unwrap());
        }
    }
    found.0
}

fn documents(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let is_document = |file: &Path| {
        let text = fs::read_to_string(file).unwrap_or_default();
        let named = ["openapi", "swagger"]
            .iter()
            .any(|key| text.contains(&format!("{key}:")) || text.contains(&format!("\"{key}\"")));
        file.extension().is_some_and(|extension| extension == "json" || extension == "yaml") && named
    };
    files.retain(|file| is_document(file));
    files.sort();
    files
}

/// Generates every document of a folder and compares. Gives how many were generated, and how many refused.
fn compare(folder: &Path) -> (usize, usize) {
    let sandbox = Sandbox::project();
    let (mut made, mut refused) = (0, 0);
    let mut faults = Vec::new();
    for (index, document) in documents(folder).iter().enumerate() {
        let out = format!("counted{index}");
        let file = document.display().to_string();
        let ended = sandbox.run(&["generate", "--spec", &file, "--system", "s", "--out", &out]);
        if ended.code != 0 {
            assert!(ended.code == 1 && ended.err.contains("error["), "{file}: {ended:#?}");
            assert!(!sandbox.path(&out).exists(), "{file} was refused, and yet something was written");
            refused += 1;
            continue;
        }
        made += 1;
        let (declared, generated) = (declared(document), generated(&sandbox, &out));
        if declared != generated {
            faults.push(format!("{file}: declared, not generated: {:?}", declared.difference(&generated)));
            faults.push(format!("{file}: generated, not declared: {:?}", generated.difference(&declared)));
        }
        let count = declared.len();
        let told = format!("s: {count} operation{}", if count == 1 { "" } else { "s" });
        if !ended.out.starts_with(&told) {
            faults.push(format!("{file}: {told:?} was not told: {}", ended.out.lines().next().unwrap_or_default()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    (made, refused)
}

#[test]
fn every_declared_operation_of_the_fixtures_is_generated_and_counted() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
    // Refused: a Swagger document, and two operations with one id.
    assert_eq!(compare(&fixtures.join("cases")), (28, 2));
    assert_eq!(compare(&fixtures.join("more-cases")).1, 0);
}

#[test]
fn every_declared_operation_of_the_corpus_is_generated_and_counted() {
    let Some(folder) = std::env::var_os("COFFERDAM_CORPUS").map(PathBuf::from) else { return };
    let (made, refused) = compare(&folder);
    println!("{made} generated, {refused} refused");
    assert!(made > 0, "{} holds no document that can be generated", folder.display());
}

#[test]
fn what_is_not_chosen_is_counted() {
    let sandbox = Sandbox::project();
    sandbox
        .write("cofferdam.toml", "[systems.payments]\nspec = \"specs/payments.yaml\"\nselect = { ids = [\"pay\"] }\n");
    assert!(sandbox.run(&["generate"]).well().out.starts_with("payments: 1 of 3 operations (1 keyed)\n"));
}
