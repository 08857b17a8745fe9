//! Where a branch runs: on the cores or on a device, whichever is expected to end sooner.
//!
//! Costs stay nanoseconds of one core, of which the job has several: what a device does in a moment counts as what all
//! cores do in it.

use serde::{Deserialize, Serialize};

use super::Estimator;
use super::effort::HANDED_ON;
use crate::candidates::{Access, Condition, JoinFacts};
use crate::device_values::arithmetic::postfix;
use crate::plan::cost::CORES;
use crate::threshold::Check;

/// Where a branch runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// On the cores.
    #[default]
    Cpu,
    /// On the job's device.
    Device,
}

/// What work on a device costs, as a share of what it costs on a core.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativeCost(f64);

impl RelativeCost {
    /// The relative cost of a GPU that is as many times as fast as an H200, where the cores run `threads` threads.
    pub fn of_gpu(threads: usize, pace: f64) -> Self {
        Self(threads as f64 / (CORES * pace))
    }

    /// The relative cost of an emulated device: it is there to be used, however slow it is.
    pub fn of_emulated() -> Self {
        Self(1e-3)
    }
}

impl Estimator<'_> {
    /// What it takes to find the candidates of a condition and to check them, and where it takes that. Each check comes
    /// with what all of its evaluations take on a core.
    pub fn branch_cost(&self, condition: &Condition, candidates: f64, checks: &[(usize, f64)]) -> (f64, Place) {
        let on_cores = self.join_cost(condition, candidates) + checks.iter().map(|(_, cost)| cost).sum::<f64>();
        let on_device = self.relative_cost_of(&condition.access).map(|RelativeCost(share)| {
            let check =
                |(predicate, cost): &(usize, f64)| if self.is_for_devices(*predicate) { cost * share } else { *cost };
            let join = condition.access.path.declaration().device_cost(&condition.access.on, self);
            join.host + (join.device + candidates * HANDED_ON) * share + checks.iter().map(check).sum::<f64>()
        });
        match on_device {
            Some(cost) if cost < on_cores => (cost, Place::Device),
            _ => (on_cores, Place::Cpu),
        }
    }

    /// What a nanosecond of a core counts for at a place.
    pub fn relative_cost_at(&self, place: Place) -> f64 {
        match (place, self.device) {
            (Place::Device, Some(RelativeCost(share))) => share,
            _ => 1.0,
        }
    }

    /// The least that a join on a predicate can take on a core, known from pairs of any kind: the same whatever the job runs on.
    pub fn least_cost_on_cores(&self, predicate: usize) -> f64 {
        self.values_cost(predicate) + self.least_candidates_cost(predicate)
    }

    /// The least that it can take where the job runs, on cores or a device.
    pub fn least_cost(&self, predicate: usize) -> f64 {
        let check = &self.program.checks[predicate];
        let candidates = self.least_candidates_cost(predicate);
        let access = Access::on_predicate(predicate, check);
        let on_device = access.as_ref().and_then(|access| {
            let RelativeCost(share) = self.relative_cost_of(access)?;
            let join = access.path.declaration().device_cost(&access.on, self);
            Some(join.host + (join.device + candidates) * share)
        });
        on_device.unwrap_or(f64::INFINITY).min(self.least_cost_on_cores(predicate))
    }

    /// The relative cost of a device on a path, where there is a device and it has the path.
    fn relative_cost_of(&self, access: &Access) -> Option<RelativeCost> {
        self.device.filter(|_| access.no_device_path(&self.program.checks).is_none())
    }

    /// Whether a device decides a predicate itself.
    #[deny(clippy::wildcard_enum_match_arm)]
    pub(super) fn is_for_devices(&self, predicate: usize) -> bool {
        match &self.program.checks[predicate] {
            Check::Text { test, .. } => test.is_for_devices(),
            Check::Elements { test, .. } => test.is_for_devices(),
            Check::Residual { expr } => postfix(expr, &self.program.encoded).is_some(),
            Check::Equal { .. } | Check::OneSided { .. } | Check::Set { .. } => true,
            Check::ListHasAny { .. } | Check::Difference { .. } | Check::SameSource { .. } => true,
        }
    }
}
