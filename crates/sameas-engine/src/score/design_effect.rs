//! How many times as large the variance of a sample is as if its pairs had been drawn one by one.
//!
//! Pairs that share a record are alike, and a sample of records has all pairs among them. What a pass learns is off by its
//! inverse information times the sum of the scores of its pairs: the derivatives of their likelihood. So the variance of that sum
//! is all that matters. It is measured between groups of pairs of which no two share a record, and compared with what it would
//! be if pairs had nothing to do with each other (Kish, 1965). The outcomes of a comparison are taken together, because few groups
//! say little of a rare outcome. A sample is never taken for surer than pairs that were drawn one by one.

use super::expectation::{Pass, PassBelief};
use super::pass_table::PassTable;

/// How many times as large variances are.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignEffects {
    /// That of the share of matches.
    pub matches: f64,
    /// That of m of each comparison that takes part.
    pub m: Vec<f64>,
}

impl DesignEffects {
    /// Of groups of pairs that share no record, by what the pass over all of them has learned.
    pub fn new(groups: &[PassTable], all: Pass<'_>, belief: &PassBelief) -> Self {
        let of_group = |table: &PassTable| ScoreSums::new(Pass { table, ..all }, belief);
        let of_groups: Vec<ScoreSums> = groups.iter().map(of_group).collect();
        let mut place = 1;
        let of_comparison = |m: &Vec<f64>| {
            let own = place..place + m.len();
            place = own.end;
            effect(&of_groups, own)
        };
        Self { m: belief.m.iter().map(of_comparison).collect(), matches: effect(&of_groups, 0..1) }
    }
}

/// The variance of sums between groups, as a multiple of that of single pairs: at least 1.
fn effect(groups: &[ScoreSums], places: std::ops::Range<usize>) -> f64 {
    let count = groups.len() as f64;
    let between = |place: usize| {
        let mean = groups.iter().map(|of| of.sums[place]).sum::<f64>() / count;
        groups.iter().map(|of| (of.sums[place] - mean).powi(2)).sum::<f64>() * count / (count - 1.0)
    };
    let single = |place: usize| groups.iter().map(|of| of.squares[place]).sum::<f64>();
    let (between, single) = (places.clone().map(between).sum::<f64>(), places.map(single).sum::<f64>());
    if single > 0.0 && between.is_finite() { (between / single).max(1.0) } else { 1.0 }
}

/// The scores of the pairs of a group: that of the share of matches first, then those of the outcomes of each comparison.
struct ScoreSums {
    sums: Vec<f64>,
    squares: Vec<f64>,
}

impl ScoreSums {
    fn new(pass: Pass<'_>, belief: &PassBelief) -> Self {
        let parameters = 1 + belief.m.iter().map(Vec::len).sum::<usize>();
        let mut all = Self { sums: vec![0.0; parameters], squares: vec![0.0; parameters] };
        for ((pairs, outcomes), z) in pass.table.rows().zip(pass.matching(belief)) {
            all.add(0, pairs, z - belief.matches);
            let mut place = 1;
            for (m, outcome) in belief.m.iter().zip(outcomes) {
                all.add_outcome(place, m, *outcome as usize, (pairs, z));
                place += m.len();
            }
        }
        all
    }

    /// Adds pairs with an outcome of a comparison; a null says nothing.
    fn add_outcome(&mut self, place: usize, m: &[f64], outcome: usize, (pairs, z): (f64, f64)) {
        if outcome < m.len() {
            for (at, m) in m.iter().enumerate() {
                self.add(place + at, pairs, z * (f64::from(u8::from(at == outcome)) - m));
            }
        }
    }

    fn add(&mut self, place: usize, pairs: f64, score: f64) {
        self.sums[place] += pairs * score;
        self.squares[place] += pairs * score * score;
    }
}

#[cfg(test)]
mod tests {
    use super::super::expectation::{PassRecord, expectation_maximisation};
    use super::super::match_limit::MatchLimit;
    use super::super::pass_errors::PassErrors;
    use super::super::pass_table::TableSample;
    use super::super::pattern::{PatternCounts, Patterns};
    use super::*;
    use crate::cancel::Cancel;
    use crate::records::stats::Random;
    use crate::rules::{ComparisonRules, LevelRule};

    const COMPARISONS: usize = 4;

    fn shape() -> Patterns {
        let comparison =
            ComparisonRules { name: "a".to_owned(), levels: vec![LevelRule::default()], term_frequency: None };
        Patterns::new(&vec![comparison; COMPARISONS]).unwrap()
    }

    fn table(counts: &PatternCounts) -> PassTable {
        PassTable::new(&shape(), &counts.with_any(1), &[true; COMPARISONS])
    }

    /// Sixteen groups of pairs, each of which comes `alike` times.
    fn sampled(random: &mut Random, alike: u64) -> (PassTable, Vec<Vec<f64>>) {
        let (shape, mut all) = (shape(), PatternCounts::default());
        let draw = |random: &mut Random| {
            let agree = if random.unit() < 0.3 { 0.8 } else { 0.1 };
            (0..COMPARISONS).map(|at| shape.part(at, usize::from(random.unit() > agree))).sum::<u64>()
        };
        let mut group = || {
            let mut counts = PatternCounts::default();
            (0..4_000 / alike).for_each(|_| counts.add_many(1, draw(random), alike));
            all.merge(counts.clone());
            table(&counts)
        };
        let groups = (0..16).map(|_| group()).collect();
        (table(&all).with_sample(TableSample { share: 0.1, groups }), vec![vec![0.1, 0.9]; COMPARISONS])
    }

    fn learned(table: &PassTable, u: &[Vec<f64>]) -> PassRecord {
        expectation_maximisation(
            Pass { table, u, cancel: Cancel::NEVER },
            PassBelief { matches: 0.2, held_back: 0.0, m: vec![vec![0.9, 0.1]; COMPARISONS] },
            MatchLimit::NONE,
        )
    }

    #[test]
    fn pairs_that_come_together_count_less() {
        let mut random = Random::new(12);
        for alike in [1_u64, 20] {
            let (mut mean, draws) = (0.0, 20);
            for _ in 0..draws {
                let (table, u) = sampled(&mut random, alike);
                let groups = &table.sample.as_ref().unwrap().groups;
                let all = Pass { table: &table, u: &u, cancel: Cancel::NEVER };
                let effects = DesignEffects::new(groups, all, &learned(&table, &u).belief);
                let all = effects.m.iter().sum::<f64>() + effects.matches;
                mean += all / (COMPARISONS + 1) as f64 / f64::from(draws);
            }
            // With one it is 1 and what chance adds to it, because it is never less.
            let range = if alike == 1 { 1.0..1.4 } else { 16.0..24.0 };
            assert!(range.contains(&mean), "{alike}: {mean}");
        }
    }

    #[test]
    fn what_a_sample_has_learned_is_as_unsure_as_its_groups_differ() {
        let mut random = Random::new(3);
        let (mut within, mut all) = (0, 0);
        for _ in 0..60 {
            let (table, u) = sampled(&mut random, 20);
            let record = learned(&table, &u);
            let errors = PassErrors::new(Pass { table: &table, u: &u, cancel: Cancel::NEVER }, &record);
            for (m, errors) in record.belief.m.iter().zip(&errors.m) {
                all += 1;
                within += u32::from((m[0] - 0.8).abs() <= 1.96 * errors[0]);
            }
        }
        let share = f64::from(within) / f64::from(all);
        assert!((0.85..=1.0).contains(&share), "{share}");
    }
}
