//! Which pairs to look at so that none above a threshold is missed: conditions that every such pair satisfies one of.
//!
//! The outcomes of each comparison are ordered by weight. Those before the first that cannot be joined on (*else* and *null*)
//! are its *steps*: "at least this outcome" is a condition to join on, whatever outcomes it lets through besides. A pair
//! either satisfies a step or is *capped*: its comparison weighs no more than the first outcome after the step. So conditions
//! are found by asking of one step after the other, the cheapest first: the pairs that satisfy it need it, together with what
//! is required so far, and the others are capped. Where the caps add up to less than the threshold, nothing is left to look
//! for. Where what is required is cheap enough, it is a condition, and nothing is asked further. If the steps are all asked
//! and the caps still reach the threshold, only all pairs are complete.

use crate::model::MatchWeight;

/// Requirements of one condition at most: more make few candidates fewer.
const MOST_PARTS: usize = 4;

/// Conditions at most.
pub const MOST_CONDITIONS: usize = 64;

/// Nanoseconds that one more condition must save.
const FIRST_PENALTY: f64 = 1e7;

/// Nanoseconds to find and check a candidate.
const CANDIDATE: f64 = 30.0;

/// Nanoseconds to score a pair that satisfies a condition.
const SCORE: f64 = 300.0;

/// An outcome of a comparison, or a part of one.
#[derive(Clone, Debug)]
pub struct CoverOutcome {
    /// The most it weighs.
    pub weight: MatchWeight,
    /// The share of all pairs that have it.
    pub share: f64,
    /// How pairs with it are found, if they can be.
    pub join: Option<CoverJoin>,
    /// The outcomes whose pairs satisfy its condition, by their places; itself among them.
    pub includes: Vec<usize>,
}

/// How pairs with an outcome are found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CoverJoin {
    /// Equal values.
    Equality,
    /// Similar values: finding them takes these nanoseconds.
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

/// Conditions that are complete.
#[derive(Clone, Debug, PartialEq)]
pub struct Covering {
    /// The conditions.
    pub conditions: Vec<CoverCondition>,
    /// The pairs that joins on them are expected to look at.
    pub candidates: f64,
}

impl Cover<'_> {
    /// The cheapest conditions that were found.
    ///
    /// # Errors
    /// Where no conditions are complete.
    pub fn covering(&self) -> Result<Covering, Uncovered> {
        let mut penalty = FIRST_PENALTY;
        loop {
            let search = CoverSearch::new(self, penalty);
            let found = search.from(0, &[], &vec![0; self.comparisons.len()]);
            let (_, found) = found.ok_or_else(|| search.uncovered())?;
            let conditions = without_implied(&found, is_stricter);
            if conditions.len() <= MOST_CONDITIONS {
                let candidates = conditions.iter().map(|condition| search.access(condition).candidates).sum();
                let conditions = conditions.iter().map(|condition| search.in_places(condition)).collect();
                return Ok(Covering { conditions, candidates });
            }
            penalty *= 8.0;
        }
    }
}

/// A step of a comparison: at least the outcome at a place of its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CoverStep {
    comparison: usize,
    at: usize,
}

/// What a step takes by itself.
#[derive(Clone, Copy, Debug)]
struct StepCost {
    /// The share of all pairs that satisfy it.
    share: f64,
    /// Nanoseconds of its joins, where values are only similar.
    scan: Option<f64>,
}

/// How the candidates of a condition are found.
#[derive(Clone, Copy, Debug)]
struct CoverAccess {
    /// Nanoseconds of the join beside its candidates.
    join: f64,
    candidates: f64,
}

impl CoverAccess {
    fn cheaper(best: Option<Self>, other: Self) -> Option<Self> {
        let cost = |access: &Self| access.join + access.candidates * CANDIDATE;
        Some(best.filter(|best| cost(best) <= cost(&other)).unwrap_or(other))
    }
}

struct CoverSearch<'a> {
    cover: &'a Cover<'a>,
    penalty: f64,
    /// The outcomes of each comparison by weight, up to the first that is no step.
    order: Vec<Vec<usize>>,
    /// The costs of the steps of each comparison.
    costs: Vec<Vec<StepCost>>,
    /// All steps, the cheapest first.
    steps: Vec<CoverStep>,
}

/// Conditions, and what they take.
type FoundConditions = (f64, Vec<Vec<CoverStep>>);

impl<'a> CoverSearch<'a> {
    fn new(cover: &'a Cover<'a>, penalty: f64) -> Self {
        let order: Vec<Vec<usize>> = cover.comparisons.iter().map(|outcomes| by_weight(outcomes)).collect();
        let cost_of = |(outcomes, order): (&Vec<CoverOutcome>, &Vec<usize>)| -> Vec<StepCost> {
            (1..order.len()).map(|steps| step_cost(outcomes, &order[..steps])).collect()
        };
        let costs: Vec<Vec<StepCost>> = cover.comparisons.iter().zip(&order).map(cost_of).collect();
        let of_comparison =
            |comparison: usize| (0..costs[comparison].len()).map(move |at| CoverStep { comparison, at });
        let mut steps: Vec<CoverStep> = (0..order.len()).flat_map(of_comparison).collect();
        let mut search = Self { cover, penalty, order, costs: costs.clone(), steps: Vec::new() };
        steps.sort_by(|a, b| search.cost(&[*a]).total_cmp(&search.cost(&[*b])));
        search.steps = steps;
        search
    }

    /// The cheapest conditions for the pairs that have what is required and are capped, by the steps from `next` on; none
    /// where some pair above the threshold satisfies no step.
    fn from(&self, next: usize, required: &[CoverStep], caps: &[usize]) -> Option<FoundConditions> {
        if self.best(caps) < self.cover.threshold {
            return Some((0.0, Vec::new()));
        }
        let own = (!required.is_empty()).then(|| (self.cost(required), vec![required.to_vec()]));
        if required.len() == MOST_PARTS || own.as_ref().is_some_and(|(cost, _)| *cost < 2.0 * self.penalty) {
            return own;
        }
        match (own, self.split(next, required, caps)) {
            (Some(own), Some(finer)) => Some(if finer.0 < own.0 { finer } else { own }),
            (own, finer) => own.or(finer),
        }
    }

    /// The same by asking of the next step: conditions of the pairs that satisfy it, and of those that do not.
    fn split(&self, next: usize, required: &[CoverStep], caps: &[usize]) -> Option<FoundConditions> {
        let is_open = |step: &CoverStep| {
            caps[step.comparison] <= step.at && required.iter().all(|part| part.comparison != step.comparison)
        };
        let at = (next..self.steps.len()).find(|at| is_open(&self.steps[*at]))?;
        let step = self.steps[at];
        let mut others = caps.to_vec();
        others[step.comparison] = step.at + 1;
        let (rest, mut conditions) = self.from(at + 1, required, &others)?;
        let (cost, more) = self.from(at + 1, &[required, &[step]].concat(), caps)?;
        conditions.extend(more);
        Some((rest + cost, conditions))
    }

    /// The best score of capped pairs.
    fn best(&self, caps: &[usize]) -> MatchWeight {
        let weight =
            |(comparison, at): (usize, &usize)| self.cover.comparisons[comparison][self.order[comparison][*at]].weight;
        self.cover.prior + caps.iter().enumerate().map(weight).sum()
    }

    /// Nanoseconds of a condition: its candidates, and scores for the pairs that satisfy it.
    fn cost(&self, condition: &[CoverStep]) -> f64 {
        let shares = condition.iter().map(|step| self.cost_of(*step).share);
        let kept = self.cover.pairs * shares.product::<f64>();
        let access = self.access(condition);
        self.penalty + access.join + access.candidates * CANDIDATE + kept * SCORE
    }

    /// The cheapest join of a condition: on its equalities together, or on one of its similarities.
    fn access(&self, condition: &[CoverStep]) -> CoverAccess {
        let (mut equal, mut best) = (None, None);
        for StepCost { share, scan } in condition.iter().map(|step| self.cost_of(*step)) {
            match scan {
                Some(join) => {
                    best = CoverAccess::cheaper(best, CoverAccess { join, candidates: share * self.cover.pairs });
                }
                None => equal = Some(equal.unwrap_or(self.cover.pairs) * share),
            }
        }
        let equal = equal.map(|candidates| CoverAccess { join: 0.0, candidates });
        equal.map_or(best, |equal| CoverAccess::cheaper(best, equal)).expect("something is required")
    }

    fn cost_of(&self, step: CoverStep) -> StepCost {
        self.costs[step.comparison][step.at]
    }

    /// A condition by the places of its outcomes.
    fn in_places(&self, condition: &[CoverStep]) -> CoverCondition {
        let part = |step: &CoverStep| CoverPart {
            comparison: step.comparison,
            outcomes: self.order[step.comparison][..=step.at].to_vec(),
        };
        condition.iter().map(part).collect()
    }

    /// The best outcomes after all steps.
    fn uncovered(&self) -> Uncovered {
        let outcomes: Vec<usize> = self.order.iter().map(|order| order[order.len() - 1]).collect();
        let caps: Vec<usize> = self.order.iter().map(|order| order.len() - 1).collect();
        Uncovered { outcomes, score: self.best(&caps) }
    }
}

/// The outcomes of a comparison by weight, up to the first that no join finds.
fn by_weight(outcomes: &[CoverOutcome]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..outcomes.len()).collect();
    places.sort_by_key(|at| (std::cmp::Reverse(outcomes[*at].weight), outcomes[*at].join.is_some()));
    let steps = places.iter().take_while(|at| outcomes[**at].join.is_some()).count();
    places.truncate(steps + 1);
    places
}

fn step_cost(outcomes: &[CoverOutcome], step: &[usize]) -> StepCost {
    let mut included: Vec<usize> = step.iter().flat_map(|at| &outcomes[*at].includes).copied().collect();
    included.sort_unstable();
    included.dedup();
    let share = included.iter().map(|at| outcomes[*at].share).sum::<f64>().min(1.0);
    // What another outcome's condition includes needs no join of its own.
    let is_apart = |at: &&usize| !step.iter().any(|other| other != *at && outcomes[*other].includes.contains(at));
    let scan = |at: &usize| match outcomes[*at].join {
        Some(CoverJoin::Similarity(cost)) => Some(cost),
        _ => None,
    };
    let scans: Vec<f64> = step.iter().filter(is_apart).filter_map(scan).collect();
    StepCost { share, scan: (!scans.is_empty()).then(|| scans.iter().sum()) }
}

/// What is needed of some conditions: those that imply no other; of two that imply each other the first.
pub fn without_implied<T: Clone>(all: &[Vec<T>], implies: impl Fn(&[T], &[T]) -> bool) -> Vec<Vec<T>> {
    let is_needed = |at: &usize| {
        let mut others = (0..all.len()).filter(|other| other != at);
        !others.any(|o| implies(&all[*at], &all[o]) && (o < *at || !implies(&all[o], &all[*at])))
    };
    (0..all.len()).filter(is_needed).map(|at| all[at].clone()).collect()
}

/// Whether a condition asks for at least as much as another.
fn is_stricter(a: &[CoverStep], b: &[CoverStep]) -> bool {
    b.iter().all(|loose| a.iter().any(|step| step.comparison == loose.comparison && step.at <= loose.at))
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
            includes: Vec::new(),
        };
        let comparison = |random: &mut Random| {
            let mut outcomes: Vec<CoverOutcome> = (0..1 + random.below(3))
                .map(|_| {
                    let join = if random.below(2) == 0 { CoverJoin::Equality } else { CoverJoin::Similarity(1e6) };
                    outcome(random, Some(join))
                })
                .collect();
            outcomes.push(outcome(random, None));
            outcomes.push(CoverOutcome { weight: MatchWeight(0), share: 0.1, join: None, includes: Vec::new() });
            // Each level includes those before it, as levels mostly do.
            outcomes.iter_mut().enumerate().for_each(|(at, outcome)| outcome.includes = (0..=at).collect());
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
            match cover.covering() {
                Ok(Covering { conditions, candidates }) => {
                    assert!(candidates <= 1e10 * conditions.len() as f64, "seed {seed}");
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
