//! What all passes say of m together.
//!
//! A pass counts for as many matches as would tell as much of m if it were known that they match, so one that cannot tell which
//! of its pairs match counts for little, however many there are. What lies far from the weighted median of the passes is left
//! out, where three or more say something; of two that disagree, nobody knows which is right, and the error says so.
//!
//! Passes share pairs. The error of the mean takes two passes for as dependent as the matches that both have are of all that
//! they have, and is never smaller than if they disagreed by chance. Where both are samples, the smaller is a part of the larger.

use super::counted_pairs::SampledRule;
use super::trained_pass::TrainedPass;
use crate::cancel::Cancel;
use crate::model::LearnedFrom;
use crate::score::{
    Pass, PassTable, PatternCounts, Patterns, SMOOTHING, WithError, says_nothing, smoothed, weighted_median,
};

/// Matches below which a pass has nothing to say of a comparison.
const LEAST_MATCHES: f64 = 0.5;

/// Standard errors from the median beyond which a pass is left out, where it is also off by a factor of two.
const FAR: f64 = 4.0;

/// The mean square of what passes are off by, in errors, that is still chance: 1 is expected.
const BY_CHANCE: f64 = 4.0;

/// m of the outcomes of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedM {
    pub m: Vec<f64>,
    /// Standard errors.
    pub errors: Vec<f64>,
    /// The matches with each outcome, as expected; a pair of several rules counts once.
    pub pairs: Vec<f64>,
    pub from: Vec<LearnedFrom>,
    /// The share of matches for which the comparison is not null; nothing where nothing is known of matches.
    pub present: Option<WithError>,
}

impl LearnedM {
    /// Of a comparison about which nothing is known: m is u.
    pub fn unknown(u: &[f64]) -> Self {
        let none = vec![0.0; u.len()];
        Self {
            m: u.to_vec(),
            errors: none.clone(),
            pairs: none,
            from: vec![LearnedFrom::Unseen; u.len()],
            present: None,
        }
    }

    /// Of pairs that are all taken for matches, by outcome, beside those for which the comparison is null; nothing where there
    /// is none with an outcome.
    pub fn of_certain(pairs: &[f64], null: f64, u: &[f64]) -> Option<Self> {
        let all: f64 = pairs.iter().sum();
        if all == 0.0 {
            return None;
        }
        let m = smoothed(pairs, pairs, u);
        let errors = m.iter().map(|m| (m * (1.0 - m)).max(0.0).sqrt() / (all + 1.0).sqrt()).collect();
        let is_unseen = |at: usize| says_nothing(pairs[at], all, u[at]);
        let from = |at: usize| if is_unseen(at) { LearnedFrom::Unseen } else { LearnedFrom::Certain };
        let (from, present) = ((0..u.len()).map(from).collect(), Some(share_present(all, all + null)));
        Some(Self { m, errors, pairs: pairs.to_vec(), from, present })
    }

    /// Of all passes that have matches with a value of a comparison; nothing where none has.
    pub fn of_passes(passes: &[TrainedPass], shared: &SharedMatches, comparison: usize, u: &[f64]) -> Option<Self> {
        let teaches = |(at, pass): (usize, &TrainedPass)| {
            let place = pass.place(comparison)?;
            (pass.matches(place) >= LEAST_MATCHES).then_some((at, place))
        };
        let of: Vec<(usize, usize)> = passes.iter().enumerate().filter_map(teaches).collect();
        let largest = *of.iter().max_by(|a, b| passes[a.0].evidence(a.1).total_cmp(&passes[b.0].evidence(b.1)))?;
        let together = ComparisonPasses { passes, shared, of: &of };
        let outcomes: Vec<Option<(f64, f64)>> = (0..u.len()).map(|outcome| together.mean(outcome)).collect();
        let present = share_present(shared.pairs[comparison].iter().sum(), shared.all[comparison]);
        let learned = Self::settled(&outcomes, &passes[largest.0], largest.1, shared.pairs[comparison].clone(), u);
        Some(Self { present: Some(present), ..learned })
    }

    /// Puts the outcomes that some pass has seen together with those that none has, for which that with the most evidence
    /// speaks; all of them add up to 1.
    fn settled(outcomes: &[Option<(f64, f64)>], pass: &TrainedPass, place: usize, pairs: Vec<f64>, u: &[f64]) -> Self {
        let is_silent = |at: usize| outcomes[at].is_none() && says_nothing(0.0, pass.matches(place), u[at]);
        let absent = |at: usize| if is_silent(at) { u[at] } else { pass.record.belief.m[place][at] };
        let of_absent: f64 = (0..u.len()).filter(|at| outcomes[*at].is_none()).map(absent).sum();
        let of_seen: f64 = outcomes.iter().flatten().map(|(m, _)| m).sum();
        let scale = (1.0 - of_absent).max(f64::MIN_POSITIVE) / of_seen.max(f64::MIN_POSITIVE);
        let m_and_error = |at: usize| match outcomes[at] {
            Some((m, error)) => (m * scale, error * scale),
            None if is_silent(at) => (u[at], 0.0),
            // Half a match, give or take its square root.
            None => (absent(at), absent(at) / SMOOTHING.sqrt()),
        };
        let (m, errors) = (0..u.len()).map(m_and_error).unzip();
        let from = |at: usize| if is_silent(at) { LearnedFrom::Unseen } else { LearnedFrom::Trained };
        Self { m, errors, pairs, from: (0..u.len()).map(from).collect(), present: None }
    }
}

/// The share of some matches that have values; half a match has, and half a match lacks them.
fn share_present(with_values: f64, all: f64) -> WithError {
    let value = (with_values + 0.5) / (all + 1.0);
    WithError { value, error: (value * (1.0 - value).max(0.0) / (all + 1.0)).sqrt() }
}

/// The passes that say something of a comparison: the number of each, and the place of the comparison in it.
struct ComparisonPasses<'a> {
    passes: &'a [TrainedPass],
    shared: &'a SharedMatches,
    of: &'a [(usize, usize)],
}

/// What a pass says of an outcome.
#[derive(Clone, Copy)]
struct PassEstimate {
    pass: usize,
    m: f64,
    error: f64,
    evidence: f64,
}

impl ComparisonPasses<'_> {
    /// The mean of what passes say of an outcome, and its standard error; nothing where no pair of them has it.
    fn mean(&self, outcome: usize) -> Option<(f64, f64)> {
        let said = |(pass, place): &(usize, usize)| {
            let of = &self.passes[*pass];
            let (m, error) = (of.record.belief.m[*place][outcome], of.errors.m[*place][outcome]);
            let is_seen = of.table.seen[*place][outcome] > 0.0;
            is_seen.then(|| PassEstimate { pass: *pass, m, error, evidence: of.evidence(*place) })
        };
        let mut all: Vec<PassEstimate> = self.of.iter().filter_map(said).collect();
        if all.len() > 2 {
            let middle = weighted_median(&mut all.iter().map(|of| (of.m, of.evidence)).collect::<Vec<_>>())?;
            let is_near = |of: &PassEstimate| {
                (of.m - middle).abs() <= FAR * of.error || (of.m / middle).ln().abs() <= 2.0_f64.ln()
            };
            all.retain(is_near);
        }
        let weights: f64 = all.iter().map(|of| of.evidence).sum();
        let mean = all.iter().map(|of| of.m * of.evidence).sum::<f64>() / weights;
        mean.is_finite().then(|| (mean, self.variance(&all, weights, mean).sqrt()))
    }

    /// The variance of a mean: of passes that share pairs, and as large as they disagree.
    fn variance(&self, all: &[PassEstimate], weights: f64, mean: f64) -> f64 {
        let both = |a: &PassEstimate, b: &PassEstimate| {
            a.evidence * b.evidence * self.shared.part(a.pass, b.pass) * a.error * b.error
        };
        let sum: f64 = all.iter().map(|a| all.iter().map(|b| both(a, b)).sum::<f64>()).sum();
        let squares = all.iter().map(|of| ((of.m - mean) / of.error.max(f64::MIN_POSITIVE)).powi(2));
        let spread = squares.sum::<f64>() / (all.len().max(2) - 1) as f64;
        sum / (weights * weights) * if spread > BY_CHANCE { spread } else { 1.0 }
    }
}

/// The matches that passes have in common, and those of all of them together.
#[derive(Clone, Debug)]
pub struct SharedMatches {
    /// For two passes, how much of what they have both have: from 0 to 1.
    parts: Vec<Vec<f64>>,
    /// By comparison and outcome the matches of all passes in which it takes part. A pair of several rules counts for the first.
    pairs: Vec<Vec<f64>>,
    /// By comparison all of these matches, also those for which it is null.
    all: Vec<f64>,
}

impl SharedMatches {
    /// Of passes over pairs that were counted by the rules that hold.
    pub fn new(passes: &[TrainedPass], pairs: &[MaskedPairs], u: &[Vec<f64>], cancel: Cancel<'_>) -> Self {
        // How likely each matches, and which of them count for a comparison.
        let rows: usize = pairs.iter().map(|of| of.table.row_count()).sum();
        let _held = cancel.hold(2 * rows * size_of::<f64>());
        let both = passes.iter().zip(pairs);
        let of: Vec<RuleMatches<'_>> = both.map(|(pass, pairs)| RuleMatches::new(pairs, pass, u, cancel)).collect();
        let part = |(a, first): (usize, &RuleMatches<'_>), (b, second): (usize, &RuleMatches<'_>)| {
            cancel.check();
            let rules = (passes[a].rule, passes[b].rule);
            match first.of.share <= second.of.share {
                _ if a == b => 1.0,
                true => first.common(second, rules.1),
                false => second.common(first, rules.0),
            }
        };
        let parts: Vec<Vec<f64>> =
            of.iter().enumerate().map(|a| of.iter().enumerate().map(|b| part(a, b)).collect()).collect();
        // A pair of a larger sample may be missing in a smaller one, so that the larger ones come first.
        let mut by_share: Vec<usize> = (0..passes.len()).collect();
        by_share.sort_by(|a, b| of[*b].of.share.total_cmp(&of[*a].of.share));
        let of_comparison = |comparison: usize| {
            let (mut sums, mut all) = (vec![0.0; u[comparison].len()], 0.0);
            let mut earlier = 0_u64;
            for (pass, matches) in by_share.iter().map(|at| (&passes[*at], &of[*at])) {
                let Some(place) = pass.place(comparison) else { continue };
                cancel.check();
                let is_new = matches.of.keys.iter().map(|(mask, _)| f64::from(u8::from(mask & earlier == 0)));
                let parts: Vec<f64> = is_new.zip(&matches.matching).map(|(is_new, z)| is_new * z).collect();
                let table = &matches.of.table;
                sums.iter_mut().zip(&table.sums(parts.iter().copied())[place]).for_each(|(sum, more)| *sum += more);
                all += table.rows().zip(&parts).map(|((pairs, _), part)| pairs * part).sum::<f64>();
                earlier |= 1 << pass.rule;
            }
            (sums, all)
        };
        let (pairs, all) = (0..u.len()).map(of_comparison).unzip();
        Self { parts, pairs, all }
    }

    fn part(&self, a: usize, b: usize) -> f64 {
        self.parts[a][b]
    }
}

/// The pairs of a pass by the rules that hold and by pattern, in order.
#[derive(Debug)]
pub struct MaskedPairs {
    keys: Vec<(u64, u64)>,
    table: PassTable,
    /// The part of the pairs of the rule that these are.
    share: f64,
}

impl MaskedPairs {
    /// Those of some passes, of some of which all pairs were counted.
    pub fn of_passes(
        passes: &[TrainedPass],
        shape: &Patterns,
        counts: &PatternCounts,
        sampled: &[SampledRule],
        cancel: Cancel<'_>,
    ) -> Vec<Self> {
        let _held = cancel.hold(counts.len() * size_of::<((u64, u64), u64)>());
        let entries = counts.entries();
        let of_pass = |pass: &TrainedPass| {
            cancel.check();
            match sampled.iter().find(|of| of.rule == pass.rule) {
                Some(sample) => Self::new(pass, shape, &sample.counts().entries()),
                None => Self::new(pass, shape, &entries),
            }
        };
        passes.iter().map(of_pass).collect()
    }

    /// The bytes that they take.
    pub fn bytes(&self) -> usize {
        self.keys.len() * size_of::<(u64, u64)>() + self.table.bytes()
    }

    fn new(pass: &TrainedPass, shape: &Patterns, entries: &[((u64, u64), u64)]) -> Self {
        let own: Vec<&((u64, u64), u64)> = entries.iter().filter(|((mask, _), _)| mask >> pass.rule & 1 == 1).collect();
        let counts: Vec<(u64, u64)> = own.iter().map(|((_, pattern), pairs)| (*pattern, *pairs)).collect();
        let keys = own.iter().map(|(key, _)| *key).collect();
        let is_active: Vec<bool> = (0..shape.comparisons()).map(|at| pass.place(at).is_some()).collect();
        Self { keys, table: PassTable::new(shape, &counts, &is_active), share: pass.table.share() }
    }
}

/// The same with how likely each matches.
struct RuleMatches<'a> {
    of: &'a MaskedPairs,
    matching: Vec<f64>,
    all: f64,
}

impl<'a> RuleMatches<'a> {
    fn new(of: &'a MaskedPairs, pass: &TrainedPass, u: &[Vec<f64>], cancel: Cancel<'_>) -> Self {
        let matching: Vec<f64> = Pass { table: &of.table, u, cancel }.matching(&pass.record.belief).collect();
        let all = of.table.rows().zip(&matching).map(|((pairs, _), z)| pairs * z).sum();
        Self { of, matching, all }
    }

    /// The part of the matches of two rules that both have, of which the other has no smaller sample.
    fn common(&self, other: &Self, other_rule: usize) -> f64 {
        let rows = self.of.table.rows().zip(&self.matching).zip(&self.of.keys);
        let own = rows.filter(|(_, (mask, _))| mask >> other_rule & 1 == 1);
        // Keys ascend, and the other rule has all of these.
        let mut others = other.of.keys.iter().zip(&other.matching);
        let both = own.filter_map(|(((pairs, _), z), key)| {
            let (_, other) = others.find(|(other, _)| *other == key)?;
            Some(pairs * (z * other).sqrt())
        });
        (both.sum::<f64>() / (self.all * other.all).sqrt().max(f64::MIN_POSITIVE)).min(1.0)
    }
}
