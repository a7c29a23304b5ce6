//! The nesting of the patterns, from the numbers of their aspects.
//!
//! Resilience4j gives its aspects an order as Spring's `Ordered` means it: **a lower number goes first, which is the outer
//! layer**. Without a word of the service the numbers are the five before the largest: retry - 5, circuitbreaker - 4,
//! ratelimiter - 3, timelimiter - 2, bulkhead - 1. It is often believed to be the other way round, in comments beside the
//! numbers, too.

use super::property::Property;
use super::reading::Value;
use super::relaxed::plain;
use super::sections::{Pattern, Sections};
use crate::diagnose::{Report, Severity};

/// Spring's lowest precedence.
const LOWEST: i64 = i32::MAX as i64;

/// The aspects, with the name of their number and what it is by default. Both bulkheads are one aspect.
const ASPECTS: [(Pattern, &str, i64); 5] = [
    (Pattern::Retry, "retry-aspect-order", LOWEST - 5),
    (Pattern::CircuitBreaker, "circuit-breaker-aspect-order", LOWEST - 4),
    (Pattern::RateLimiter, "rate-limiter-aspect-order", LOWEST - 3),
    (Pattern::TimeLimiter, "time-limiter-aspect-order", LOWEST - 2),
    (Pattern::Bulkhead, "bulkhead-aspect-order", LOWEST - 1),
];

/// An aspect and where it stands.
struct Aspect<'s> {
    pattern: Pattern,
    number: i64,
    /// The service says so itself.
    said: Option<&'s Property>,
}

/// The order of retry and breaker as our settings write it, if the service gives any number. What the numbers mean, and
/// comments that say otherwise, go to the report.
pub(super) fn order(sections: &Sections, report: &mut Report) -> Option<Value> {
    let aspects = aspects(sections, report);
    let first = aspects.iter().find_map(|aspect| aspect.said)?;
    let shown: Vec<String> =
        aspects.iter().map(|aspect| format!("{} ({})", aspect.pattern.section(), number(aspect.number))).collect();
    let message = format!("these numbers mean, from the outside in: {}", shown.join(" > "));
    let help = "in Spring the lower number is the outer layer";
    report.at(Severity::Note, "CD-IMPORT-ORDER", first.at.clone(), message, help);
    aspects.iter().for_each(|aspect| contradiction(aspect, &aspects, report));
    elsewhere(&aspects, report);
    ties(&aspects, report);
    let place = |pattern| aspects.iter().position(|aspect| aspect.pattern == pattern);
    let (retry, breaker) = (place(Pattern::Retry)?, place(Pattern::CircuitBreaker)?);
    let said = [retry, breaker].into_iter().find_map(|index| aspects.get(index)?.said).unwrap_or(first);
    let text = if breaker < retry { "breaker-outside" } else { "retry-outside" };
    Some(Value { key: "order", text: text.to_owned(), from: said.at.clone(), remark: None })
}

/// The aspects that the service uses, the outermost first.
fn aspects<'s>(sections: &'s Sections, report: &mut Report) -> Vec<Aspect<'s>> {
    let mut found = Vec::new();
    for (pattern, name, usual) in ASPECTS {
        let used = sections.patterns.contains_key(&pattern)
            || (pattern == Pattern::Bulkhead && sections.patterns.contains_key(&Pattern::ThreadPoolBulkhead));
        if !used {
            continue;
        }
        let said = sections.patterns.get(&pattern).and_then(|section| section.own.get(&plain(name)));
        let number = match said.map(|property| property.text().parse::<i32>()) {
            None => usual,
            Some(Ok(number)) => i64::from(number),
            Some(Err(_)) => {
                if let Some(property) = said {
                    let message = format!("{:?} is no number: left out", property.text());
                    report.at(Severity::Warning, "CD-IMPORT-VALUE", property.at.clone(), message, "");
                }
                usual
            }
        };
        found.push(Aspect { pattern, number, said });
    }
    found.sort_by_key(|aspect| aspect.number);
    found
}

fn number(number: i64) -> String {
    if number > LOWEST - 100 { "by default".to_owned() } else { number.to_string() }
}

/// Words by which comments call a layer the outer one, and the inner one, in the languages of the guides and English.
const OUTER: [&str; 12] = [
    "outer",
    "outside",
    "wraps",
    "around",
    "внешн",
    "снаруж",
    "externo",
    "por fora",
    "envolve",
    "最外",
    "外层",
    "外侧",
];
const INNER: [&str; 9] = ["inner", "inside", "внутр", "interno", "por dentro", "最内", "内层", "里层", "内侧"];

/// What a comment calls a layer; nothing where it speaks of both.
fn claimed_outer(comment: &str) -> Option<bool> {
    let comment = comment.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| comment.contains(word));
    match (says(&OUTER), says(&INNER)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// Tells when the comment beside a number, or right above it, says the opposite of what the number means.
fn contradiction(aspect: &Aspect<'_>, all: &[Aspect<'_>], report: &mut Report) {
    let Some(property) = aspect.said else { return };
    let claim = [&property.remark, &property.heading].into_iter().flatten().find_map(|text| claimed_outer(text));
    let Some(outer) = claim else { return };
    let pair = match aspect.pattern {
        Pattern::Retry => Some(Pattern::CircuitBreaker),
        Pattern::CircuitBreaker => Some(Pattern::Retry),
        _ => None,
    };
    // Retry and breaker are compared with each other, the rest with all.
    let others: Vec<&Aspect<'_>> = all
        .iter()
        .filter(|other| other.pattern != aspect.pattern && pair.is_none_or(|pair| pair == other.pattern))
        .collect();
    let against =
        others.iter().find(|other| if outer { other.number < aspect.number } else { other.number > aspect.number });
    let Some(against) = against else { return };
    let (called, is) = if outer { ("the outer layer", "within") } else { ("the inner layer", "around") };
    let message = format!(
        "the comment calls `{}` {called}, but {} is {is} `{}` ({})",
        aspect.pattern.section(),
        number(aspect.number),
        against.pattern.section(),
        number(against.number),
    );
    let help = "the import goes by the number, as the service does: the lower one is the outer layer. Where the comment is \
                what is meant, change `order`";
    report.at(Severity::Warning, "CD-IMPORT-ORDER-COMMENT", property.at.clone(), message, help);
}

/// Quota, time limit and bulkhead have one place here: within retry and breaker, in this order.
fn elsewhere(aspects: &[Aspect<'_>], report: &mut Report) {
    let rank = |pattern: Pattern| match pattern {
        Pattern::Retry | Pattern::CircuitBreaker => 0,
        Pattern::RateLimiter => 1,
        Pattern::TimeLimiter => 2,
        Pattern::Bulkhead | Pattern::ThreadPoolBulkhead => 3,
    };
    for (index, aspect) in aspects.iter().enumerate() {
        let within = aspects.iter().skip(index + 1).find(|other| rank(other.pattern) < rank(aspect.pattern));
        let (Some(within), Some(property)) = (within, aspect.said) else { continue };
        let message = format!(
            "`{}` is around `{}` there; here it is within it, around each attempt",
            aspect.pattern.section(),
            within.pattern.section()
        );
        let help = "retry and breaker > rate limit > time limit > bulkhead";
        report.at(Severity::Note, "CD-IMPORT-ORDER", property.at.clone(), message, help);
    }
}

/// Equal numbers mean nothing.
fn ties(aspects: &[Aspect<'_>], report: &mut Report) {
    for pair in aspects.windows(2) {
        let [one, other] = pair else { continue };
        let Some(property) = one.said.or(other.said).filter(|_| one.number == other.number) else { continue };
        let message = format!(
            "`{}` and `{}` have the same number: which of them is the outer one is left to chance",
            one.pattern.section(),
            other.pattern.section()
        );
        report.at(Severity::Warning, "CD-IMPORT-ORDER", property.at.clone(), message, "check `order`");
    }
}
