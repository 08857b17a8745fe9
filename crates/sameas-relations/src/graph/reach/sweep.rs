//! Carries bits through a graph whose edges lead from higher numbers to lower ones.

use super::worklist::Worklist;
use crate::cancel::Cancel;
use crate::graph::Graph;

/// Vertices that are visited between two checks whether the job goes on.
const BETWEEN_CHECKS: u32 = 1 << 16;

/// A mask of `WORDS` words for each vertex of a graph without cycles.
#[derive(Debug)]
pub(super) struct Sweep<const WORDS: usize> {
    /// Only those of vertices in the list are meant; others hold what an earlier sweep has left.
    masks: Vec<[u64; WORDS]>,
    waiting: Worklist,
}

impl<const WORDS: usize> Sweep<WORDS> {
    /// Bits of a mask.
    pub(super) const LANES: u32 = 64 * WORDS as u32;

    /// Nothing has a bit.
    pub(super) fn new(vertices: u32) -> Self {
        Self { masks: vec![[0; WORDS]; vertices as usize], waiting: Worklist::new(vertices) }
    }

    /// Bytes for a graph.
    pub(super) fn bytes(vertices: u32) -> usize {
        8 * WORDS * vertices as usize + Worklist::bytes(vertices)
    }

    /// Gives a vertex the bit of a lane.
    pub(super) fn seed(&mut self, vertex: u32, lane: u32) {
        let mut mask = [0; WORDS];
        mask[lane as usize / 64] = 1 << (lane % 64);
        self.add(vertex, &mask);
    }

    /// Visits all vertices that have a bit, each with the bits of all from which it is reached, its own among them.
    pub(super) fn run(&mut self, graph: &Graph, cancel: Cancel<'_>, mut visit: impl FnMut(u32, &[u64; WORDS])) {
        let mut visited = 0;
        while let Some(vertex) = self.waiting.take_highest() {
            visited += 1;
            if visited % BETWEEN_CHECKS == 0 {
                cancel.check();
            }
            let mask = self.masks[vertex as usize];
            graph.successors(vertex).iter().for_each(|to| self.add(*to, &mask));
            visit(vertex, &mask);
        }
    }

    /// The bits of a vertex that the last run has visited.
    #[inline]
    pub(super) fn mask(&self, vertex: u32) -> &[u64; WORDS] {
        &self.masks[vertex as usize]
    }

    #[inline]
    fn add(&mut self, vertex: u32, mask: &[u64; WORDS]) {
        let own = &mut self.masks[vertex as usize];
        if self.waiting.insert(vertex) {
            *own = *mask;
        } else {
            own.iter_mut().zip(mask).for_each(|(own, word)| *own |= word);
        }
    }
}
