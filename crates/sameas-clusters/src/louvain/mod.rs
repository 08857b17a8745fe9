//! Communities of a component by Louvain's method.
//!
//! **Definition.** Nodes are records at first, in their order, or what decisions hold together. Each begins as a community of its
//! own. Node by node, again and again until none moves, a node goes where the modularity becomes largest: it stays, or joins
//! the community of a neighbour, or is alone again. Of equals it stays, then the community with the lowest number comes first
//! (that of the node that it began with), then being alone. Communities become nodes, in the order of their first records,
//! and all begins again, until no node moves. A community whose records no path of its edges connects is divided in the end.
//!
//! Weights are as they are. Negative ones have a share of their own in what chance would give: with the degrees k+ and k- of a
//! node by positive and by negative edges, and m+ and m- the sums of these in the component, a node i in community C adds
//! w(i, C) - k+(i) k+(C) / 2m+ + k-(i) k-(C) / 2m- to the modularity, up to a factor. Without negative edges this is the
//! usual one.
//!
//! **Argument.** Sums are sums of integers, so they have no order. What a node adds is a float; a move must add more than 2^-40
//! of all weights, which is far beyond its error: so equals are equal, the modularity rises with each move, and moves end.
//!
//! **Cost.** For m edges O(m) memory, and O(m) for each round over the nodes, but that the communities around a node are sorted.

mod level;
mod moves;

use crate::component::{Component, label_by_first, single_records};
use crate::work_memory::{ComponentSize, WorkMemory};
use level::Level;

/// Bytes for each record beside levels and moves: its node and label, numbers of labels, sets that have just grown.
const BYTES_OF_RECORD: usize = 6 * size_of::<u32>() + 3 * size_of::<usize>();

/// Bytes that it takes at most.
pub(crate) fn most_bytes(size: ComponentSize) -> usize {
    size.edges * Level::BYTES_OF_EDGE + size.records * (Level::BYTES_OF_NODE + moves::BYTES_OF_NODE + BYTES_OF_RECORD)
}

/// Labels the records of a component by the first record of their community.
pub(crate) fn find_communities(component: &Component<'_>, labels: &mut [u32], memory: &mut WorkMemory<'_>) {
    memory.reach("Louvain's method", most_bytes(component.size()));
    label_by_first(&mut component.decided(), labels);
    let (mut node_of, nodes) = number_in_order(labels);
    let edge_units = component.edge_units();
    let edges = component.edges().map(|edge| (edge.ends.map(|end| node_of[end as usize]), edge_units.count(&edge)));
    let mut level = Level::new(nodes, edges);
    while let Some(communities) = moves::communities(&level, memory) {
        let (community_of, nodes) = number_in_order(&communities);
        level = level.condensed(&community_of, nodes);
        node_of.iter_mut().for_each(|node| *node = community_of[*node as usize]);
    }
    let mut connected = single_records(labels.len());
    for (_, edge) in component.edges_within(&node_of) {
        let [a, b] = edge.ends;
        connected.join(a as usize, b as usize);
    }
    label_by_first(&mut connected, labels);
}

/// Numbers labels from zero by their first places, and counts them.
fn number_in_order(labels: &[u32]) -> (Vec<u32>, usize) {
    let (mut number_of, mut numbers) = (vec![None; labels.len()], 0);
    let number = |label: &u32| {
        *number_of[*label as usize].get_or_insert_with(|| {
            numbers += 1;
            numbers - 1
        })
    };
    let numbered: Vec<u32> = labels.iter().map(number).collect();
    (numbered, numbers as usize)
}

#[cfg(test)]
mod tests {
    use crate::rules::ClusterMethod;
    use crate::testing::{by_method, scored, with_decided};

    /// All pairs of some records, with one weight.
    fn clique(records: std::ops::Range<u32>, weight: f64) -> Vec<(u32, u32, f64)> {
        let end = records.end;
        records.flat_map(|l| (l + 1..end).map(move |r| (l, r, weight))).collect()
    }

    #[test]
    fn cliques_are_communities() {
        let edges = [clique(0..5, 1.0), clique(5..9, 1.0), vec![(4, 5, 1.0)]].concat();
        let expected = [0, 0, 0, 0, 0, 5, 5, 5, 5];
        assert_eq!(by_method(scored(9, &edges), ClusterMethod::Louvain), expected);
        let larger: Vec<(u32, u32, f64)> = edges.iter().map(|(l, r, weight)| (*l, *r, weight * 1e6)).collect();
        assert_eq!(by_method(scored(9, &larger), ClusterMethod::Louvain), expected);
    }

    #[test]
    fn a_negative_edge_keeps_apart() {
        let edges = [(0, 1, 1.0), (1, 2, 1.0), (0, 2, -4.0), (2, 3, 1.0), (0, 3, -4.0), (1, 3, -4.0)];
        let first_rows = by_method(scored(4, &edges), ClusterMethod::Louvain);
        assert_eq!(first_rows, [0, 0, 2, 2]);
        assert_eq!(by_method(scored(2, &[(0, 1, -1.0)]), ClusterMethod::Louvain), [0, 1]);
    }

    #[test]
    fn what_is_decided_is_one_node() {
        let edges = [clique(0..4, 1.0), clique(4..8, 1.0)].concat();
        let edges = with_decided(scored(8, &edges), &[[0, 7]]);
        let first_rows = by_method(edges, ClusterMethod::Louvain);
        assert_eq!(first_rows[0], first_rows[7]);
    }
}
