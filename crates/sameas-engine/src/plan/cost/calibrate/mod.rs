//! Calibration: times real checks over made-up records and fits the coefficients of the model to what was measured.
//!
//! `data` makes records and conditions, `clock` times a check over a batch of pairs, `gpu` over all pairs of some records,
//! and `fit` finds the coefficients.

mod clock;
mod data;
mod fit;
mod gpu;

use std::collections::BTreeMap;

use super::features::Features;
use super::kind::CheckKind;
use super::model::{Coefficients, Costs};
use crate::error::Result;
use data::{CalibrationData, TimedCondition};
use fit::fit;

pub use clock::nanoseconds;

/// How thoroughly to measure.
#[derive(Clone, Copy, Debug)]
struct Effort {
    /// Records of each side.
    records: usize,
    /// The number of times that each check is timed.
    runs: usize,
    /// The most seconds that one run should take.
    longest: f64,
}

impl Effort {
    /// Some seconds in all.
    const FULL: Self = Self { records: 8192, runs: 9, longest: 0.002 };
    /// A moment: enough to see it work, too little to rely on.
    const QUICK: Self = Self { records: 512, runs: 1, longest: 0.000_2 };
}

/// A check that was timed.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// What it computes.
    pub kind: CheckKind,
    /// The condition.
    pub condition: String,
    /// The approximate length of its texts; `None` if it compares no texts.
    pub length: Option<usize>,
    /// Whether half of the pairs are texts and their misspelt copies, or all pairs are unrelated.
    pub near: bool,
    /// What was counted over the pairs.
    pub features: Features,
    /// The time per pair.
    pub nanoseconds: f64,
}

/// What [`Costs::calibrate`] found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Calibration {
    /// The costs of this machine, for `SessionBuilder::costs` or a file.
    pub costs: Costs,
    /// What they were fitted to.
    #[doc(hidden)]
    pub measurements: Vec<Measurement>,
}

impl Calibration {
    /// The lengths of the texts that checks were timed with, ascending and in characters.
    pub fn lengths(&self) -> Vec<usize> {
        let mut lengths: Vec<usize> = self.measurements.iter().filter_map(|m| m.length).collect();
        lengths.sort_unstable();
        lengths.dedup();
        lengths
    }

    /// For each kind of check its name and, for each of [`lengths`](Self::lengths), the nanoseconds per pair: the most
    /// that was measured, which is what the measure itself takes.
    pub fn nanoseconds(&self) -> Vec<(&'static str, Vec<f64>)> {
        let lengths = self.lengths();
        let most = |kind: CheckKind, length: usize| {
            let fitting = |m: &&Measurement| m.kind == kind && m.length.is_none_or(|own| own == length);
            self.measurements.iter().filter(fitting).map(|m| m.nanoseconds).fold(0.0, f64::max)
        };
        CheckKind::ALL.map(|kind| (kind.name(), lengths.iter().map(|length| most(kind, *length)).collect())).to_vec()
    }
}

impl Costs {
    /// Measures this machine, which takes some seconds. `quick` takes a moment: enough to see it work, too little to rely
    /// on. `progress` is called with the number of checks timed so far and of all checks.
    pub fn calibrate(quick: bool, progress: &mut dyn FnMut(usize, usize)) -> Result<Calibration> {
        let effort = if quick { Effort::QUICK } else { Effort::FULL };
        let data = CalibrationData::new(effort.records)?;
        let total = 2 * data.timed.len();
        let mut measurements = Vec::with_capacity(total);
        for near in [false, true] {
            for timed in &data.timed {
                measurements.push(measure(&data, timed, near, effort));
                progress(measurements.len(), total);
            }
        }
        Ok(Calibration { costs: fitted(&measurements, Costs::device_class()), measurements })
    }
}

fn measure(data: &CalibrationData, timed: &TimedCondition, near: bool, effort: Effort) -> Measurement {
    let check = &data.program.checks[timed.check];
    let pairs = if near { &data.near } else { &data.far };
    let (taken, nanoseconds) = nanoseconds(check, &data.program.encoded, pairs, effort.runs, effort.longest);
    Measurement {
        kind: CheckKind::from_check(check),
        condition: timed.condition.clone(),
        length: timed.length,
        near,
        features: Features::count(check, &data.program.encoded, pairs, &taken),
        nanoseconds,
    }
}

/// The coefficients of every kind that was measured, rounded: what comes after the third digit is noise.
fn fitted(measurements: &[Measurement], device: &str) -> Costs {
    let mut kinds = BTreeMap::new();
    let mut look_up = 0.0;
    for kind in CheckKind::ALL {
        let of_kind = measurements.iter().filter(|m| m.kind == kind);
        let rows: Vec<([f64; 4], f64)> = of_kind
            .map(|m| ([1.0, m.features.filtered, m.features.measured, m.features.work], m.nanoseconds))
            .collect();
        let [mut pair, filtered, mut measured, work] = fit(&rows);
        // Measures look their pair up and detect nulls as an equality does; costs that occur only together with this
        // cannot be separated from it well.
        match kind {
            CheckKind::Equal => look_up = pair,
            _ if kind.is_measure() && pair < look_up => {
                measured = (measured - (look_up - pair)).max(0.0);
                pair = look_up;
            }
            _ => {}
        }
        let [pair, filtered, measured, work] = [pair, filtered, measured, work].map(rounded);
        kinds.insert(kind, Coefficients { pair, filtered, measured, work });
    }
    Costs { format: Costs::FORMAT, device: device.to_owned(), kinds }
}

fn rounded(value: f64) -> f64 {
    if value <= 0.0 {
        return 0.0;
    }
    let scale = 10f64.powi(2 - value.log10().floor() as i32);
    (value * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_measured_and_none_has_a_negative_cost() {
        let mut last = (0, 0);
        let found = Costs::calibrate(true, &mut |done, total| last = (done, total)).unwrap();
        assert_eq!(last, (found.measurements.len(), found.measurements.len()));
        for kind in CheckKind::ALL {
            assert!(found.measurements.iter().any(|m| m.kind == kind), "{kind:?}");
            let c = found.costs.kinds[&kind];
            assert!([c.pair, c.filtered, c.measured, c.work].iter().all(|v| v.is_finite() && *v >= 0.0), "{kind:?}");
            assert!(found.costs.nanoseconds(kind, &Features::usual(kind)) > 0.0, "{kind:?}");
        }
        assert!(found.measurements.iter().all(|m| m.nanoseconds > 0.0));
        let (table, lengths) = (found.nanoseconds(), found.lengths());
        assert_eq!(table.len(), CheckKind::ALL.len());
        assert!(table.iter().all(|(_, row)| row.len() == lengths.len() && row.iter().all(|cell| *cell > 0.0)));
    }

    #[test]
    fn what_comes_to_a_measure_and_its_length_make_a_check_more_expensive() {
        let (data, costs) = (CalibrationData::new(256).unwrap(), Costs::shipped());
        let cost = |condition: &str, near: bool| {
            let timed = data.timed.iter().find(|timed| timed.condition == condition).unwrap();
            let pairs = if near { &data.near } else { &data.far };
            let all: Vec<u32> = (0..pairs.l.len() as u32).collect();
            costs.predicate(&data.program.checks[timed.check], &data.program.encoded, pairs, &all)
        };
        let loose = |length: usize| format!("levenshtein_similarity(l.t{length}, r.t{length}) >= 0.4");
        assert!(cost("l.t16 = r.t16", false) < cost(&loose(16), false));
        assert!(cost(&loose(16), false) < cost(&loose(128), false));
        let strict = "levenshtein_similarity(l.t16, r.t16) >= 0.8";
        assert!(cost(strict, false) < cost(&loose(16), false));
        assert!(cost(strict, false) < cost(strict, true));
        let sets = "jaccard(words(l.t32), words(r.t32)) >= 0.5";
        assert!(cost("jaccard(words(l.sparse_t32), words(r.sparse_t32)) >= 0.5", false) < cost(sets, false));
        assert_eq!(cost(sets, false), cost(sets, false));
    }

    #[test]
    fn three_digits_are_kept() {
        assert_eq!([0.0, 1234.5, 0.012_345, 1.0].map(rounded), [0.0, 1230.0, 0.0123, 1.0]);
    }
}
