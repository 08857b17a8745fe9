//! Seeded samples of pairs: which rule is sampled, and which pairs are looked at.
//!
//! Rows fall into groups by the hashes of their numbers, and a pair is looked at where both of its rows are in one group. So each
//! pair is as likely as any other, whatever its key; a sample keeps what all pairs have in common, and nothing is reweighted.
//! Keys would be drawn in fewer steps, but a few heavy ones have most of the pairs, and a sample of these says little. Pairs of
//! two groups share no row: what groups differ by says how sure the sample is (`score/design_effect`).
//!
//! Hashes have a fixed seed, and whether a rule is sampled follows from the records and the rules alone. A smaller sample is a
//! part of a larger one.

use crate::candidates::{Rows, Shape};
use crate::execute::JoinScope;
use crate::records::stats::{Random, SEED};

/// Groups of a sample: a power of two. With 16 the error of an error is a sixth of it.
const GROUPS: usize = 1 << GROUP_BITS;

const GROUP_BITS: u32 = 4;

/// What keeps these groups from having to do with the other samples of a run.
const SALT: u64 = 0x6d5f_7061_7373_0000;

/// How often the pairs of a rule are halved at least and at most. All rows are in one of 16 groups in a sample of a sixteenth; a
/// larger one would save too little for the errors that it brings.
const LEAST_HALVINGS: i32 = GROUP_BITS as i32;
const MOST_HALVINGS: i32 = 48;

/// From where on the pairs of a rule are sampled.
#[derive(Clone, Copy, Debug)]
pub struct SampleLimits {
    /// Pairs of records below which no rule is sampled, and none is estimated.
    pub pairs: u64,
    /// Nanoseconds of one core that all pairs of a rule may take in any job.
    pub effort: f64,
    /// The same for each record of the job: what the rest of it takes.
    pub effort_of_record: f64,
    /// The pairs that a sample has at least. With fewer, the rule was estimated to have far more than it has, and is counted.
    pub sampled: u64,
}

impl Default for SampleLimits {
    /// Fewer than 2^32 pairs of records (93,000 records of one table) are soon looked at, whatever the rule. A second of one core is
    /// not worth an error in any job, and covers passes over some million pairs. Reading, encoding and counting a record of a dozen
    /// columns takes about two microseconds of one core: a pass is sampled where it would take longer than the rest of the job.
    /// Some ten thousand pairs are what a pass needs to tell matches.
    fn default() -> Self {
        Self { pairs: 1 << 32, effort: 1e9, effort_of_record: 2e3, sampled: 1 << 16 }
    }
}

/// The part of the rest of a job that a sample may take.
const PART: f64 = 0.25;

impl SampleLimits {
    /// The sample of a rule whose pairs take this many nanoseconds of one core; nothing where all are looked at.
    pub fn sample(&self, effort: f64, records: u64) -> Option<PairSample> {
        let rest = self.effort.max(records as f64 * self.effort_of_record);
        (effort > rest).then(|| PairSample::at_most(PART * rest / effort))
    }
}

/// A sample of pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairSample {
    halvings: i32,
}

impl PairSample {
    /// The largest sample of at most this share of all pairs.
    pub fn at_most(share: f64) -> Self {
        let is_small = |halvings: &i32| 0.5_f64.powi(*halvings) <= share;
        Self { halvings: (LEAST_HALVINGS..MOST_HALVINGS).find(is_small).unwrap_or(MOST_HALVINGS) }
    }

    /// The share of all pairs that is looked at.
    pub fn share(self) -> f64 {
        0.5_f64.powi(self.halvings)
    }

    /// The pairs of each group, of those of a scope.
    pub fn groups(self, of: &JoinScope) -> Vec<JoinScope> {
        // A pair is in one of 16 groups, each of which has the square of this part of a sixteenth of the rows.
        let kept = (GROUPS as f64 * self.share()).sqrt();
        let divided = |side: u64, rows: &Rows| rows.divided(GROUPS, |row| group_of(side, row, kept));
        let both = |[left, right]: &[Rows; 2]| match of.shape {
            // A row is in the same group on either side.
            Shape::Triangle => {
                let rows = divided(0, left);
                [rows.clone(), rows]
            }
            Shape::Rectangle => [divided(0, left), divided(1, right)],
        };
        let sides: Vec<[Vec<Rows>; 2]> = of.sides.iter().map(both).collect();
        let rows_of = |group: usize| sides.iter().map(|both| both.each_ref().map(|rows| rows[group].clone())).collect();
        (0..GROUPS).map(|group| JoinScope { sides: rows_of(group), shape: of.shape }).collect()
    }
}

/// The group of a row of a side, if it is among the part of all rows that are in one.
fn group_of(side: u64, row: u32, kept: f64) -> Option<usize> {
    let hash = Random::after(Random::new(SEED ^ SALT ^ side).word(), u64::from(row)).word();
    let (group, rest) = (hash >> (u64::BITS - GROUP_BITS), hash << GROUP_BITS);
    ((rest as f64) < kept * 2.0_f64.powi(64)).then_some(group as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(sample: PairSample, rows: [u32; 2], shape: Shape) -> Vec<[Rows; 2]> {
        let all = JoinScope::all(rows, shape);
        sample.groups(&all).into_iter().map(|scope| scope.sides[0].clone()).collect()
    }

    #[test]
    fn a_rule_is_sampled_where_it_takes_longer_than_the_rest() {
        let limits = SampleLimits::default();
        assert_eq!([limits.sample(1e9, 1), limits.sample(100e9, 50_000_000)], [None; 2]);
        let share = |effort: f64, records: u64| limits.sample(effort, records).unwrap().share();
        assert_eq!(share(1.1e9, 1), 1.0 / 16.0);
        assert_eq!(share(100.1e9, 50_000_000), 1.0 / 16.0);
        // A hundred times as long as the rest: a quarter of that is left, halved until it is less.
        assert_eq!(share(2e11, 1_000_000), 1.0 / 512.0);
        assert_eq!(share(f64::INFINITY, 1), 0.5_f64.powi(48));
    }

    #[test]
    fn a_sample_has_its_share_of_pairs_and_a_smaller_one_is_a_part_of_it() {
        for (share, rows) in [(1.0 / 16.0, 20_000), (1.0 / 50.0, 20_000), (1.0 / 1000.0, 100_000)] {
            let sample = PairSample::at_most(share);
            assert!(sample.share() <= share && sample.share() > share / 2.0, "{sample:?}");
            let pairs: usize =
                groups(sample, [rows; 2], Shape::Triangle).iter().map(|[of, _]| of.len().pow(2) / 2).sum();
            let all = f64::from(rows).powi(2) / 2.0;
            assert!((pairs as f64 / all / sample.share() - 1.0).abs() < 0.05, "{share}: {pairs}");
            let smaller = groups(PairSample::at_most(share / 3.0), [rows; 2], Shape::Triangle);
            for ([of, _], [small, _]) in groups(sample, [rows; 2], Shape::Triangle).iter().zip(&smaller) {
                assert!(small.len() < of.len() && small.iter().all(|row| of.binary_search(row).is_ok()));
            }
        }
    }

    #[test]
    fn two_sides_have_groups_of_their_own() {
        let both = groups(PairSample::at_most(0.1), [10_000, 9_000], Shape::Rectangle);
        let same =
            both.iter().flat_map(|[left, right]| left.iter().filter(move |row| right.binary_search(row).is_ok()));
        let (same, all) = (same.count() as f64, both.iter().map(|[_, right]| right.len()).sum::<usize>());
        assert_eq!(all, 9_000);
        assert!((same / 9_000.0 - 1.0 / 16.0).abs() < 0.015, "{same}");
    }
}
