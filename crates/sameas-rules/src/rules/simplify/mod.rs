//! Rules without redundant conditions: the same pairs for less work.
//!
//! 1. A conjunction whose literals contradict each other holds for no pair and is removed.
//! 2. A literal that follows from another one of its conjunction is not checked. One on a part of a sum is: it is cheaper
//!    than the sum, and refuses most pairs before that is computed.
//! 3. A conjunction that implies another one of its rule adds no pair to it and is removed; a pair may be forbidden by
//!    any `never` rule, so there the two may be of different rules.
//! 4. A conjunction that implies one of an earlier rule owns no pair, but its pairs count for its rule: it is kept, marked.
//!
//! What is removed in step 2 or 3 follows from something that is kept at that moment, and what is kept is looked at later.
//! If that is removed in turn, it follows from something that is kept still longer: no removal is circular.

mod implied;
mod simplification;
mod subsumed;

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use super::literal_record::LiteralRecord;
use super::predicate::{Literal, Predicate, Test};
use super::rule_set::{ComparisonRules, Conjunction, Rule, RuleSet};
pub use implied::Implications;
use implied::{opposite, place};
pub use simplification::{Contradiction, RuleLabel, Simplification};
use subsumed::Subsumed;

/// A rule set that gives the same pairs, with the same rules' names and counts, for less work.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// The rules; one that can never hold has no conjunction.
    pub rules: RuleSet,
    /// What was left out and why.
    pub notes: Vec<Simplification>,
    /// For each conjunction of `rules.conjunctions` the first one of an earlier rule that holds wherever it holds.
    pub shadowed: Vec<Option<usize>>,
    /// What follows from what, among the predicates. All of them stay: one that is not checked may be the one to join on.
    pub implications: Implications,
}

impl RuleSet {
    /// The same rules without what follows from the rest of them. Rules that are simplified already stay as they are.
    pub fn simplified(&self) -> Simplified {
        let implied = Implications::new(&self.predicates, self.conjunctions.iter().chain(&self.never_conjunctions));
        let mut notes = Notes { predicates: &self.predicates, notes: Vec::new(), seen: HashSet::new() };
        let (written, near) = self.rules.split_at(self.written_rules());
        let mut conjunctions = simplify(written, &self.conjunctions, RuleLabel::Rule, &implied, &mut notes);
        let written_conjunctions = conjunctions.len();
        // Nobody wrote the near rules: what is left out of them is no news.
        let mut unsaid = Notes { predicates: &self.predicates, notes: Vec::new(), seen: HashSet::new() };
        conjunctions.extend(simplify(near, &self.conjunctions, RuleLabel::Rule, &implied, &mut unsaid));
        let nevers = simplify(&self.nevers, &self.never_conjunctions, RuleLabel::Never, &implied, &mut notes);
        let (nevers, newly_shadowed) = without_subsumed_nevers(nevers, &self.nevers, &implied, &mut notes);
        let mut shadowed = shadows(&conjunctions, &implied);
        notes.of_shadows(written, &conjunctions[..written_conjunctions], &shadowed[..written_conjunctions]);
        drop_shadowed_near(&mut conjunctions, &mut shadowed, written_conjunctions);
        if implied.left_out > 0 {
            notes.add(Simplification::NotCompared { conditions: implied.left_out });
        }
        let notes = notes.notes;
        let mut rules = self.clone();
        rules.rules = with_ranges(&self.rules, &conjunctions);
        rules.nevers = with_ranges(&self.nevers, &nevers);
        rules.conjunctions = conjunctions.into_iter().map(|part| part.kept).collect();
        rules.never_conjunctions = nevers.into_iter().map(|part| part.kept).collect();
        // What was shadowed when rules were simplified before, stays so.
        rules.shadowed_nevers.extend(newly_shadowed);
        rules.shadowed_nevers.sort_by_key(|conjunction| conjunction.rule);
        Simplified { rules, notes, shadowed, implications: implied }
    }

    /// Other rules in place of its rules, simplified: over the same predicates, with the same `never` rules and comparisons.
    pub fn with_rules(&self, rules: Vec<Rule>, conjunctions: Vec<Conjunction>) -> Simplified {
        Self { rules, conjunctions, ..self.clone() }.simplified()
    }

    /// The same rules without the `never` rules.
    #[must_use]
    pub fn without_nevers(&self) -> Self {
        Self { nevers: Vec::new(), never_conjunctions: Vec::new(), shadowed_nevers: Vec::new(), ..self.clone() }
    }
}

impl RuleSet {
    /// What follows from what, among the conditions of levels.
    pub fn level_implications(&self) -> Implications {
        let levels = self.scoring.comparisons.iter().flat_map(|of| &of.levels);
        let literals = levels.flat_map(|level| level.ways.iter().cloned());
        let all: Vec<Conjunction> = literals.map(|literals| Conjunction { rule: 0, literals }).collect();
        Implications::new(&self.predicates, all.iter())
    }
}

/// The levels, by comparison and place, that never count: an earlier one of their comparison holds wherever they do.
pub(super) fn unreachable_levels(predicates: &[Predicate], comparisons: &[ComparisonRules]) -> Vec<(usize, usize)> {
    let mut parts: Vec<ReducedConjunction> = Vec::new();
    // Each level has the conjunctions of its comparison before it, and its own.
    let mut levels = Vec::new();
    for (at, comparison) in comparisons.iter().enumerate() {
        let first = parts.len();
        for (level, rule) in comparison.levels.iter().enumerate() {
            let begin = parts.len();
            parts.extend(rule.ways.iter().map(|literals| ReducedConjunction::whole(levels.len(), literals)));
            levels.push(((at, level), first..begin, begin..parts.len()));
        }
    }
    let implied = Implications::new(predicates, parts.iter().map(|part| &part.kept));
    let mut subsumed = Subsumed::new(&parts, &implied);
    levels.retain(|(_, before, own)| {
        !own.is_empty() && own.clone().all(|at| subsumed.first(at, before.end, |by| by >= before.start).is_some())
    });
    levels.into_iter().map(|(level, ..)| level).collect()
}

/// A conjunction: all its literals, and those of them that have to be checked.
struct ReducedConjunction {
    all: Vec<Literal>,
    kept: Conjunction,
}

impl ReducedConjunction {
    /// One of which everything is checked.
    fn whole(rule: usize, literals: &[Literal]) -> Self {
        Self { all: literals.to_vec(), kept: Conjunction { rule, literals: literals.to_vec() } }
    }
}

/// Steps 1 to 3 within each rule.
fn simplify(
    rules: &[Rule],
    conjunctions: &[Conjunction],
    label_of: fn(String) -> RuleLabel,
    implied: &Implications,
    notes: &mut Notes<'_>,
) -> Vec<ReducedConjunction> {
    let mut all = Vec::with_capacity(conjunctions.len());
    for rule in rules {
        let label = label_of(rule.name.clone());
        let mut parts = Vec::new();
        let mut contradictions = Vec::new();
        for conjunction in &conjunctions[rule.conjunctions.clone()] {
            match contradiction(&conjunction.literals, implied) {
                Some(pair) => contradictions.push(pair),
                None => parts.push(reduced(conjunction, &label, implied, notes)),
            }
        }
        notes.of_contradictions(&label, parts.is_empty(), &contradictions);
        all.extend(without_subsumed(parts, implied, |gone, by| notes.of_subsumed(&label, gone, &label, by)));
    }
    all
}

/// The first two literals that no pair satisfies together. One that nothing satisfies contradicts itself.
fn contradiction(literals: &[Literal], implied: &Implications) -> Option<(Literal, Literal)> {
    let places = places_of(literals);
    let excluded = |at: usize| implied.from(place(literals[at])).iter().filter_map(|to| places.get(&opposite(*to)));
    let pairs = (0..literals.len()).flat_map(|at| excluded(at).map(move |other| (at.min(*other), at.max(*other))));
    pairs.min().map(|(a, b)| (literals[a], literals[b]))
}

/// Where the literals of a conjunction are in it, by their places among all literals.
fn places_of(literals: &[Literal]) -> HashMap<usize, usize> {
    literals.iter().enumerate().map(|(at, literal)| (place(*literal), at)).collect()
}

/// The conjunction without literals that follow from others of it. Of two that follow from each other the first stays.
fn reduced(
    conjunction: &Conjunction,
    label: &RuleLabel,
    implied: &Implications,
    notes: &mut Notes<'_>,
) -> ReducedConjunction {
    let all = conjunction.literals.clone();
    let places = places_of(&all);
    let is_sum = |literal: &Literal| matches!(notes.predicates[literal.predicate].test, Test::Residual(_));
    // For each literal those that it follows from, in order.
    let mut reasons: Vec<Vec<usize>> = vec![Vec::new(); all.len()];
    for (at, literal) in all.iter().enumerate().filter(|(_, literal)| !is_sum(literal)) {
        let implies = implied.from(place(*literal)).iter().filter_map(|to| places.get(to)).filter(|to| **to != at);
        implies.for_each(|to| reasons[*to].push(at));
    }
    let mut stays = vec![true; all.len()];
    for at in (0..all.len()).rev() {
        if let Some(reason) = reasons[at].iter().find(|reason| stays[**reason]) {
            notes.of_literal(label, all[at], all[*reason]);
            stays[at] = false;
        }
    }
    let literals = all.iter().zip(stays).filter_map(|(literal, stays)| stays.then_some(*literal)).collect();
    ReducedConjunction { kept: Conjunction { rule: conjunction.rule, literals }, all }
}

/// The parts without those that imply another one. Of two that imply each other the first stays.
fn without_subsumed(
    parts: Vec<ReducedConjunction>,
    implied: &Implications,
    mut report: impl FnMut(&ReducedConjunction, &ReducedConjunction),
) -> Vec<ReducedConjunction> {
    if parts.len() < 2 {
        return parts;
    }
    let mut subsumed = Subsumed::new(&parts, implied);
    let mut stays = vec![true; parts.len()];
    for at in (0..parts.len()).rev() {
        if let Some(by) = subsumed.first(at, parts.len(), |by| by != at && stays[by]) {
            stays[at] = false;
            report(&parts[at], &parts[by]);
        }
    }
    parts.into_iter().zip(stays).filter_map(|(part, stays)| stays.then_some(part)).collect()
}

/// The parts of `never` rules without those that imply another one; and those of them that imply one of a later rule only,
/// in order: where they hold, their rule is the first to forbid a pair.
fn without_subsumed_nevers(
    parts: Vec<ReducedConjunction>,
    nevers: &[Rule],
    implied: &Implications,
    notes: &mut Notes<'_>,
) -> (Vec<ReducedConjunction>, Vec<Conjunction>) {
    let label = |part: &ReducedConjunction| RuleLabel::Never(nevers[part.kept.rule].name.clone());
    let mut shadowed = Vec::new();
    let kept = without_subsumed(parts, implied, |gone, by| {
        notes.of_subsumed(&label(gone), gone, &label(by), by);
        if by.kept.rule > gone.kept.rule {
            shadowed.push(gone.kept.clone());
        }
    });
    shadowed.reverse();
    (kept, shadowed)
}

/// For each conjunction the first one of an earlier rule that it implies.
fn shadows(parts: &[ReducedConjunction], implied: &Implications) -> Vec<Option<usize>> {
    let mut subsumed = Subsumed::new(parts, implied);
    let start = |rule: usize| parts.partition_point(|part| part.kept.rule < rule);
    (0..parts.len()).map(|at| subsumed.first(at, start(parts[at].kept.rule), |_| true)).collect()
}

/// A conjunction of a near rule that implies an earlier one owns no pair, and nobody asks what it would give alone.
fn drop_shadowed_near(parts: &mut Vec<ReducedConjunction>, shadowed: &mut Vec<Option<usize>>, written: usize) {
    let stays: Vec<bool> = shadowed.iter().enumerate().map(|(at, by)| at < written || by.is_none()).collect();
    let mut kept = stays.iter();
    parts.retain(|_| kept.next() == Some(&true));
    let mut kept = stays.iter();
    shadowed.retain(|_| kept.next() == Some(&true));
}

/// The rules with the places of their conjunctions, which are ordered by rule.
fn with_ranges(rules: &[Rule], parts: &[ReducedConjunction]) -> Vec<Rule> {
    let mut start = 0;
    let mut ranged = rules.to_vec();
    for (at, rule) in ranged.iter_mut().enumerate() {
        let end = start + parts[start..].iter().take_while(|part| part.kept.rule == at).count();
        rule.conjunctions = start..end;
        start = end;
    }
    ranged
}

/// Collects what was left out. A rule of two orientations is reported once.
struct Notes<'a> {
    predicates: &'a [Predicate],
    notes: Vec<Simplification>,
    seen: HashSet<Simplification>,
}

impl Notes<'_> {
    fn add(&mut self, note: Simplification) {
        if !self.seen.contains(&note.exchanged()) && self.seen.insert(note.clone()) {
            self.notes.push(note);
        }
    }

    fn literal(&self, literal: Literal) -> LiteralRecord {
        LiteralRecord::new(literal, self.predicates)
    }

    fn literals(&self, part: &ReducedConjunction) -> Vec<LiteralRecord> {
        part.kept.literals.iter().map(|literal| self.literal(*literal)).collect()
    }

    fn of_literal(&mut self, rule: &RuleLabel, gone: Literal, reason: Literal) {
        let (condition, by) = (self.literal(gone), self.literal(reason));
        self.add(Simplification::ConditionImplied { rule: rule.clone(), condition, by });
    }

    fn of_contradictions(&mut self, rule: &RuleLabel, nothing_left: bool, contradictions: &[(Literal, Literal)]) {
        let reported = if nothing_left { 1 } else { contradictions.len() };
        for (a, b) in contradictions.iter().take(reported) {
            let (rule, contradiction) = (rule.clone(), self.contradiction(*a, *b));
            self.add(match nothing_left {
                true => Simplification::RuleNeverHolds { rule, contradiction },
                false => Simplification::ConjunctionNeverHolds { rule, contradiction },
            });
        }
    }

    fn contradiction(&self, a: Literal, b: Literal) -> Contradiction {
        match a == b {
            true => Contradiction::Unsatisfiable { condition: self.literal(a) },
            false => Contradiction::Conflict { first: self.literal(a), second: self.literal(b) },
        }
    }

    fn of_subsumed(
        &mut self,
        rule: &RuleLabel,
        gone: &ReducedConjunction,
        by_rule: &RuleLabel,
        by: &ReducedConjunction,
    ) {
        let (conjunction, by) = (self.literals(gone), self.literals(by));
        let (rule, by_rule) = (rule.clone(), by_rule.clone());
        self.add(Simplification::ConjunctionSubsumed { rule, conjunction, by_rule, by });
    }

    fn of_shadows(&mut self, rules: &[Rule], parts: &[ReducedConjunction], shadowed: &[Option<usize>]) {
        let label = |rule: usize| RuleLabel::Rule(rules[rule].name.clone());
        for (at, rule) in with_ranges(rules, parts).iter().enumerate() {
            let owners = shadowed[rule.conjunctions.clone()].iter().map(|by| by.map(|by| parts[by].kept.rule));
            // Each pair belongs to one of these rules or to an earlier one: what holds for all of them is the last.
            if let Some(owner) = owners.collect::<Option<Vec<usize>>>().and_then(|owners| owners.into_iter().max()) {
                self.add(Simplification::RuleShadowed { rule: label(at), by: label(owner) });
            }
        }
    }
}
