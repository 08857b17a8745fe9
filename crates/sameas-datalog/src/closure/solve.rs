//! Reads, condenses, chooses and counts.

use super::device::{ClosureDevice, device_counts};
use super::edges::{EdgeList, read};
use super::fixpoint::{self, ClosureRules};
use super::plan::{ClosureMethod, ClosurePlan, PlannedGraph, plan};
use super::{ClosureJob, ClosureReason};
use crate::cancel::Cancel;
use crate::device::Gpu;
use crate::error::Result;
use crate::graph::reach::{ReachCounts, count, count_parts};
use crate::graph::{Condensation, Graph, connected_components, number_components};
use crate::memory::{Held, MemoryBudget};
use crate::observer::{Progress, Stage};
use crate::settings::Settings;

/// A closure whose pairs are counted and can be written.
pub struct SolvedClosure {
    pub(super) edges: EdgeList,
    pub(super) condensed: Condensation,
    pub(super) plan: ClosurePlan,
    pub(super) counts: Option<ReachCounts>,
    pub(super) pairs: u64,
    pub(super) budget: MemoryBudget,
    pub(super) device: ClosureDevice,
    _held: Held,
}

impl SolvedClosure {
    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// What was known before they were counted, and how that was done.
    pub fn plan(&self) -> &ClosurePlan {
        &self.plan
    }
}

/// Reads the pairs of a job and counts those of its closure, on the threads of the current pool.
pub fn solve(job: &ClosureJob, settings: &Settings, progress: Progress<'_>) -> Result<SolvedClosure> {
    let mut solved = prepared(job, settings, progress)?;
    match solved.plan.method {
        ClosureMethod::Fixpoint => {
            let on_device = solved.device.tried(|gpu| solved.count_by_rules(Some(gpu), progress))?;
            solved.pairs = on_device.map_or_else(|| solved.count_by_rules(None, progress), Ok)?;
        }
        _ => {
            let counts = solved.reach(progress)?;
            solved.pairs = counts.total();
            solved.counts = Some(counts);
        }
    }
    Ok(solved)
}

/// Reads the pairs of a job and says how its closure would be found.
pub fn explain(job: &ClosureJob, settings: &Settings, progress: Progress<'_>) -> Result<ClosurePlan> {
    Ok(prepared(job, settings, progress)?.plan)
}

fn prepared(job: &ClosureJob, settings: &Settings, progress: Progress<'_>) -> Result<SolvedClosure> {
    let starting = settings.drivers.start(settings.device, &settings.device_options)?;
    let budget = MemoryBudget::new(settings.memory);
    let cancel = progress.cancel().within(&budget);
    let edges = read(job, &budget, progress)?;
    progress.memory_freed();
    let vertices = edges.ids.len() as u32;
    let (condensed, distinct) = if job.directed {
        let graph = Graph::from_pairs(vertices, &edges.pairs, cancel)?;
        let _graph = cancel.hold(graph.bytes());
        (Condensation::new(&graph, cancel)?, Some(graph.edges()))
    } else {
        let (component, components) = number_components(connected_components(vertices, &edges.pairs, cancel));
        (Condensation::of_connected(component, components), None)
    };
    let _held = budget.hold(condensed.bytes())?;
    let graph = PlannedGraph { condensed: &condensed, edges: distinct, rows: edges.pairs.len() as u64 };
    let mut plan = plan(&graph, job.method, job.directed, job.reflexive, cancel);
    debug_assert!(plan.reason == ClosureReason::Requested || job.method == ClosureMethod::Auto);
    let device = ClosureDevice::ready(starting, settings, &mut plan)?;
    Ok(SolvedClosure { edges, condensed, plan, counts: None, pairs: 0, budget, device, _held })
}

impl SolvedClosure {
    /// The number of targets of each vertex.
    pub(super) fn reach(&self, progress: Progress<'_>) -> Result<ReachCounts> {
        let (cancel, reflexive) = (progress.cancel().within(&self.budget), self.plan.reflexive);
        progress.begin(&Stage::Counting, Some(count_parts(&self.condensed)));
        let advance = |more| progress.advance(more);
        let counted = match self.plan.directed {
            true => self.device.tried(|gpu| device_counts(gpu, &self.condensed, reflexive, cancel, &advance))?,
            // Components suffice.
            false => None,
        };
        if let Some(counted) = counted {
            return Ok(counted);
        }
        progress.begin(&Stage::Counting, Some(count_parts(&self.condensed)));
        count(&self.condensed, reflexive, cancel, &advance)
    }

    /// The number of pairs that the fixpoint has, on the device or on the host.
    fn count_by_rules(&self, gpu: Option<&Gpu>, progress: Progress<'_>) -> Result<u64> {
        progress.begin(&Stage::Counting, Some(self.plan.vertices));
        let cancel = progress.cancel().within(&self.budget);
        let mut rules = self.rules(gpu, cancel)?;
        fixpoint::count(&mut rules.rows(cancel)?, cancel, &|more| progress.advance(more))
    }

    /// The closure as rules over relations, on the device or on the host.
    pub(super) fn rules(&self, gpu: Option<&Gpu>, cancel: Cancel<'_>) -> Result<ClosureRules> {
        let (vertices, pairs) = (self.condensed.vertices(), &self.edges.pairs[..]);
        let ClosurePlan { directed, reflexive, .. } = self.plan;
        ClosureRules::new(vertices, pairs, directed, reflexive, gpu, &self.budget, cancel)
    }
}
