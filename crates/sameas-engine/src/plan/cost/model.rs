//! The model: nanoseconds as a sum over what was counted, one coefficient each.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::features::Features;
use super::kind::CheckKind;
use crate::measure::lanes::Isa;

/// The cores that an H200 stands for: the pairs it verifies and the signatures it compares, relative to one core.
pub const CORES: f64 = 300.0;

/// What the steps of a check take, in nanoseconds on one core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coefficients {
    /// A pair, whatever its values: looking them up, detecting null and equal ones.
    pub pair: f64,
    /// A pair that comes to the filter.
    pub filtered: f64,
    /// A pair that comes to the measure.
    pub measured: f64,
    /// A step of the measure.
    pub work: f64,
}

impl Coefficients {
    /// What a pair with these features takes.
    pub fn apply(&self, features: &Features) -> f64 {
        let Features { filtered, measured, work } = *features;
        self.pair + self.filtered * filtered + self.measured * measured + self.work * work
    }
}

/// What checking conditions costs on a class of device: the planner orders the checks of a pair by it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Costs {
    /// The version of what the coefficients mean.
    pub format: u32,
    /// The class of device they hold for: see [`device_class`](Self::device_class).
    pub device: String,
    /// The coefficients of each kind of check.
    #[doc(hidden)]
    pub kinds: BTreeMap<CheckKind, Coefficients>,
}

impl Costs {
    /// The version of the coefficients that this program understands.
    pub const FORMAT: u32 = 1;

    /// The class of this machine: its processor's widest instructions that sameas uses.
    pub fn device_class() -> &'static str {
        match Isa::detect().name() {
            "AVX-512" => "cpu-avx512",
            "AVX2" => "cpu-avx2",
            _ => "cpu",
        }
    }

    /// Nanoseconds that a check of a kind takes for a pair with these features.
    #[doc(hidden)]
    pub fn nanoseconds(&self, kind: CheckKind, features: &Features) -> f64 {
        let known = self.kinds.get(&kind).copied();
        // A file of an older version does not have what was added since.
        known.unwrap_or_else(|| Coefficients::shipped(kind, &self.device)).apply(features)
    }
}
