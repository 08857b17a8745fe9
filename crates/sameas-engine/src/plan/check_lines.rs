//! The checks of each conjunction of a branch, in order.
//!
//! A check may imply a weaker one of another conjunction. Where that one is evaluated anyway, it comes first: what the weaker
//! one refuses need not be checked by the stronger. Where it is not, because the other conjunction is nearly always refused
//! before, the weaker one would only be an expensive detour.

use std::collections::{BTreeMap, HashSet};

use super::branch::Builder;
use super::estimate::{Estimate, PairBits, Random};
use super::strategy::Strategy;
use super::tree::CheckLine;
use super::weight::Weight;
use crate::rules::Literal;

/// The drawn pairs for which a predicate is evaluated by some line, and by two or more.
#[derive(Clone, Copy, Default)]
struct Evaluated {
    once: PairBits,
    again: PairBits,
}

impl Evaluated {
    fn add(&mut self, pairs: PairBits) {
        self.again = self.again.or(self.once.and(pairs));
        self.once = self.once.or(pairs);
    }

    /// The pairs of all lines but one that evaluates `mine`.
    fn without(&self, mine: PairBits) -> PairBits {
        self.again.or(self.once.and_not(mine))
    }
}

impl Builder<'_, '_> {
    /// The lines of what is left to check of each conjunction.
    pub(super) fn lines(
        &self,
        open: &[Vec<Literal>],
        estimate: &Estimate<'_>,
        weight: &dyn Fn(Literal) -> Weight,
    ) -> Vec<CheckLine> {
        let plain: Vec<CheckLine> = open.iter().map(|mine| line(mine, self.ranked(mine, weight), weight)).collect();
        if !self.shares() {
            return plain;
        }
        let all: HashSet<Literal> = open.iter().flatten().copied().collect();
        let mut evaluated = vec![Evaluated::default(); self.estimator.program.checks.len()];
        let reached = plain.iter().flat_map(|line| self.estimator.reached(estimate, &line.literals));
        reached.for_each(|(predicate, pairs)| evaluated[predicate].add(pairs));
        let better = |(mine, plain): (&Vec<Literal>, CheckLine)| {
            let Some(ranked) = self.with_weaker(mine, &all, weight) else { return plain };
            let sharing = line(mine, ranked, weight);
            let cost = |line: &CheckLine| self.added_cost(line, &plain, &evaluated, estimate, weight);
            let costs = [cost(&sharing), cost(&plain)];
            if costs[0] < costs[1] || matches!(self.strategy, Strategy::Random(_)) { sharing } else { plain }
        };
        open.iter().zip(plain).map(better).collect()
    }

    /// What a line costs beside the others, whose predicates are evaluated once for a candidate; `plain` is the line that
    /// is counted among the evaluated.
    fn added_cost(
        &self,
        line: &CheckLine,
        plain: &CheckLine,
        all: &[Evaluated],
        estimate: &Estimate<'_>,
        weight: &dyn Fn(Literal) -> Weight,
    ) -> f64 {
        let mine = self.estimator.reached(estimate, &plain.literals);
        let of_mine =
            |predicate: usize| mine.iter().find(|(of, _)| *of == predicate).map_or_else(Default::default, |m| m.1);
        let reached = self.estimator.reached(estimate, &line.literals).into_iter();
        let cost = |(predicate, pairs): (usize, PairBits)| {
            let new = pairs.and_not(all[predicate].without(of_mine(predicate)));
            new.count() as f64 * weight(Literal { predicate, want: true }).cost
        };
        reached.map(cost).sum()
    }

    /// Whether checks come in an order that is the same for all conjunctions.
    fn shares(&self) -> bool {
        !matches!(self.strategy, Strategy::NoPredicateOrder | Strategy::NoEpg)
    }

    /// Literals with their worth.
    fn ranked(&self, mine: &[Literal], weight: &dyn Fn(Literal) -> Weight) -> Vec<(f64, Literal)> {
        mine.iter().enumerate().map(|(at, literal)| (self.rank(at, *literal, weight), *literal)).collect()
    }

    /// The same with the weaker checks of other conjunctions, each before what implies it; nothing where there are none.
    fn with_weaker(
        &self,
        mine: &[Literal],
        all: &HashSet<Literal>,
        weight: &dyn Fn(Literal) -> Weight,
    ) -> Option<Vec<(f64, Literal)>> {
        let mut ranked = self.ranked(mine, weight);
        let own: HashSet<Literal> = mine.iter().copied().collect();
        let others = |literal: &Literal| all.contains(literal) && !own.contains(literal);
        let mut weaker: BTreeMap<Literal, Vec<usize>> = BTreeMap::new();
        for (at, (_, literal)) in ranked.iter().enumerate() {
            for other in self.implications.closure(&[*literal]).into_iter().filter(others) {
                weaker.entry(other).or_default().push(at);
            }
        }
        let has_weaker = !weaker.is_empty();
        for (weaker, stronger) in weaker {
            let rank = self.rank(0, weaker, weight);
            for at in stronger {
                let of = &mut ranked[at].0;
                *of = of.min(rank - rank.abs() * 1e-9);
            }
            ranked.push((rank, weaker));
        }
        has_weaker.then_some(ranked)
    }

    /// The worth of a check; `at` is its place in the written order.
    fn rank(&self, at: usize, literal: Literal, weight: &dyn Fn(Literal) -> Weight) -> f64 {
        let weight = weight(literal);
        match self.strategy {
            Strategy::Full | Strategy::NoRuleOrder => weight.rank(),
            Strategy::NoEpg | Strategy::NoPredicateOrder => -(at as f64),
            Strategy::CheapFirst => 1.0 / weight.cost,
            Strategy::SelectiveFirst => 1.0 - weight.probability,
            Strategy::Random(draw) => {
                Random::new(draw.seed ^ (literal.predicate as u64 * 2 + u64::from(literal.want)) << 17).unit()
            }
        }
    }
}

/// The line of a conjunction whose checks have these ranks.
fn line(mine: &[Literal], mut ranked: Vec<(f64, Literal)>, weight: &dyn Fn(Literal) -> Weight) -> CheckLine {
    let witness = mine.iter().map(|literal| weight(*literal).probability).product();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    CheckLine { literals: ranked.into_iter().map(|(_, literal)| literal).collect(), witness }
}
