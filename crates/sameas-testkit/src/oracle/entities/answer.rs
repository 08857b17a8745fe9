//! A case with what is known of all its records before any table is made.

use crate::entities::EntityCase;
use crate::oracle::cluster::clusters;

/// A case with its clusters.
pub struct EntityAnswer<'a> {
    pub(super) case: &'a EntityCase,
    /// All rows: the input and the record there.
    pub(super) rows: Vec<(usize, usize)>,
    /// The rows of each cluster, in order; clusters in the order of their first rows.
    pub(super) clusters: Vec<Vec<usize>>,
    /// What the pairs of each row with records of its cluster weigh.
    pub(super) strengths: Vec<i128>,
}

impl<'a> EntityAnswer<'a> {
    /// The answer to a case.
    pub fn new(case: &'a EntityCase) -> Self {
        let rows = case.rows();
        let pairs: Vec<(usize, usize)> = case.pairs.iter().map(|pair| (pair.rows[0], pair.rows[1])).collect();
        let first_rows = clusters(rows.len(), &pairs);
        let of_cluster = |first: usize| (0..rows.len()).filter(|row| first_rows[*row] == first).collect();
        let firsts = (0..rows.len()).filter(|row| first_rows[*row] == *row);
        let clusters = firsts.map(of_cluster).collect();
        let strengths = (0..rows.len()).map(|row| strength(case, row)).collect();
        EntityAnswer { case, rows, clusters, strengths }
    }

    /// What the pairs of each row with records of its cluster weigh.
    pub fn strengths(&self) -> &[i128] {
        &self.strengths
    }

    /// The first row of each row's cluster.
    pub fn first_rows(&self) -> Vec<usize> {
        let cluster = |row: &usize| self.clusters.iter().find(|rows| rows.contains(row)).map_or(*row, |rows| rows[0]);
        (0..self.rows.len()).map(|row| cluster(&row)).collect()
    }
}

/// What the pairs of a row weigh. Pairs are in one cluster, since clusters are made of them.
fn strength(case: &EntityCase, row: usize) -> i128 {
    let has_scores = case.pairs.iter().any(|pair| pair.score.is_some());
    let weight = |score: Option<f64>| match score {
        Some(score) => (score.clamp(-1024.0, 1024.0) * f64::from(1 << 20)).round() as i128,
        None => i128::from(!has_scores),
    };
    case.pairs.iter().filter(|pair| pair.rows.contains(&row)).map(|pair| weight(pair.score)).sum()
}
