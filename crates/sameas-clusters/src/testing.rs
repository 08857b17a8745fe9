//! What tests of clusterings share.

use sameas_core::cancel::Cancel;

use crate::cluster::cluster;
use crate::edge::{Edge, EdgeKind};
use crate::edges::Edges;
use crate::outcome::{ClusterConflict, Clusters};
use crate::rules::{ClusterMethod, ClusterRules, RowFacts};

/// Edges of one rule with these weights.
pub(crate) fn scored(rows: u32, pairs: &[(u32, u32, f64)]) -> Edges {
    let mut edges = Edges::new(rows, 1);
    for (l, r, weight) in pairs {
        edges.push(Edge::new([*l, *r], EdgeKind::Scored, Some(*weight), 0).unwrap());
    }
    edges
}

/// The same with pairs that are decided to be together.
pub(crate) fn with_decided(mut edges: Edges, together: &[[u32; 2]]) -> Edges {
    for rows in together {
        edges.push(Edge::new(*rows, EdgeKind::DecidedTogether, None, 0).unwrap());
    }
    edges
}

/// Their clusters.
pub(crate) fn clusters(edges: Edges, rules: &ClusterRules, facts: &RowFacts) -> Result<Clusters, ClusterConflict> {
    cluster(edges, rules, facts, Cancel::NEVER)
}

/// The first row of each row's cluster by a method.
pub(crate) fn by_method(edges: Edges, method: ClusterMethod) -> Vec<u32> {
    let rules = ClusterRules { method, ..ClusterRules::default() };
    clusters(edges, &rules, &RowFacts::default()).unwrap().first_rows
}
