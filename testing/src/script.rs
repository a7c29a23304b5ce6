//! The order in which a path behaves and misbehaves.

use std::collections::VecDeque;

use crate::{Answer, Fault};

/// What happens to one arrival. Made from an [`Answer`], a [`Fault`], or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Said instead of the path's own answer.
    pub(crate) answer: Option<Answer>,
    /// What goes wrong in saying it.
    pub(crate) fault: Option<Fault>,
}

impl Step {
    /// The path's own answer, with nothing wrong.
    #[must_use]
    pub fn fine() -> Self {
        Self { answer: None, fault: None }
    }

    /// Another answer, and something wrong in saying it.
    #[must_use]
    pub fn both(answer: Answer, fault: Fault) -> Self {
        Self { answer: Some(answer), fault: Some(fault) }
    }
}

impl From<Answer> for Step {
    fn from(answer: Answer) -> Self {
        Self { answer: Some(answer), fault: None }
    }
}

impl From<Fault> for Step {
    fn from(fault: Fault) -> Self {
        Self { answer: None, fault: Some(fault) }
    }
}

/// Steps taken one an arrival. After the last one everything is fine, or the last one goes on for ever.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    steps: VecDeque<(u32, Step)>,
    rest: Option<Step>,
}

impl Script {
    /// The same at every arrival.
    pub fn always(step: impl Into<Step>) -> Self {
        Self { steps: VecDeque::new(), rest: Some(step.into()) }
    }

    /// The first `times` arrivals; fine afterwards.
    pub fn times(times: u32, step: impl Into<Step>) -> Self {
        Self::default().then(times, step)
    }

    /// Then `times` more arrivals of another kind.
    #[must_use]
    pub fn then(mut self, times: u32, step: impl Into<Step>) -> Self {
        if times > 0 {
            self.steps.push_back((times, step.into()));
        }
        self
    }

    /// Then this for ever.
    #[must_use]
    pub fn then_always(mut self, step: impl Into<Step>) -> Self {
        self.rest = Some(step.into());
        self
    }

    /// The step of the next arrival.
    pub(crate) fn next(&mut self) -> Step {
        let Some((times, step)) = self.steps.front_mut() else {
            return self.rest.clone().unwrap_or_else(Step::fine);
        };
        let taken = step.clone();
        *times -= 1;
        if *times == 0 {
            self.steps.pop_front();
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statuses(mut script: Script, count: usize) -> Vec<Step> {
        (0..count).map(|_| script.next()).collect()
    }

    #[test]
    fn steps_run_out_into_fine() {
        let failing = Step::from(Answer::status(503));
        let script = Script::times(2, Answer::status(503)).then(0, Fault::Close).then(1, Fault::Hang);
        let expected = vec![failing.clone(), failing, Fault::Hang.into(), Step::fine(), Step::fine()];
        assert_eq!(statuses(script, 5), expected);
    }

    #[test]
    fn the_rest_goes_on_for_ever() {
        let script = Script::times(1, Step::fine()).then_always(Fault::Reset);
        assert_eq!(statuses(script, 3), vec![Step::fine(), Fault::Reset.into(), Fault::Reset.into()]);
    }
}
