//! The coefficients that come with the program. Those of measures stand beside them; [`CheckCost`] says how they were
//! measured.

#![deny(clippy::wildcard_enum_match_arm)]

use super::kind::CheckKind;
use super::model::{Coefficients, Costs};
use crate::measure::cost::{CheckCost, NOT_FILTERED};
use crate::measure::set::{SHARED_COST, best_matches};

/// What a check of a kind takes.
pub(super) const fn cost_of(kind: CheckKind) -> CheckCost {
    match kind {
        CheckKind::Equal => simple([2.3, 0.0, 0.0], [1.03, 0.0, 0.0, 0.0], 0.0),
        CheckKind::OneSided => simple([1.2, 0.0, 0.0], [4.11, 0.0, 0.0, 0.0], 0.0),
        CheckKind::SameSource => simple([1.2, 0.0, 0.0], [4.62, 0.0, 0.0, 0.0], 0.0),
        CheckKind::Difference => simple([3.4, 0.0, 0.0], [5.38, 0.0, 0.0, 0.0], 0.0),
        CheckKind::Text(count) => count.facts().cost,
        CheckKind::Set => SHARED_COST,
        CheckKind::ListHasAny => CheckCost {
            core: [2.3, 1.0, 5.2],
            filter: [3.0; 3],
            gpu: [1.03, 0.622, 21.4, 1.11],
            usual: SHARED_COST.usual,
        },
        CheckKind::Elements => best_matches::COST,
        CheckKind::Residual => simple([13.0, 0.0, 4.1], [5.17, 0.0, 0.0, 1.25], 30.0),
    }
}

/// The cost of a check without a filter, and the steps that it usually takes.
const fn simple(core: [f64; 3], gpu: [f64; 4], steps: f64) -> CheckCost {
    CheckCost { core, filter: NOT_FILTERED, gpu, usual: [0.0, 0.0, steps] }
}

impl Costs {
    /// The coefficients of a GPU.
    #[doc(hidden)]
    pub fn shipped_for_gpu() -> Self {
        Self::shipped_for("cuda")
    }

    /// The coefficients that come with the program, for this machine's class of device.
    pub fn shipped() -> Self {
        Self::shipped_for(Self::device_class())
    }

    /// The coefficients of one class of device, whatever this machine is: for what must be the same on every machine.
    #[doc(hidden)]
    pub fn shipped_for_all_machines() -> Self {
        Self::shipped_for("cpu-avx2")
    }

    fn shipped_for(device: &str) -> Self {
        let kinds = CheckKind::ALL.into_iter().map(|kind| (kind, Coefficients::shipped(kind, device))).collect();
        Self { format: Self::FORMAT, device: device.to_owned(), kinds }
    }
}

impl Coefficients {
    /// Those of a kind that come with the program, for a class of device.
    pub(super) fn shipped(kind: CheckKind, device: &str) -> Self {
        let CheckCost { core: [pair, measured, work], filter, gpu, .. } = cost_of(kind);
        let filtered = match device {
            "cuda" => {
                let [pair, filtered, measured, work] = gpu;
                return Self { pair, filtered, measured, work };
            }
            "cpu-avx512" => filter[0],
            "cpu-avx2" => filter[1],
            _ => filter[2],
        };
        Self { pair, filtered, measured, work }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Features;
    use super::*;
    use crate::measure::TextCount;

    #[test]
    fn every_class_has_every_kind_and_cheap_checks_come_first() {
        let gpu = Costs::shipped_for_gpu();
        assert!(CheckKind::ALL.iter().all(|kind| gpu.kinds.contains_key(kind)));
        for device in ["cpu", "cpu-avx2", "cpu-avx512"] {
            let costs = Costs::shipped_for(device);
            assert!(CheckKind::ALL.iter().all(|kind| costs.kinds.contains_key(kind)), "{device}");
            let usual = |kind: CheckKind| costs.nanoseconds(kind, &Features::usual(kind));
            let order = [
                CheckKind::OneSided,
                CheckKind::Equal,
                CheckKind::Difference,
                CheckKind::Text(TextCount::Levenshtein),
                CheckKind::Set,
                CheckKind::Residual,
            ];
            assert!(order.is_sorted_by(|a, b| usual(*a) < usual(*b)), "{:?}", order.map(usual));
        }
    }
}
