//! A draft against the check of our settings: what no reason excuses goes, what a reason would excuse gets a place for one.

use std::collections::BTreeMap;

use cofferdam_runtime::settings::{Settings, SettingsFault};

use super::draft::{Draft, Reason, Refused, Section, split};
use super::written::{self, Reasons};
use crate::diagnose::{Report, Severity};

/// Makes a draft hold. What was taken out and what has to be filled in goes to the report.
pub(super) fn check(draft: &mut Draft, report: &mut Report) {
    // Each turn takes out one value at least, or is the last.
    let turns: usize = draft.sections.iter().map(|section| section.values.len()).sum();
    for _ in 0..=turns {
        let faults = faults(draft, Reasons::Everywhere);
        if !refuse(draft, &faults) {
            break;
        }
    }
    for refused in draft.sections.iter().flat_map(|section| &section.refused) {
        let help =
            format!("`{}: {}` is left out, and stands in the file as a comment", refused.value.key, refused.shown());
        report.at(Severity::Warning, refused.code, refused.value.from.clone(), refused.message.clone(), help);
    }
    let asked = faults(draft, Reasons::Without);
    draft.sections.iter_mut().for_each(|section| reasons(section, &asked, report));
}

/// What our settings say to the draft. Systems whose address is not known get one, as from the environment.
pub(super) fn faults(draft: &Draft, reasons: Reasons) -> Vec<SettingsFault> {
    let homeless = draft.sections.iter().filter(|section| section.value("base-url").is_none());
    let variables = homeless.filter_map(|section| section.system.as_ref()).map(|name| {
        (format!("COFFERDAM__{}__BASE_URL", name.to_uppercase().replace('-', "_")), "https://unset.invalid".to_owned())
    });
    let text = written::text(draft, &[], reasons);
    match Settings::parse_with(&text, "", variables) {
        Ok(_) => Vec::new(),
        Err(error) => error.faults().to_vec(),
    }
}

/// Takes out one value of each part that is faulty, the one that others are judged by first. Whether there was any.
fn refuse(draft: &mut Draft, faults: &[SettingsFault]) -> bool {
    let mut any = false;
    for section in &mut draft.sections {
        let path = section.path();
        let mut parts: BTreeMap<&str, (usize, &SettingsFault)> = BTreeMap::new();
        for fault in faults {
            let Some(index) = blamed(section, &path, fault) else { continue };
            let Some(value) = section.values.get(index) else { continue };
            let (part, rank) = (split(value.key).0, rank(value.key));
            let known =
                parts.get(part).and_then(|(known, _)| section.values.get(*known)).map(|known| self::rank(known.key));
            if known.is_none_or(|known| rank < known) {
                parts.insert(part, (index, fault));
            }
        }
        let mut chosen: Vec<(usize, &SettingsFault)> = parts.into_values().collect();
        chosen.sort_by_key(|(index, _)| std::cmp::Reverse(*index));
        for (index, fault) in chosen {
            let value = section.values.remove(index);
            section.refused.push(Refused { value, code: fault.code, message: fault.message.clone() });
            any = true;
        }
    }
    any
}

/// Which value a fault is about: the one it names, or the first of its part.
fn blamed(section: &Section, path: &str, fault: &SettingsFault) -> Option<usize> {
    let key = fault.key.strip_prefix(path)?.strip_prefix('.')?;
    let exact = section.values.iter().position(|value| value.key == key);
    exact.or_else(|| {
        let part = key.split_once('.').map_or("", |(part, _)| part);
        section.values.iter().position(|value| split(value.key).0 == part && !part.is_empty())
    })
}

/// Others are judged by it: the smaller, the sooner it goes.
fn rank(key: &str) -> usize {
    let first = ["timeouts.connect", "timeouts.read", "timeouts.call", "retry.max-total-wait", "retry.max-attempts"];
    first.iter().position(|known| *known == key).unwrap_or(first.len())
}

/// The reasons that a section needs: from the comments beside the values, or to be filled in.
fn reasons(section: &mut Section, asked: &[SettingsFault], report: &mut Report) {
    let path = section.path();
    let mut found: Vec<Reason> = Vec::new();
    for fault in asked {
        let Some(value) = blamed(section, &path, fault).and_then(|index| section.values.get(index)) else { continue };
        let part = split(value.key).0;
        let remark = value.remark.clone().unwrap_or_default();
        let asked = format!("{}: {}", fault.code, fault.message);
        let known = match found.iter_mut().find(|reason| reason.part == part) {
            Some(known) => known,
            None => {
                found.push(Reason { part, text: String::new(), asked: Vec::new() });
                let Some(new) = found.last_mut() else { continue };
                new.text.clone_from(&remark);
                new
            }
        };
        known.asked.push(asked);
        // One reason speaks for all values of its part: it counts only if each of them has one.
        if remark.is_empty() {
            known.text.clear();
        } else if known.asked.len() > 1 && !known.text.is_empty() && !known.text.contains(&remark) {
            known.text = format!("{}; {remark}", known.text);
        }
        let help = match remark.as_str() {
            "" => format!("fill in `reason` of `{part}`: the settings are refused without one"),
            remark => format!("the reason is taken from the comment beside it: {remark}"),
        };
        report.at(
            Severity::Note,
            fault.code,
            value.from.clone(),
            format!("{}: it needs a reason", fault.message),
            help,
        );
    }
    section.reasons = found;
}
