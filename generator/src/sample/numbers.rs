//! Numbers as JSON has them: compared by value, moved to where bounds allow.

use serde_json::{Number, Value};

/// Whether two values are the same: members in any order, numbers by value.
pub(super) fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => same_number(left, right),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(name, left)| right.get(name).is_some_and(|right| same(left, right)))
        }
        (left, right) => left == right,
    }
}

fn same_number(left: &Number, right: &Number) -> bool {
    match (integer(left), integer(right)) {
        (Some(left), Some(right)) => left == right,
        _ => left.as_f64() == right.as_f64(),
    }
}

fn integer(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// Whether a number is a multiple of another one, as far as doubles tell.
pub(super) fn is_multiple(number: f64, of: f64) -> bool {
    let times = number / of;
    of == 0.0 || !times.is_finite() || (times - times.round()).abs() < 1e-6
}

/// What a number has to keep to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    /// The least value, and whether it is itself too small.
    least: Option<(f64, bool)>,
    /// The greatest value, and whether it is itself too great.
    most: Option<(f64, bool)>,
    step: Option<f64>,
}

impl Range {
    /// The range that schemas give, each of which has its say.
    pub(super) fn of(said: &super::Said<'_>) -> Self {
        let mut range = Self { least: None, most: None, step: None };
        for schema in said.schemas() {
            let number = |key: &str| schema.value.get(key).and_then(Value::as_f64);
            let flag = |key: &str| schema.value.get(key) == Some(&Value::Bool(true));
            // 3.0 has flags beside the bounds, 3.1 bounds of their own.
            let least = number("minimum").map(|bound| (bound, flag("exclusiveMinimum")));
            let most = number("maximum").map(|bound| (bound, flag("exclusiveMaximum")));
            for bound in least.into_iter().chain(number("exclusiveMinimum").map(|bound| (bound, true))) {
                if range.least.is_none_or(|known| bound.0 > known.0 || (bound.0 == known.0 && bound.1)) {
                    range.least = Some(bound);
                }
            }
            for bound in most.into_iter().chain(number("exclusiveMaximum").map(|bound| (bound, true))) {
                if range.most.is_none_or(|known| bound.0 < known.0 || (bound.0 == known.0 && bound.1)) {
                    range.most = Some(bound);
                }
            }
            range.step = number("multipleOf").filter(|step| *step > 0.0).or(range.step);
        }
        range
    }

    /// What a number breaks, in words.
    pub(super) fn breach(&self, number: f64) -> Option<String> {
        match (self.least, self.most, self.step) {
            (Some((least, exclusive)), ..) if number < least || (exclusive && number == least) => {
                Some(format!("{number} is below the minimum {least}"))
            }
            (_, Some((most, exclusive)), _) if number > most || (exclusive && number == most) => {
                Some(format!("{number} is above the maximum {most}"))
            }
            (.., Some(step)) if !is_multiple(number, step) => Some(format!("{number} is no multiple of {step}")),
            _ => None,
        }
    }

    /// A number within, as near to `wished` as its bounds are.
    pub(super) fn pick(&self, wished: f64, whole: bool) -> f64 {
        let step = self.step.unwrap_or(if whole { 1.0 } else { 0.5 });
        let mut number = wished;
        if let Some((most, exclusive)) = self.most
            && (number > most || (exclusive && number == most))
        {
            number = if exclusive { most - step } else { most };
            if whole || self.step.is_some() {
                number = (number / step).floor() * step;
            }
        }
        if let Some((least, exclusive)) = self.least
            && (number < least || (exclusive && number == least))
        {
            number = if exclusive { least + step } else { least };
        }
        if whole || self.step.is_some() {
            number = (number / step).ceil() * step;
        }
        match (self.least, self.most) {
            // A range narrower than the step.
            (Some((least, _)), Some((most, _))) if self.step.is_none() && !whole && self.breach(number).is_some() => {
                f64::midpoint(least, most)
            }
            _ => number,
        }
    }
}

/// A number as JSON writes it: a whole one without a fraction.
pub(super) fn number(value: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() <= EXACT {
        // Whole, and within what a double holds exactly.
        #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
        return Value::from(value as i64);
    }
    Number::from_f64(value).map_or(Value::from(0), Value::Number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn range(least: Option<(f64, bool)>, most: Option<(f64, bool)>, step: Option<f64>) -> Range {
        Range { least, most, step }
    }

    #[test]
    fn numbers_are_compared_by_value_and_members_in_any_order() {
        assert!(same(&json!({"a": 1, "b": [1.0]}), &json!({"b": [1], "a": 1.0})));
        assert!(!same(&json!({"a": 1}), &json!({"a": 1, "b": null})));
        assert!(!same(&json!(9_007_199_254_740_993_i64), &json!(9_007_199_254_740_992_i64)));
    }

    #[test]
    fn a_picked_number_keeps_to_its_range() {
        let cases = [
            (range(None, None, None), true, json!(1)),
            (range(Some((10.0, false)), None, None), true, json!(10)),
            (range(Some((10.0, true)), None, None), true, json!(11)),
            (range(None, Some((0.0, false)), None), true, json!(0)),
            (range(None, Some((0.0, true)), None), true, json!(-1)),
            (range(Some((0.0, true)), Some((0.1, true)), None), false, json!(0.05)),
            (range(Some((5.0, false)), None, Some(4.0)), true, json!(8)),
            (range(Some((0.2, false)), Some((0.9, false)), None), true, json!(1)),
        ];
        for (range, whole, expected) in cases {
            assert_eq!(number(range.pick(1.0, whole)), expected, "{range:?}");
        }
    }
}
