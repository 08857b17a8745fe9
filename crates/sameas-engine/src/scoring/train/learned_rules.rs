//! The rules whose pairs a model is learned from.

use crate::error::{Error, ErrorCode, Result};
use crate::rules::{Conjunction, Literal, Rule, RuleSet};

/// Training rules and certain rules at most: each is a bit of a mask.
const MOST_RULES: usize = 64;

/// The rules that are learned from: training rules, and after them certain rules.
pub struct LearnedRules {
    /// The rules.
    pub rules: Vec<Rule>,
    /// The conjunctions of all of them.
    pub conjunctions: Vec<Conjunction>,
    /// How many of them are training rules.
    pub training: usize,
}

impl LearnedRules {
    /// The training rules of a job: those that it names, or else the rules that are not certain, or else the certain ones.
    pub fn choose(set: &RuleSet) -> Result<Self> {
        let named = &set.scoring;
        let mut all = Self { rules: Vec::new(), conjunctions: Vec::new(), training: 0 };
        let (certain, others): (Vec<&Rule>, Vec<&Rule>) = set.rules.iter().partition(|rule| rule.is_certain);
        if !named.training.is_empty() {
            named.training.iter().for_each(|rule| all.add(rule, &named.training_conjunctions));
        } else {
            let chosen = if others.is_empty() { &certain } else { &others };
            chosen.iter().for_each(|rule| all.add(rule, &set.conjunctions));
        }
        all.training = all.rules.len();
        certain.iter().for_each(|rule| all.add(rule, &set.conjunctions));
        named.deterministic.iter().for_each(|rule| all.add(rule, &named.deterministic_conjunctions));
        if all.training == 0 {
            return Err(Error::rules("there is no rule whose pairs a model could be learned from")
                .with_help("name some that give many matches: `[train]` with `rules = [\"l.email = r.email\"]`")
                .with_code(ErrorCode::NoRules));
        }
        if all.rules.len() > MOST_RULES {
            return Err(Error::rules(format!("a model is learned from at most {MOST_RULES} rules")));
        }
        Ok(all)
    }

    fn add(&mut self, rule: &Rule, conjunctions: &[Conjunction]) {
        let (from, number) = (self.conjunctions.len(), self.rules.len());
        let own = conjunctions[rule.conjunctions.clone()].iter();
        self.conjunctions.extend(own.map(|of| Conjunction { rule: number, literals: of.literals.clone() }));
        self.rules.push(Rule { conjunctions: from..self.conjunctions.len(), ..rule.clone() });
    }

    /// Some of the rules, of which none is said to be a training rule.
    pub fn only(&self, chosen: &[usize]) -> Self {
        let mut some = Self { rules: Vec::new(), conjunctions: Vec::new(), training: 0 };
        chosen.iter().for_each(|rule| some.add(&self.rules[*rule], &self.conjunctions));
        some
    }

    /// The literals of each rule, as levels have them.
    pub fn conditions(&self) -> Vec<Vec<Vec<Literal>>> {
        let of_rule = |rule: &Rule| self.conjunctions[rule.conjunctions.clone()].iter().map(|of| of.literals.clone());
        self.rules.iter().map(|rule| of_rule(rule).collect()).collect()
    }

    /// The bits of certain rules in a mask.
    pub fn certain(&self) -> u64 {
        (self.training..self.rules.len()).fold(0, |mask, rule| mask | 1 << rule)
    }
}
