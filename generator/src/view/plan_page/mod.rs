//! The plan as a page for reviewers: what a person reads who has to agree with how other systems are called.
//!
//! Texts are plain here; the template escapes them. Places in pictures are percentages of their width, as texts, so that a
//! picture fits any page and its letters keep their size.

mod breaker;
mod facts;
mod spans;
mod timeline;

pub use breaker::{BreakerPage, BreakerPicture};
pub use facts::{Fact, facts};
pub use spans::span;
pub use timeline::{Mark, Step, Tick, Timeline};

use std::time::Duration;

use cofferdam_runtime::settings::SystemSettings;

use crate::Planned;
use crate::diagnose::{Located, Severity};
use crate::plan::{OperationKind, PlannedOperation, Policy};

/// From so many operations on they are shown by their tags, folded up.
const MANY: usize = 30;

/// The page.
#[derive(Debug, Clone)]
pub struct PlanPage {
    /// The project file, or the document.
    pub source: String,
    /// The version of this program.
    pub version: &'static str,
    /// The time that a caller is taken to have; empty when none is.
    pub deadline: String,
    /// Whether there is such a time.
    pub has_deadline: bool,
    /// All operations.
    pub operations: usize,
    /// The systems.
    pub systems: Vec<SystemPage>,
}

/// A system on it.
#[derive(Debug, Clone)]
pub struct SystemPage {
    /// Where it is on the page: a name for links.
    pub anchor: String,
    /// Its name.
    pub name: String,
    /// What its document calls it.
    pub title: String,
    /// The version of its document.
    pub version: String,
    /// Its document.
    pub spec: String,
    /// Which presets it starts from.
    pub profile: &'static str,
    /// The settings file; empty where the presets hold.
    pub settings: String,
    /// Whether there is one.
    pub has_settings: bool,
    /// How many operations there are of each kind.
    pub kinds: Vec<KindCount>,
    /// The longest that any of its calls takes.
    pub longest: String,
    /// The breaker.
    pub breaker: BreakerPage,
    /// The numbers that govern it.
    pub facts: Vec<Fact>,
    /// What there is to say of it: what is probably not meant, then the rest.
    pub remarks: Vec<RemarksPage>,
    /// Its operations.
    pub groups: Vec<GroupPage>,
    /// The pictures that its operations share.
    pub timelines: Vec<Timeline>,
}

/// How many operations are of a kind.
#[derive(Debug, Clone)]
pub struct KindCount {
    /// `read`, `keyed`, `once`.
    pub word: &'static str,
    /// How many.
    pub count: usize,
    /// What the kind means.
    pub says: &'static str,
}

/// Operations that stand together.
#[derive(Debug, Clone)]
pub struct GroupPage {
    /// Their tag; empty when all stand together.
    pub name: String,
    /// Whether there is a tag.
    pub has_name: bool,
    /// How many.
    pub count: usize,
    /// The operations.
    pub operations: Vec<OperationPage>,
}

/// An operation.
#[derive(Debug, Clone)]
pub struct OperationPage {
    /// Where it is on the page.
    pub anchor: String,
    /// Its id in the document.
    pub id: String,
    /// GET, POST, …
    pub method: String,
    /// The path with its places for parameters.
    pub path: String,
    /// The first line of what the document says of it.
    pub summary: String,
    /// Whether it says anything.
    pub has_summary: bool,
    /// `read`, `keyed`, `once`.
    pub kind: &'static str,
    /// Why it is of that kind.
    pub reason: Vec<Part>,
    /// The layers from the outermost to the innermost.
    pub layers: Vec<&'static str>,
    /// How often it is sent at most, in words.
    pub sent: String,
    /// The longest that a call takes.
    pub worst: String,
    /// The picture of it, by its anchor.
    pub timeline: String,
    /// The picture in words.
    pub described: String,
    /// The steps of the worst case.
    pub steps: Vec<Step>,
    /// What a caller's deadline makes of it; empty when there is none.
    pub cut: String,
    /// Whether there is one.
    pub has_cut: bool,
}

/// Things to say of a system, of one grade.
#[derive(Debug, Clone)]
pub struct RemarksPage {
    /// How many they are, in words.
    pub told: String,
    /// Whether they are shown at once.
    pub open: bool,
    /// Each of them.
    pub notes: Vec<NotePage>,
}

/// Something to say of a system.
#[derive(Debug, Clone)]
pub struct NotePage {
    /// `note` or `warning`.
    pub severity: &'static str,
    /// Its code.
    pub code: String,
    /// Where.
    pub place: String,
    /// What.
    pub message: Vec<Part>,
    /// What to do about it; may be empty.
    pub help: Vec<Part>,
    /// Whether there is anything.
    pub has_help: bool,
}

/// A part of a text that quotes code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The text.
    pub text: String,
    /// Whether it is quoted code.
    pub code: bool,
}

/// A text at its backticks; one that has no partner stays what it is.
fn parts(text: &str) -> Vec<Part> {
    let pieces: Vec<&str> = text.split('`').collect();
    let paired = pieces.len() % 2 == 1;
    let part = |(index, piece): (usize, &&str)| Part { text: (*piece).to_owned(), code: index % 2 == 1 };
    match paired {
        true => pieces.iter().enumerate().map(part).filter(|part| !part.text.is_empty()).collect(),
        false => vec![Part { text: text.to_owned(), code: false }],
    }
}

/// A system, with what governs it and what there is to say of it.
#[derive(Debug, Clone, Copy)]
pub struct PageInput<'p> {
    /// Its plan.
    pub planned: &'p Planned,
    /// What governs it.
    pub settings: &'p SystemSettings,
    /// The settings file, if there is one.
    pub file: Option<&'p str>,
    /// Its document, as messages show it.
    pub spec: &'p str,
    /// What there is to say of it.
    pub notes: &'p [Located],
}

/// The page of these systems; `deadline` is the time that a caller is taken to have.
#[must_use]
pub fn plan_page(source: &str, systems: &[PageInput<'_>], deadline: Option<Duration>) -> PlanPage {
    PlanPage {
        source: source.to_owned(),
        version: env!("CARGO_PKG_VERSION"),
        deadline: deadline.map(span).unwrap_or_default(),
        has_deadline: deadline.is_some(),
        operations: systems.iter().map(|system| system.planned.plan.operations.len()).sum(),
        systems: systems.iter().map(|system| of_system(system, deadline)).collect(),
    }
}

fn of_system(input: &PageInput<'_>, deadline: Option<Duration>) -> SystemPage {
    let Planned { plan, policies, .. } = input.planned;
    let anchor = format!("system-{}", plan.system);
    let mut timelines: Vec<Timeline> = Vec::new();
    let mut groups: Vec<GroupPage> = Vec::new();
    let by_tag = plan.operations.len() >= MANY;
    let mut longest = Duration::ZERO;
    for (index, (operation, policy)) in plan.operations.iter().zip(policies).enumerate() {
        let drawn = timeline::of(&plan.operation(operation).id, operation.kind, input.settings, deadline);
        longest = longest.max(drawn.total);
        let known = timelines.iter().position(|timeline| timeline.same_as(&drawn)).unwrap_or_else(|| {
            let anchor = format!("{anchor}-timeline-{}", timelines.len() + 1);
            timelines.push(Timeline { anchor, ..drawn.clone() });
            timelines.len() - 1
        });
        let timeline = timelines.get(known).map(|timeline| timeline.anchor.clone()).unwrap_or_default();
        let page = of_operation(
            input,
            operation,
            policy,
            drawn,
            OperationPlace { anchor: format!("{anchor}-{}", index + 1), timeline },
        );
        let tag = plan.operation(operation).tags.first().filter(|_| by_tag).cloned();
        let name = tag.unwrap_or_else(|| if by_tag { "without a tag".to_owned() } else { String::new() });
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.operations.push(page),
            None => groups.push(GroupPage { has_name: !name.is_empty(), name, count: 0, operations: vec![page] }),
        }
    }
    groups.iter_mut().for_each(|group| group.count = group.operations.len());
    SystemPage {
        name: plan.system.clone(),
        title: plan.api.title.clone(),
        version: plan.api.version.clone(),
        spec: input.spec.to_owned(),
        profile: input.settings.profile.word(),
        settings: input.file.map(str::to_owned).unwrap_or_default(),
        has_settings: input.file.is_some(),
        kinds: kinds(&plan.operations),
        longest: span(longest),
        breaker: breaker::of(input.settings),
        facts: facts(input.settings),
        remarks: remarks(input.notes),
        groups,
        timelines,
        anchor,
    }
}

/// Where an operation, and its picture, are on the page.
struct OperationPlace {
    anchor: String,
    timeline: String,
}

fn of_operation(
    input: &PageInput<'_>,
    planned: &PlannedOperation,
    policy: &Policy,
    drawn: Timeline,
    place: OperationPlace,
) -> OperationPage {
    let model = input.planned.plan.operation(planned);
    let summary = model.docs.summary.as_deref().unwrap_or_default();
    OperationPage {
        anchor: place.anchor,
        id: model.id.clone(),
        method: model.method.clone(),
        path: model.path.raw.clone(),
        summary: summary.lines().next().unwrap_or_default().to_owned(),
        has_summary: !summary.trim().is_empty(),
        kind: word(planned.kind),
        reason: parts(&planned.reason),
        layers: policy.layers.iter().map(|layer| layer.name()).collect(),
        sent: match (planned.kind, policy.attempts) {
            (OperationKind::Once, _) => "once, whatever happens".to_owned(),
            (_, 1) => "once".to_owned(),
            (OperationKind::Keyed, attempts) => format!("up to {attempts} times, with the same key"),
            (OperationKind::Read, attempts) => format!("up to {attempts} times"),
        },
        worst: span(drawn.total),
        timeline: place.timeline,
        described: drawn.described(),
        has_cut: !drawn.cut.is_empty(),
        cut: drawn.cut,
        steps: drawn.steps,
    }
}

fn word(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Read => "read",
        OperationKind::Keyed => "keyed",
        OperationKind::Once => "once",
    }
}

fn kinds(operations: &[PlannedOperation]) -> Vec<KindCount> {
    let says = [
        (OperationKind::Read, "only reads: may be repeated"),
        (OperationKind::Keyed, "carries an idempotency key: may be repeated with the same key"),
        (OperationKind::Once, "may do something: sent once, no setting changes that"),
    ];
    says.map(|(kind, says)| {
        let count = operations.iter().filter(|operation| operation.kind == kind).count();
        KindCount { word: word(kind), count, says }
    })
    .into()
}

fn remarks(found: &[Located]) -> Vec<RemarksPage> {
    let (notes, warnings): (Vec<Located>, Vec<Located>) =
        found.iter().cloned().partition(|one| one.severity == Severity::Note);
    let of = |found: Vec<Located>, open: bool| {
        let told = crate::diagnose::totals(&found)?;
        Some(RemarksPage { told, open, notes: found.iter().map(note).collect() })
    };
    [of(warnings, true), of(notes, false)].into_iter().flatten().collect()
}

fn note(located: &Located) -> NotePage {
    let place = located.location.as_ref().map(|location| match location.position() {
        Some(position) => format!("{}:{}:{}", location.file, position.line, position.col),
        None => location.file.clone(),
    });
    NotePage {
        severity: located.severity.word(),
        code: located.code.to_string(),
        place: place.unwrap_or_default(),
        message: parts(&located.message),
        has_help: located.help.is_some(),
        help: parts(located.help.as_deref().unwrap_or_default()),
    }
}
