//! Strongly connected components: vertices that reach each other become one, which leaves a graph without cycles.

use std::ops::Range;

use rayon::prelude::*;

use super::adjacency::{Graph, joined};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::numbering::ByNumber;

/// Later than any vertex was met.
const NONE: u32 = u32::MAX;

/// With fewer edges than this, one thread makes those between components.
const FEW_EDGES: usize = 1 << 20;

/// Components whose edges a thread makes at a time.
const COMPONENTS_AT_A_TIME: u32 = 1 << 14;

/// Steps of the search between two checks whether the job goes on.
const STEPS_AT_A_TIME: u32 = 1 << 16;

/// A graph with each strongly connected component as one vertex.
///
/// Components are numbered in reverse topological order: an edge leads from a higher number to a lower one, so a
/// component reaches lower numbers only.
#[derive(Clone, Debug)]
pub struct Condensation {
    /// The component of each vertex.
    component: Vec<u32>,
    /// Where the vertices of each component begin in `members`, and the number of vertices.
    starts: Vec<u32>,
    /// The vertices of each component, ascending.
    members: Vec<u32>,
    /// Whether each component has a cycle: several vertices, or an edge from one to itself.
    is_cyclic: Vec<bool>,
    /// The edges between components.
    graph: Graph,
}

impl Condensation {
    /// Condenses a graph.
    pub fn new(graph: &Graph, cancel: Cancel<'_>) -> Result<Self> {
        let lists = SuccessorLists { offsets: graph.offsets(), targets: graph.targets() };
        let _held = cancel.hold(24 * lists.vertices() as usize);
        Ok(Self::with_components(lists, ComponentSearch::new(lists).run(cancel), cancel))
    }

    /// Condenses a graph given by where the successors of each vertex begin, and by these, in any order; they may repeat.
    ///
    /// Where all edges lead to later vertices, or all to earlier ones, as in files that have each edge of an undirected
    /// graph once, vertices keep their order and nothing is searched. Neighbours may then be far apart, which sweeps of
    /// the host pay for, and a device does not.
    pub fn of_lists(offsets: &[u32], targets: &[u32], cancel: Cancel<'_>) -> Result<Self> {
        let lists = SuccessorLists { offsets, targets };
        let _held = cancel.hold(24 * lists.vertices() as usize);
        let components = lists.one_way().unwrap_or_else(|| ComponentSearch::new(lists).run(cancel));
        Ok(Self::with_components(lists, components, cancel))
    }

    /// From the component of each vertex, and their number.
    fn with_components(
        lists: SuccessorLists<'_>,
        (component, components): (Vec<u32>, u32),
        cancel: Cancel<'_>,
    ) -> Self {
        let (starts, members) = members_of(&component, components);
        let _edges = cancel.hold(8 * lists.targets.len());
        let edges = BetweenComponents { lists, component: &component, starts: &starts, members: &members };
        let (graph, is_cyclic) = edges.all(components, cancel);
        Self { component, starts, members, is_cyclic, graph }
    }

    /// What edges in both directions are condensed to: connected components, by their number for each vertex. Every vertex
    /// has an edge, and so reaches itself by going there and back.
    pub fn of_connected(component: Vec<u32>, components: u32) -> Self {
        let (starts, members) = members_of(&component, components);
        let is_cyclic = vec![true; components as usize];
        Self { component, starts, members, is_cyclic, graph: Graph::without_edges(components) }
    }

    /// The number of vertices.
    pub fn vertices(&self) -> u32 {
        self.component.len() as u32
    }

    /// The number of components.
    pub fn components(&self) -> u32 {
        self.is_cyclic.len() as u32
    }

    /// The component of a vertex.
    #[inline]
    pub fn component(&self, vertex: u32) -> u32 {
        self.component[vertex as usize]
    }

    /// The component of each vertex.
    pub fn component_of_each(&self) -> &[u32] {
        &self.component
    }

    /// The vertices of a component, ascending.
    #[inline]
    pub fn members(&self, component: u32) -> &[u32] {
        &self.members[self.starts[component as usize] as usize..self.starts[component as usize + 1] as usize]
    }

    /// Where the vertices of each component begin in [`Self::members_of_all`], and their number.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// The vertices of all components.
    pub fn members_of_all(&self) -> &[u32] {
        &self.members
    }

    /// The number of vertices of a component.
    #[inline]
    pub fn size(&self, component: u32) -> u32 {
        self.starts[component as usize + 1] - self.starts[component as usize]
    }

    /// Whether a component has a cycle.
    #[inline]
    pub fn is_cyclic(&self, component: u32) -> bool {
        self.is_cyclic[component as usize]
    }

    /// Whether each component has a cycle.
    pub fn is_cyclic_of_each(&self) -> &[bool] {
        &self.is_cyclic
    }

    /// The edges between components, each once.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The number of edges on the longest path from each component.
    pub fn levels(&self) -> Vec<u32> {
        let mut levels: Vec<u32> = Vec::with_capacity(self.is_cyclic.len());
        for component in 0..self.components() {
            let below = self.graph.successors(component).iter().map(|to| levels[*to as usize] + 1);
            let level = below.max().unwrap_or(0);
            levels.push(level);
        }
        levels
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        4 * (self.component.len() + self.starts.len() + self.members.len()) + self.is_cyclic.len() + self.graph.bytes()
    }
}

/// Sorts vertices by component: the first place of each component, and the vertices.
fn members_of(component: &[u32], components: u32) -> (Vec<u32>, Vec<u32>) {
    let vertices = component.iter().zip(0..).map(|(component, vertex)| (*component as usize, vertex));
    ByNumber::new(vertices, components as usize).into_parts()
}

/// The successors of each vertex.
#[derive(Clone, Copy)]
struct SuccessorLists<'a> {
    offsets: &'a [u32],
    targets: &'a [u32],
}

impl SuccessorLists<'_> {
    fn vertices(&self) -> u32 {
        self.offsets.len().saturating_sub(1) as u32
    }

    #[inline]
    fn successors(&self, vertex: u32) -> &[u32] {
        &self.targets[self.offsets[vertex as usize] as usize..self.offsets[vertex as usize + 1] as usize]
    }

    /// Components that are one vertex each, where edges between different vertices all lead down or all lead up.
    fn one_way(&self) -> Option<(Vec<u32>, u32)> {
        let vertices = self.vertices();
        let all = |leads: fn(&u32, &u32) -> bool| {
            (0..vertices).all(|from| self.successors(from).iter().all(|to| leads(to, &from)))
        };
        if all(u32::le) {
            return Some(((0..vertices).collect(), vertices));
        }
        all(u32::ge).then(|| ((0..vertices).rev().collect(), vertices))
    }
}

/// What makes the edges between components.
struct BetweenComponents<'a> {
    lists: SuccessorLists<'a>,
    component: &'a [u32],
    starts: &'a [u32],
    members: &'a [u32],
}

/// The successors of some components: the number of each one's, all of them, and whether each has a cycle.
type ComponentRows = (Vec<u32>, Vec<u32>, Vec<bool>);

impl BetweenComponents<'_> {
    /// The edges between all components, and whether each has a cycle.
    fn all(&self, components: u32, cancel: Cancel<'_>) -> (Graph, Vec<bool>) {
        // Threads cost more than they save where there is little to do.
        let at_a_time = if self.lists.targets.len() < FEW_EDGES { components.max(1) } else { COMPONENTS_AT_A_TIME };
        let parts: Vec<Range<u32>> = (0..components)
            .step_by(at_a_time as usize)
            .map(|c| c..components.min(c.saturating_add(at_a_time)))
            .collect();
        let rows = |part: &Range<u32>| self.rows(part.clone(), cancel);
        let rows: Vec<ComponentRows> = match &parts[..] {
            [one] => vec![rows(one)],
            parts => parts.par_iter().map(rows).collect(),
        };
        let (mut lengths, mut targets, mut is_cyclic) = (Vec::new(), Vec::new(), Vec::new());
        for (its_lengths, its_targets, its_cyclic) in rows {
            lengths.push(its_lengths);
            targets.push(its_targets);
            is_cyclic.push(its_cyclic);
        }
        (Graph::from_rows(&lengths, targets), joined(is_cyclic))
    }

    /// The successors of some components, ascending and each once.
    fn rows(&self, components: Range<u32>, cancel: Cancel<'_>) -> ComponentRows {
        cancel.check();
        let (mut lengths, mut is_cyclic) = (Vec::with_capacity(components.len()), Vec::with_capacity(components.len()));
        let mut targets: Vec<u32> = Vec::new();
        for component in components {
            let members =
                &self.members[self.starts[component as usize] as usize..self.starts[component as usize + 1] as usize];
            let (begin, mut has_cycle) = (targets.len(), false);
            for to in members.iter().flat_map(|vertex| self.lists.successors(*vertex)) {
                let to = self.component[*to as usize];
                if to == component { has_cycle = true } else { targets.push(to) }
            }
            keep_each_once(&mut targets, begin);
            lengths.push((targets.len() - begin) as u32);
            is_cyclic.push(has_cycle);
        }
        (lengths, targets, is_cyclic)
    }
}

/// Sorts the values from `begin` on, and keeps each once.
fn keep_each_once(values: &mut Vec<u32>, begin: usize) {
    if values.len() - begin < 2 {
        return;
    }
    values[begin..].sort_unstable();
    let mut kept = begin + 1;
    for at in begin + 1..values.len() {
        if values[at] != values[kept - 1] {
            values[kept] = values[at];
            kept += 1;
        }
    }
    values.truncate(kept);
}

/// Tarjan's search in depth, with a stack of its own: a chain of a million vertices is no deeper than any other graph.
struct ComponentSearch<'a> {
    lists: SuccessorLists<'a>,
    /// When each vertex was met, from 1; 0: not yet; [`NONE`]: it has a component. One look at it for each edge.
    met: Vec<u32>,
    component: Vec<u32>,
    components: u32,
    /// Vertices without a component, as they were met.
    open: Vec<u32>,
    path: Vec<PathStep>,
}

/// A vertex on the path from the root of the search.
#[derive(Clone, Copy)]
struct PathStep {
    vertex: u32,
    /// The next of its edges.
    edge: u32,
    /// The earliest vertex that it is known to reach, by when that was met.
    earliest: u32,
}

impl<'a> ComponentSearch<'a> {
    fn new(lists: SuccessorLists<'a>) -> Self {
        let all = || vec![0; lists.vertices() as usize];
        Self { lists, met: all(), component: all(), components: 0, open: Vec::new(), path: Vec::new() }
    }

    /// The component of each vertex, and their number.
    fn run(mut self, cancel: Cancel<'_>) -> (Vec<u32>, u32) {
        let (mut time, mut steps) = (0, 0);
        for root in 0..self.lists.vertices() {
            if self.met[root as usize] == 0 {
                self.meet(root, &mut time);
            }
            while let Some(step) = self.path.pop() {
                steps += 1;
                if steps == STEPS_AT_A_TIME {
                    cancel.check();
                    steps = 0;
                }
                self.go_on(step, &mut time);
            }
        }
        (self.component, self.components)
    }

    fn meet(&mut self, vertex: u32, time: &mut u32) {
        *time += 1;
        self.met[vertex as usize] = *time;
        self.open.push(vertex);
        self.path.push(PathStep { vertex, edge: self.lists.offsets[vertex as usize], earliest: *time });
    }

    /// Looks at the edges of a vertex until one leads to a vertex that is new, or none is left.
    fn go_on(&mut self, PathStep { vertex, edge, mut earliest }: PathStep, time: &mut u32) {
        let end = self.lists.offsets[vertex as usize + 1];
        for (next, to) in (edge + 1..).zip(&self.lists.targets[edge as usize..end as usize]) {
            let met = self.met[*to as usize];
            if met == 0 {
                self.path.push(PathStep { vertex, edge: next, earliest });
                return self.meet(*to, time);
            }
            earliest = earliest.min(met);
        }
        self.leave(vertex, earliest);
    }

    /// All that a vertex reaches has been met: it closes a component, or belongs to that of an earlier one.
    fn leave(&mut self, vertex: u32, earliest: u32) {
        if earliest == self.met[vertex as usize] {
            while let Some(member) = self.open.pop() {
                self.component[member as usize] = self.components;
                self.met[member as usize] = NONE;
                if member == vertex {
                    break;
                }
            }
            self.components += 1;
        } else if let Some(before) = self.path.last_mut() {
            before.earliest = before.earliest.min(earliest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::testing::{naive_closure, random_graphs};

    #[test]
    fn components_reach_each_other_and_edges_lead_down() {
        for (name, vertices, pairs) in random_graphs(8) {
            let graph = Graph::from_pairs(vertices, &pairs, Cancel::NEVER).unwrap();
            let lists = Condensation::of_lists(graph.offsets(), graph.targets(), Cancel::NEVER).unwrap();
            for condensed in [Condensation::new(&graph, Cancel::NEVER).unwrap(), lists] {
                is_condensed(&name, (vertices, &pairs), &condensed);
            }
        }
    }

    #[test]
    fn edges_that_lead_one_way_keep_the_order() {
        let pairs = [[0, 2], [0, 1], [1, 1], [0, 2], [2, 3]];
        let (offsets, up) = ([0, 3, 4, 5, 5], [2, 1, 2, 1, 3]);
        let condensed = Condensation::of_lists(&offsets, &up, Cancel::NEVER).unwrap();
        assert_eq!(condensed.component_of_each(), [3, 2, 1, 0]);
        is_condensed("up", (4, &pairs), &condensed);
        let (offsets, down) = ([0, 0, 1, 2, 4], [0, 0, 1, 3]);
        let condensed = Condensation::of_lists(&offsets, &down, Cancel::NEVER).unwrap();
        assert_eq!(condensed.component_of_each(), [0, 1, 2, 3]);
        is_condensed("down", (4, &[[1, 0], [2, 0], [3, 1], [3, 3]]), &condensed);
        assert_eq!(Condensation::of_lists(&[0], &[], Cancel::NEVER).unwrap().components(), 0);
    }

    fn is_condensed(name: &str, (vertices, pairs): (u32, &[[u32; 2]]), condensed: &Condensation) {
        let closure = naive_closure(vertices, pairs, false);
        let reaches = |from: u32, to: u32| closure.binary_search(&[from, to]).is_ok();
        for a in 0..vertices {
            assert!(condensed.members(condensed.component(a)).contains(&a), "{name}");
            assert_eq!(condensed.is_cyclic(condensed.component(a)), reaches(a, a), "{name}");
            for b in 0..a {
                let together = condensed.component(a) == condensed.component(b);
                assert_eq!(together, reaches(a, b) && reaches(b, a), "{name}: {a} {b}");
            }
        }
        let levels = condensed.levels();
        assert!(condensed.graph().pairs().all(|[from, to]| from > to), "{name}");
        assert!(condensed.graph().pairs().all(|[from, to]| levels[from as usize] > levels[to as usize]), "{name}");
        assert_eq!((0..condensed.components()).map(|c| condensed.size(c)).sum::<u32>(), vertices);
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let pairs: Vec<[u32; 2]> = (1..300_000).map(|v| [v - 1, v]).collect();
        let graph = Graph::from_pairs(300_000, &pairs, Cancel::NEVER).unwrap();
        let condensed = Condensation::new(&graph, Cancel::NEVER).unwrap();
        assert_eq!((condensed.components(), condensed.levels()[condensed.component(0) as usize]), (300_000, 299_999));
    }
}
