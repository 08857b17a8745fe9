//! Clusters of pairs of any origin: [`Session::cluster_pairs`](crate::Session::cluster_pairs) takes a [`ClusterPairsJob`] and
//! gives [`PairClusters`]. A [`ClusterSpec`] says how clusters are made, as `[clusters]` and `[[limit]]` of a rule file do.

#[doc(inline)]
pub use sameas_pairs::cluster_pairs::{
    ClusterPairsJob, ClusterPairsRecord, LargestPairCluster, PairClusterTable, PairClusters, PairColumnNames,
    SourceRecord, StepSeconds,
};
#[doc(inline)]
pub use sameas_rules::rules::{ClusterSpec, CountedSpec, LimitSpec, MethodSpec, OneToSpec, SplitSpec};
