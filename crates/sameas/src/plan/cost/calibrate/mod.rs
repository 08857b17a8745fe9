//! Calibration: times real checks over made-up records and fits the coefficients of the model to what was measured.
//!
//! `material` makes records and conditions, `clock` times a check over a batch of pairs, `fit` finds the coefficients.

mod clock;
mod fit;
mod material;

use std::collections::BTreeMap;

use super::features::Features;
use super::kind::Kind;
use super::model::{Coefficients, Costs};
use crate::error::Result;
use fit::fit;
use material::{Asked, Material};

pub use clock::nanoseconds;

/// How thoroughly to measure.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Records of each side.
    records: usize,
    /// Times that each check is timed.
    runs: usize,
    /// The seconds that one time should take at most.
    longest: f64,
}

impl Effort {
    /// Some seconds in all.
    pub const FULL: Self = Self { records: 8192, runs: 9, longest: 0.002 };
    /// A moment: enough to see it work, too little to trust.
    pub const QUICK: Self = Self { records: 512, runs: 1, longest: 0.000_2 };
}

/// A check that was timed.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// What it computes.
    pub kind: Kind,
    /// The condition.
    pub condition: String,
    /// The characters that its texts have, about; `None` where it compares no texts.
    pub length: Option<usize>,
    /// Whether half of the pairs are texts and their misspelt copies, or all pairs are strangers.
    pub near: bool,
    /// What the pairs brought.
    pub features: Features,
    /// What a pair took.
    pub nanoseconds: f64,
}

/// What a calibration found.
#[derive(Clone, Debug)]
pub struct Calibration {
    /// The coefficients for this machine.
    pub costs: Costs,
    /// What they were fitted to.
    pub measurements: Vec<Measurement>,
}

/// Measures this machine. `progress` hears how many checks are timed, and how many there are.
pub fn calibrate(effort: Effort, progress: &mut dyn FnMut(usize, usize)) -> Result<Calibration> {
    let material = Material::new(effort.records)?;
    let total = 2 * material.asked.len();
    let mut measurements = Vec::with_capacity(total);
    for near in [false, true] {
        for asked in &material.asked {
            measurements.push(measure(&material, asked, near, effort));
            progress(measurements.len(), total);
        }
    }
    Ok(Calibration { costs: fitted(&measurements), measurements })
}

fn measure(material: &Material, asked: &Asked, near: bool, effort: Effort) -> Measurement {
    let check = &material.checks[asked.check];
    let pairs = if near { &material.near } else { &material.far };
    let (taken, nanoseconds) = nanoseconds(check, &material.encoded, pairs, effort.runs, effort.longest);
    Measurement {
        kind: Kind::of(check),
        condition: asked.condition.clone(),
        length: asked.length,
        near,
        features: Features::of(check, &material.encoded, pairs, &taken),
        nanoseconds,
    }
}

/// The coefficients of every kind that was measured, rounded: what lies behind the third digit is noise.
fn fitted(measurements: &[Measurement]) -> Costs {
    let mut kinds = BTreeMap::new();
    let mut look_up = 0.0;
    for kind in Kind::ALL {
        let of_kind = measurements.iter().filter(|m| m.kind == kind);
        let rows: Vec<([f64; 4], f64)> = of_kind
            .map(|m| ([1.0, m.features.filtered, m.features.measured, m.features.work], m.nanoseconds))
            .collect();
        let [mut pair, filtered, mut measured, work] = fit(&rows);
        // Measures look their pair up and tell nulls as an equality does; what is measured only beside it cannot be told
        // from it well.
        match kind {
            Kind::Equal => look_up = pair,
            _ if is_measure(kind) && pair < look_up => {
                measured = (measured - (look_up - pair)).max(0.0);
                pair = look_up;
            }
            _ => {}
        }
        let [pair, filtered, measured, work] = [pair, filtered, measured, work].map(rounded);
        kinds.insert(kind, Coefficients { pair, filtered, measured, work });
    }
    Costs { format: Costs::FORMAT, device: Costs::device_class().to_owned(), kinds }
}

fn is_measure(kind: Kind) -> bool {
    kind.is_text() || matches!(kind, Kind::Set | Kind::ListHasAny)
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
    fn every_kind_is_measured_and_none_costs_less_than_nothing() {
        let mut last = (0, 0);
        let found = calibrate(Effort::QUICK, &mut |done, total| last = (done, total)).unwrap();
        assert_eq!(last, (found.measurements.len(), found.measurements.len()));
        for kind in Kind::ALL {
            assert!(found.measurements.iter().any(|m| m.kind == kind), "{kind:?}");
            let c = found.costs.kinds[&kind];
            assert!([c.pair, c.filtered, c.measured, c.work].iter().all(|v| v.is_finite() && *v >= 0.0), "{kind:?}");
            assert!(found.costs.of(kind, &Features::usual(kind)) > 0.0, "{kind:?}");
        }
        assert!(found.measurements.iter().all(|m| m.nanoseconds > 0.0));
    }

    #[test]
    fn what_comes_to_a_measure_and_its_length_make_a_check_dearer() {
        let (material, costs) = (Material::new(256).unwrap(), Costs::shipped());
        let cost = |condition: &str, near: bool| {
            let asked = material.asked.iter().find(|asked| asked.condition == condition).unwrap();
            let pairs = if near { &material.near } else { &material.far };
            let all: Vec<u32> = (0..pairs.l.len() as u32).collect();
            costs.predicate(&material.checks[asked.check], &material.encoded, pairs, &all)
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
