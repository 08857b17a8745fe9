//! By how much two comparisons count the same thing twice.
//!
//! A model adds the weights of two outcomes, as if they came together by chance. Both together should weigh
//! `log2(m of both / u of both)`: more, if they come together more often than by chance among matches, and less, if they do so
//! among other pairs. The mean difference over the matches says by how many bits the score of a match is wrong. If that is a bit
//! or more, the two should be one comparison.
//!
//! Other pairs are counted over all pairs of records, or a sample of them, because the pairs of a rule are not typical: each
//! counts by how likely it does not match. Matches are counted in the passes in which both comparisons take part: two that no pass
//! has together stay separate. One pair is added to each number of pairs, and to what is expected of it, so that what a sample has
//! not seen does not look like dependence.

use super::trained_pass::TrainedPass;
use crate::cancel::Cancel;
use crate::score::{OutcomePairs, PairedOutcomes, Pass, PassBelief, PassTable};

/// The mean number of bits from which on two comparisons are taken together.
const BITS: f64 = 1.0;

/// Matches in which both must have values.
const LEAST_MATCHES: f64 = 50.0;

/// Two comparisons that count the same thing twice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoubleCount {
    /// The comparisons, the first before the second.
    pub comparisons: [usize; 2],
    /// What the sum of their weights is off by in a match, on the mean.
    pub bits: f64,
}

/// What double counting is measured in.
pub struct DoubleCounting<'a> {
    pub passes: &'a [TrainedPass],
    /// All pairs of records, or a sample of them, with all comparisons.
    pub all: &'a PassTable,
    pub prior: f64,
    pub m: Vec<Vec<f64>>,
    pub u: &'a [Vec<f64>],
    pub cancel: Cancel<'a>,
}

impl DoubleCounting<'_> {
    /// Which comparisons to take together, the worst first: each is in at most one of them. What two say twice makes others
    /// look dependent, too, so these are looked at again only in a model without it.
    pub fn found(&self) -> Vec<DoubleCount> {
        let mut all = self.measured();
        all.retain(|of| of.bits >= BITS);
        // Of equals the first stays first.
        all.sort_by(|a, b| b.bits.total_cmp(&a.bits));
        let mut chosen: Vec<DoubleCount> = Vec::new();
        for of in all {
            let is_taken = |at: &usize| chosen.iter().any(|other| other.comparisons.contains(at));
            if !of.comparisons.iter().any(is_taken) {
                chosen.push(of);
            }
        }
        chosen
    }

    /// Each two comparisons that some pass has together, in enough matches.
    fn measured(&self) -> Vec<DoubleCount> {
        let belief = PassBelief { matches: self.prior, held_back: 0.0, m: self.m.clone() };
        let cancel = self.cancel;
        let pass = Pass { table: self.all, u: self.u, cancel };
        let others = PairedOutcomes::new(self.all, pass.matching(&belief).map(|z| 1.0 - z));
        let of_pass = |of: &TrainedPass| {
            let pass = Pass { table: &of.table, u: self.u, cancel };
            let matching = pass.matching(&of.record.belief);
            PairedOutcomes::new(&of.table, matching)
        };
        let matches: Vec<PairedOutcomes> = self.passes.iter().map(of_pass).collect();
        let of_two = |((a, b), table): ((usize, usize), OutcomePairs<'_>)| {
            cancel.check();
            let among_matches = self.among_matches([a, b], &matches)?;
            let bits = self.bits([a, b], &among_matches, &PairsTogether::new(table, self.shape([a, b])));
            Some(DoubleCount { comparisons: [a, b], bits })
        };
        others.tables().filter_map(of_two).collect()
    }

    /// How often outcomes of two comparisons come together in the matches of all passes that have both.
    fn among_matches(&self, comparisons: [usize; 2], matches: &[PairedOutcomes]) -> Option<PairsTogether> {
        let mut all = PairsTogether::none(self.shape(comparisons));
        for (pass, matches) in self.passes.iter().zip(matches) {
            let [Some(a), Some(b)] = comparisons.map(|at| pass.place(at)) else { continue };
            if let Some((_, table)) = matches.tables().find(|(places, _)| *places == (a, b)) {
                all.add(table);
            }
        }
        (all.pairs() >= LEAST_MATCHES).then_some(all)
    }

    /// The mean, over matches, of what the sum of both weights is off by.
    fn bits(&self, [a, b]: [usize; 2], matches: &PairsTogether, others: &PairsTogether) -> f64 {
        let (more, expected) = (matches.excess(), others.excess());
        let (mut sum, mut all) = (0.0, 0.0);
        for (i, m) in self.m[a].iter().enumerate() {
            for (j, other) in self.m[b].iter().enumerate() {
                let share = m * other * more[i][j].exp2();
                all += share;
                sum += share * (more[i][j] - expected[i][j]).abs();
            }
        }
        sum / all.max(f64::MIN_POSITIVE)
    }

    /// The outcomes of two comparisons.
    fn shape(&self, [a, b]: [usize; 2]) -> [usize; 2] {
        [self.u[a].len(), self.u[b].len()]
    }
}

/// How many pairs have two outcomes together.
struct PairsTogether(Vec<Vec<f64>>);

impl PairsTogether {
    fn none([rows, columns]: [usize; 2]) -> Self {
        Self(vec![vec![0.0; columns]; rows])
    }

    fn new(table: OutcomePairs<'_>, shape: [usize; 2]) -> Self {
        let mut sums = Self::none(shape);
        sums.add(table);
        sums
    }

    fn add(&mut self, table: OutcomePairs<'_>) {
        for (i, row) in self.0.iter_mut().enumerate() {
            row.iter_mut().enumerate().for_each(|(j, sum)| *sum += table.sum(i, j));
        }
    }

    fn pairs(&self) -> f64 {
        self.0.iter().flatten().sum()
    }

    /// By how many bits two outcomes come together more often than by chance.
    fn excess(&self) -> Vec<Vec<f64>> {
        let rows: Vec<f64> = self.0.iter().map(|row| row.iter().sum()).collect();
        let columns: Vec<f64> = (0..self.0[0].len()).map(|at| self.0.iter().map(|row| row[at]).sum()).collect();
        let all = self.pairs().max(f64::MIN_POSITIVE);
        let bits = |(j, seen): (usize, &f64), row: f64| ((seen + 1.0) / (row * columns[j] / all + 1.0)).log2();
        let of_row = |(row, sum): (&Vec<f64>, &f64)| row.iter().enumerate().map(|of| bits(of, *sum)).collect();
        self.0.iter().zip(&rows).map(of_row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::trained_pass::KnownMatches;
    use super::*;
    use crate::rules::{ComparisonRules, LevelRule};
    use crate::score::Patterns;

    const M: f64 = 0.9;
    const U: f64 = 0.05;

    /// The pairs of a table: some match, some do not, and the second comparison may say what the first says.
    fn table(matches: f64, others: f64, is_dependent: bool) -> PassTable {
        let comparison =
            || ComparisonRules { name: "a".to_owned(), levels: vec![LevelRule::default()], term_frequency: None };
        let shape = Patterns::new(&[comparison(), comparison(), comparison()]).unwrap();
        let share = |p: f64, outcome: usize| if outcome == 0 { p } else { 1.0 - p };
        let of_second = |p: f64, a: usize, b: usize| match is_dependent {
            true => f64::from(u8::from(a == b)),
            false => share(p, b),
        };
        let mut counts = Vec::new();
        for (c, b, a) in (0..8).map(|at| (at >> 2, at >> 1 & 1, at & 1)) {
            let of = |all: f64, p: f64| all * share(p, a) * of_second(p, a, b) * share(p, c);
            let pattern = shape.part(0, a) + shape.part(1, b) + shape.part(2, c);
            counts.push((pattern, (of(matches, M) + of(others, U)).round() as u64));
        }
        PassTable::new(&shape, &counts, &[true; 3])
    }

    fn found(is_dependent: bool) -> Vec<DoubleCount> {
        let u = vec![vec![U, 1.0 - U]; 3];
        let known = KnownMatches { prior: 0.001, most: 2_000.0, of_rule: 2_000.0 };
        let cancel = Cancel::NEVER;
        let passes = [TrainedPass::best(0, table(1_000.0, 1_000.0, is_dependent), &u, known, cancel)];
        let all = table(1_000.0, 999_000.0, is_dependent);
        // As in training, m is what the pass has learned: other pairs that agree twice by chance look like matches to it.
        let m = passes[0].record.belief.m.clone();
        DoubleCounting { passes: &passes, all: &all, prior: 0.001, m, u: &u, cancel }.found()
    }

    #[test]
    fn two_that_say_the_same_are_found() {
        let found = found(true);
        assert_eq!(found.iter().map(|of| of.comparisons).collect::<Vec<_>>(), [[0, 1]], "{found:?}");
        // Among others the second adds 4.3 bits to nothing new.
        assert!((2.0..5.0).contains(&found[0].bits), "{found:?}");
    }

    #[test]
    fn independent_ones_stay_apart() {
        assert_eq!(found(false), []);
    }
}
