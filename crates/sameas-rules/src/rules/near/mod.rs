//! Borderline pairs: for each threshold of a rule in turn, the rule with that one threshold loosened, as a rule of its
//! own after all others.
//!
//! A pair belongs to the first rule that holds, so such a *near rule* owns exactly the pairs that no rule gives. It holds
//! for a pair where a conjunction of its rule does, in either orientation, with the threshold loosened wherever the
//! conjunction has it. `looser` says what is loosened, and by how much.

mod looser_thresholds;

use std::collections::HashSet;

use super::normal_form::without_repeats;
use super::predicate::{Literal, Predicates};
use super::rule_file::LinkType;
use super::rule_set::{Conjunction, LoosenedCondition, Rule};
use crate::error::{Error, Result};
pub(super) use looser_thresholds::{LooserForms, looser_forms};

/// Near rules, their conjunctions, and what is loosened in each.
#[derive(Default)]
pub(super) struct NearRules {
    pub rules: Vec<Rule>,
    pub conjunctions: Vec<Conjunction>,
    pub conditions: Vec<LoosenedCondition>,
}

/// The near rules of all rules, for predicates that know their looser forms.
pub(super) fn near_rules(
    rules: &[Rule],
    conjunctions: &[Conjunction],
    predicates: &mut Predicates,
    link_type: LinkType,
) -> Result<NearRules> {
    let mut near = NearRules::default();
    let mut size = 0;
    for rule in rules {
        let own = &conjunctions[rule.conjunctions.clone()];
        let (mut seen, mut mirrors) = (HashSet::new(), HashSet::new());
        for literal in own.iter().flat_map(|conjunction| &conjunction.literals) {
            // Exchanged, it is a condition that has been loosened already, both ways round.
            if !seen.insert(*literal) || mirrors.contains(literal) {
                continue;
            }
            let Some(looser) = predicates.looser(*literal) else { continue };
            let mut loosened = replaced(own, *literal, looser);
            size += loosened.iter().map(Vec::len).sum::<usize>();
            if size > MOST_LITERALS {
                return Err(too_many());
            }
            if link_type != LinkType::LinkOnly {
                mirrors.insert(predicates.mirrored(*literal));
                let mirrored: Vec<_> =
                    loosened.iter().map(|literals| mirror(literals, predicates, link_type)).collect();
                loosened.extend(mirrored);
            }
            let condition = LoosenedCondition {
                rule: rule.name.clone(),
                condition: predicates.record(*literal),
                looser: predicates.record(looser),
            };
            near.add(rule, without_repeats(loosened), condition, rules.len() + near.rules.len(), conjunctions.len());
        }
    }
    Ok(near)
}

/// Conditions that near rules may have together: some hundred megabytes of rules and plans. Only a rule with more than a
/// thousand thresholds of its own, each of which is loosened beside all others, comes near it.
const MOST_LITERALS: usize = 1 << 21;

fn too_many() -> Error {
    Error::rules("the rules have too many thresholds in one condition for near pairs")
        .with_help("look for near pairs with some of the rules only")
}

impl NearRules {
    /// Adds a near rule of `rule`; `before` conjunctions come before all of them.
    fn add(
        &mut self,
        rule: &Rule,
        loosened: Vec<Vec<Literal>>,
        condition: LoosenedCondition,
        number: usize,
        before: usize,
    ) {
        let start = before + self.conjunctions.len();
        self.conjunctions.extend(loosened.into_iter().map(|literals| Conjunction { rule: number, literals }));
        self.rules.push(Rule { conjunctions: start..before + self.conjunctions.len(), ..rule.clone() });
        self.conditions.push(condition);
    }
}

/// The conjunctions that have a literal, with another one in its place.
fn replaced(conjunctions: &[Conjunction], old: Literal, new: Literal) -> Vec<Vec<Literal>> {
    let with_it = conjunctions.iter().filter(|conjunction| conjunction.literals.contains(&old));
    let replace = |literal: &Literal| if *literal == old { new } else { *literal };
    with_it.map(|conjunction| once_each(conjunction.literals.iter().map(replace))).collect()
}

/// The literals of the exchanged pair. Across two inputs only (left, right) counts, as for the rules themselves.
fn mirror(literals: &[Literal], predicates: &mut Predicates, link_type: LinkType) -> Vec<Literal> {
    let mut mirrored: Vec<Literal> = literals.iter().map(|literal| predicates.mirrored(*literal)).collect();
    if link_type == LinkType::LinkAndDedupe {
        mirrored.push(predicates.same_source());
    }
    once_each(mirrored.into_iter())
}

/// In their order, without those that come again.
fn once_each(literals: impl Iterator<Item = Literal>) -> Vec<Literal> {
    let mut seen = HashSet::new();
    literals.filter(|literal| seen.insert(*literal)).collect()
}

#[cfg(test)]
mod tests;
