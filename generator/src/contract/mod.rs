//! Contract tests: every example and default of a document, to be read into the generated type and written back.
//!
//! What can be tested is decided here, against the model; the emitted test only compares. An example that its own schema
//! contradicts is a note that names it, never a test that fails.

mod places;

use std::collections::HashSet;

use serde_json::Value;

use crate::diagnose::Report;
use crate::load::{SourceFile, Sources};
use crate::model::{Origin, TypeUse};
use crate::plan::SystemPlan;
use crate::resolve::{Documents, Node};
use crate::sample::{Breach, Given, Schemas, Unfit, Way};
use places::Place;

/// The examples of a system that can be tested.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Contract {
    /// In document order: those of schemas, then those of operations.
    pub examples: Vec<Example>,
    /// The names of the files they stand in, by [`Origin::file`].
    pub files: Vec<String>,
    /// What became of all that were found.
    pub tally: Tally,
}

/// An example or default, and the type that must read and write it.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// Where it stands.
    pub origin: Origin,
    /// Its type.
    pub ty: TypeUse,
    /// Its value.
    pub value: Value,
    /// Pointers to members of it that are not written back: its schema declares no such, or they travel the other way
    /// only.
    pub dropped: Vec<String>,
    /// Pointers to values that are written in another spelling, and that: a date-time, a UUID, base64, a 32-bit float.
    pub respelt: Vec<(String, Value)>,
}

/// How many examples and defaults there are, and what became of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tested.
    pub tested: usize,
    /// Of the tested: those that keep to the type, but not to all that the schema demands.
    pub breaching: usize,
    /// Not tested: they contradict the type that their schema describes.
    pub contradicting: usize,
    /// Not tested: they stand elsewhere, or describe what has no type (bytes, plain text, streams).
    pub untyped: usize,
}

impl Contract {
    /// Gathers the examples of what a plan emits. What contradicts its schema goes to the report.
    pub fn of(plan: &SystemPlan, sources: &mut Sources, report: &mut Report) -> Self {
        let documents = Documents::new(std::mem::take(sources));
        let mut contract = Gathering::new(plan, &documents, report).all();
        *sources = documents.give_back();
        let name = |file: &SourceFile| file.path.file_name().map(|name| name.to_string_lossy().into_owned());
        contract.files = sources.files.iter().map(|file| name(file).unwrap_or_default()).collect();
        contract
    }
}

struct Gathering<'a, 'r> {
    schemas: Schemas<'a>,
    report: &'r mut Report,
    /// A shared example may be one of several types.
    seen: HashSet<(Origin, String)>,
    contract: Contract,
}

impl<'a, 'r> Gathering<'a, 'r> {
    fn new(plan: &'a SystemPlan, documents: &'a Documents, report: &'r mut Report) -> Self {
        let schemas = Schemas { plan, documents };
        Self { schemas, report, seen: HashSet::new(), contract: Contract::default() }
    }

    fn all(mut self) -> Contract {
        for place in places::all(self.schemas) {
            for given in self.schemas.given(&place.node) {
                self.take(&place, given);
            }
        }
        self.sum_up();
        self.contract
    }

    fn take(&mut self, place: &Place<'a>, given: Given<'a>) {
        let (node, used) = match given {
            // A key without a value reads as null: nothing is given.
            Given::Value(node) if node.value.is_null() && !place.used.as_ref().is_some_and(|used| used.nullable) => {
                return;
            }
            Given::Value(node) => (node, place.used.as_ref()),
            Given::Elsewhere(node) => (node, None),
        };
        let ty = used.map(|used| format!("{:?} {}", used.ty, used.nullable)).unwrap_or_default();
        if !self.seen.insert((node.origin.clone(), ty)) {
            return;
        }
        match used {
            Some(used) => self.judge(place, &node, used),
            None => self.contract.tally.untyped += 1,
        }
    }

    fn judge(&mut self, place: &Place<'a>, node: &Node<'a>, used: &TypeUse) {
        match self.schemas.check(node.value, used, &place.said, Way::Either) {
            Ok(fit) => {
                if let Some(breach) = fit.breaches.first() {
                    self.contract.tally.breaching += 1;
                    self.tell(place, &node.origin, breach, "");
                }
                self.contract.tally.tested += 1;
                self.contract.examples.push(Example {
                    origin: node.origin.clone(),
                    ty: used.clone(),
                    value: node.value.clone(),
                    dropped: fit.dropped,
                    respelt: fit.respelt,
                });
            }
            Err(Unfit(breach)) => {
                self.contract.tally.contradicting += 1;
                self.tell(place, &node.origin, &breach, ", and is not tested");
            }
        }
    }

    fn tell(&mut self, place: &Place<'a>, origin: &Origin, breach: &Breach, consequence: &str) {
        let at = if breach.at.is_empty() { String::new() } else { format!("at {}, ", breach.at) };
        let holder = &place.node.origin;
        let shared = holder.file != origin.file || !origin.pointer.starts_with(&holder.pointer);
        let schema = if shared { format!("the schema at {}", holder.pointer) } else { "its schema".to_owned() };
        let message = format!("this example contradicts {schema}{consequence}: {at}{}", breach.message);
        self.report.note("CD-EXAMPLE", origin.clone(), message, "");
    }

    fn sum_up(&mut self) {
        let Tally { tested, breaching, contradicting, untyped } = self.contract.tally;
        let all = tested + contradicting + untyped;
        if all == 0 {
            let message = "the document gives no example and no default: there is nothing to test";
            self.report.note("CD-EXAMPLES", Origin::default(), message, "");
            return;
        }
        let message = format!(
            "{all} examples and defaults: {tested} tested, of which {breaching} break a bound of their schema; \
             {contradicting} contradict their schema; {untyped} describe what has no type"
        );
        self.report.note("CD-EXAMPLES", Origin::default(), message, "");
    }
}
