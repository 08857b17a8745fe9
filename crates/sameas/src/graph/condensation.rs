//! Strongly connected components: vertices that reach each other become one, which leaves a graph without cycles.

use rayon::prelude::*;

use super::adjacency::Graph;
use crate::cancel::Cancel;
use crate::error::Result;

/// No component yet.
const NONE: u32 = u32::MAX;

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
    pub fn of(graph: &Graph, cancel: Cancel<'_>) -> Result<Self> {
        let _held = cancel.hold(24 * graph.vertices() as usize);
        let (component, components) = ComponentSearch::new(graph).run(cancel);
        let (starts, members) = members_of(&component, components);
        let is_cyclic = |component: usize| {
            let vertices = &members[starts[component] as usize..starts[component + 1] as usize];
            vertices.len() > 1 || graph.has_edge(vertices[0], vertices[0])
        };
        let is_cyclic = (0..components as usize).into_par_iter().map(is_cyclic).collect();
        let number = |vertex: u32| component[vertex as usize];
        let edges = graph.pairs().map(|[from, to]| [number(from), number(to)]).filter(|[from, to]| from != to);
        let edges: Vec<[u32; 2]> = edges.collect();
        let _edges = cancel.hold(8 * edges.len());
        let graph = Graph::from_pairs(components, &edges, cancel)?;
        Ok(Self { component, starts, members, is_cyclic, graph })
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
    let mut starts = vec![0_u32; components as usize + 1];
    component.iter().for_each(|component| starts[*component as usize + 1] += 1);
    (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
    let (mut next, mut members) = (starts.clone(), vec![0; component.len()]);
    for (vertex, component) in component.iter().enumerate() {
        let place = &mut next[*component as usize];
        members[*place as usize] = vertex as u32;
        *place += 1;
    }
    (starts, members)
}

/// Tarjan's search in depth, with a stack of its own: a chain of a million vertices is no deeper than any other graph.
struct ComponentSearch<'a> {
    graph: &'a Graph,
    /// When each vertex was met, from 1; 0: not yet.
    met: Vec<u32>,
    /// The earliest vertex that each is known to reach, by when it was met.
    earliest: Vec<u32>,
    component: Vec<u32>,
    components: u32,
    /// Vertices without a component, as they were met.
    open: Vec<u32>,
    /// The path from the root of the search, and the next edge of each vertex on it.
    path: Vec<(u32, u32)>,
}

impl<'a> ComponentSearch<'a> {
    fn new(graph: &'a Graph) -> Self {
        let all = |value: u32| vec![value; graph.vertices() as usize];
        let (open, path) = (Vec::new(), Vec::new());
        Self { graph, met: all(0), earliest: all(0), component: all(NONE), components: 0, open, path }
    }

    /// The component of each vertex, and their number.
    fn run(mut self, cancel: Cancel<'_>) -> (Vec<u32>, u32) {
        let (mut time, mut steps) = (0, 0);
        for root in 0..self.graph.vertices() {
            if self.met[root as usize] == 0 {
                self.meet(root, &mut time);
            }
            while let Some((vertex, edge)) = self.path.pop() {
                steps += 1;
                if steps == STEPS_AT_A_TIME {
                    cancel.check();
                    steps = 0;
                }
                self.go_on(vertex, edge, &mut time);
            }
        }
        (self.component, self.components)
    }

    fn meet(&mut self, vertex: u32, time: &mut u32) {
        *time += 1;
        self.met[vertex as usize] = *time;
        self.earliest[vertex as usize] = *time;
        self.open.push(vertex);
        self.path.push((vertex, self.graph.offsets()[vertex as usize]));
    }

    /// Looks at the edges of a vertex until one leads to a vertex that is new, or none is left.
    fn go_on(&mut self, vertex: u32, first: u32, time: &mut u32) {
        let end = self.graph.offsets()[vertex as usize + 1];
        let mut earliest = self.earliest[vertex as usize];
        for edge in first..end {
            let to = self.graph.targets()[edge as usize];
            if self.met[to as usize] == 0 {
                self.earliest[vertex as usize] = earliest;
                self.path.push((vertex, edge + 1));
                return self.meet(to, time);
            }
            if self.component[to as usize] == NONE {
                earliest = earliest.min(self.met[to as usize]);
            }
        }
        self.leave(vertex, earliest);
    }

    /// All that a vertex reaches has been met: it closes a component, or belongs to that of an earlier one.
    fn leave(&mut self, vertex: u32, earliest: u32) {
        if earliest == self.met[vertex as usize] {
            while let Some(member) = self.open.pop() {
                self.component[member as usize] = self.components;
                if member == vertex {
                    break;
                }
            }
            self.components += 1;
        } else if let Some((before, _)) = self.path.last() {
            let of_path = &mut self.earliest[*before as usize];
            *of_path = (*of_path).min(earliest);
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
            let condensed = Condensation::of(&graph, Cancel::NEVER).unwrap();
            let closure = naive_closure(vertices, &pairs, false);
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
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let pairs: Vec<[u32; 2]> = (1..300_000).map(|v| [v - 1, v]).collect();
        let graph = Graph::from_pairs(300_000, &pairs, Cancel::NEVER).unwrap();
        let condensed = Condensation::of(&graph, Cancel::NEVER).unwrap();
        assert_eq!((condensed.components(), condensed.levels()[condensed.component(0) as usize]), (300_000, 299_999));
    }
}
