//! The coefficients that come with the program.
//!
//! Measured by `sameas calibrate` on one core of an Intel Xeon (family 6, model 207), with each instruction set in
//! turn. Only the filter of signatures is compiled for several; the rest is the same for all classes, from the quietest
//! run.

use super::kind::CheckKind;
use super::model::{Coefficients, Costs};

/// A kind of check with what a pair, a pair that comes to the measure and a step of the measure take, and what a pair
/// that comes to the filter takes with AVX-512, with AVX2 and without either.
type ShippedRow = (CheckKind, [f64; 3], [f64; 3]);

/// Costs of what is not filtered.
const NONE: [f64; 3] = [0.0; 3];

const ROWS: [ShippedRow; 13] = [
    (CheckKind::Equal, [2.3, 0.0, 0.0], NONE),
    (CheckKind::OneSided, [1.2, 0.0, 0.0], NONE),
    (CheckKind::SameSource, [1.2, 0.0, 0.0], NONE),
    (CheckKind::Difference, [16.0, 0.0, 0.0], NONE),
    (CheckKind::Levenshtein, [2.3, 43.0, 1.05], [5.2, 4.5, 6.6]),
    (CheckKind::Osa, [2.3, 37.0, 1.15], [5.7, 4.6, 6.6]),
    (CheckKind::Damerau, [2.3, 225.0, 0.44], [4.1, 4.1, 6.0]),
    (CheckKind::Jaro, [2.3, 72.0, 1.1], [5.7, 5.6, 7.8]),
    (CheckKind::JaroWinkler, [2.3, 77.0, 1.17], [5.8, 5.5, 8.5]),
    (CheckKind::Hamming, [2.3, 10.5, 0.55], NONE),
    (CheckKind::Set, [2.3, 21.0, 3.45], [6.0; 3]),
    (CheckKind::ListHasAny, [2.3, 1.0, 5.2], [3.0; 3]),
    (CheckKind::Residual, [13.0, 0.0, 4.1], NONE),
];

/// A kind of check with what a pair, a pair that comes to the filter, one that comes to the measure and a step of the measure
/// take on an H200, in nanoseconds of the cores that it stands for: measured by `sameas-bench gpu-checks`. Beside a comparison
/// of codes, Jaro costs six times and Damerau ten times what they do on a core, Levenshtein the same, a difference less.
const ON_GPU: [(CheckKind, [f64; 4]); 13] = [
    (CheckKind::Equal, [3.38, 0.0, 0.0, 0.0]),
    (CheckKind::OneSided, [3.82, 0.0, 0.0, 0.0]),
    (CheckKind::SameSource, [4.12, 0.0, 0.0, 0.0]),
    (CheckKind::Difference, [5.2, 0.0, 0.0, 0.0]),
    (CheckKind::Levenshtein, [4.39, 4.75, 0.0, 1.58]),
    (CheckKind::Osa, [5.03, 3.51, 0.0, 1.92]),
    (CheckKind::Damerau, [7.7, 9.84, 0.0, 7.51]),
    (CheckKind::Jaro, [3.68, 7.7, 0.0, 10.9]),
    (CheckKind::JaroWinkler, [3.72, 7.88, 0.0, 11.0]),
    (CheckKind::Hamming, [3.81, 0.0, 3.22, 0.0]),
    (CheckKind::Set, [4.2, 3.66, 0.0, 0.735]),
    (CheckKind::ListHasAny, [3.71, 3.47, 9.71, 1.3]),
    (CheckKind::Residual, [5.0, 0.0, 0.0, 1.13]),
];

impl Costs {
    /// The coefficients of a GPU.
    #[doc(hidden)]
    pub fn shipped_for_gpu() -> Self {
        let row = |(kind, [pair, filtered, measured, work]): (CheckKind, [f64; 4])| {
            (kind, Coefficients { pair, filtered, measured, work })
        };
        Self { format: Self::FORMAT, device: "cuda".to_owned(), kinds: ON_GPU.into_iter().map(row).collect() }
    }

    /// The coefficients that come with the program, for this machine's class of device.
    pub fn shipped() -> Self {
        Self::shipped_for(Self::device_class())
    }

    fn shipped_for(device: &str) -> Self {
        let class = match device {
            "cpu-avx512" => 0,
            "cpu-avx2" => 1,
            _ => 2,
        };
        let row = |(kind, [pair, measured, work], filtered): ShippedRow| {
            (kind, Coefficients { pair, filtered: filtered[class], measured, work })
        };
        Self { format: Self::FORMAT, device: device.to_owned(), kinds: ROWS.into_iter().map(row).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Features;
    use super::*;

    #[test]
    fn every_class_has_every_kind_and_cheap_checks_come_first() {
        let gpu = Costs::shipped_for_gpu();
        assert!(CheckKind::ALL.iter().all(|kind| gpu.kinds.contains_key(kind)));
        for device in ["cpu", "cpu-avx2", "cpu-avx512"] {
            let costs = Costs::shipped_for(device);
            assert!(CheckKind::ALL.iter().all(|kind| costs.kinds.contains_key(kind)), "{device}");
            let usual = |kind: CheckKind| costs.of(kind, &Features::usual(kind));
            let order = [
                CheckKind::OneSided,
                CheckKind::Equal,
                CheckKind::Levenshtein,
                CheckKind::Difference,
                CheckKind::Set,
                CheckKind::Residual,
            ];
            assert!(order.is_sorted_by(|a, b| usual(*a) < usual(*b)), "{:?}", order.map(usual));
        }
    }
}
