//! What connects two records of a run, and what is looked at to find it: the pairs around them, and what has cut these.

use serde::{Deserialize, Serialize};

use crate::cancel::Cancel;
use crate::cluster::EdgeKind;
use crate::error::Result;
use crate::memory::{Held, MemoryBudget};

/// What connects two records that are no pair of one cluster.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Connection {
    /// The clusters of the two records, by `cluster_id`.
    pub clusters: [String; 2],
    /// The pairs of the strongest chain, from the first record to the second: the chain whose weakest pair is strongest. Of
    /// records in two clusters it leads through others, and is there if no pair is between the two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<ConnectingPair>,
    /// The place of the weakest pair in the chain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weakest: Option<usize>,
    /// In one cluster, how many records each of the two would still be connected with if there were no weakest pair, themselves
    /// included; nothing where another path connects the two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<[u64; 2]>,
    /// Of records in two clusters the pair that they are, or else the strongest pair between these clusters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closest: Option<ConnectingPair>,
}

impl Connection {
    /// Two records of these clusters; nothing is known of pairs yet.
    pub fn of_clusters(clusters: [String; 2]) -> Self {
        Self { clusters, ..Self::default() }
    }
}

/// A pair that connects records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ConnectingPair {
    /// The ids of its records: in a chain that which is nearer to its start comes first.
    pub ids: [String; 2],
    /// The rule that owns it.
    pub match_key: String,
    /// Its score, if it has one: the match weight where a model gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// What has cut it, if its records are in two clusters and something has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<CutReason>,
}

impl ConnectingPair {
    /// The pair of two records by a rule.
    pub fn new(ids: [String; 2], match_key: String, score: Option<f64>, cut: Option<CutReason>) -> Self {
        Self { ids, match_key, score, cut }
    }
}

/// What has cut a pair, as the file `cut` says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CutReason {
    /// The constraint, or what else it was: `method`, `max_size`, `decided`, `never`, `one_to`, `limit` or `bridge`.
    pub cause: String,
    /// What was in the way: two records, a source, or a limit with its value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

impl CutReason {
    /// A cause, and what was in the way.
    pub fn new(cause: &str, because: Option<String>) -> Self {
        Self { cause: cause.to_owned(), because }
    }
}

/// A pair of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunPair {
    /// The numbers of its records among all.
    pub records: [u32; 2],
    /// The number of the rule that owns it.
    pub rule: u32,
    /// What says it: a decision, or a rule that is certain or not.
    pub kind: EdgeKind,
    /// Its score, if it has one.
    pub score: Option<f64>,
}

/// Some pairs of a run, and the memory that they take.
#[derive(Debug)]
pub struct SomePairs {
    /// The pairs, in any order.
    pub pairs: Vec<RunPair>,
    held: Held,
}

impl SomePairs {
    /// None yet.
    pub fn new(budget: &MemoryBudget) -> Result<Self> {
        Ok(Self { pairs: Vec::new(), held: budget.hold(0)? })
    }

    /// Adds some more.
    pub fn add(&mut self, more: &[RunPair]) -> Result<()> {
        self.pairs.extend_from_slice(more);
        self.held.reach(self.pairs.capacity() * size_of::<RunPair>())
    }
}

/// A run whose pairs can be looked at, with records by their numbers among all.
pub trait ConnectedRun {
    /// The pairs whose records are wanted. All pairs are shown, on any thread.
    fn pairs_where(
        &mut self,
        is_wanted: &(dyn Fn([u32; 2]) -> bool + Sync),
        budget: &MemoryBudget,
        cancel: Cancel<'_>,
    ) -> Result<SomePairs>;

    /// What has cut each of some pairs, if anything has.
    fn cut_reasons(&mut self, pairs: &[[u32; 2]], cancel: Cancel<'_>) -> Result<Vec<Option<CutReason>>>;

    /// What a record is called, with its input's name where there are several; a cluster is called as its first record is.
    fn record_name(&self, record: u32) -> Result<String>;

    /// What a rule is called.
    fn rule_name(&self, rule: u32) -> String;
}
