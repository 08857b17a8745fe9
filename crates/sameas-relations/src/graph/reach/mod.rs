//! Who reaches whom, in bits over the condensed graph.
//!
//! A sweep carries the bits of some sources, or of some targets, through the graph without cycles: components are visited
//! in topological order, and each hands its bits on. Only components that have a bit are visited, so a sweep costs what
//! its sources reach, and it takes memory for one mask of each component whatever the number of pairs is.
//!
//! [`count`] sweeps from targets upwards and learns how many vertices each component reaches. With these numbers
//! [`ReachRows`] gives the targets of any sources, ascending, by sweeps downwards.
//!
//! On a device (`gpu`), a thread block makes the bits of 512 targets for all components, level by level of the
//! condensed graph, so that no block waits for another. Bits are counted as they are made, weighted by the sizes of
//! components, or expanded to pairs from prefix sums over vertices.

mod count;
pub mod gpu;
mod rows;
mod sweep;
mod worklist;

pub use count::{ReachCounts, ReachSample, count, count_parts, sample};
pub use rows::{ReachBlock, ReachRows};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::Cancel;
    use crate::graph::testing::{naive_closure, random_graphs};
    use crate::graph::{Condensation, Graph, connected_components, number_components};
    use crate::memory::MemoryBudget;

    fn listed(condensed: &Condensation, reflexive: bool, cancel: Cancel<'_>) -> Vec<[u32; 2]> {
        let counts = count(condensed, reflexive, cancel, &|_| {}).unwrap();
        let rows = ReachRows::new(condensed, reflexive);
        let mut pairs = Vec::new();
        for sources in counts.cut(condensed, 100) {
            let block = rows.rows(sources, cancel);
            for (source, targets) in block.iter() {
                let component = condensed.component(source);
                assert_eq!(targets.len() as u64, counts.of_component(component));
                pairs.extend(targets.iter().map(|target| [source, *target]));
            }
        }
        assert_eq!(counts.total(), pairs.len() as u64);
        pairs
    }

    #[test]
    fn counts_and_rows_are_those_of_the_definition() {
        // Too little for wide masks.
        let little = MemoryBudget::new(0);
        let taken = little.hold((128 << 20) - (130 << 10)).unwrap();
        for (name, vertices, pairs) in random_graphs(12) {
            let graph = Graph::from_pairs(vertices, &pairs, Cancel::NEVER).unwrap();
            let condensed = Condensation::new(&graph, Cancel::NEVER).unwrap();
            for reflexive in [false, true] {
                let expected = naive_closure(vertices, &pairs, reflexive);
                assert_eq!(listed(&condensed, reflexive, Cancel::NEVER), expected, "{name}, {reflexive}");
                // Small graphs are sampled as a whole.
                let sampled = sample(&condensed, Cancel::NEVER);
                assert!(!reflexive || vertices > 512 || sampled.pairs == expected.len() as u64, "{name}");
                assert_eq!(
                    listed(&condensed, reflexive, Cancel::NEVER.within(&little)),
                    expected,
                    "{name}, {reflexive}"
                );
            }
        }
        drop(taken);
    }

    #[test]
    fn without_direction_components_reach_themselves() {
        for (name, vertices, pairs) in random_graphs(6) {
            let mut used = vec![false; vertices as usize];
            pairs.iter().flatten().for_each(|vertex| used[*vertex as usize] = true);
            if used.contains(&false) {
                continue;
            }
            let both: Vec<[u32; 2]> = pairs.iter().flat_map(|[a, b]| [[*a, *b], [*b, *a]]).collect();
            let (component, components) = number_components(connected_components(vertices, &pairs, Cancel::NEVER));
            let condensed = Condensation::of_connected(component, components);
            let expected = naive_closure(vertices, &both, false);
            assert_eq!(listed(&condensed, false, Cancel::NEVER), expected, "{name}");
            assert_eq!(listed(&condensed, true, Cancel::NEVER), expected, "{name}");
        }
    }
}
