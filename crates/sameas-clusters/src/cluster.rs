//! From edges to clusters: components first, and then each component that rules may divide by itself.
//!
//! Components of all edges come from union-find on all cores. A component that no rule can divide is a cluster, and its edges
//! are not looked at again: where constraints are rarely broken they cost little more than components alone. The rows of the
//! others are numbered component by component, in their order, and their edges are put in the order of components (`division`):
//! so the edges of a component are one piece of the list, and so are its labels. What is cut stays where it is until the end.
//!
//! **Cost.** For n rows and m edges of components that rules may divide: what puts these edges in order, in place, and what the
//! method takes. Beside the edges 16 bytes for each row, and what the components need that are divided at the same time.

use rayon::prelude::*;
use sameas_core::cancel::Cancel;
use sameas_core::union_find::Components;

use crate::bridges::BridgeCount;
use crate::by_rules::DividedByRules;
use crate::component_order::{ComponentOrder, NOWHERE};
use crate::constraints::{Constraints, open_components};
use crate::cut_edges::cut_edges;
use crate::division::Division;
use crate::edge::{Edge, EdgeKind, place_of};
use crate::edges::{Edges, PackedEdges};
use crate::in_place::keep;
use crate::outcome::{ClusterConflict, Clusters, CutCause};
use crate::packed::{EdgeLayout, PackedEdge};
use crate::rules::{ClusterMethod, ClusterRules, RowFacts};
use crate::thresholds::join;

/// Bytes for each row beside the edges: its component, and of the following the largest together: its place, where components
/// begin, the rows of components, labels.
const BYTES_OF_ROW: usize = 16;

/// What a bridge needs on both sides together, at least.
const LEAST_TO_SPLIT: usize = 4;

/// The clusters of edges. Rules must have passed their [check](ClusterRules::check), and facts have what they refer to.
pub fn cluster(
    edges: Edges,
    rules: &ClusterRules,
    facts: &RowFacts,
    cancel: Cancel<'_>,
) -> Result<Clusters, ClusterConflict> {
    clusters_of(edges, rules, facts, cancel, None)
}

/// The clusters of edges as [`cluster`] gives them, and the edges that were cut, in the order of [`Clusters::cut`]: of repeated
/// ones the strongest. Edges of components that rules may divide are there twice meanwhile.
pub fn cluster_with_cut_edges(
    edges: Edges,
    rules: &ClusterRules,
    facts: &RowFacts,
    cancel: Cancel<'_>,
) -> Result<(Clusters, Vec<Edge>), ClusterConflict> {
    let mut cut_edges = Vec::new();
    let clusters = clusters_of(edges, rules, facts, cancel, Some(&mut cut_edges))?;
    cut_edges.par_sort_unstable_by_key(|edge| (edge.rows(), edge.kind(), edge.place(), edge.rule()));
    cut_edges.dedup_by_key(|edge| edge.rows());
    Ok((clusters, cut_edges))
}

/// The clusters of edges; where somebody wants them, the edges that were cut are added to a list.
fn clusters_of(
    edges: Edges,
    rules: &ClusterRules,
    facts: &RowFacts,
    cancel: Cancel<'_>,
    wanted: Option<&mut Vec<Edge>>,
) -> Result<Clusters, ClusterConflict> {
    let _held = cancel.hold(BYTES_OF_ROW * edges.rows as usize);
    let job = ClusterJob { rows: edges.rows, layout: edges.layout, rules, facts, cancel };
    match edges.packed {
        PackedEdges::Narrow(edges) => job.clusters(edges, wanted),
        PackedEdges::Wide(edges) => job.clusters(edges, wanted),
    }
}

/// How many edges alone hold two parts of two or more records of a cluster together, among those that reach a threshold.
/// `first_rows` are the first rows of clusters, as [`cluster`] gives them.
pub fn count_bridges(edges: Edges, first_rows: &[u32], threshold: Option<f64>, cancel: Cancel<'_>) -> u64 {
    let _held = cancel.hold(BYTES_OF_ROW * edges.rows as usize);
    let (rules, facts) = (ClusterRules { threshold, ..ClusterRules::default() }, RowFacts::default());
    let job = ClusterJob { rows: edges.rows, layout: edges.layout, rules: &rules, facts: &facts, cancel };
    match edges.packed {
        PackedEdges::Narrow(edges) => job.bridges(edges, first_rows),
        PackedEdges::Wide(edges) => job.bridges(edges, first_rows),
    }
}

/// What is done with edges of any width.
struct ClusterJob<'a> {
    rows: u32,
    layout: EdgeLayout,
    rules: &'a ClusterRules,
    facts: &'a RowFacts,
    cancel: Cancel<'a>,
}

impl ClusterJob<'_> {
    fn clusters<K: PackedEdge>(
        &self,
        mut edges: Vec<K>,
        mut wanted: Option<&mut Vec<Edge>>,
    ) -> Result<Clusters, ClusterConflict> {
        let Some(most) = self.never_divided() else {
            return Ok(Clusters { first_rows: self.joined(&edges), cut: Vec::new() });
        };
        // Pairs are there as they were given, and once more by places.
        let pairs = self.facts.apart.len() + self.facts.forbidden.len();
        let _pairs_held = self.cancel.hold(2 * size_of::<[u32; 2]>() * pairs);
        let constraints = Constraints::new(self.rules, self.facts);
        let decided = self.without_excluded(&mut edges, &constraints.apart);
        if let Some(wanted) = &mut wanted {
            wanted.extend(decided.iter().map(|edge| edge.unpack(self.layout)));
        }
        let mut first_rows = self.joined(&edges);
        let order = ComponentOrder::new(&first_rows);
        let is_open = open_components(&order, &first_rows, &constraints, most);
        self.divide(&mut edges, &order.only(&is_open), constraints, &mut first_rows, wanted)?;
        edges.reserve_exact(decided.len());
        let apart = |edge: K| edge.cut(CutCause::DecidedApart { pair: edge.rows(self.layout) }, self.layout);
        edges.extend(decided.into_iter().map(apart));
        Ok(Clusters { first_rows, cut: cut_edges(edges, self.layout, self.cancel) })
    }

    /// The records of the largest component that is a cluster as it is, unless it breaks a constraint; nothing where that
    /// is true of all.
    fn never_divided(&self) -> Option<usize> {
        match (self.rules.method, self.rules.split) {
            (ClusterMethod::Components, Some(_)) => Some(LEAST_TO_SPLIT - 1),
            (ClusterMethod::Components, None) => self.rules.has_constraints(self.facts).then_some(usize::MAX),
            _ => Some(1),
        }
    }

    /// What is less reaches the threshold.
    fn below<K: PackedEdge>(&self) -> Option<K> {
        self.rules.threshold.map(|threshold| K::below(place_of(threshold)))
    }

    /// The first row of each row's component, by the edges that reach the threshold.
    fn joined<K: PackedEdge>(&self, edges: &[K]) -> Vec<u32> {
        let (components, below) = (Components::new(self.rows), self.below::<K>());
        join(&components, edges, self.layout, self.cancel, |edge| below.is_none_or(|below| *edge < below));
        components.into_roots()
    }

    /// Leaves out the edges below the threshold, and those that are decided to be none, which it gives: of repeated ones the
    /// strongest.
    fn without_excluded<K: PackedEdge>(&self, edges: &mut Vec<K>, apart: &[[u32; 2]]) -> Vec<K> {
        let below = self.below::<K>();
        if below.is_none() && apart.is_empty() {
            return Vec::new();
        }
        let is_apart = self.is_apart::<K>(apart);
        let reaches = |edge: K| below.is_none_or(|below| edge < below);
        let looked_at: &[K] = if apart.is_empty() { &[] } else { &edges[..] };
        let decided = looked_at.par_iter().copied().filter(|edge| reaches(*edge) && is_apart(*edge));
        let mut decided: Vec<K> = decided.collect();
        keep(edges, self.cancel, |edge| (reaches(edge) && !is_apart(edge)).then_some(edge));
        decided.sort_unstable_by_key(|edge| (edge.row_order(self.layout), *edge));
        decided.dedup_by_key(|edge| edge.row_order(self.layout));
        decided
    }

    /// Whether an edge is one of these pairs and no decision itself.
    fn is_apart<K: PackedEdge>(&self, apart: &[[u32; 2]]) -> impl Fn(K) -> bool + Sync {
        // Few rows are in such a pair: the others need not be looked for.
        let mut is_left = if apart.is_empty() { Vec::new() } else { vec![false; self.rows as usize] };
        apart.iter().for_each(|[l, _]| is_left[*l as usize] = true);
        move |edge: K| {
            let rows = edge.rows(self.layout);
            is_left.get(rows[0] as usize).is_some_and(|is_left| *is_left)
                && apart.binary_search(&rows).is_ok()
                && edge.unpack(self.layout).kind() != EdgeKind::DecidedTogether
        }
    }

    /// Divides components; the edges between their clusters are cut then, and others are no longer there.
    fn divide<K: PackedEdge>(
        &self,
        edges: &mut Vec<K>,
        order: &ComponentOrder,
        constraints: Constraints<'_>,
        first_rows: &mut [u32],
        wanted: Option<&mut Vec<Edge>>,
    ) -> Result<(), ClusterConflict> {
        let places = order.places(first_rows.len());
        let constraints = constraints.placed(first_rows, &places);
        self.keep_placed(edges, &places);
        drop(places);
        // What cuts an edge is written over it.
        let _kept_held = self.cancel.hold(if wanted.is_some() { size_of_val(&edges[..]) } else { 0 });
        let kept = if wanted.is_some() { edges.clone() } else { Vec::new() };
        let mut labels = vec![0; order.rows.len()];
        let work = DividedByRules { rules: self.rules, facts: self.facts, constraints: &constraints };
        Division::new(order, self.layout, edges.len(), &work, self.cancel).all(edges, &mut labels)?;
        for at in 0..order.len() {
            let (rows, first) = (order.component(at), order.starts[at] as usize);
            for (row, label) in rows.iter().zip(&labels[first..]) {
                first_rows[*row as usize] = rows[*label as usize];
            }
        }
        if let Some(wanted) = wanted {
            let first_rows = &*first_rows;
            wanted.par_extend(kept.into_par_iter().filter_map(|packed| self.cut_edge(packed, order, first_rows)));
        }
        let rows_of = |edge: K| edge.rows(self.layout).map(|place| order.rows[place as usize]);
        keep(edges, self.cancel, |edge| edge.cause().map(|_| edge.with_rows(rows_of(edge), self.layout)));
        Ok(())
    }

    /// The edge between the rows at these places, if they are in different clusters.
    fn cut_edge<K: PackedEdge>(&self, packed: K, order: &ComponentOrder, first_rows: &[u32]) -> Option<Edge> {
        let edge = packed.unpack(self.layout);
        let rows = edge.rows().map(|place| order.rows[place as usize]);
        let [l, r] = rows.map(|row| first_rows[row as usize]);
        (l != r).then(|| edge.between(rows))
    }

    /// Keeps the edges between rows that have a place, with the places in place of the rows.
    fn keep_placed<K: PackedEdge>(&self, edges: &mut Vec<K>, places: &[u32]) {
        keep(edges, self.cancel, |edge| {
            let [l, r] = edge.rows(self.layout);
            let place = places[l as usize];
            (l != r && place != NOWHERE).then(|| edge.with_rows([place, places[r as usize]], self.layout))
        });
    }

    /// How many bridges clusters have.
    fn bridges<K: PackedEdge>(&self, mut edges: Vec<K>, first_rows: &[u32]) -> u64 {
        let order = ComponentOrder::new(first_rows);
        let is_wanted: Vec<bool> = (0..order.len()).map(|at| order.component(at).len() >= LEAST_TO_SPLIT).collect();
        let order = order.only(&is_wanted);
        let below = self.below::<K>();
        keep(&mut edges, self.cancel, |edge| {
            let [l, r] = edge.rows(self.layout).map(|row| first_rows[row as usize]);
            (l == r && below.is_none_or(|below| edge < below)).then_some(edge)
        });
        self.keep_placed(&mut edges, &order.places(first_rows.len()));
        let (mut labels, count) = (vec![0; order.rows.len()], BridgeCount::default());
        let division = Division::new(&order, self.layout, edges.len(), &count, self.cancel);
        let counted = division.all(&mut edges, &mut labels);
        counted.expect("no decision keeps a bridge from being counted");
        count.bridges.into_inner()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{BridgeSplit, Linkage};
    use crate::testing::{clusters, scored, with_decided};
    use crate::thresholds::components_at;

    #[test]
    fn edges_below_the_threshold_are_left_out() {
        let mut edges = scored(6, &[(0, 1, 0.5), (1, 2, 0.25), (5, 5, 1.0)]);
        edges.push(Edge::new([2, 3], EdgeKind::Certain, Some(-1.0), 0).unwrap());
        edges.push(Edge::new([3, 4], EdgeKind::Scored, None, 0).unwrap());
        let at = |threshold| ClusterRules { threshold, ..ClusterRules::default() };
        let first_rows = |threshold| clusters(edges.clone(), &at(threshold), &RowFacts::default()).unwrap().first_rows;
        assert_eq!(first_rows(None), [0, 0, 0, 0, 0, 5]);
        assert_eq!(first_rows(Some(0.25)), [0, 0, 0, 0, 4, 5]);
        assert_eq!(first_rows(Some(0.5)), [0, 0, 2, 2, 4, 5]);
        assert_eq!(first_rows(Some(1.0)), [0, 1, 2, 2, 4, 5]);
        let thresholds = [0.5, 1.0, 0.25, -2.0];
        let columns = components_at(edges.clone(), &thresholds, Cancel::NEVER);
        let expected = thresholds.map(|threshold| first_rows(Some(threshold)));
        assert_eq!(columns, expected);
    }

    /// Many components of all sizes, some of which rules divide.
    fn many(rows: u32) -> Vec<(u32, u32, f64)> {
        let edges = (0..3 * rows).filter_map(|at| {
            let l = at.wrapping_mul(2_654_435_761) % rows;
            let size = [2, 5, 17, 90][(l / 100) as usize % 4];
            let r = l - l % size + at.wrapping_mul(40_503) / 7 % size;
            (r < rows).then(|| (l, r, f64::from(at * 7 % 16) / 4.0))
        });
        edges.collect()
    }

    #[test]
    fn cut_edges_are_the_strongest_of_their_rows() {
        let given = many(2_000);
        let (apart, forbidden) = (vec![[0, 1], [100, 102]], (0..200).map(|at| [at * 9, at * 9 + 3]).collect());
        let facts = RowFacts { apart, forbidden, ..RowFacts::default() };
        let mut edges = scored(2_000, &given);
        edges.push(Edge::new([0, 1], EdgeKind::Scored, Some(0.5), 0).unwrap());
        edges.push(Edge::new([1, 0], EdgeKind::Certain, None, 0).unwrap());
        let linkage = |linkage| ClusterMethod::Linkage { linkage, threshold: 1.5 };
        let methods =
            [ClusterMethod::Components, linkage(Linkage::Average), linkage(Linkage::Complete), ClusterMethod::Louvain];
        for method in methods {
            let (threshold, split) = (Some(0.5), Some(BridgeSplit { density: 0.2 }));
            let rules = ClusterRules { method, threshold, split, max_size: Some(5), ..ClusterRules::default() };
            let rules = ClusterRules { keep_apart: true, ..rules };
            let (found, cut) = cluster_with_cut_edges(edges.clone(), &rules, &facts, Cancel::NEVER).unwrap();
            assert_eq!(found, clusters(edges.clone(), &rules, &facts).unwrap());
            assert!(found.cut.len() > 100);
            let rows: Vec<[u32; 2]> = cut.iter().map(Edge::rows).collect();
            assert_eq!(rows, found.cut.iter().map(|edge| edge.rows).collect::<Vec<_>>(), "{method:?}");
            assert_eq!((cut[0].rows(), cut[0].kind(), cut[0].weight()), ([0, 1], EdgeKind::Certain, None));
            for edge in &cut[1..] {
                let of_rows = given.iter().filter(|(l, r, _)| edge.rows() == [*l.min(r), *l.max(r)]);
                assert_eq!(edge.weight(), of_rows.map(|(_, _, weight)| *weight).reduce(f64::max), "{:?}", edge.rows());
            }
        }
    }

    #[test]
    fn order_and_threads_change_nothing() {
        let (rows, edges) = (20_000, many(20_000));
        let backwards: Vec<(u32, u32, f64)> = edges.iter().rev().map(|(l, r, weight)| (*r, *l, *weight)).collect();
        let facts =
            RowFacts { forbidden: (0..rows / 9).map(|at| [at * 9, at * 9 + 3]).collect(), ..RowFacts::default() };
        let linkage = |linkage| ClusterMethod::Linkage { linkage, threshold: 1.5 };
        let methods =
            [ClusterMethod::Components, linkage(Linkage::Average), linkage(Linkage::Complete), ClusterMethod::Louvain];
        for method in methods {
            let split = Some(BridgeSplit { density: 0.2 });
            let rules = ClusterRules { method, max_size: Some(40), keep_apart: true, split, ..ClusterRules::default() };
            let run = |threads, edges: &[(u32, u32, f64)]| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| clusters(scored(rows, edges), &rules, &facts).unwrap())
            };
            let found = run(1, &edges);
            assert_eq!(found, run(4, &backwards), "{method:?}");
            let first = |row: u32| found.first_rows[row as usize];
            assert!(facts.forbidden.iter().all(|[l, r]| first(*l) != first(*r)), "{method:?}");
            assert!((0..rows).all(|row| first(row) <= row && first(first(row)) == first(row)), "{method:?}");
            let between: usize = found.cut.iter().filter(|edge| first(edge.rows[0]) != first(edge.rows[1])).count();
            assert!(between == found.cut.len() && between > 0, "{method:?}");
        }
    }

    #[test]
    fn bridges_hold_two_or_more_records_on_both_sides() {
        let chain = scored(6, &[(0, 1, 0.9), (1, 2, 0.8), (2, 3, 0.7), (3, 4, 0.6), (0, 1, 0.1), (5, 5, 1.0)]);
        let bridges =
            |first_rows: &[u32], threshold| count_bridges(chain.clone(), first_rows, threshold, Cancel::NEVER);
        assert_eq!(bridges(&[0, 0, 0, 0, 0, 5], None), 2);
        assert_eq!(bridges(&[0, 0, 0, 0, 0, 5], Some(0.75)), 0, "0, 1 and 2 alone are connected");
        assert_eq!(bridges(&[0, 0, 0, 0, 4, 5], None), 1);
        assert_eq!(bridges(&[0, 1, 2, 3, 4, 5], None), 0);
        let triangles = [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0), (3, 4, 1.0), (3, 5, 1.0), (4, 5, 1.0), (2, 3, 0.5)];
        assert_eq!(count_bridges(scored(6, &triangles), &[0; 6], None, Cancel::NEVER), 1);
        let decided = with_decided(scored(6, &triangles), &[[2, 3]]);
        assert_eq!(count_bridges(decided, &[0; 6], None, Cancel::NEVER), 0);
    }

    #[test]
    fn wide_edges_have_the_same_clusters() {
        let edges = many(3_000);
        let rules = ClusterRules { max_size: Some(7), threshold: Some(0.5), ..ClusterRules::default() };
        let narrow = clusters(scored(3_000, &edges), &rules, &RowFacts::default()).unwrap();
        let mut wide = Edges::new(3_000, 1);
        wide.packed = PackedEdges::Wide(Vec::new());
        for (l, r, weight) in &edges {
            wide.push(Edge::new([*l, *r], EdgeKind::Scored, Some(*weight), 0).unwrap());
        }
        assert_eq!(clusters(wide, &rules, &RowFacts::default()).unwrap(), narrow);
    }
}
