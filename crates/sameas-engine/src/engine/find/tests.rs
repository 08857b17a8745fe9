//! Clusters of a scored run by another clustering than the usual one.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};

use super::*;
use crate::device::DeviceChoice;
use crate::records::Input;
use crate::rules::RuleFile;

/// Two records at most: pairs join by their scores, the highest first, where neither record is in another pair.
struct OneToOne {
    with_components: bool,
}

impl Clustering for OneToOne {
    fn begins_with_components(&self) -> bool {
        self.with_components
    }

    fn roots(&self, input: ClusterInput<'_>) -> Result<Vec<u32>> {
        assert_eq!(input.components.is_some(), self.with_components);
        let mut edges: Vec<(Pair, f64)> = Vec::new();
        input.pairs.in_order(&mut |rows| {
            edges.extend(rows.pairs.iter().copied().zip(rows.numbers().map(Option::unwrap)));
            Ok(())
        })?;
        assert!(edges.is_sorted_by_key(|(pair, _)| pair.key()));
        // Equals stay in the order of their rows.
        edges.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let mut roots: Vec<u32> = (0..input.records).collect();
        let mut is_taken = vec![false; roots.len()];
        for (pair, _) in &edges {
            let [l, r] = input.records_of(pair);
            if !is_taken[l as usize] && !is_taken[r as usize] {
                (is_taken[l as usize], is_taken[r as usize]) = (true, true);
                roots[r as usize] = l;
            }
        }
        Ok(roots)
    }
}

fn people(name: &str, names: [&str; 3]) -> Input {
    let text = |values: [&str; 3]| Arc::new(StringArray::from(values.to_vec())) as ArrayRef;
    let columns = [("id", text(["1", "2", "3"])), ("key", text(["k"; 3])), ("name", text(names))];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    Input::batches(name, batch.schema(), vec![batch]).unwrap()
}

/// The first record of each record's cluster, of two inputs with three records each.
fn roots_of(clustering: &dyn Clustering, memory: usize) -> Vec<u32> {
    let text = "[[rule]]\nwhen = \"l.key = r.key\"\n\
                [[compare]]\nname = \"name\"\nsimilarity = \"levenshtein_similarity(l.name, r.name)\"\n\
                [score]\nthreshold = 0.1\n";
    let (left, right) = (people("left", ["anna", "anne", "xxxx"]), people("right", ["anne", "anna", "annx"]));
    let job = Job::link(left, right).with_rules(RuleFile::parse(text, "rules.toml").unwrap());
    let settings = Settings { device: DeviceChoice::Cpu, memory, ..Settings::default() };
    let is_cancelled = || false;
    let pair_use = PairUse { clustering: Some(clustering), ..PairUse::default() };
    let found = find(&job, None, &settings, pair_use, Progress::new(&(), &is_cancelled)).unwrap();
    assert_eq!(found.pairs.len(), 7, "`xxxx` is like `annx` alone");
    found.roots
}

#[test]
fn a_clustering_is_given_sorted_pairs_with_their_scores() {
    for memory in [300, 1 << 26] {
        assert_eq!(roots_of(&ConnectedComponents, memory), [0; 6]);
        for with_components in [false, true] {
            // The best first: `anna` with `anna` and `anne` with `anne`, which leaves `xxxx` with `annx`.
            assert_eq!(roots_of(&OneToOne { with_components }, memory), [0, 1, 2, 1, 0, 2]);
        }
    }
}
