//! Clusters of weighted edges: which records belong together, when it is known of pairs how strongly they do.
//!
//! [`Edges`] hold the pairs, wherever they come from. [`ClusterRules`] say how clusters are made: a threshold, a
//! [method](ClusterMethod), constraints, a split. [`RowFacts`] say what these refer to: sources, values, forbidden pairs,
//! decisions. [`cluster`] gives [`Clusters`], or the decisions that contradict each other, and [`cluster_with_cut_edges`] the
//! edges between them, too; [`components_at`] gives components at several thresholds, and [`count_bridges`] says how many edges
//! alone hold clusters together. [`contradicting_chain`] looks at decisions alone, and [`strongest_chain`] says what connects
//! two rows.
//!
//! What holds for all clusterings:
//!
//! - Edges have one total order (`edge`). Of repeated edges the strongest counts.
//! - A clustering is a function of one component alone, so components can be divided at the same time, and one by one.
//! - The order of the given edges, and the number of threads, change nothing: whatever is summed or compared is an integer, or
//!   a float that is computed in one order.
//! - What decisions hold together stays together.
//! - The least row of a cluster is its name, and lower rows come first where nothing else decides.
//!
//! ```
//! use sameas_clusters::{ClusterRules, Edge, EdgeKind, Edges, RowFacts, cluster};
//! use sameas_core::cancel::Cancel;
//!
//! let mut edges = Edges::new(4, 1);
//! for (l, r, weight) in [(0, 1, 0.9), (1, 2, 0.8), (2, 3, 0.95)] {
//!     edges.push(Edge::new([l, r], EdgeKind::Scored, Some(weight), 0)?);
//! }
//! let rules = ClusterRules { max_size: Some(2), ..ClusterRules::default() };
//! let clusters = cluster(edges, &rules, &RowFacts::default(), Cancel::NEVER).unwrap();
//! assert_eq!(clusters.first_rows, [0, 0, 2, 2]);
//! assert_eq!(clusters.cut[0].rows, [1, 2]);
//! # Ok::<(), sameas_core::error::Error>(())
//! ```

mod bridges;
mod by_rules;
mod chain;
mod cluster;
mod component;
mod component_order;
mod conflict;
mod constraints;
mod cut_edges;
mod division;
mod edge;
mod edges;
mod in_place;
mod linkage;
mod louvain;
mod optimal;
mod outcome;
mod packed;
mod rules;
#[cfg(test)]
mod testing;
mod thresholds;
mod work_memory;

pub use chain::{StrongestChain, strongest_chain, strongest_edge};
pub use cluster::{cluster, cluster_with_cut_edges, count_bridges};
pub use conflict::{contradicting_chain, held_beyond_limit, held_together, limit_words};
pub use edge::{Edge, EdgeKind};
pub use edges::Edges;
pub use outcome::{ClusterConflict, Clusters, CutCause, CutEdge};
pub use rules::{BridgeSplit, ClusterLimit, ClusterMethod, ClusterRules, Counted, Linkage, NO_VALUE, OneTo, RowFacts};
pub use thresholds::components_at;
