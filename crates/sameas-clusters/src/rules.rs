//! How clusters are made of edges, as a rule file says it, and what is known of the rows that these rules are about.

use sameas_core::error::{Error, Result};

use crate::edge::is_weight;

/// How clusters are made. The steps come in this order, and each only divides the clusters of the one before it: the edges
/// that reach the threshold, the method, the constraints, the split.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClusterRules {
    /// Edges with a lower score are left out, and those without any. Certain and decided ones stay.
    pub threshold: Option<f64>,
    /// What makes clusters of the edges.
    pub method: ClusterMethod,
    /// The most records of a cluster.
    pub max_size: Option<u32>,
    /// No cluster has a pair that is [forbidden](RowFacts::forbidden).
    pub keep_apart: bool,
    /// A cluster has at most one record of a source.
    pub one_to: Option<OneTo>,
    /// What else a cluster has a limited number of.
    pub limits: Vec<ClusterLimit>,
    /// Whether clusters are divided at weak places in the end.
    pub split: Option<BridgeSplit>,
}

/// What makes clusters of edges.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ClusterMethod {
    /// Records are together where a path of edges connects them.
    #[default]
    Components,
    /// Pairs of records of two sources, each record in one at most, with the largest sum of weights.
    Optimal,
    /// The two clusters that are most alike become one, as long as two are as alike as the threshold says.
    Linkage {
        /// How alike two clusters are.
        linkage: Linkage,
        /// How alike they must be.
        threshold: f64,
    },
    /// Communities by Louvain's method.
    Louvain,
}

/// How alike two clusters are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// The average weight of all pairs of their records; one without an edge counts 0.
    Average,
    /// The least weight of all pairs of their records; one without an edge forbids a union.
    Complete,
}

/// How many records of a source a cluster has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OneTo {
    /// One of each source.
    One,
    /// One of each source but this, which may repeat.
    Many {
        /// The source that may repeat.
        repeated: u32,
    },
}

/// A number of records or values that no cluster exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClusterLimit {
    /// What is limited.
    pub counted: Counted,
    /// The most that there may be; at least one.
    pub most: u32,
}

/// What a limit counts, by the [values](RowFacts::values) of records. A record without a value counts for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The records of each value.
    RecordsOfEach,
    /// The different values.
    DifferentValues,
}

/// Where clusters are divided: at an edge that alone holds two parts together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BridgeSplit {
    /// The share of their pairs that have an edge is to be larger than this in both parts. It is above 0 and below 1.
    pub density: f64,
}

/// What the rules refer to, row by row. What no rule needs may be empty.
#[derive(Clone, Debug, Default)]
pub struct RowFacts {
    /// The source of each row, for [`OneTo`] and [`ClusterMethod::Optimal`].
    pub sources: Vec<u32>,
    /// For each limit the value of each row, numbered in any way.
    pub values: Vec<Vec<u32>>,
    /// Pairs of rows that may not be together, in any order, for `keep_apart`. Only those inside a component matter.
    pub forbidden: Vec<[u32; 2]>,
    /// Pairs of rows that somebody has decided to be different.
    pub apart: Vec<[u32; 2]>,
}

/// The value of a row that has none.
pub const NO_VALUE: u32 = u32::MAX;

impl ClusterRules {
    /// Says what is wrong with the rules, for records of this number of sources.
    pub fn check(&self, sources: u32) -> Result<()> {
        self.threshold.map_or(Ok(()), |threshold| check_threshold("the threshold of clusters", threshold))?;
        match self.method {
            ClusterMethod::Linkage { threshold, .. } => check_threshold("the threshold of a linkage", threshold)?,
            ClusterMethod::Optimal if sources != 2 => return Err(not_of_two(sources)),
            _ => {}
        }
        match self.one_to {
            Some(OneTo::Many { repeated }) if repeated >= sources => return Err(no_source(repeated, sources)),
            _ => {}
        }
        if self.max_size == Some(0) || self.limits.iter().any(|limit| limit.most == 0) {
            return Err(
                Error::rules("a limit of clusters is 0, which every record breaks").with_help("the least limit is 1")
            );
        }
        let is_share = |density: f64| density > 0.0 && density < 1.0;
        match self.split {
            Some(BridgeSplit { density }) if !is_share(density) => Err(no_density(density)),
            _ => Ok(()),
        }
    }

    /// Whether constraints may refuse a union.
    pub(crate) fn has_constraints(&self, facts: &RowFacts) -> bool {
        let may_forbid = self.keep_apart && !facts.forbidden.is_empty() || !facts.apart.is_empty();
        self.max_size.is_some() || self.one_to.is_some() || !self.limits.is_empty() || may_forbid
    }
}

fn check_threshold(what: &str, threshold: f64) -> Result<()> {
    if is_weight(threshold) {
        return Ok(());
    }
    Err(Error::rules(format!("{what} is {threshold}")).with_help("a threshold is a number between -2^31 and 2^31"))
}

fn not_of_two(sources: u32) -> Error {
    Error::rules(format!("optimal pairs are those of two sources, and there are {sources}"))
        .with_help("limit clusters to one record of a source instead, which works for any number of them")
}

fn no_source(repeated: u32, sources: u32) -> Error {
    Error::rules(format!("source {repeated} may repeat, and there are {sources}, counted from 0"))
}

fn no_density(density: f64) -> Error {
    Error::rules(format!("the density of a split is {density}"))
        .with_help("it is a share of all pairs, above 0 and below 1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_without_sense_are_refused() {
        let rules = ClusterRules::default;
        let average = |threshold| ClusterMethod::Linkage { linkage: Linkage::Average, threshold };
        let counted = Counted::DifferentValues;
        let right = ClusterRules {
            threshold: Some(-0.5),
            method: average(0.5),
            one_to: Some(OneTo::Many { repeated: 1 }),
            limits: vec![ClusterLimit { counted, most: 1 }],
            split: Some(BridgeSplit { density: 0.5 }),
            ..rules()
        };
        right.check(2).unwrap();
        let wrong = [
            (ClusterRules { threshold: Some(f64::NAN), ..rules() }, "the threshold of clusters is NaN"),
            (ClusterRules { method: average(f64::INFINITY), ..rules() }, "the threshold of a linkage is inf"),
            (ClusterRules { method: ClusterMethod::Optimal, ..rules() }, "two sources, and there are 3"),
            (ClusterRules { one_to: Some(OneTo::Many { repeated: 3 }), ..rules() }, "source 3 may repeat"),
            (ClusterRules { max_size: Some(0), ..rules() }, "a limit of clusters is 0"),
            (ClusterRules { limits: vec![ClusterLimit { counted, most: 0 }], ..rules() }, "a limit of clusters is 0"),
            (ClusterRules { split: Some(BridgeSplit { density: 1.0 }), ..rules() }, "the density of a split is 1"),
        ];
        for (rules, message) in wrong {
            let error = rules.check(3).unwrap_err();
            assert!(error.message().contains(message), "{error}");
        }
    }
}
