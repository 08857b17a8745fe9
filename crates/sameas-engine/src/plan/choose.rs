//! The one decision: which access condition each conjunction uses.
//!
//! First every conjunction takes the condition that is cheapest for it alone: finding the candidates, and checking them.
//! Then conjunctions move together wherever sharing candidates, and the verdicts on them, costs less than what they
//! pay apart. Costs are nanoseconds of one core, from [`Estimator`].

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::branch::ReachedPredicates;
use super::estimate::{Estimate, Estimator, PairBits, Place};
use super::options::{CandidateCondition, ConditionOptions};
use crate::candidates::Condition;
use crate::rules::{Implications, Literal};

/// A move has to save this share of the whole cost: smaller gains are noise.
const LEAST_GAIN: f64 = 1e-3;

/// Conjunctions that share a condition.
#[derive(Clone, Debug)]
struct ConditionGroup {
    condition: usize,
    /// By place.
    members: Vec<usize>,
    cost: f64,
}

/// Decides for some conjunctions.
pub struct Choice<'e, 'a> {
    estimator: &'e Estimator<'a>,
    implications: &'e Implications,
    conjunctions: &'e [usize],
    known: Vec<CandidateCondition<'e>>,
    /// The predicates that conjunctions check of the candidates of conditions, by condition and place.
    asked: RefCell<HashMap<(usize, usize), CheckPlan>>,
}

/// Predicates, each with the drawn candidates that reach it.
type CheckPlan = Rc<[(usize, PairBits)]>;

/// The conditions of some conjunctions, which come grouped by condition.
pub fn choose<'e, 'a>(
    estimator: &'e Estimator<'a>,
    implications: &'e Implications,
    conjunctions: &'e [usize],
) -> Vec<ChosenCondition> {
    let mut choice = Choice { estimator, implications, conjunctions, known: Vec::new(), asked: RefCell::default() };
    let options = ConditionOptions { estimator, implications, conjunctions };
    choice.known = options.together();
    let alone: Vec<f64> =
        (0..conjunctions.len()).map(|place| choice.cheapest(place).map_or(f64::INFINITY, |c| c.1)).collect();
    // An index that costs more than all of its users pay now is not worth an estimate.
    let pays = |predicate: usize, users: &[usize]| {
        let paid: f64 = users.iter().map(|place| alone[*place]).sum();
        estimator.least_cost(predicate) < paid
    };
    choice.known.extend(options.others(pays));
    if (0..conjunctions.len()).any(|place| choice.cheapest(place).is_none()) {
        choice.known.extend(options.all_pairs());
    }
    choice.decide()
}

/// A condition for some conjunctions.
#[derive(Clone, Debug)]
pub struct ChosenCondition {
    /// The condition.
    pub condition: Condition,
    /// Those that use it.
    pub conjunctions: Vec<usize>,
    /// The next best condition for all of them.
    pub alternative: Option<Alternative>,
}

/// A condition that was not chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alternative {
    /// The condition.
    pub condition: Condition,
    /// Nanoseconds that it would have cost.
    pub cost: f64,
}

impl Choice<'_, '_> {
    fn decide(self) -> Vec<ChosenCondition> {
        let mut groups = self.alone();
        while let Some(next) = self.best_move(&groups) {
            groups = next;
        }
        let chosen = |group: &ConditionGroup| ChosenCondition {
            condition: self.known[group.condition].condition.clone(),
            conjunctions: group.members.iter().map(|place| self.conjunctions[*place]).collect(),
            alternative: self.alternative(group),
        };
        groups.iter().map(chosen).collect()
    }

    /// The cheapest other condition of a group, joined on something else.
    fn alternative(&self, group: &ConditionGroup) -> Option<Alternative> {
        let usable = |known: &CandidateCondition<'_>| group.members.iter().all(|place| known.users.contains(place));
        let access = &self.known[group.condition].condition.access;
        let others =
            (0..self.known.len()).filter(|at| self.known[*at].condition.access != *access && usable(&self.known[*at]));
        let costs = others.map(|at| (at, self.cost(at, &group.members)));
        let (at, cost) = costs.min_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(Alternative { condition: self.known[at].condition.clone(), cost })
    }

    /// The cheapest condition of a conjunction by itself.
    fn cheapest(&self, place: usize) -> Option<(usize, f64)> {
        let usable = (0..self.known.len()).filter(|at| self.known[*at].users.contains(&place));
        usable.map(|at| (at, self.cost(at, &[place]))).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Every conjunction where it is cheapest alone.
    fn alone(&self) -> Vec<ConditionGroup> {
        let mut groups: Vec<ConditionGroup> = Vec::new();
        for place in 0..self.conjunctions.len() {
            let Some((condition, cost)) = self.cheapest(place) else { continue };
            match groups.iter_mut().find(|group| group.condition == condition) {
                Some(group) => group.members.push(place),
                None => groups.push(ConditionGroup { condition, members: vec![place], cost }),
            }
        }
        groups.iter_mut().for_each(|group| group.cost = self.cost(group.condition, &group.members));
        groups
    }

    /// The groups after the move that saves most, if one saves enough.
    fn best_move(&self, groups: &[ConditionGroup]) -> Option<Vec<ConditionGroup>> {
        let total: f64 = groups.iter().map(|group| group.cost).sum();
        let moves = (0..self.known.len()).filter_map(|condition| self.gathered(condition, groups));
        let cost = |groups: &[ConditionGroup]| groups.iter().map(|group| group.cost).sum::<f64>();
        let best = moves.min_by(|a, b| cost(a).total_cmp(&cost(b)))?;
        (cost(&best) < total * (1.0 - LEAST_GAIN)).then_some(best)
    }

    /// The groups after those have moved to a condition that gain by it, one after the other, the most expensive first.
    fn gathered(&self, condition: usize, groups: &[ConditionGroup]) -> Option<Vec<ConditionGroup>> {
        let can =
            |group: &ConditionGroup| group.members.iter().all(|place| self.known[condition].users.contains(place));
        let here = groups.iter().find(|group| group.condition == condition);
        let mut there: Vec<&ConditionGroup> = groups.iter().filter(|g| g.condition != condition && can(g)).collect();
        if there.len() + usize::from(here.is_some()) < 2 {
            return None;
        }
        there.sort_by(|a, b| b.cost.total_cmp(&a.cost));
        let mut group = here.cloned().unwrap_or(ConditionGroup { condition, members: Vec::new(), cost: 0.0 });
        let mut moved = Vec::new();
        for (at, other) in there.iter().enumerate() {
            if moved.contains(&other.condition) {
                continue;
            }
            let is_twin = |twin: &&&ConditionGroup| !moved.contains(&twin.condition) && self.share_a_rule(other, twin);
            let twin = there[at + 1..].iter().find(is_twin);
            let with_twin = || self.joined(&group, &[*other, *twin?]).map(|joined| (joined, twin));
            if let Some((joined, twin)) = self.joined(&group, &[*other]).map(|joined| (joined, None)).or_else(with_twin)
            {
                group = joined;
                moved.extend([Some(other), twin].into_iter().flatten().map(|group| group.condition));
            }
        }
        group.members.sort_unstable();
        let mut all: Vec<ConditionGroup> = groups.to_vec();
        all.retain(|g| g.condition != condition && !moved.contains(&g.condition));
        all.push(group);
        Some(all)
    }

    /// A group with others that come to it, unless they pay less where they are. The first to come pays for the join:
    /// whether that is worth it shows when all have come.
    fn joined(&self, group: &ConditionGroup, coming: &[&ConditionGroup]) -> Option<ConditionGroup> {
        let new = coming.iter().flat_map(|other| &other.members);
        let members: Vec<usize> = group.members.iter().chain(new).copied().collect();
        let cost = self.cost(group.condition, &members);
        let gains = cost - group.cost < coming.iter().map(|other| other.cost).sum::<f64>();
        (gains || group.members.is_empty()).then_some(ConditionGroup { condition: group.condition, members, cost })
    }

    /// Whether conjunctions of two groups are of one rule, as the two ways round of a rule are: they check the same, so
    /// that they may gain together where neither does by itself.
    fn share_a_rule(&self, a: &ConditionGroup, b: &ConditionGroup) -> bool {
        let rule = |place: &usize| self.estimator.program.conjunctions[self.conjunctions[*place]].rule;
        a.members.iter().any(|one| b.members.iter().any(|other| rule(one) == rule(other)))
    }

    /// What it costs to decide some conjunctions by one condition: a predicate is evaluated once for a candidate,
    /// however many conjunctions need it.
    fn cost(&self, condition: usize, members: &[usize]) -> f64 {
        let CandidateCondition { estimate, condition: of, .. } = &self.known[condition];
        let mut reached = ReachedPredicates::none(self.estimator.program.checks.len());
        for place in members {
            self.asked(condition, *place).iter().for_each(|(predicate, pairs)| reached.add(*predicate, *pairs));
        }
        let all = (estimate.mask.count() as f64).max(1.0);
        let check = |(predicate, pairs): &(usize, PairBits)| {
            let times = estimate.candidates * pairs.count() as f64 / all;
            (*predicate, times * self.estimator.cost(estimate.sample, *predicate))
        };
        let checks: Vec<(usize, f64)> = reached.list.iter().map(check).collect();
        self.estimator.branch_cost(of, estimate.candidates, &checks).0
    }

    /// What a conjunction checks of the candidates of a condition, in the order of worth.
    fn asked(&self, condition: usize, place: usize) -> CheckPlan {
        let known = self.asked.borrow().get(&(condition, place)).map(Rc::clone);
        known.unwrap_or_else(|| {
            let CandidateCondition { estimate, condition: of, .. } = &self.known[condition];
            let literals = self.ordered(place, &of.literals(), estimate);
            let asked: CheckPlan = self.estimator.reached(estimate, &literals).into();
            self.asked.borrow_mut().insert((condition, place), Rc::clone(&asked));
            asked
        })
    }

    /// What is left to check of a conjunction, in the order of worth.
    fn ordered(&self, place: usize, implied: &[Literal], estimate: &Estimate<'_>) -> Vec<Literal> {
        let literals = &self.estimator.program.conjunctions[self.conjunctions[place]].literals;
        let settled = |literal: &Literal| implied.iter().any(|known| self.implications.implies(*known, *literal));
        let rank = |literal: &Literal| self.estimator.weight(estimate, *literal, Place::Cpu).rank();
        let mut open: Vec<(f64, Literal)> =
            literals.iter().filter(|literal| !settled(literal)).map(|literal| (rank(literal), *literal)).collect();
        open.sort_by(|a, b| b.0.total_cmp(&a.0));
        open.into_iter().map(|(_, literal)| literal).collect()
    }
}
