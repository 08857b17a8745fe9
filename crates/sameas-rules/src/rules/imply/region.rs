//! The values of a measure that satisfy a literal, as an interval.

use std::cmp::Ordering;

use crate::expr::{Decimal, Function, Num};
use crate::measure::facts::Highest;
use crate::rules::Comparison;

/// The end of an interval, and whether it belongs to it.
#[derive(Clone, Copy, Debug)]
struct End {
    at: Num,
    /// The float nearest to it. Rounding keeps the order, so where two of these differ they decide, and quickly.
    near: f64,
    closed: bool,
}

impl End {
    fn new(at: Num, closed: bool) -> Self {
        Self { at, near: at.to_f64(), closed }
    }

    fn order(self, other: Self) -> Ordering {
        match self.near.partial_cmp(&other.near) {
            Some(order @ (Ordering::Less | Ordering::Greater)) => order,
            _ => self.at.cmp(&other.at),
        }
    }
}

/// An interval of the values that a measure can have, perhaps without one point of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    low: End,
    high: Option<End>,
    hole: Option<Num>,
}

const ZERO: End = End { at: Num::Int(0), near: 0.0, closed: true };
const ONE: End = End { at: Num::Int(1), near: 1.0, closed: true };

impl Region {
    /// All values a measure can have.
    ///
    /// 1. A number of edits, of common elements, or an absolute difference is at least 0.
    /// 2. A similarity is at least 0, and at most 1 to the last bit where its facts say so. No upper end is claimed for one
    ///    that may exceed 1 by rounding.
    pub(super) fn of_all(measure: Function) -> Self {
        let is_to_one = measure.measure().is_some_and(|facts| facts.high == Highest::One);
        Self { low: ZERO, high: is_to_one.then_some(ONE), hole: None }
    }

    /// The values above 0.
    pub(super) fn above_zero(measure: Function) -> Self {
        Self::of_comparison(measure, Comparison::Greater, Num::Int(0), true)
    }

    /// The values for which `measure comparison threshold` is `want`. A comparison that is false has a value, too.
    pub(super) fn of_comparison(measure: Function, comparison: Comparison, threshold: Num, want: bool) -> Self {
        let (open, closed) = (End::new(threshold, false), End::new(threshold, true));
        let mut region = Self::of_all(measure);
        match (comparison, want) {
            (Comparison::Equal, true) => region.cut(Some(closed), Some(closed)),
            (Comparison::Equal, false) => region.hole = Some(threshold),
            (Comparison::Less, true) | (Comparison::GreaterEqual, false) => region.cut(None, Some(open)),
            (Comparison::LessEqual, true) | (Comparison::Greater, false) => region.cut(None, Some(closed)),
            (Comparison::Greater, true) | (Comparison::LessEqual, false) => region.cut(Some(open), None),
            (Comparison::GreaterEqual, true) | (Comparison::Less, false) => region.cut(Some(closed), None),
        }
        region.open_at_hole();
        if is_whole(measure) {
            region.round_ends();
        }
        region
    }

    fn cut(&mut self, low: Option<End>, high: Option<End>) {
        if let Some(low) = low.filter(|low| !no_tighter_low(*low, self.low)) {
            self.low = low;
        }
        if let Some(high) = high.filter(|high| self.high.is_none_or(|own| !no_tighter_high(*high, own))) {
            self.high = Some(high);
        }
    }

    /// A hole at an end makes the interval open there.
    fn open_at_hole(&mut self) {
        let Some(hole) = self.hole else { return };
        if self.low.at == hole {
            self.low.closed = false;
        }
        if let Some(high) = self.high.as_mut().filter(|high| high.at == hole) {
            high.closed = false;
        }
    }

    /// For a measure that returns integers, `< 3` is `<= 2`, and so is `<= 2.5`.
    fn round_ends(&mut self) {
        self.low = match self.low.at.canonical() {
            Num::Int(at) if !self.low.closed => at.checked_add(1).map_or(self.low, whole),
            Num::Int(at) => whole(at),
            Num::Float(at) => rounded(self.low, at.ceil()),
            Num::Wide(at) => rounded_decimal(self.low, at.ceil()),
        };
        self.high = self.high.map(|high| match high.at.canonical() {
            Num::Int(at) if !high.closed => at.checked_sub(1).map_or(high, whole),
            Num::Int(at) => whole(at),
            Num::Float(at) => rounded(high, at.floor()),
            Num::Wide(at) => rounded_decimal(high, at.floor()),
        });
    }

    /// No value at all.
    pub(super) fn is_empty(&self) -> bool {
        self.high.is_some_and(|high| match self.low.order(high) {
            Ordering::Less => false,
            Ordering::Equal => !(self.low.closed && high.closed),
            Ordering::Greater => true,
        })
    }

    /// Whether `value` is one of them.
    pub(super) fn contains(&self, value: Num) -> bool {
        let point = End::new(value, true);
        no_tighter_low(self.low, point)
            && self.high.is_none_or(|high| no_tighter_high(high, point))
            && self.hole != Some(value)
    }

    /// Whether `value` is the only one, if there is any.
    pub(super) fn is_only(&self, value: Num) -> bool {
        let point = End::new(value, true);
        no_tighter_low(point, self.low) && self.high.is_some_and(|high| no_tighter_high(point, high))
    }

    /// Whether every value is one of `other`, too.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        let high_is_within = match (self.high, other.high) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(mine), Some(theirs)) => no_tighter_high(theirs, mine),
        };
        let misses_hole = other.hole.is_none_or(|hole| !self.contains(hole));
        self.is_empty() || (no_tighter_low(other.low, self.low) && high_is_within && misses_hole)
    }

    /// What another measure can be that is never above this one.
    pub(super) fn and_below(&self, measure: Function) -> Self {
        let mut region = Self::of_all(measure);
        region.cut(None, self.high);
        region
    }

    /// What another measure can be that is never below this one.
    pub(super) fn and_above(&self, measure: Function) -> Self {
        let mut region = Self::of_all(measure);
        region.cut(Some(self.low), None);
        region
    }
}

/// Measures that return integers only. A difference may be an integer or a float.
fn is_whole(measure: Function) -> bool {
    measure.measure().is_some_and(|facts| facts.kind.is_whole())
}

fn whole(at: i64) -> End {
    End::new(Num::Int(at), true)
}

/// The end moved to an integer; floats beyond the integers are whole already and stay as they are.
fn rounded(end: End, at: f64) -> End {
    match Num::Float(at).canonical() {
        Num::Int(at) => whole(at),
        Num::Float(_) | Num::Wide(_) => end,
    }
}

fn rounded_decimal(end: End, at: Decimal) -> End {
    match Num::Wide(at).canonical() {
        Num::Int(at) => whole(at),
        Num::Float(_) | Num::Wide(_) => end,
    }
}

/// Whether everything from `other` on lies from `low` on.
fn no_tighter_low(low: End, other: End) -> bool {
    match low.order(other) {
        Ordering::Less => true,
        Ordering::Equal => low.closed || !other.closed,
        Ordering::Greater => false,
    }
}

/// Whether everything up to `other` lies up to `high`.
fn no_tighter_high(high: End, other: End) -> bool {
    match high.order(other) {
        Ordering::Greater => true,
        Ordering::Equal => high.closed || !other.closed,
        Ordering::Less => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::TextMeasure;
    use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual};

    const OSA: Function = Function::Text(TextMeasure::Osa);
    const JARO: Function = Function::Text(TextMeasure::Jaro);

    const COMPARISONS: [Comparison; 5] = [Equal, Less, LessEqual, Greater, GreaterEqual];

    #[test]
    fn a_region_holds_what_the_comparison_says() {
        let thresholds = [-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 1e300].map(Num::Float);
        let cases = [(OSA, &[0.0, 1.0, 2.0, 3.0][..]), (JARO, &[0.0, 0.25, 0.5, 1.0])];
        for ((measure, values), comparison, want) in each(cases) {
            for threshold in thresholds {
                let region = Region::of_comparison(measure, comparison, threshold, want);
                let holding = values.iter().filter(|v| comparison.holds(Num::Float(**v), threshold) == want);
                assert!(holding.clone().all(|v| region.contains(Num::Float(*v))), "{region:?}");
                assert_eq!(holding.count(), values.iter().filter(|v| region.contains(Num::Float(**v))).count());
                assert!(!region.is_empty() || values.iter().all(|v| !region.contains(Num::Float(*v))));
            }
        }
    }

    fn each<T: Copy>(cases: impl IntoIterator<Item = T>) -> impl Iterator<Item = (T, Comparison, bool)> {
        let signs = || COMPARISONS.into_iter().flat_map(|c| [(c, true), (c, false)]);
        cases.into_iter().flat_map(move |case| signs().map(move |(c, want)| (case, c, want)))
    }

    #[test]
    fn ends_of_whole_numbers_meet() {
        let osa = |c, t: f64, want| Region::of_comparison(OSA, c, Num::Float(t), want);
        for (a, b) in [
            (osa(Less, 3.0, true), osa(LessEqual, 2.0, true)),
            (osa(LessEqual, 2.9, true), osa(Less, 3.0, true)),
            (osa(Equal, 0.0, true), osa(Greater, 0.5, false)),
            (osa(Equal, 0.0, false), osa(GreaterEqual, 1.0, true)),
            (osa(GreaterEqual, -3.0, true), osa(Less, 0.0, false)),
        ] {
            assert!(a.is_within(&b) && b.is_within(&a), "{a:?} {b:?}");
        }
        assert!(osa(Less, 0.0, true).is_empty() && osa(Equal, 1.5, true).is_empty());
        assert!(Region::of_comparison(JARO, GreaterEqual, Num::Int(90), true).is_empty());
        assert!(!Region::of_comparison(Function::Abs, Greater, Num::Float(1e300), true).is_empty());
        assert!(osa(LessEqual, 0.0, true).is_only(Num::Int(0)) && !osa(LessEqual, 1.0, true).is_only(Num::Int(0)));
    }

    #[test]
    fn a_hole_counts_on_both_sides() {
        let abs = |c, t: f64, want| Region::of_comparison(Function::Abs, c, Num::Float(t), want);
        let hole = abs(Equal, 2.0, false);
        assert!(abs(Less, 2.0, true).is_within(&hole) && !abs(LessEqual, 2.0, true).is_within(&hole));
        assert!(hole.is_within(&hole) && !hole.is_within(&abs(Less, 9.0, true)));
        assert!(hole.is_within(&abs(GreaterEqual, 0.0, true)));
        assert!(abs(Less, 3.0, true).and_below(OSA).is_within(&abs(Less, 3.0, true)));
    }
}
