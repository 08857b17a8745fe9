//! The rule that finds the pairs of a score, where no other rule does: a value, which can be stored and given to any records
//! of the job that it was made for.
//!
//! Its conditions are those of comparisons and, beside them, that values are rare. How rare a value is, is asked of the term
//! frequencies at hand, so that a job over some of the records says the same of each of them, if it is given the frequencies of
//! all.

use std::cmp::Reverse;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::scorer::Scorer;
use super::term_frequencies::{RareLimit, TermFrequencies};
use crate::candidates::{Access, Condition, Shape};
use crate::error::{Error, Result};
use crate::expr::{Expr, ExprKind, Side, Span, Type};
use crate::records::encode::{Encoded, NULL};
use crate::rules::{Conjunction, Literal, Predicate, Rule, RuleSet, Simplified, Test};
use crate::threshold::{Check, Sides, Truth};
use crate::verify::Program;

/// The `match_key` of pairs that are found by their score alone.
pub const SCORE_RULE: &str = "score";

/// A rule that finds the pairs of a score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoreRule {
    /// What it says.
    pub text: String,
    /// It holds where one of these does. Their predicates are those of the rules it is made for, and after them `rare`.
    pub ways: Vec<Vec<Literal>>,
    /// Conditions that no other rule has.
    pub rare: Vec<RareCondition>,
}

/// A condition on the left record: its value of a comparison is rare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RareCondition {
    /// The number of the comparison, which has term frequencies.
    pub comparison: usize,
    /// How rare the value is.
    pub limit: RareLimit,
}

impl ScoreRule {
    /// A rule without conditions of its own.
    pub fn new(text: String, ways: Vec<Vec<Literal>>) -> Self {
        Self { text, ways, rare: Vec::new() }
    }

    /// The rules with it, and their program. Certain rules stay before it, others are not needed. A scorer of these records
    /// knows how rare their values are.
    ///
    /// # Errors
    /// Where it is a rule for other comparisons.
    pub fn apply(&self, rules: &RuleSet, program: &Program, scorer: Option<&Scorer>) -> Result<(Simplified, Program)> {
        let (mut wider, mut program) = (rules.clone(), program.clone());
        for condition in &self.rare {
            let text = condition.text(rules).ok_or_else(of_other_rules)?;
            let frequencies = scorer.and_then(|scorer| scorer.frequencies(condition.comparison));
            let check = condition.check(frequencies.ok_or_else(of_other_rules)?, &program.encoded);
            wider.predicates.push(unknown_predicate(text));
            program.add_check(check);
        }
        if self.ways.iter().flatten().any(|literal| literal.predicate >= wider.predicates.len()) {
            return Err(of_other_rules());
        }
        let (all, conjunctions) = self.after_certain(rules);
        let simplified = wider.with_rules(all, conjunctions);
        let program = program.with_rules(&simplified.rules);
        Ok((simplified, program))
    }

    /// What joining on the equality of a comparison gives of values that are rare, counted: of the pairs that a planner draws
    /// from all values, few have a rare one. `program` is the one with this rule; only what is known of all its records counts.
    pub fn counted_candidates(
        &self,
        rules: &RuleSet,
        program: &Program,
        scorer: Option<&Scorer>,
        shape: Shape,
    ) -> Vec<(Condition, f64)> {
        let counted = |(place, rare): (usize, &RareCondition)| {
            let equality = rules.scoring.comparisons.get(rare.comparison)?.term_frequency?;
            let access = Access::on_predicate(equality, &program.checks[equality])?;
            let pairs = rare.pairs(scorer?.frequencies(rare.comparison)?, &program.encoded, shape)?;
            let filters = vec![Literal { predicate: rules.predicates.len() + place, want: true }];
            Some((Condition { access, filters }, pairs))
        };
        // Of pairs across inputs in one frame nothing is known by value.
        let is_counted = program.across.is_none();
        self.rare.iter().enumerate().filter(|_| is_counted).filter_map(counted).collect()
    }

    /// The certain ones of some rules, and it after them.
    fn after_certain(&self, rules: &RuleSet) -> (Vec<Rule>, Vec<Conjunction>) {
        let certain = rules.rules.iter().filter(|rule| rule.is_certain).count();
        let mut all = rules.rules[..certain].to_vec();
        let mut conjunctions = rules.conjunctions.clone();
        conjunctions.retain(|conjunction| conjunction.rule < certain);
        let first = conjunctions.len();
        let own = self.ways.iter().map(|literals| Conjunction { rule: certain, literals: literals.clone() });
        conjunctions.extend(own);
        let made = Rule::made(&self.text, first..conjunctions.len());
        all.push(Rule { name: SCORE_RULE.to_owned(), ..made });
        (all, conjunctions)
    }
}

impl RareCondition {
    /// What it says; nothing where the comparison has no term frequencies. How many records have a value is the same for all
    /// comparisons, what it adds is not.
    pub fn text(&self, rules: &RuleSet) -> Option<String> {
        let equality = rules.scoring.comparisons.get(self.comparison)?.term_frequency?;
        let equality = &rules.predicates[equality].text;
        Some(match self.limit {
            RareLimit::Rows { most, .. } => format!("the value of `{equality}` is in at most {most} records"),
            RareLimit::Adjustment(Reverse(least)) => {
                let (least, number) = (least.bits(), self.comparison + 1);
                format!("the frequency of the value of `{equality}` adds at least {least} to comparison {number}")
            }
        })
    }

    /// The pairs of records with one value that is as rare; nothing where the two values of a record differ.
    fn pairs(&self, frequencies: &TermFrequencies, encoded: &Encoded, shape: Shape) -> Option<f64> {
        let Sides { left, right } = frequencies.operands();
        let [left_rows, right_rows] = [left, right].map(|operand| &encoded.value_rows(operand).by_code);
        let is_rare = |code: &usize| frequencies.is_within(*code as u32, self.limit);
        let rare = (0..left_rows.len()).filter(is_rare);
        let number = |rows: u32| f64::from(rows);
        match shape {
            Shape::Rectangle => Some(rare.map(|code| number(left_rows[code]) * number(right_rows[code])).sum()),
            Shape::Triangle if left == right => {
                Some(rare.map(|code| number(left_rows[code]) * (number(left_rows[code]) - 1.0) / 2.0).sum())
            }
            Shape::Triangle => None,
        }
    }

    /// The verdicts on all left records.
    fn check(&self, frequencies: &TermFrequencies, encoded: &Encoded) -> Check {
        let verdict = |code: &u32| match *code {
            NULL => Truth::Null,
            code => Truth::from(frequencies.is_within(code, self.limit)),
        };
        let codes = &encoded.columns[frequencies.operands().left].codes;
        let verdicts: Vec<Truth> = codes.iter().map(verdict).collect();
        Check::OneSided { side: Side::Left, verdicts: Arc::new(verdicts) }
    }
}

/// A condition on left records that nothing is known of, so that nothing is proved of it.
fn unknown_predicate(text: String) -> Predicate {
    let kind = ExprKind::Column(Side::Left, text.clone());
    let condition = Expr { kind, ty: Type::Bool, span: Span::default() };
    Predicate { test: Test::OneSided { side: Side::Left, condition }, text, parts: Vec::new() }
}

fn of_other_rules() -> Error {
    Error::usage("the rule of the score was made for other comparisons than the job's").with_help("plan the job again")
}
