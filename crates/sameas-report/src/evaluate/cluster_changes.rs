//! Two results compared with each other: which clusters are the same, split, merged or otherwise changed.
//!
//! Clusters of both that share records are connected. What is connected is one change: of one cluster and one it is none, of one and
//! several a split, of several and one a merger. So every record is in one change, and a change can be looked at by itself.

use std::cmp::Reverse;

use serde::Serialize;

use super::answer::Answer;
use super::partition::{self, SharedClusters, cluster_of_each};
use super::read::{self, AnswerKind, AnswerReader, RecordIdentity};
use super::record_numbers::RecordNumbers;
use crate::error::Result;
use crate::memory::{MemoryBudget, RESULTS_SHARE};
use crate::numbering::GrowingNumbers;
use crate::observer::{Progress, Stage};
use crate::output::current;
use crate::records::Input;
use crate::union_find::Components;

/// Examples of each kind.
const EXAMPLES: usize = 3;

/// Two results to compare.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ComparisonRequest {
    /// The clusters of one result: changes lead to it.
    pub clusters: Input,
    /// The clusters of the other: changes begin with it.
    pub other: Input,
}

impl ComparisonRequest {
    /// The clusters of a result, and those of another that they are compared with.
    pub fn new(clusters: Input, other: Input) -> Self {
        Self { clusters, other }
    }
}

/// How two results differ: what `Session::compare_clusters` gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ClusterComparison {
    /// Records that both results have; only these are compared.
    pub records: u64,
    /// Records of the result that the other does not have.
    pub records_only_here: u64,
    /// Records of the other that the result does not have.
    pub records_only_there: u64,
    /// Clusters of the result, by the records that both have.
    pub clusters: u64,
    /// Clusters of the other.
    pub other_clusters: u64,
    /// What is the same, and each kind of change.
    pub changes: Vec<ClusterChanges>,
}

/// What became of a cluster of the other result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClusterChangeKind {
    /// It has the same records.
    Same,
    /// It became several clusters.
    Split,
    /// It became a part of a cluster, with others.
    Merged,
    /// Several clusters exchanged records.
    Exchanged,
}

impl ClusterChangeKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Same, Self::Split, Self::Merged, Self::Exchanged];

    fn by_clusters(before: u64, after: u64) -> Self {
        match (before, after) {
            (1, 1) => Self::Same,
            (1, _) => Self::Split,
            (_, 1) => Self::Merged,
            _ => Self::Exchanged,
        }
    }
}

/// All changes of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ClusterChanges {
    /// The kind.
    pub kind: ClusterChangeKind,
    /// How many there are.
    pub changes: u64,
    /// Clusters of the other result in them.
    pub before: u64,
    /// Clusters of the result in them.
    pub after: u64,
    /// Their records.
    pub records: u64,
    /// Those with the most records; none of what is the same.
    pub examples: Vec<ClusterChangeExample>,
}

/// A change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ClusterChangeExample {
    /// One of its records, as commands take it: its id, with the name of its input before it where files name these.
    pub record: String,
    /// The sizes of its clusters in the other result, the largest first.
    pub before: Vec<u64>,
    /// The sizes of its clusters in the result.
    pub after: Vec<u64>,
}

/// Reads two results and compares their clusters. Uses the threads of the current pool, and no more than `memory` bytes.
///
/// If one of them does not name the inputs of records, ids are taken to be unique over all inputs.
pub fn compare_clusters(
    request: &ComparisonRequest,
    memory: usize,
    progress: Progress<'_>,
) -> Result<ClusterComparison> {
    let opening = MemoryBudget::share(memory, RESULTS_SHARE);
    let cancel = progress.cancel().within(&opening);
    let (clusters, other) = (request.clusters.moved(current), request.other.moved(current));
    let (clusters, other) = (clusters.open_until(cancel)?, other.open_until(cancel)?);
    for (source, what) in [(&clusters, "the result"), (&other, "the other result")] {
        let help = "two results are compared by their clusters: name the file of clusters";
        read::check_kind(source, AnswerKind::Clusters, what).map_err(|error| error.with_help(help))?;
    }
    let kind = Some(AnswerKind::Clusters);
    let is_one_space = [&clusters, &other].into_iter().any(|source| read::is_of_one_id_space(source, kind));
    let records = if is_one_space { RecordIdentity::ById } else { RecordIdentity::ByInput };
    progress.begin(&Stage::Reading, None);
    let mut reading = AnswerReader::new(GrowingNumbers::default(), records, memory, progress)?;
    let clusters = reading.read(clusters, kind, "the result")?;
    let other = reading.read(other, kind, "the other result")?;
    let budget = reading.budget().clone();
    let (numbers, inputs, _kept) = reading.finish()?;
    let _working = budget.hold(numbers.count().saturating_mul(partition::RECORD_BYTES + CHANGE_BYTES))?;
    progress.cancel().check();
    Ok(compared(&clusters, &other, &numbers, inputs.as_ref()))
}

/// What comparing takes for each record beside [`partition::RECORD_BYTES`]: two clusters to connect, and a change.
const CHANGE_BYTES: usize = 2 * size_of::<u32>() + size_of::<Change>();

fn compared(
    clusters: &Answer,
    other: &Answer,
    numbers: &RecordNumbers,
    inputs: Option<&GrowingNumbers>,
) -> ClusterComparison {
    let count = numbers.count();
    let [here, there] = [clusters, other].map(|answer| answer.known(count));
    let are_both = |record: u32| here[record as usize] && there[record as usize];
    let only = |one: &[bool], other: &[bool]| one.iter().zip(other).filter(|(a, b)| **a && !**b).count() as u64;
    // Before and after.
    let of_each = [other, clusters].map(|answer| cluster_of_each(answer, count, are_both));
    let shared = SharedClusters::new(&of_each[0], &of_each[1]);
    let clusters_of = |side: usize| shared.sizes[side].iter().filter(|size| **size > 0).count() as u64;
    let connected = ConnectedClusters::new(&shared);
    let mut changes = connected.changes(&shared);
    // The largest come first; of equal ones the one whose clusters come first in the other result.
    changes.sort_unstable_by_key(|change| (change.kind(), Reverse(change.records), change.root));
    let shown_record = |change: &Change| {
        let record = of_each[0].iter().position(|cluster| *cluster == change.root).unwrap_or(0) as u32;
        let id = numbers.id(record);
        inputs.map_or_else(|| id.to_owned(), |inputs| format!("{}:{id}", inputs.text(numbers.source(record))))
    };
    let kinds = ClusterChangeKind::ALL.map(|kind| {
        let first = changes.partition_point(|change| change.kind() < kind);
        let of_kind = changes[first..].iter().take_while(|change| change.kind() == kind);
        let shown = if kind == ClusterChangeKind::Same { 0 } else { EXAMPLES };
        let mut all = ClusterChanges { kind, changes: 0, before: 0, after: 0, records: 0, examples: Vec::new() };
        for change in of_kind {
            all.changes += 1;
            all.before += u64::from(change.clusters[0]);
            all.after += u64::from(change.clusters[1]);
            all.records += change.records;
            if all.examples.len() < shown {
                let [before, after] = connected.sizes(change, &shared);
                all.examples.push(ClusterChangeExample { record: shown_record(change), before, after });
            }
        }
        all
    });
    ClusterComparison {
        records: shared.records,
        records_only_here: only(&here, &there),
        records_only_there: only(&there, &here),
        clusters: clusters_of(1),
        other_clusters: clusters_of(0),
        changes: kinds.into(),
    }
}

/// Clusters that are connected.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    /// The first of its clusters of the other result, which names it.
    root: u32,
    /// How many clusters of the other result, and of this one.
    clusters: [u32; 2],
    records: u64,
}

impl Change {
    fn kind(&self) -> ClusterChangeKind {
        ClusterChangeKind::by_clusters(self.clusters[0].into(), self.clusters[1].into())
    }
}

/// Which clusters are connected by records that they share.
struct ConnectedClusters {
    /// The first cluster of the other result that each of them is connected with.
    roots: Vec<u32>,
    /// The same for each cluster of the result; `NONE` for a number that is no cluster.
    roots_after: Vec<u32>,
}

/// Means "no cluster".
const NONE: u32 = u32::MAX;

impl ConnectedClusters {
    fn new(shared: &SharedClusters) -> Self {
        let [before, after] = &shared.sizes;
        let (components, mut first) = (Components::new(before.len() as u32), vec![NONE; after.len()]);
        // Clusters of the other result are connected by those of the result that have records of both.
        for [cluster, after] in shared.cells.iter().map(|cell| cell.clusters) {
            let first = &mut first[after as usize];
            if *first == NONE {
                *first = cluster;
            }
            components.join(*first, cluster);
        }
        let roots = components.into_roots();
        let root = |cluster: u32| if cluster == NONE { NONE } else { roots[cluster as usize] };
        let roots_after = first.into_iter().map(root).collect();
        Self { roots, roots_after }
    }

    /// All changes, and what is the same.
    fn changes(&self, shared: &SharedClusters) -> Vec<Change> {
        let mut all = vec![Change::default(); self.roots.len()];
        for (root, size) in self.roots.iter().zip(&shared.sizes[0]).filter(|(_, size)| **size > 0) {
            let change = &mut all[*root as usize];
            change.root = *root;
            change.clusters[0] += 1;
            change.records += u64::from(*size);
        }
        for root in self.roots_after.iter().filter(|root| **root != NONE) {
            all[*root as usize].clusters[1] += 1;
        }
        all.retain(|change| change.records > 0);
        all
    }

    /// The sizes of the clusters of a change, in the other result and in this one, the largest first.
    fn sizes(&self, change: &Change, shared: &SharedClusters) -> [Vec<u64>; 2] {
        let sizes = |roots: &[u32], sizes: &[u32]| {
            let of_change = roots.iter().zip(sizes).filter(|(root, size)| **root == change.root && **size > 0);
            let mut sizes: Vec<u64> = of_change.map(|(_, size)| u64::from(*size)).collect();
            sizes.sort_unstable_by_key(|size| Reverse(*size));
            sizes
        };
        [sizes(&self.roots, &shared.sizes[0]), sizes(&self.roots_after, &shared.sizes[1])]
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn file(text: &str) -> tempfile::NamedTempFile {
        let mut file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    fn compared(clusters: &str, other: &str) -> Result<ClusterComparison> {
        let (clusters, other) = (file(clusters), file(other));
        let request = ComparisonRequest::new(Input::files([clusters.path()]), Input::files([other.path()]));
        compare_clusters(&request, usize::MAX, Progress::new(&(), &|| false))
    }

    /// A file of clusters, each given by its records, which are letters.
    fn clusters(of: &[&str]) -> String {
        let rows =
            of.iter().enumerate().flat_map(|(at, records)| records.chars().map(move |id| format!("{id},{at}\n")));
        ["id,cluster\n".to_owned()].into_iter().chain(rows).collect()
    }

    fn counts(found: &ClusterComparison) -> Vec<(u64, u64, u64, u64)> {
        found.changes.iter().map(|of| (of.changes, of.before, of.after, of.records)).collect()
    }

    #[test]
    fn every_record_is_in_one_change() {
        let other = clusters(&["ab", "cdefg", "hi", "j", "kl", "mn", "o"]);
        let found = compared(&clusters(&["ba", "cd", "ef", "g", "hij", "km", "ln", "p"]), &other).unwrap();
        assert_eq!((found.records, found.records_only_here, found.records_only_there), (14, 1, 1));
        assert_eq!((found.clusters, found.other_clusters), (7, 6));
        assert_eq!(counts(&found), [(1, 1, 1, 2), (1, 1, 3, 5), (1, 2, 1, 3), (1, 2, 2, 4)]);
        assert_eq!(found.changes.iter().map(|of| of.kind).collect::<Vec<_>>(), ClusterChangeKind::ALL);
        let example = |kind: usize| found.changes[kind].examples.first();
        assert_eq!(example(0), None);
        let split = example(1).unwrap();
        assert_eq!((split.record.as_str(), &split.before[..], &split.after[..]), ("c", &[5][..], &[2, 2, 1][..]));
        let merged = example(2).unwrap();
        assert_eq!((merged.record.as_str(), &merged.before[..], &merged.after[..]), ("h", &[2, 1][..], &[3][..]));
        assert_eq!(example(3).unwrap().before, [2, 2]);
    }

    #[test]
    fn examples_are_the_largest_changes() {
        let other = clusters(&["ab", "cde", "fg", "hijk", "lm"]);
        let found = compared(&clusters(&["a", "b", "cd", "e", "f", "g", "hi", "jk", "l", "m"]), &other).unwrap();
        let shown: Vec<&str> = found.changes[1].examples.iter().map(|example| example.record.as_str()).collect();
        assert_eq!((found.changes[1].changes, shown), (5, vec!["h", "c", "a"]));
    }

    #[test]
    fn inputs_are_named_where_files_name_them() {
        let other = "source_dataset,unique_id,cluster_id\na,1,x\nb,1,x\n";
        let found = compared("source_dataset,unique_id,cluster_id\na,1,x\nb,1,y\n", other).unwrap();
        assert_eq!(found.changes[1].examples[0].record, "a:1");
        let message = compared("unique_id_l,unique_id_r\n1,2\n", other).unwrap_err().to_string();
        assert!(message.contains("the result, `") && message.contains("holds pairs"), "{message}");
        let nothing = compared("id,cluster\n", "id,cluster\n").unwrap();
        assert_eq!((nothing.records, counts(&nothing)), (0, vec![(0, 0, 0, 0); 4]));
    }
}
