//! Counts the pairs that a result has, that the truth has, and that both have.

use std::collections::HashMap;

use super::answer::{Answer, PairSet, RecordClusters, pairs_across};
use super::arithmetic::pairs_of;
use super::record_numbers::RecordNumbers;
use super::scores::{PairCounts, RuleScore, ThresholdScore};

/// Which pairs count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairScope {
    /// Only pairs with at least one record that the truth knows. For a truth that covers a part of the records: a pair
    /// of other records is then not a mistake.
    pub among_known: bool,
    /// Only pairs of records of different inputs.
    pub across: bool,
}

/// Compares a result with the truth.
pub fn compare(found: &Answer, truth: &Answer, numbers: &RecordNumbers, scope: PairScope) -> PairCounts {
    let known = if scope.among_known { truth.known(numbers.count()) } else { Vec::new() };
    let counter = Counter { numbers, scope, known };
    PairCounts {
        found: counter.found(found),
        true_pairs: counter.size(truth),
        both: match (found, truth) {
            (Answer::Pairs(found), Answer::Pairs(truth)) => found.common(truth),
            (Answer::Pairs(pairs), Answer::Clusters(clusters)) | (Answer::Clusters(clusters), Answer::Pairs(pairs)) => {
                pairs.iter().filter(|pair| clusters.joins(*pair)).count() as u64
            }
            (Answer::Clusters(found), Answer::Clusters(truth)) => counter.shared(found, truth),
        },
    }
}

/// What each `match_key` of the found pairs is worth, in the order of `rules`, and then of others that occur.
pub fn rule_scores(
    found: &Answer,
    truth: &Answer,
    records: usize,
    among_known: bool,
    rules: &[String],
) -> Vec<RuleScore> {
    let Answer::Pairs(pairs) = found else { return Vec::new() };
    let known = among_known.then(|| truth.known(records));
    let mut counts = vec![(0, 0); pairs.rules.len()];
    for (a, b, rule) in pairs.listed() {
        let is_true = truth.has((a, b));
        if is_true || known.as_ref().is_none_or(|known| known[a as usize] || known[b as usize]) {
            let (found, both) = &mut counts[rule as usize];
            (*found, *both) = (*found + 1, *both + u64::from(is_true));
        }
    }
    let mut all: Vec<RuleScore> =
        rules.iter().map(|name| RuleScore { name: name.clone(), found: 0, both: 0 }).collect();
    let mut places: HashMap<&str, usize> = rules.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
    for (name, (found, both)) in pairs.rules.iter().zip(counts) {
        let at = *places.entry(name).or_insert_with(|| {
            all.push(RuleScore { name: name.clone(), found: 0, both: 0 });
            all.len() - 1
        });
        (all[at].found, all[at].both) = (found, both);
    }
    all
}

/// A pair with a score, and whether the truth has it.
#[derive(Clone, Copy, Debug)]
pub struct JudgedPair {
    /// The score.
    pub score: f64,
    /// Whether it is true.
    pub is_true: bool,
}

/// The found pairs that count by falling score; none where they have no scores.
pub fn judged_pairs(found: &Answer, truth: &Answer, records: usize, among_known: bool) -> Vec<JudgedPair> {
    let Answer::Pairs(pairs) = found else { return Vec::new() };
    let known = among_known.then(|| truth.known(records));
    let counts = |(a, b): (u32, u32)| known.as_ref().is_none_or(|known| known[a as usize] || known[b as usize]);
    let judged = pairs.scored().map(|(pair, score)| (pair, JudgedPair { score, is_true: truth.has(pair) }));
    let mut judged: Vec<JudgedPair> =
        judged.filter(|(pair, of)| of.is_true || counts(*pair)).map(|(_, of)| of).collect();
    judged.sort_by(|a, b| b.score.total_cmp(&a.score));
    judged
}

/// What would be found with each threshold on the score of pairs, which are given by falling score.
pub fn threshold_scores(judged: &[JudgedPair], true_pairs: u64) -> Vec<ThresholdScore> {
    let (mut all, mut found, mut both) = (Vec::new(), 0, 0);
    for of_score in judged.chunk_by(|a, b| a.score.to_bits() == b.score.to_bits()) {
        found += of_score.len() as u64;
        both += of_score.iter().filter(|pair| pair.is_true).count() as u64;
        all.push(ThresholdScore { threshold: of_score[0].score, counts: PairCounts { found, true_pairs, both } });
    }
    all
}

struct Counter<'a> {
    numbers: &'a RecordNumbers,
    scope: PairScope,
    /// Records that the truth knows, if it matters.
    known: Vec<bool>,
}

impl Counter<'_> {
    /// The pairs of an answer.
    fn size(&self, answer: &Answer) -> u64 {
        answer.pairs(self.numbers, self.scope.across)
    }

    /// The pairs of the result that count. Those the truth has count always, since the truth knows their records.
    fn found(&self, found: &Answer) -> u64 {
        if !self.scope.among_known {
            return self.size(found);
        }
        match found {
            Answer::Pairs(pairs) => self.with_a_known_end(pairs),
            // All pairs less those between two unknown records.
            Answer::Clusters(clusters) => {
                let is_unknown = |record: u32| !self.known[record as usize];
                self.size(found) - clusters.pairs(self.numbers, self.scope.across, is_unknown)
            }
        }
    }

    fn with_a_known_end(&self, pairs: &PairSet) -> u64 {
        pairs.iter().filter(|(a, b)| self.known[*a as usize] || self.known[*b as usize]).count() as u64
    }

    /// The pairs that are together in both: for each cluster of one and each of the other, those of the records they
    /// share. Sorting brings these records together.
    fn shared(&self, found: &RecordClusters, truth: &RecordClusters) -> u64 {
        let cell = |(record, cluster)| {
            let other = truth.cluster_of(record)?;
            Some(((u64::from(cluster) << 32) | u64::from(other), self.numbers.source(record)))
        };
        let mut cells: Vec<(u64, u32)> = found.members().filter_map(cell).collect();
        if self.scope.across {
            return pairs_across(cells);
        }
        cells.sort_unstable();
        cells.chunk_by(|a, b| a.0 == b.0).map(|records| pairs_of(records.len() as u64)).sum()
    }
}
