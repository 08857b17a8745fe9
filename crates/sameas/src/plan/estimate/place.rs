//! Where a branch runs: on the cores or on a device, whichever is expected to end sooner.
//!
//! Costs stay nanoseconds of one core, of which the job has several: what a device does in a moment counts as what all
//! cores do in it.

use super::super::condition::{Access, Condition};
use super::Estimator;
use super::effort::{GROUPED_ROW, HANDED_ON, SIGNATURE, VALUE};
use crate::verify::Check;

/// The cores that a device stands for: what an H200 does in pairs verified and signatures compared, beside one core.
const CORES: f64 = 300.0;

/// Where a branch runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// On the cores.
    #[default]
    Cpu,
    /// On the job's device.
    Device,
}

/// What work on a device costs, as a share of what it costs on a core.
#[derive(Clone, Copy, Debug)]
pub struct Pace(f64);

impl Pace {
    /// The pace of a GPU beside so many threads.
    pub fn of_gpu(threads: usize) -> Self {
        Self(threads as f64 / CORES)
    }

    /// The pace of an emulated device: it is there to be used, however slow it is.
    pub fn of_emulated() -> Self {
        Self(1e-3)
    }
}

impl Estimator<'_> {
    /// What it takes to find the candidates of a condition and to check them, and where it takes that. Each check comes
    /// with what all of its evaluations take on a core.
    pub fn branch_cost(&self, condition: &Condition, candidates: f64, checks: &[(usize, f64)]) -> (f64, Place) {
        let on_cores = self.join_cost(condition, candidates) + checks.iter().map(|(_, cost)| cost).sum::<f64>();
        let on_device = self.pace_of(&condition.access).map(|Pace(pace)| {
            let check =
                |(predicate, cost): &(usize, f64)| if self.is_for_devices(*predicate) { cost * pace } else { *cost };
            let joined = match &condition.access {
                Access::EditJoin(predicate) | Access::JaroJoin(predicate) => {
                    self.listed(*predicate) + (self.scanned(*predicate) + candidates * HANDED_ON) * pace
                }
                _ => self.join_cost(condition, candidates) * pace,
            };
            joined + checks.iter().map(check).sum::<f64>()
        });
        match on_device {
            Some(cost) if cost < on_cores => (cost, Place::Device),
            _ => (on_cores, Place::Cpu),
        }
    }

    /// What a nanosecond of a core counts for at a place.
    pub fn pace_at(&self, place: Place) -> f64 {
        match (place, self.device) {
            (Place::Device, Some(Pace(pace))) => pace,
            _ => 1.0,
        }
    }

    /// The least that a join on a predicate can take, told from pairs of any kind.
    pub fn least_cost(&self, predicate: usize) -> f64 {
        let check = &self.program.checks[predicate];
        let candidates = self.least_candidates_cost(predicate);
        let values = if matches!(check, Check::Difference { .. }) { 0.0 } else { self.values_cost(predicate) };
        let access = Access::of(predicate, check);
        let on_device = access.as_ref().and_then(|access| {
            let Pace(pace) = self.pace_of(access)?;
            Some(self.listed(predicate) + (self.scanned(predicate) + candidates) * pace)
        });
        on_device.unwrap_or(f64::INFINITY).min(values + candidates)
    }

    /// What the host does for a join of texts on a device: rows are put to their values, and these are sorted.
    fn listed(&self, predicate: usize) -> f64 {
        self.joined_rows() * GROUPED_ROW + self.survey[predicate].distinct.iter().sum::<f64>() * VALUE
    }

    /// What a device does for it: there is no index, and the signatures of all values are compared.
    fn scanned(&self, predicate: usize) -> f64 {
        let cost = || SIGNATURE + self.measured_cost(&self.program.checks[predicate]);
        *self.scans[predicate].get_or_init(|| self.pairs_of_values(predicate).1 * cost())
    }

    /// The pace of a device on a path, where there is a device and it has the path.
    fn pace_of(&self, access: &Access) -> Option<Pace> {
        self.device.filter(|_| access.no_device_path(self.program).is_none())
    }

    /// Whether a device decides a predicate itself.
    fn is_for_devices(&self, predicate: usize) -> bool {
        match &self.program.checks[predicate] {
            Check::Text { test, .. } => test.is_for_devices(),
            Check::Residual { .. } => false,
            _ => true,
        }
    }
}
