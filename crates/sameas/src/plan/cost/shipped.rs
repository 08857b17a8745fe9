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
    (CheckKind::Difference, [3.4, 0.0, 0.0], NONE),
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
/// take on an H200, in nanoseconds of the cores that it stands for: measured by `sameas-bench gpu-checks`. What many candidates
/// are tested for together (codes, signatures, summaries of sets) costs a quarter of what each is tested for alone.
const ON_GPU: [(CheckKind, [f64; 4]); 13] = [
    (CheckKind::Equal, [1.03, 0.0, 0.0, 0.0]),
    (CheckKind::OneSided, [4.11, 0.0, 0.0, 0.0]),
    (CheckKind::SameSource, [4.62, 0.0, 0.0, 0.0]),
    (CheckKind::Difference, [5.38, 0.0, 0.0, 0.0]),
    (CheckKind::Levenshtein, [1.42, 0.731, 0.0, 1.56]),
    (CheckKind::Osa, [1.62, 0.311, 0.0, 1.91]),
    (CheckKind::Damerau, [3.11, 2.47, 0.0, 7.47]),
    (CheckKind::Jaro, [1.07, 2.16, 0.0, 11.8]),
    (CheckKind::JaroWinkler, [1.08, 2.17, 0.0, 11.9]),
    (CheckKind::Hamming, [9.11, 0.0, 7.2, 0.0]),
    (CheckKind::Set, [1.05, 0.758, 1.09, 0.712]),
    (CheckKind::ListHasAny, [1.03, 0.622, 21.4, 1.11]),
    (CheckKind::Residual, [5.17, 0.0, 0.0, 1.25]),
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
                CheckKind::Difference,
                CheckKind::Levenshtein,
                CheckKind::Set,
                CheckKind::Residual,
            ];
            assert!(order.is_sorted_by(|a, b| usual(*a) < usual(*b)), "{:?}", order.map(usual));
        }
    }
}
