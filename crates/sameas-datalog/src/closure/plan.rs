//! Which way to the closure is taken, and why.

use serde::Serialize;

use crate::cancel::Cancel;
use crate::device::{DeviceKind, NoGpu};
use crate::graph::Condensation;
use crate::graph::reach::sample;

/// How a closure is found. The result is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClosureMethod {
    /// By whichever is expected to take fewer steps.
    #[default]
    Auto,
    /// By two rules over relations, applied until they add nothing: from each id along the pairs.
    Fixpoint,
    /// By bits over the condensed graph: ids on one cycle are one vertex, and many sources are followed together.
    BitRows,
}

/// Why a method was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClosureReason {
    /// The caller has asked for it.
    Requested,
    /// Pairs lead both ways: who is in one component is connected, and nothing has to be followed.
    ComponentsSuffice,
    /// It is expected to take fewer steps.
    FewerSteps,
}

/// What is known of a closure before it is found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ClosurePlan {
    /// Pairs that were read.
    pub rows: u64,
    /// Different ids.
    pub vertices: u64,
    /// Different pairs; none where pairs lead both ways, and only components matter.
    pub edges: Option<u64>,
    /// Groups of ids that are all connected with each other; an id alone is one, too.
    pub components: u64,
    /// The ids of the largest.
    pub largest_component: u64,
    /// Components with a cycle.
    pub cyclic_components: u64,
    /// Different edges between components.
    pub component_edges: u64,
    /// The edges of the longest path between components.
    pub longest_path: u64,
    /// Whether pairs lead one way only.
    pub directed: bool,
    /// Whether every id is connected with itself.
    pub reflexive: bool,
    /// The method that is taken.
    pub method: ClosureMethod,
    /// Why.
    pub reason: ClosureReason,
    /// Pairs of the closure that are expected, from a sample.
    pub expected_pairs: u64,
    /// Edges that the fixpoint is expected to follow.
    pub fixpoint_steps: u64,
    /// Edges along which sweeps are expected to hand bits on.
    pub bit_row_steps: u64,
    /// Milliseconds that the CPU is expected to take until the pairs are counted.
    pub host_milliseconds: u64,
    /// Where the pairs are found.
    pub device: DeviceKind,
    /// Why that is not a GPU, where the choice was left to the library.
    pub no_gpu: Option<NoGpu>,
}

/// A graph as a plan sees it.
pub(super) struct PlannedGraph<'a> {
    pub condensed: &'a Condensation,
    /// Different pairs, where they matter.
    pub edges: Option<u64>,
    /// Pairs that were read.
    pub rows: u64,
}

/// Chooses the method of a closure.
pub(super) fn plan(
    graph: &PlannedGraph<'_>,
    asked: ClosureMethod,
    directed: bool,
    reflexive: bool,
    cancel: Cancel<'_>,
) -> ClosurePlan {
    let condensed = graph.condensed;
    let (components, sampled) = (condensed.components(), sample(condensed, cancel));
    let vertices = u64::from(condensed.vertices());
    // From each reached vertex all its edges are followed, both ways where they lead both ways.
    let edges = graph.edges.unwrap_or(2 * graph.rows);
    let steps = u128::from(sampled.pairs) * u128::from(edges) / u128::from(vertices.max(1));
    let fixpoint_steps = u64::try_from(steps).unwrap_or(u64::MAX);
    let (method, reason) = match asked {
        ClosureMethod::Auto if !directed => (ClosureMethod::BitRows, ClosureReason::ComponentsSuffice),
        ClosureMethod::Auto if fixpoint_steps < sampled.steps => (ClosureMethod::Fixpoint, ClosureReason::FewerSteps),
        ClosureMethod::Auto => (ClosureMethod::BitRows, ClosureReason::FewerSteps),
        asked => (asked, ClosureReason::Requested),
    };
    let cyclic = (0..components).filter(|component| condensed.is_cyclic(*component)).count() as u64;
    // A sample has every vertex with itself.
    let alone = if reflexive { 0 } else { u64::from(components) - cyclic };
    ClosurePlan {
        rows: graph.rows,
        vertices,
        edges: graph.edges,
        components: u64::from(components),
        largest_component: (0..components).map(|component| u64::from(condensed.size(component))).max().unwrap_or(0),
        cyclic_components: cyclic,
        component_edges: condensed.graph().edges(),
        longest_path: condensed.levels().into_iter().max().map_or(0, u64::from),
        directed,
        reflexive,
        method,
        reason,
        expected_pairs: sampled.pairs.saturating_sub(alone),
        fixpoint_steps,
        bit_row_steps: sampled.steps,
        host_milliseconds: 0,
        device: DeviceKind::Cpu,
        no_gpu: None,
    }
}
