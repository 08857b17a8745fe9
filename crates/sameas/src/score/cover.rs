//! Which pairs to look at so that none above a threshold is missed: conditions that every such pair satisfies one of.
//!
//! The outcomes of each comparison are ordered by weight. Those before the first that cannot be joined on (*else* and *null*)
//! are its *joinable* outcomes. A pair whose score reaches the threshold has an outcome for each comparison, and the weights
//! of these add up to it. So, in any order of the comparisons: either the first has a joinable outcome, or it has none and
//! weighs at most what its best other outcome does; then the same holds of the second, and so on. Once the best that is left
//! is below the threshold, nothing is left to look for. Each "has a joinable outcome" is a condition to join on, and is made
//! stricter in the same way by the comparisons that are left, wherever that gives fewer candidates: with what is required so
//! far, one of them must have a joinable outcome too. If the best that is left still reaches the threshold when no
//! comparison has a joinable outcome, only all pairs are complete.

use super::weight::MatchWeight;

/// Requirements of one condition at most: more make few candidates fewer.
const MOST_PARTS: usize = 4;

/// Conditions at most.
pub const MOST_CONDITIONS: usize = 64;

/// Candidates that one more condition must save.
const FIRST_PENALTY: f64 = 1e5;

/// An outcome of a comparison, or a part of one.
#[derive(Clone, Debug)]
pub struct CoverOutcome {
    /// The most it weighs.
    pub weight: MatchWeight,
    /// The share of all pairs that have it.
    pub share: f64,
    /// Whether pairs with it can be found by a join, and whether that is a join of equal values.
    pub join: Option<CoverJoin>,
}

/// How pairs with an outcome are found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CoverJoin {
    /// Equal values.
    Equality,
    /// Similar values: finding them costs as much as this number of candidates.
    Similarity(f64),
}

/// What is required of one comparison: one of these outcomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverPart {
    /// The comparison.
    pub comparison: usize,
    /// The outcomes, by their places.
    pub outcomes: Vec<usize>,
}

/// What a pair must satisfy to be looked at: all of these.
pub type CoverCondition = Vec<CoverPart>;

/// The best outcomes that no join finds reach the threshold together.
#[derive(Clone, Debug, PartialEq)]
pub struct Uncovered {
    /// For each comparison the outcome.
    pub outcomes: Vec<usize>,
    /// Their score: above it the threshold would have to be.
    pub score: MatchWeight,
}

/// What is to be covered.
pub struct Cover<'a> {
    /// The outcomes of each comparison.
    pub comparisons: &'a [Vec<CoverOutcome>],
    /// The weight of the prior.
    pub prior: MatchWeight,
    /// The threshold.
    pub threshold: MatchWeight,
    /// All pairs.
    pub pairs: f64,
}

impl Cover<'_> {
    /// The cheapest conditions that were found.
    ///
    /// # Errors
    /// Where no conditions are complete.
    pub fn conditions(&self) -> Result<Vec<CoverCondition>, Uncovered> {
        let mut penalty = FIRST_PENALTY;
        loop {
            let search = CoverSearch::new(self, penalty);
            let (_, conditions) = search.refined(&[], &vec![false; self.comparisons.len()])?;
            if conditions.len() <= MOST_CONDITIONS {
                return Ok(conditions);
            }
            penalty *= 16.0;
        }
    }
}

struct CoverSearch<'a> {
    cover: &'a Cover<'a>,
    penalty: f64,
    /// The joinable outcomes of each comparison, by weight.
    joinable: Vec<Vec<usize>>,
    /// The best outcome of each that is not joinable.
    rest: Vec<usize>,
}

impl<'a> CoverSearch<'a> {
    fn new(cover: &'a Cover<'a>, penalty: f64) -> Self {
        let sorted = |outcomes: &Vec<CoverOutcome>| {
            let mut places: Vec<usize> = (0..outcomes.len()).collect();
            places.sort_by_key(|at| (std::cmp::Reverse(outcomes[*at].weight), outcomes[*at].join.is_some()));
            places
        };
        let split = |outcomes: &Vec<CoverOutcome>| {
            let places = sorted(outcomes);
            let joinable = places.iter().take_while(|at| outcomes[**at].join.is_some()).count();
            (places[..joinable].to_vec(), places[joinable])
        };
        let (joinable, rest) = cover.comparisons.iter().map(split).unzip();
        Self { cover, penalty, joinable, rest }
    }

    /// The best score of a pair that has what is required, and no joinable outcome of the comparisons that are `out`.
    fn best(&self, required: &[CoverPart], out: &[bool]) -> MatchWeight {
        let best_of = |comparison: usize| {
            let outcomes = &self.cover.comparisons[comparison];
            let part = required.iter().find(|part| part.comparison == comparison);
            let place = match part {
                Some(part) => part.outcomes[0],
                None if out[comparison] => self.rest[comparison],
                None => *self.joinable[comparison].first().unwrap_or(&self.rest[comparison]),
            };
            outcomes[place].weight
        };
        self.cover.prior + (0..out.len()).map(best_of).sum()
    }

    /// Conditions that are complete for pairs with what is required, and what they cost.
    fn refined(&self, required: &[CoverPart], out: &[bool]) -> Result<(f64, Vec<CoverCondition>), Uncovered> {
        if self.best(required, out) < self.cover.threshold {
            return Ok((0.0, Vec::new()));
        }
        let own = (!required.is_empty()).then(|| (self.cost(required), vec![required.to_vec()]));
        let finer = if required.len() < MOST_PARTS { Some(self.by_next(required, out)) } else { None };
        match (own, finer) {
            (None, Some(finer)) => finer,
            (Some(own), Some(Ok(finer))) if finer.0 < own.0 => Ok(finer),
            (Some(own), _) => Ok(own),
            (None, None) => unreachable!("nothing is required at first"),
        }
    }

    /// The same, with one more comparison required in each condition.
    fn by_next(&self, required: &[CoverPart], out: &[bool]) -> Result<(f64, Vec<CoverCondition>), Uncovered> {
        let mut out = out.to_vec();
        let (mut cost, mut conditions) = (0.0, Vec::new());
        for comparison in self.order(required, &out) {
            if self.best(required, &out) < self.cover.threshold {
                break;
            }
            let (more, some) = self.with_comparison(required, comparison, &out)?;
            cost += more;
            conditions.extend(some);
            out[comparison] = true;
        }
        match self.best(required, &out) < self.cover.threshold {
            true => Ok((cost, conditions)),
            false => Err(self.uncovered(&out)),
        }
    }

    /// Conditions in which a comparison has a joinable outcome: any of them, or each by itself, whichever is cheaper.
    fn with_comparison(
        &self,
        required: &[CoverPart],
        comparison: usize,
        out: &[bool],
    ) -> Result<(f64, Vec<CoverCondition>), Uncovered> {
        let with = |outcomes: Vec<usize>| [required, &[CoverPart { comparison, outcomes }]].concat();
        let together = self.refined(&with(self.joinable[comparison].clone()), out)?;
        let (mut cost, mut apart) = (0.0, Vec::new());
        for outcome in &self.joinable[comparison] {
            let (more, some) = self.refined(&with(vec![*outcome]), out)?;
            cost += more;
            apart.extend(some);
        }
        Ok(if cost < together.0 { (cost, apart) } else { together })
    }

    /// The comparisons that are left, those with the fewest pairs first.
    fn order(&self, required: &[CoverPart], out: &[bool]) -> Vec<usize> {
        let is_left = |at: &usize| !out[*at] && !self.joinable[*at].is_empty();
        let is_open = |at: &usize| required.iter().all(|part| part.comparison != *at);
        let mut left: Vec<usize> = (0..out.len()).filter(is_left).filter(is_open).collect();
        left.sort_by(|a, b| self.share(*a, &self.joinable[*a]).total_cmp(&self.share(*b, &self.joinable[*b])));
        left
    }

    fn share(&self, comparison: usize, outcomes: &[usize]) -> f64 {
        outcomes.iter().map(|at| self.cover.comparisons[comparison][*at].share).sum()
    }

    /// The candidates of a condition: those of its equalities together, or of its best similarity.
    fn cost(&self, condition: &[CoverPart]) -> f64 {
        let (mut equal, mut similar) = (1.0, f64::INFINITY);
        for part in condition {
            let share = self.share(part.comparison, &part.outcomes);
            let joins = part.outcomes.iter().map(|at| self.cover.comparisons[part.comparison][*at].join);
            let scan = joins.fold(0.0_f64, |scan, join| match join {
                Some(CoverJoin::Similarity(cost)) => scan.max(cost),
                _ => scan,
            });
            if scan == 0.0 {
                equal *= share;
            } else {
                similar = similar.min(scan + share * self.cover.pairs);
            }
        }
        self.penalty + if equal < 1.0 { similar.min(equal * self.cover.pairs) } else { similar }
    }

    fn uncovered(&self, out: &[bool]) -> Uncovered {
        debug_assert_eq!(out.len(), self.rest.len());
        let weights = self.rest.iter().zip(self.cover.comparisons).map(|(at, outcomes)| outcomes[*at].weight);
        Uncovered { outcomes: self.rest.clone(), score: self.cover.prior + weights.sum() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::stats::Random;

    fn comparisons(random: &mut Random) -> Vec<Vec<CoverOutcome>> {
        let outcome = |random: &mut Random, join| CoverOutcome {
            weight: MatchWeight::of_bits(random.unit() * 24.0 - 10.0),
            share: random.unit().powi(6),
            join,
        };
        let comparison = |random: &mut Random| {
            let mut outcomes: Vec<CoverOutcome> = (0..1 + random.below(3))
                .map(|_| {
                    let join = if random.below(2) == 0 { CoverJoin::Equality } else { CoverJoin::Similarity(1e6) };
                    outcome(random, Some(join))
                })
                .collect();
            outcomes.push(outcome(random, None));
            outcomes.push(CoverOutcome { weight: MatchWeight(0), share: 0.1, join: None });
            outcomes
        };
        (0..2 + random.below(3)).map(|_| comparison(random)).collect()
    }

    /// All vectors of outcomes with their scores.
    fn vectors(cover: &Cover<'_>) -> Vec<(Vec<usize>, MatchWeight)> {
        let mut all = vec![(Vec::new(), cover.prior)];
        for outcomes in cover.comparisons {
            let longer = |(vector, score): &(Vec<usize>, MatchWeight)| {
                let (vector, score) = (vector.clone(), *score);
                outcomes
                    .iter()
                    .enumerate()
                    .map(move |(at, outcome)| ([&vector[..], &[at]].concat(), score + outcome.weight))
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }

    #[test]
    fn every_pair_above_the_threshold_satisfies_a_condition() {
        let mut covered = 0;
        for seed in 0..2000 {
            let mut random = Random::new(seed);
            let comparisons = comparisons(&mut random);
            let (prior, threshold) =
                (MatchWeight::of_bits(-random.unit() * 20.0), MatchWeight::of_bits(random.unit() * 10.0 - 5.0));
            let cover = Cover { comparisons: &comparisons, prior, threshold, pairs: 1e10 };
            let satisfies = |vector: &[usize], condition: &CoverCondition| {
                condition.iter().all(|part| part.outcomes.contains(&vector[part.comparison]))
            };
            match cover.conditions() {
                Ok(conditions) => {
                    covered += 1;
                    for (vector, score) in vectors(&cover) {
                        let is_found = conditions.iter().any(|condition| satisfies(&vector, condition));
                        assert!(is_found || score < threshold, "seed {seed}: {vector:?} {conditions:?}");
                    }
                }
                Err(Uncovered { outcomes, score }) => {
                    assert!(score >= threshold, "seed {seed}");
                    assert!(outcomes.iter().zip(&comparisons).all(|(at, of)| of[*at].join.is_none()));
                }
            }
        }
        assert!(covered > 200, "{covered}");
    }
}
