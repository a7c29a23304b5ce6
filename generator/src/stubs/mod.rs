//! Stubs: the hand-written files of a system as the first run creates them, and the missing parts later.
//!
//! The domain types mirror the transport types and the mapper maps them field by field, so that everything compiles and
//! works from the first minute.

mod conversions;
mod domain;
mod existing;
mod expressions;
mod forms;
mod functions;
mod layout;
mod mappings;
mod marked;
mod mirror;
mod port;
pub(crate) mod shapes;
pub(crate) mod ty;
mod unneeded;

use std::collections::BTreeMap;

pub use existing::Existing;
pub(crate) use expressions::Way;
pub(crate) use forms::mapped_forms;
pub(crate) use functions::{StubFunctions, functions};
pub use marked::{MAPPINGS_MARK, TYPES_MARK, insert, marks, missing_imports};
pub use unneeded::{Unneeded, unneeded};

use crate::plan::{PlannedOperation, SystemPlan};
use crate::view::{ConversionView, DomainView, MapperView, MappingView, MissingView, PortView, VIEW_VERSION};
use forms::Form;
use mirror::Mirror;
use shapes::Shapes;

/// All that is created once, as views.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stubs {
    /// `domain.rs`
    pub domain: DomainView,
    /// `mapper.rs`
    pub mapper: MapperView,
    /// `port.rs`
    pub port: PortView,
}

/// Where hand-written modules find the generated ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GeneratedAt {
    /// In the module `generated` beside them.
    Beside,
    /// They are beside the generated modules themselves.
    Among,
}

impl GeneratedAt {
    fn path(self) -> &'static str {
        match self {
            Self::Beside => "super::generated",
            Self::Among => "super",
        }
    }
}

/// Where missing stubs are meant to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Into the files that are there: types to the domain, the rest to the mapper.
    Paste,
    /// Into one file of their own beside the mapper.
    OwnFile,
}

/// The rendered modules that stubs mirror.
#[derive(Debug, Default)]
pub(crate) struct Items {
    /// Those of `types`.
    pub(crate) types: Vec<syn::Item>,
    /// Those of `operations`.
    pub(crate) operations: Vec<syn::Item>,
}

/// The stubs of a system.
pub(crate) fn stubs(plan: &SystemPlan, items: &Items, at: GeneratedAt) -> Stubs {
    let shapes = Shapes::of(items);
    let mirror = Mirror::new(&shapes, &renamed(plan), None);
    let wanted = wanted(plan, &Existing::default());
    let (mappings, conversions) = mapped(plan, &wanted, &mirror);
    Stubs {
        domain: domain::view(plan, &wanted, &mirror, &Existing::default()),
        port: port::view(plan, &wanted, &mirror, at),
        mapper: MapperView {
            view_version: VIEW_VERSION,
            system: plan.system.clone(),
            mapping: format!("{}Mapping", plan.type_prefix),
            has_placeholder_names: has_placeholder_names(&conversions),
            imports: imports(&mappings, &conversions, at),
            mappings,
            conversions,
        },
    }
}

/// The stubs of those operations that nothing maps yet, without what is there already.
pub(crate) fn missing(plan: &SystemPlan, items: &Items, existing: &Existing, placement: Placement) -> MissingView {
    let shapes = Shapes::of(items);
    let own = (placement == Placement::OwnFile).then_some(&existing.types);
    let mirror = Mirror::new(&shapes, &renamed(plan), own);
    let wanted = wanted(plan, existing);
    let (mappings, mut conversions) = mapped(plan, &wanted, &mirror);
    let mapping = format!("{}Mapping", plan.type_prefix);
    let mut imports = imports(&mappings, &conversions, GeneratedAt::Beside);
    if placement == Placement::Paste {
        conversions.retain(|conversion| !existing.functions.contains(&conversion.name));
    } else {
        imports.push(format!("use super::mapper::{mapping};"));
    }
    let DomainView { has_types, types, .. } = domain::view(plan, &wanted, &mirror, existing);
    MissingView {
        view_version: VIEW_VERSION,
        system: plan.system.clone(),
        mapping,
        is_own_file: placement == Placement::OwnFile,
        imports,
        has_types,
        types,
        mappings,
        conversions,
    }
}

/// The implementations for some operations, and the functions they share.
fn mapped(plan: &SystemPlan, wanted: &[Wanted<'_>], mirror: &Mirror<'_>) -> (Vec<MappingView>, Vec<ConversionView>) {
    let mappings = wanted.iter().map(|wanted| mapping(plan, wanted, mirror)).collect();
    let functions = conversions::functions(mirror).into_iter();
    let conversions = functions.map(|function| ConversionView { name: function.name, lines: function.lines });
    (mappings, conversions.collect())
}

/// The operations that no `impl Mapping<…>` is there for, in any of their forms.
#[must_use]
pub fn unmapped<'a>(plan: &'a SystemPlan, existing: &Existing) -> Vec<&'a PlannedOperation> {
    let mut unmapped: Vec<&PlannedOperation> = wanted(plan, existing).iter().map(|wanted| wanted.planned).collect();
    unmapped.dedup_by_key(|planned| planned.index);
    unmapped
}

/// An operation that a mapper may know.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Mappable {
    /// Its id.
    pub id: String,
    /// Its types, one for each form in which it answers.
    pub markers: Vec<String>,
}

impl Mappable {
    /// Whether all of its types are mapped.
    #[must_use]
    pub fn is_mapped(&self, existing: &Existing) -> bool {
        self.markers.iter().all(|marker| existing.mapped.contains(marker))
    }
}

/// The operations of a plan, in its order.
#[must_use]
pub fn mappable(plan: &SystemPlan) -> Vec<Mappable> {
    let mappable = |planned: &PlannedOperation| Mappable {
        id: plan.operation(planned).id.clone(),
        markers: mapped_forms(plan, planned).into_iter().map(|form| form.names.marker).collect(),
    };
    plan.operations.iter().map(mappable).collect()
}

/// An operation, in a form that a mapping is wanted for.
pub(crate) struct Wanted<'p> {
    pub(crate) planned: &'p PlannedOperation,
    pub(crate) form: Form,
}

fn wanted<'p>(plan: &'p SystemPlan, existing: &Existing) -> Vec<Wanted<'p>> {
    let forms = plan
        .operations
        .iter()
        .flat_map(|planned| mapped_forms(plan, planned).into_iter().map(move |form| Wanted { planned, form }));
    forms.filter(|wanted| !existing.mapped.contains(&wanted.form.names.marker)).collect()
}

/// The types around operations have names of their own in the domain: it speaks of commands and outcomes.
fn renamed(plan: &SystemPlan) -> BTreeMap<String, String> {
    let mut renamed = BTreeMap::new();
    for planned in &plan.operations {
        if let Some(names) = plan.names.operations.get(planned.index) {
            renamed.insert(names.request.clone(), format!("{}Command", names.marker));
            renamed.insert(names.reply.clone(), format!("{}Outcome", names.marker));
            if let Some(stream) = &names.stream {
                renamed.insert(stream.reply.clone(), format!("{}Outcome", stream.marker));
            }
        }
    }
    renamed
}

fn mapping(plan: &SystemPlan, wanted: &Wanted<'_>, mirror: &Mirror<'_>) -> MappingView {
    let names = &wanted.form.names;
    let operation = plan.operation(wanted.planned);
    let mapped = mappings::mapped(mirror, names);
    let error_fields = mappings::error_fields(mirror, names);
    let head = format!("impl Mapping<operations::{}> for {}Mapping {{", names.marker, plan.type_prefix);
    let associated = [("Command", &mapped.command), ("Outcome", &mapped.outcome), ("Rejection", &mapped.rejection)];
    let mut head_lines = vec![head];
    head_lines.extend(associated.iter().map(|(name, ty)| format!("    type {name} = {ty};")));
    head_lines.push(String::new());
    MappingView {
        id: operation.id.clone(),
        marker: names.marker.clone(),
        call: call(&operation.method, &operation.path.raw),
        may_hide_errors: !error_fields.is_empty(),
        error_fields: error_fields.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and "),
        head_lines,
        request_lines: mapped.request,
        outcome_lines: mapped.outcome_lines,
        rejection_lines: mapped.rejection_lines,
    }
}

/// Method and path in a comment: whatever the document holds, it stays one line.
fn call(method: &str, path: &str) -> String {
    let path: String = path.chars().filter(|c| !c.is_control() && !crate::format::is_invisible(*c)).collect();
    format!("`{method} {path}`")
}

/// Whether fields are called what clippy takes for placeholders: the document may mean it.
fn has_placeholder_names(conversions: &[ConversionView]) -> bool {
    let is_one =
        |line: &String| line.split(|c: char| !c.is_alphanumeric()).any(|word| matches!(word, "foo" | "baz" | "quux"));
    conversions.iter().flat_map(|conversion| &conversion.lines).any(is_one)
}

/// The `use` items of a mapper.
fn imports(mappings: &[MappingView], conversions: &[ConversionView], at: GeneratedAt) -> Vec<String> {
    if mappings.is_empty() {
        return Vec::new();
    }
    let lines = || {
        let of_mapping = |mapping: &'_ MappingView| {
            let all = [&mapping.head_lines, &mapping.request_lines, &mapping.outcome_lines, &mapping.rejection_lines];
            all.into_iter().flatten().cloned().collect::<Vec<_>>()
        };
        mappings.iter().flat_map(of_mapping).chain(conversions.iter().flat_map(|c| c.lines.clone()))
    };
    let mentions = |word: &str| lines().any(|line| mentions(&line, word));
    let mut imports = Vec::new();
    if mentions("Infallible") {
        imports.push("use std::convert::Infallible;".to_owned());
    }
    if !imports.is_empty() {
        imports.push(String::new());
    }
    imports.push("use cofferdam_runtime::{Mapping, MappingError, Refusal, StatusCode};".to_owned());
    imports.push(String::new());
    if mentions("domain::") {
        imports.push("use super::domain;".to_owned());
    }
    let modules = if mentions("types::") { "{operations, types}" } else { "operations" };
    imports.push(format!("use {}::{modules};", at.path()));
    imports
}

/// Whether a line has a word, which may end in punctuation, that is neither a part of another one nor behind a path.
fn mentions(line: &str, word: &str) -> bool {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        let is_continued = word.ends_with(is_of_word) && after.is_some_and(is_of_word);
        let continues = before.is_some_and(|before| is_of_word(before) || before == ':');
        !continues && !is_continued
    })
}

#[cfg(test)]
mod tests;
