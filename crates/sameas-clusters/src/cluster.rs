//! From edges to clusters: components first, and then each component that rules may divide by itself.
//!
//! Components of all edges come from union-find on all cores. A component that no rule can divide is a cluster, and its edges
//! are not looked at again: where constraints are rarely broken they cost little more than components alone. The rows of the
//! others are numbered component by component, in their order. Sorted by these numbers, the edges of a component are one
//! piece of the list, and so are its labels: components are divided on all cores, without a copy.
//!
//! **Cost.** For n rows and m edges of components that rules may divide: a parallel sort of these, in place, and what the
//! method takes. Beside the edges 20 bytes for each row.

use rayon::prelude::*;
use sameas_core::cancel::Cancel;
use sameas_core::union_find::Components;

use crate::bridges::{count_bridges_of, split_at_bridges};
use crate::component::Component;
use crate::component_order::{ComponentOrder, NOWHERE};
use crate::constraints::{Constraints, constrain, open_components};
use crate::edge::{Edge, EdgeKind, place_of};
use crate::edges::{Edges, PackedEdges};
use crate::linkage::link;
use crate::louvain::find_communities;
use crate::optimal::match_pairs;
use crate::outcome::{ClusterConflict, Clusters, CutCause, CutEdge};
use crate::packed::{EdgeLayout, PackedEdge};
use crate::rules::{ClusterMethod, ClusterRules, RowFacts};

/// Edges that one thread takes at a time.
const EDGES_AT_A_TIME: usize = 1 << 12;

/// As many edges as all threads sort together.
const SORTED_BY_ALL: usize = 1 << 16;

/// Bytes for each row beside the edges: its component, its place and those of the rows of components, its label.
const BYTES_OF_ROW: usize = 20;

/// What a bridge needs on both sides together, at least.
const LEAST_TO_SPLIT: usize = 4;

/// The cut edges of components, or the first contradiction among their decisions.
type CutEdges = Result<Vec<CutEdge>, ClusterConflict>;

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
/// ones the strongest. So nobody has to keep all edges to know them.
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
    cut_edges: Option<&mut Vec<Edge>>,
) -> Result<Clusters, ClusterConflict> {
    let _held = cancel.hold(BYTES_OF_ROW * edges.rows as usize);
    let job = ClusterJob { rows: edges.rows, layout: edges.layout, rules, facts, cancel };
    match edges.packed {
        PackedEdges::Narrow(edges) => job.clusters(edges, cut_edges),
        PackedEdges::Wide(edges) => job.clusters(edges, cut_edges),
    }
}

/// The first row of each row's component, at each of some thresholds, in one pass over the edges. An edge without a score
/// reaches no threshold; certain and decided ones reach all.
pub fn components_at(edges: Edges, thresholds: &[f64], cancel: Cancel<'_>) -> Vec<Vec<u32>> {
    match edges.packed {
        PackedEdges::Narrow(packed) => columns(packed, edges.rows, edges.layout, thresholds, cancel),
        PackedEdges::Wide(packed) => columns(packed, edges.rows, edges.layout, thresholds, cancel),
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

fn columns<K: PackedEdge>(
    mut edges: Vec<K>,
    rows: u32,
    layout: EdgeLayout,
    thresholds: &[f64],
    cancel: Cancel<'_>,
) -> Vec<Vec<u32>> {
    let _held = cancel.hold(size_of::<u32>() * rows as usize * (1 + thresholds.len()));
    edges.par_sort_unstable();
    let mut descending: Vec<usize> = (0..thresholds.len()).collect();
    descending.sort_by(|a, b| thresholds[*b].total_cmp(&thresholds[*a]));
    let components = Components::new(rows);
    let (mut columns, mut joined) = (vec![Vec::new(); thresholds.len()], 0);
    for column in descending {
        let place = place_of(thresholds[column]);
        let until = edges.partition_point(|edge| reaches(&edge.unpack(layout), place));
        join(&components, &edges[joined..until], layout, cancel);
        columns[column] = components.roots();
        joined = until;
    }
    columns
}

/// Whether an edge reaches the threshold with this place.
fn reaches(edge: &Edge, threshold: u64) -> bool {
    edge.kind() != EdgeKind::Scored || edge.place() <= threshold
}

fn join<K: PackedEdge>(components: &Components, edges: &[K], layout: EdgeLayout, cancel: Cancel<'_>) {
    edges.par_chunks(EDGES_AT_A_TIME).for_each(|some| {
        cancel.check();
        let pairs: Vec<[u32; 2]> = some.iter().map(|edge| edge.rows(layout)).collect();
        components.join_all(&pairs);
    });
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
        mut cut_edges: Option<&mut Vec<Edge>>,
    ) -> Result<Clusters, ClusterConflict> {
        let constraints = Constraints::new(self.rules, self.facts);
        let mut cut = self.without_excluded(&mut edges, &constraints, cut_edges.as_deref_mut());
        let components = Components::new(self.rows);
        join(&components, &edges, self.layout, self.cancel);
        let mut first_rows = components.into_roots();
        if let Some(most) = self.never_divided() {
            let order = ComponentOrder::new(&first_rows);
            let order = order.only(&open_components(&order, &first_rows, &constraints, most));
            cut.extend(self.divided(edges, &order, constraints, &mut first_rows, cut_edges)?);
        }
        cut.par_sort_unstable();
        Ok(Clusters { first_rows, cut })
    }

    /// Leaves out the edges below the threshold, and those that are decided to be none, which it gives as cut.
    fn without_excluded<K: PackedEdge>(
        &self,
        edges: &mut Vec<K>,
        constraints: &Constraints<'_>,
        mut cut_edges: Option<&mut Vec<Edge>>,
    ) -> Vec<CutEdge> {
        let (mut cut, apart) = (Vec::new(), &constraints.apart);
        let threshold = self.rules.threshold.map(place_of);
        if threshold.is_none() && apart.is_empty() {
            return cut;
        }
        edges.retain(|packed| {
            let edge = packed.unpack(self.layout);
            let (rows, is_decided) = (edge.rows(), edge.kind() == EdgeKind::DecidedTogether);
            if threshold.is_some_and(|threshold| !reaches(&edge, threshold)) {
                return false;
            }
            let is_apart = !is_decided && apart.binary_search(&rows).is_ok();
            if is_apart {
                cut.push(CutEdge { rows, cause: CutCause::DecidedApart { pair: rows } });
                if let Some(cut_edges) = &mut cut_edges {
                    cut_edges.push(edge);
                }
            }
            !is_apart
        });
        cut.sort_unstable();
        // Of repeated edges one is reported.
        cut.dedup();
        cut
    }

    /// How many bridges clusters have.
    fn bridges<K: PackedEdge>(&self, mut edges: Vec<K>, first_rows: &[u32]) -> u64 {
        let (threshold, layout) = (self.rules.threshold.map(place_of), self.layout);
        edges.retain(|packed| {
            let [l, r] = packed.rows(layout);
            let reaches_it = || threshold.is_none_or(|threshold| reaches(&packed.unpack(layout), threshold));
            first_rows[l as usize] == first_rows[r as usize] && reaches_it()
        });
        let order = ComponentOrder::new(first_rows);
        self.sort_by_component(&mut edges, &order.places(first_rows.len()));
        let before = |place: u32| edges.partition_point(|edge| edge.rows(layout)[0] < place);
        let of_cluster = |at: usize| {
            let (rows, first) = (order.component(at), order.starts[at]);
            if rows.len() < LEAST_TO_SPLIT {
                return 0;
            }
            self.cancel.check();
            let packed = K::slice(&edges[before(first)..before(order.starts[at + 1])]);
            count_bridges_of(&Component { rows, first, layout, packed })
        };
        (0..order.len()).into_par_iter().map(of_cluster).sum()
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

    /// Divides components, and gives the edges between their clusters.
    fn divided<K: PackedEdge>(
        &self,
        mut edges: Vec<K>,
        order: &ComponentOrder,
        constraints: Constraints<'_>,
        first_rows: &mut [u32],
        cut_edges: Option<&mut Vec<Edge>>,
    ) -> CutEdges {
        let places = order.places(first_rows.len());
        let constraints = constraints.placed(first_rows, &places);
        self.sort_by_component(&mut edges, &places);
        drop(places);
        let mut labels = vec![0; order.rows.len()];
        let division = Division { job: self, order, constraints: &constraints };
        let cut = division.components(&order.starts, &mut edges, &mut labels)?;
        for at in 0..order.len() {
            let (rows, first) = (order.component(at), order.starts[at] as usize);
            for (row, label) in rows.iter().zip(&labels[first..]) {
                first_rows[*row as usize] = rows[*label as usize];
            }
        }
        if let Some(cut_edges) = cut_edges {
            let first_rows = &*first_rows;
            cut_edges.par_extend(edges.par_iter().filter_map(|packed| self.cut_edge(*packed, order, first_rows)));
        }
        Ok(cut)
    }

    /// The edge between the rows at these places, if they are in different clusters.
    fn cut_edge<K: PackedEdge>(&self, packed: K, order: &ComponentOrder, first_rows: &[u32]) -> Option<Edge> {
        let edge = packed.unpack(self.layout);
        let rows = edge.rows().map(|place| order.rows[place as usize]);
        let [l, r] = rows.map(|row| first_rows[row as usize]);
        (l != r).then(|| edge.between(rows))
    }

    /// Keeps the edges of some components, each once, with the places of their rows in place of the rows, and sorts them by
    /// these.
    fn sort_by_component<K: PackedEdge>(&self, edges: &mut Vec<K>, places: &[u32]) {
        let layout = self.layout;
        edges.retain(|edge| {
            let [l, r] = edge.rows(layout);
            l != r && places[l as usize] != NOWHERE
        });
        edges.par_iter_mut().for_each(|edge| {
            *edge = edge.with_rows(edge.rows(layout).map(|row| places[row as usize]), layout);
        });
        self.cancel.check();
        edges.par_sort_unstable_by_key(|edge| edge.by_rows(layout));
        // Of the same rows the strongest is the first.
        edges.dedup_by_key(|edge| edge.rows(layout));
    }
}

/// Components that are divided on all cores.
struct Division<'a> {
    job: &'a ClusterJob<'a>,
    order: &'a ComponentOrder,
    constraints: &'a Constraints<'a>,
}

impl Division<'_> {
    /// Divides the components that begin at these places, but for the last of them, which is their end. Edges and labels
    /// are theirs alone.
    fn components<K: PackedEdge>(&self, starts: &[u32], edges: &mut [K], labels: &mut [u32]) -> CutEdges {
        let components = starts.len() - 1;
        if components < 2 || edges.len() < EDGES_AT_A_TIME {
            return self.one_by_one(starts, edges, labels);
        }
        let (middle, place) = (components / 2, starts[components / 2]);
        let edges_before = self.edges_before(edges, place);
        let (l_edges, r_edges) = edges.split_at_mut(edges_before);
        let (l_labels, r_labels) = labels.split_at_mut((place - starts[0]) as usize);
        let (l, r) = rayon::join(
            || self.components(&starts[..=middle], l_edges, l_labels),
            || self.components(&starts[middle..], r_edges, r_labels),
        );
        let mut cut = l?;
        cut.extend(r?);
        Ok(cut)
    }

    /// How many of the edges are of components before a place.
    fn edges_before<K: PackedEdge>(&self, edges: &[K], place: u32) -> usize {
        edges.partition_point(|edge| edge.rows(self.job.layout)[0] < place)
    }

    fn one_by_one<K: PackedEdge>(&self, starts: &[u32], mut edges: &mut [K], mut labels: &mut [u32]) -> CutEdges {
        self.job.cancel.check();
        let mut cut = Vec::new();
        for bounds in starts.windows(2) {
            let [first, end] = [bounds[0], bounds[1]];
            let edges_before = self.edges_before(edges, end);
            let (own_edges, other_edges) = std::mem::take(&mut edges).split_at_mut(edges_before);
            let (own_labels, other_labels) = std::mem::take(&mut labels).split_at_mut((end - first) as usize);
            if own_edges.len() < SORTED_BY_ALL {
                own_edges.sort_unstable();
            } else {
                own_edges.par_sort_unstable();
            }
            let rows = &self.order.rows[first as usize..end as usize];
            let packed = K::slice(own_edges);
            let component = Component { rows, first, layout: self.job.layout, packed };
            self.component(&component, own_labels, &mut cut)?;
            (edges, labels) = (other_edges, other_labels);
        }
        Ok(cut)
    }

    /// Divides one component: labels become the first records of clusters.
    fn component(
        &self,
        component: &Component<'_>,
        labels: &mut [u32],
        cut: &mut Vec<CutEdge>,
    ) -> Result<(), ClusterConflict> {
        let (rules, facts) = (self.job.rules, self.job.facts);
        labels.fill(0);
        match rules.method {
            ClusterMethod::Components => {}
            ClusterMethod::Optimal => match_pairs(component, &facts.sources, labels)?,
            ClusterMethod::Linkage { linkage, threshold } => link(component, linkage, threshold, labels),
            ClusterMethod::Louvain => find_communities(component, labels),
        }
        if rules.method != ClusterMethod::Components {
            cut.extend(between(component, labels).map(|rows| CutEdge { rows, cause: CutCause::Method }));
        }
        if rules.has_constraints(facts) {
            cut.extend(constrain(component, self.constraints, labels)?);
        }
        if let Some(split) = rules.split {
            cut.extend(split_at_bridges(component, split, labels));
        }
        Ok(())
    }
}

/// The rows of edges between clusters.
fn between(component: &Component<'_>, labels: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    let edges = component.edges().filter(move |edge| {
        let [a, b] = edge.ends;
        labels[a as usize] != labels[b as usize]
    });
    edges.map(move |edge| component.rows_of(edge.ends))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{BridgeSplit, Linkage};
    use crate::testing::{clusters, scored, with_decided};

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
