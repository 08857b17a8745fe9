//! What a condition compares with a number, and how near a measured value is to it.

use super::facts::{ReportThreshold, ThresholdDirection};
use crate::expr::{Expr, ExprKind, Function, Num};
use crate::measure::MeasureKind;
use crate::rules::{Comparison, Predicate, Test};
use crate::verify::with_threshold;

/// The threshold of a condition, if it has one; `want` is false for a condition under `not`, and `amount` is what
/// similarities are loosened by.
pub fn threshold(predicate: &Predicate, want: bool, amount: f64) -> Option<ReportThreshold> {
    let (comparison, threshold, measure) = match &predicate.test {
        Test::Measure { comparison, threshold, measure, .. } => (*comparison, *threshold, Some(*measure)),
        Test::Residual(condition) => {
            let (measured, threshold) = with_threshold(condition)?;
            (comparison_of(condition, measured)?, threshold, function_of(measured))
        }
        _ => return None,
    };
    let at_least = match comparison {
        Comparison::Greater | Comparison::GreaterEqual => want,
        Comparison::Less | Comparison::LessEqual => !want,
        Comparison::Equal => return None,
    };
    let includes = matches!(comparison, Comparison::GreaterEqual | Comparison::LessEqual);
    let whole = is_count(measure, threshold);
    Some(ReportThreshold {
        measure: measured_text(&predicate.text),
        value: threshold.to_f64(),
        direction: if at_least { ThresholdDirection::AtLeast } else { ThresholdDirection::AtMost },
        inclusive: includes == want,
        whole,
        step: if whole { Some(1.0) } else { measure.filter(|of| is_similarity(*of)).map(|_| amount) },
    })
}

/// How a condition compares the value that is not a number.
fn comparison_of(condition: &Expr, measured: &Expr) -> Option<Comparison> {
    let ExprKind::Call(function, args) = &condition.kind else { return None };
    let is_first = args.first().is_some_and(|first| std::ptr::eq(first, measured));
    Some(match (function, is_first) {
        (Function::Less, true) | (Function::Greater, false) => Comparison::Less,
        (Function::LessEqual, true) | (Function::GreaterEqual, false) => Comparison::LessEqual,
        (Function::Greater, true) | (Function::Less, false) => Comparison::Greater,
        (Function::GreaterEqual, true) | (Function::LessEqual, false) => Comparison::GreaterEqual,
        _ => return None,
    })
}

fn function_of(expr: &Expr) -> Option<Function> {
    if let ExprKind::Call(function, _) = &expr.kind { Some(*function) } else { None }
}

fn is_similarity(function: Function) -> bool {
    match function.measure() {
        Some(facts) => facts.kind == MeasureKind::Similarity,
        None => function == Function::CosineSimilarity,
    }
}

/// Whether values are whole numbers: edits, places, common elements, and days or differences where the bound is one.
fn is_count(function: Option<Function>, threshold: Num) -> bool {
    let is_whole = matches!(threshold.canonical(), Num::Int(_));
    match function {
        Some(of) if of.measure().is_some_and(|facts| facts.kind.is_whole()) => true,
        Some(Function::DateDiffDays | Function::Abs) => is_whole,
        _ => false,
    }
}

/// What is measured: the text without the comparison and the number.
fn measured_text(text: &str) -> String {
    let is_number = |text: &str| text.trim().parse::<f64>().is_ok();
    for sign in [">=", "<=", ">", "<"] {
        if let Some((measure, number)) = text.rsplit_once(sign)
            && is_number(number)
        {
            return measure.trim().to_owned();
        }
        if let Some((number, measure)) = text.split_once(sign)
            && is_number(number)
        {
            return measure.trim().to_owned();
        }
    }
    text.to_owned()
}

impl ReportThreshold {
    /// How far a value is from the threshold, relative to the room there is: 0 at the threshold, 1 where no value could be
    /// better, and negative where the threshold is missed. Nothing where there is no room at all.
    pub(super) fn slack(&self, measured: f64) -> Option<f64> {
        let beyond = match self.direction {
            ThresholdDirection::AtLeast => measured - self.value,
            ThresholdDirection::AtMost => self.value - measured,
        };
        let room = match self.direction {
            // Similarities end at 1, and measures that are no similarities have no end.
            ThresholdDirection::AtLeast if self.is_share() => 1.0 - self.value,
            ThresholdDirection::AtLeast => self.value.abs().max(1.0),
            ThresholdDirection::AtMost => self.value.abs(),
        };
        let room = if room > 0.0 {
            room
        } else if beyond < 0.0 {
            1.0
        } else {
            return None;
        };
        Some((beyond / room).min(1.0)).filter(|slack| slack.is_finite())
    }

    fn is_share(&self) -> bool {
        !self.whole && (0.0..=1.0).contains(&self.value)
    }

    /// The bins that values beyond the threshold are counted in: ascending ends, the first and last ones included.
    pub(super) fn ends(&self, values: &[f64]) -> Vec<f64> {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if !least.is_finite() || !most.is_finite() {
            return Vec::new();
        }
        let (mut from, mut to) = match self.direction {
            ThresholdDirection::AtLeast => (self.value.min(least), most),
            ThresholdDirection::AtMost => (least, self.value.max(most)),
        };
        if self.whole {
            (from, to) = (from.floor(), to.floor() + 1.0);
            let step = ((to - from) / MOST_BINS).ceil().max(1.0);
            let bins = ((to - from) / step).ceil() as usize;
            return (0..=bins).map(|at| from + at as f64 * step).collect();
        }
        if self.is_share() && self.direction == ThresholdDirection::AtLeast {
            to = to.max(1.0);
        }
        if to <= from {
            to = from + 1.0;
        }
        equal_parts(from, to, MOST_BINS as usize)
    }
}

/// Bins of a threshold.
const MOST_BINS: f64 = 20.0;

/// The ends of equal parts of a range; the first and the last are those of the range, to the last bit.
pub fn equal_parts(from: f64, to: f64, parts: usize) -> Vec<f64> {
    let end = |at: usize| if at == parts { to } else { from + (to - from) * at as f64 / parts as f64 };
    (0..=parts).map(end).collect()
}

/// The bin that a value is in; the last one includes its end.
pub fn bin_of(ends: &[f64], value: f64) -> Option<usize> {
    let (first, last) = (ends.first()?, ends.last()?);
    if value < *first || value > *last {
        return None;
    }
    Some((ends.partition_point(|end| *end <= value)).clamp(1, ends.len() - 1) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(value: f64, direction: ThresholdDirection, whole: bool) -> ReportThreshold {
        ReportThreshold { measure: String::new(), value, direction, inclusive: true, whole, step: None }
    }

    #[test]
    fn slack_is_relative_to_the_room() {
        let similarity = at(0.8, ThresholdDirection::AtLeast, false);
        let rounded = |slack: Option<f64>| slack.map(|slack| (slack * 1000.0).round() / 1000.0);
        assert_eq!(
            [0.8, 0.9, 1.0, 0.75].map(|value| rounded(similarity.slack(value))),
            [Some(0.0), Some(0.5), Some(1.0), Some(-0.25)]
        );
        let edits = at(2.0, ThresholdDirection::AtMost, true);
        assert_eq!([2.0, 1.0, 0.0, 3.0].map(|value| edits.slack(value)), [Some(0.0), Some(0.5), Some(1.0), Some(-0.5)]);
        assert_eq!(at(0.0, ThresholdDirection::AtMost, true).slack(0.0), None);
        assert_eq!(at(0.0, ThresholdDirection::AtMost, true).slack(2.0), Some(-2.0));
    }

    #[test]
    fn bins_reach_from_the_threshold_to_the_best_value() {
        let similarity = at(0.8, ThresholdDirection::AtLeast, false);
        let ends = similarity.ends(&[0.85, 0.97]);
        assert_eq!((ends.len(), ends[0], ends[20]), (21, 0.8, 1.0));
        assert_eq!((bin_of(&ends, 0.8), bin_of(&ends, 1.0), bin_of(&ends, 0.79)), (Some(0), Some(19), None));
        let edits = at(2.0, ThresholdDirection::AtMost, true);
        assert_eq!(edits.ends(&[1.0, 0.0, 2.0]), [0.0, 1.0, 2.0, 3.0]);
        assert!(edits.ends(&[]).is_empty());
    }

    #[test]
    fn a_measure_is_named_without_its_threshold() {
        assert_eq!(measured_text("jaro_winkler(l.a, r.a) >= 0.9"), "jaro_winkler(l.a, r.a)");
        assert_eq!(measured_text("2 > levenshtein(l.a, r.a)"), "levenshtein(l.a, r.a)");
        assert_eq!(measured_text("neighbours(l.k, r.k, 3)"), "neighbours(l.k, r.k, 3)");
    }
}
