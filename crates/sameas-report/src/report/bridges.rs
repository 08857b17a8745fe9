//! Bridges: pairs without which a cluster falls apart.
//!
//! One search through the graph, depth first and without recursion. A pair is a bridge if nothing below it reaches back
//! beyond it; then the records below it are one of the two parts.

use crate::numbering::ByNumber;

/// For each edge of a connected graph of `nodes` nodes, the size of the smaller part that is left without it; nothing for
/// edges without which it stays connected.
pub fn bridges(nodes: usize, edges: &[(u32, u32)]) -> Vec<Option<u32>> {
    let neighbours = neighbours(nodes, edges);
    let mut search = BridgeSearch {
        order: vec![UNSEEN; nodes],
        lowest: vec![UNSEEN; nodes],
        below: vec![1; nodes],
        found: vec![None; edges.len()],
        next: 0,
    };
    for start in 0..nodes as u32 {
        if search.order[start as usize] == UNSEEN {
            search.run(start, &neighbours);
        }
    }
    search.found
}

const UNSEEN: u32 = u32::MAX;

/// The edges at each node: the other node, and the number of the edge.
pub fn neighbours(nodes: usize, edges: &[(u32, u32)]) -> ByNumber<(u32, u32)> {
    let both = |((a, b), edge): (&(u32, u32), u32)| [(*a as usize, (*b, edge)), (*b as usize, (*a, edge))];
    ByNumber::new(edges.iter().zip(0..).flat_map(both), nodes)
}

struct BridgeSearch {
    /// When each node was seen.
    order: Vec<u32>,
    /// The earliest node that is reached from it or from below it.
    lowest: Vec<u32>,
    /// The nodes below it, with itself.
    below: Vec<u32>,
    found: Vec<Option<u32>>,
    next: u32,
}

impl BridgeSearch {
    fn see(&mut self, node: u32) {
        self.order[node as usize] = self.next;
        self.lowest[node as usize] = self.next;
        self.next += 1;
    }

    fn run(&mut self, start: u32, neighbours: &ByNumber<(u32, u32)>) {
        let (first, from) = (self.next, self.found.len() as u32);
        // The node, the edge it was reached by, and the edges that were followed.
        let mut path: Vec<(u32, u32, usize)> = vec![(start, from, 0)];
        let mut bridges: Vec<(u32, u32)> = Vec::new();
        self.see(start);
        while let Some((node, by, followed)) = path.last_mut() {
            let (node, by) = (*node, *by);
            if let Some((other, edge)) = neighbours.list(node as usize).get(*followed) {
                *followed += 1;
                if *edge == by {
                    continue;
                }
                if self.order[*other as usize] == UNSEEN {
                    self.see(*other);
                    path.push((*other, *edge, 0));
                } else {
                    self.lowest[node as usize] = self.lowest[node as usize].min(self.order[*other as usize]);
                }
                continue;
            }
            path.pop();
            if let Some((above, ..)) = path.last() {
                let above = *above as usize;
                self.below[above] += self.below[node as usize];
                self.lowest[above] = self.lowest[above].min(self.lowest[node as usize]);
                if self.lowest[node as usize] > self.order[above] {
                    bridges.push((by, self.below[node as usize]));
                }
            }
        }
        let all = self.next - first;
        for (edge, part) in bridges {
            self.found[edge as usize] = Some(part.min(all - part));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::union_find::Components;

    #[test]
    fn two_triangles_and_what_joins_them() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3), (5, 6)];
        assert_eq!(bridges(7, &edges), [None, None, None, Some(3), None, None, None, Some(1)]);
        assert_eq!(bridges(2, &[(1, 0)]), [Some(1)]);
        assert!(bridges(0, &[]).is_empty());
    }

    /// The parts of the cluster of an edge without that edge.
    fn without(nodes: usize, edges: &[(u32, u32)], left_out: usize) -> Option<u32> {
        let components = Components::new(nodes as u32);
        let others = edges.iter().enumerate().filter(|(at, _)| *at != left_out);
        others.for_each(|(_, (a, b))| components.join(*a, *b));
        let roots = components.into_roots();
        let (a, b) = edges[left_out];
        let size = |of: u32| roots.iter().filter(|root| **root == roots[of as usize]).count() as u32;
        (roots[a as usize] != roots[b as usize]).then(|| size(a).min(size(b)))
    }

    proptest! {
        #[test]
        fn bridges_are_what_falls_apart_without_them(pairs in proptest::collection::btree_set((0_u32..12, 0_u32..12), 0..20)) {
            let edges: Vec<(u32, u32)> = pairs.into_iter().filter(|(a, b)| a < b).collect();
            let expected: Vec<_> = (0..edges.len()).map(|at| without(12, &edges, at)).collect();
            prop_assert_eq!(bridges(12, &edges), expected);
        }
    }
}
