//! Rules that are checked against the inputs' columns: what the compilers of this room make, and all others read.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::bind::Ranking;
use super::derive::Derived;
use super::diagnostic::Origin;
use super::doubt::Doubt;
use super::literal_record::LiteralRecord;
use super::predicate::{Literal, Predicate};
use super::rule_file::LinkType;
use super::text_reading::TextReading;
use crate::expr::{Expr, Type, ValueGroups};

/// Literals that must all be satisfied.
#[derive(Clone, Debug)]
pub struct Conjunction {
    /// The rule (or `never` rule) it is part of.
    pub rule: usize,
    /// What must hold, in the order of writing.
    pub literals: Vec<Literal>,
}

/// A rule by name.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name, the `match_key` of its pairs.
    pub name: String,
    /// Whether the user has named it; else it is `rule_N` or `never_N`.
    pub named: bool,
    /// How the user wrote it.
    pub text: String,
    /// Its conjunctions.
    pub conjunctions: Range<usize>,
    /// Whether exchanging the records changes its meaning, so that each pair is looked at both ways round.
    pub both_ways: bool,
    /// Where it was written.
    pub origin: Origin,
    /// Whether its pairs match whatever their score.
    pub is_certain: bool,
}

impl Rule {
    /// One that nobody wrote in a file.
    pub fn made(text: &str, conjunctions: Range<usize>) -> Self {
        let (name, text) = (text.to_owned(), text.to_owned());
        let origin = Origin::without_file("rule", "", &text);
        Self { name, named: false, text, conjunctions, both_ways: false, origin, is_certain: false }
    }
}

/// Everything a run needs to know about its rules, checked against the inputs' columns.
///
/// A pair is a result if a conjunction of `conjunctions` holds and none of `nevers`; it belongs to the first
/// that holds. In a dedupe the left record is the earlier row, and conjunctions of both orientations are listed.
#[derive(Clone, Debug)]
pub struct RuleSet {
    /// What the pairs are made of.
    pub link_type: LinkType,
    /// Derived columns of each input that rules use, in the order of computation.
    pub derived: Vec<Vec<Derived>>,
    /// Names of derived columns that no rule uses, and that are not computed.
    pub unused_derived: Vec<String>,
    /// Rankings used by `neighbours`.
    pub rankings: Vec<Ranking>,
    /// The distinct predicates.
    pub predicates: Vec<Predicate>,
    /// The rules in order, certain ones first, and after them the near rules.
    pub rules: Vec<Rule>,
    /// All conjunctions of the rules, rule by rule.
    pub conjunctions: Vec<Conjunction>,
    /// The `never` rules in order.
    pub nevers: Vec<Rule>,
    /// All conjunctions of the `never` rules.
    pub never_conjunctions: Vec<Conjunction>,
    /// What is loosened in each near rule.
    pub near: Vec<LoosenedCondition>,
    /// Conditions that are likely mistakes.
    pub doubts: Vec<Doubt>,
    /// Text columns that are read as numbers or dates.
    pub readings: Vec<TextReading>,
    /// The files that `in_list` has read.
    pub lists: Vec<Arc<ValueGroups>>,
    /// The same by what they are called wherever they lie.
    pub named_lists: BTreeMap<String, Arc<ValueGroups>>,
    /// Conjunctions of `never` rules that forbid nothing a later `never` does not forbid too: not needed to decide pairs, but
    /// to say which `never` is the first to forbid one.
    pub shadowed_nevers: Vec<Conjunction>,
    /// What makes a score of a pair.
    pub scoring: ScoringRules,
    /// Expressions of two records whose values are asked for, each once.
    pub values: Vec<Expr>,
    /// The columns that pairs are written with besides.
    pub columns: Vec<PairColumn>,
    /// For each limit of clusters the equality of what it counts.
    pub limits: Vec<usize>,
}

impl RuleSet {
    /// Whether `l` and `r` are each of one input alone: the first and the second of two. Otherwise all records lie one
    /// after the other, and either record of a pair may be of nearly any input.
    pub fn has_two_sides(&self) -> bool {
        has_two_sides(self.link_type, self.derived.len())
    }

    /// The number of rules without the near rules, which come after them.
    pub fn written_rules(&self) -> usize {
        self.rules.len() - self.near.len()
    }

    /// The number of conjunctions of these rules.
    pub fn written_conjunctions(&self) -> usize {
        self.conjunctions.partition_point(|conjunction| conjunction.rule < self.written_rules())
    }
}

/// Whether `l` and `r` are each of one input alone, in a job of this kind with this number of inputs.
pub fn has_two_sides(link_type: LinkType, inputs: usize) -> bool {
    link_type == LinkType::LinkOnly && inputs == 2
}

/// A column that pairs are written with.
#[derive(Clone, Debug)]
pub struct PairColumn {
    /// Its name.
    pub name: String,
    /// The number of its value.
    pub value: usize,
    /// The type of its values.
    pub ty: Type,
}

/// A condition of a rule, and the same with its threshold loosened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LoosenedCondition {
    /// The name of the rule.
    pub rule: String,
    /// The condition as it is written.
    pub condition: LiteralRecord,
    /// With its threshold loosened.
    pub looser: LiteralRecord,
}

/// What makes a score of a pair, and what it is learned from.
#[derive(Clone, Debug, Default)]
pub struct ScoringRules {
    /// The comparisons with levels, in order.
    pub comparisons: Vec<ComparisonRules>,
    /// The comparisons with a similarity, in order. Only one of the two kinds is there.
    pub weighted: Vec<WeightedRules>,
    /// The training rules.
    pub training: Vec<Rule>,
    /// The conjunctions of the training rules.
    pub training_conjunctions: Vec<Conjunction>,
    /// Rules whose pairs match for sure.
    pub deterministic: Vec<Rule>,
    /// The conjunctions of these.
    pub deterministic_conjunctions: Vec<Conjunction>,
}

/// A comparison of two records.
#[derive(Clone, Debug)]
pub struct ComparisonRules {
    /// Its name.
    pub name: String,
    /// Its levels: the first that holds counts.
    pub levels: Vec<LevelRule>,
    /// The equality whose values weigh more the rarer they are.
    pub term_frequency: Option<usize>,
}

/// A level of a comparison.
#[derive(Clone, Debug, Default)]
pub struct LevelRule {
    /// How the user wrote it.
    pub text: String,
    /// It holds where one of these does, and is null where none does and one is null.
    pub conjunctions: Vec<Vec<Literal>>,
    /// It holds where one of these does: what can be joined on. They say nothing of nulls.
    pub ways: Vec<Vec<Literal>>,
    /// Whether it is true or false for every pair.
    pub is_never_null: bool,
    /// Whether both records have one value of the column with term frequencies wherever it holds.
    pub has_term_frequency: bool,
}

impl LevelRule {
    /// What decides where it holds, and where it is null, if it ever is.
    pub fn deciding(&self) -> &[Vec<Literal>] {
        if self.is_never_null { &self.ways } else { &self.conjunctions }
    }

    /// All literals, by which the predicates are known that must stay.
    fn literals_mut(&mut self) -> impl Iterator<Item = &mut Literal> {
        self.conjunctions.iter_mut().chain(&mut self.ways).flatten()
    }
}

impl ScoringRules {
    /// Whether nothing is compared.
    pub fn is_empty(&self) -> bool {
        self.comparisons.is_empty() && self.weighted.is_empty()
    }

    /// All literals, by which the predicates are known that must stay.
    pub(super) fn literals_mut(&mut self) -> impl Iterator<Item = &mut Literal> {
        let levels = self.comparisons.iter_mut().flat_map(|comparison| &mut comparison.levels);
        let others = self.training_conjunctions.iter_mut().chain(&mut self.deterministic_conjunctions);
        let training = others.flat_map(|conjunction| &mut conjunction.literals);
        let weighted = self.weighted.iter_mut().flat_map(WeightedRules::literals_mut);
        levels.flat_map(LevelRule::literals_mut).chain(training).chain(weighted)
    }
}

/// A comparison of two records by a similarity.
#[derive(Clone, Debug)]
pub struct WeightedRules {
    /// Its name.
    pub name: String,
    /// The similarity as the user wrote it.
    pub text: String,
    /// The number of its value.
    pub value: usize,
    /// The number of the same with the records exchanged, where that may be another: the larger of the two counts.
    pub exchanged: Option<usize>,
    /// The records of a pair may only be exchanged where this holds.
    pub same_source: Option<Literal>,
    /// It counts where one of these holds, if there are any.
    pub within: Option<Vec<Vec<Literal>>>,
    /// `within` as the user wrote it.
    pub within_text: Option<String>,
    /// The least similarity that counts.
    pub at_least: f64,
    /// How much it counts.
    pub weight: f64,
    /// One of these holds for every pair that is kept, or its similarity is at most `otherwise`.
    pub joined: Vec<Vec<Literal>>,
    /// The largest similarity that counts where none of `joined` holds.
    pub otherwise: f64,
}

impl WeightedRules {
    /// All literals, by which the predicates are known that must stay.
    fn literals_mut(&mut self) -> impl Iterator<Item = &mut Literal> {
        self.within.iter_mut().flatten().chain(&mut self.joined).flatten().chain(&mut self.same_source)
    }
}
