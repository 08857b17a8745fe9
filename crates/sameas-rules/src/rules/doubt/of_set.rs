//! Doubts that only all rules together, or their simplification, show.

use std::collections::{BTreeSet, HashMap};

use super::{Doubt, DoubtKind, FoundDoubt, Severity};
use crate::expr::{Expr, ExprKind};
use crate::rules::literal_record::LiteralRecord;
use crate::rules::predicate::{Literal, Test};
use crate::rules::rule_set::{Conjunction, Rule, RuleSet};
use crate::rules::simplify::{Contradiction, RuleLabel, Simplification};

/// Comparisons of conjunctions that a search for forbidden rules may take.
const MOST_COMPARISONS: usize = 10_000_000;

impl RuleSet {
    /// Rules that no pair can satisfy, by the proofs of their simplification, as far as nothing is said of them yet.
    pub fn contradictions(&self, notes: &[Simplification]) -> Vec<Doubt> {
        let known: BTreeSet<&str> = self.doubts.iter().filter(|d| d.is_mistake()).map(|d| d.of.as_str()).collect();
        let doubt = |note: &Simplification| {
            let (label, contradiction, severity) = match note {
                Simplification::RuleNeverHolds { rule, contradiction } => (rule, contradiction, Severity::Mistake),
                Simplification::ConjunctionNeverHolds { rule, contradiction } => {
                    (rule, contradiction, Severity::Warning)
                }
                _ => return None,
            };
            let rule = self.labelled(label).filter(|rule| !known.contains(rule.origin.what.as_str()))?;
            let never = if severity == Severity::Mistake { "this rule" } else { "a part of this rule" };
            let message = format!("{never} can never hold: {}", reason(contradiction)?);
            let help = "see which of its conditions is a mistake".to_owned();
            Some(whole(rule, DoubtKind::Contradiction, severity, message, help))
        };
        notes.iter().filter_map(doubt).collect()
    }

    fn labelled(&self, label: &RuleLabel) -> Option<&Rule> {
        match label {
            RuleLabel::Rule(name) => self.rules.iter().find(|rule| rule.name == *name),
            RuleLabel::Never(name) => self.nevers.iter().find(|rule| rule.name == *name),
        }
    }

    /// Rules of which every pair is forbidden.
    pub fn forbidden_rules(&self) -> Vec<Doubt> {
        if self.written_conjunctions().saturating_mul(self.never_conjunctions.len()) > MOST_COMPARISONS {
            return Vec::new();
        }
        let mut by_first: HashMap<Literal, Vec<&Conjunction>> = HashMap::new();
        for never in &self.never_conjunctions {
            never.literals.first().into_iter().for_each(|first| by_first.entry(*first).or_default().push(never));
        }
        let forbidden_by = |conjunction: &Conjunction| {
            let literals = &conjunction.literals;
            let nevers = literals.iter().flat_map(|literal| by_first.get(literal).into_iter().flatten());
            let mut all = nevers.filter(|never| never.literals.iter().all(|literal| literals.contains(literal)));
            all.next().map(|never| never.rule)
        };
        let doubt = |rule: &Rule| {
            let by: Option<Vec<usize>> =
                self.conjunctions[rule.conjunctions.clone()].iter().map(forbidden_by).collect();
            let never = &self.nevers[*by?.first()?];
            let message = format!("this rule gives no pair: {} forbids all of them", never.origin.what);
            let help = format!("change the rule or the one at {}", never.origin.place);
            Some(whole(rule, DoubtKind::ForbiddenRule, Severity::Mistake, message, help))
        };
        self.rules[..self.written_rules()].iter().filter_map(doubt).collect()
    }

    /// Rules of a dedupe that ask for two records with the same id, of which there are none.
    pub fn equal_ids(&self, id: &str) -> Vec<Doubt> {
        let is_id = |expr: &Expr| matches!(&expr.kind, ExprKind::Column(_, name) if name == id);
        let of_ids: Vec<bool> = self
            .predicates
            .iter()
            .map(|predicate| matches!(&predicate.test, Test::Equal { left, right, .. } if is_id(left) && is_id(right)))
            .collect();
        let asks = |conjunction: &Conjunction| conjunction.literals.iter().any(|l| l.want && of_ids[l.predicate]);
        let doubt = |rule: &Rule| {
            let all = &self.conjunctions[rule.conjunctions.clone()];
            (!all.is_empty() && all.iter().all(asks)).then(|| {
                let message = format!("this rule can never hold: `{id}` is the id, and no two records have the same");
                let help = "compare what identifies a person or thing, not the record".to_owned();
                whole(rule, DoubtKind::EqualIds, Severity::Mistake, message, help)
            })
        };
        self.rules[..self.written_rules()].iter().filter_map(doubt).collect()
    }
}

fn whole(rule: &Rule, kind: DoubtKind, severity: Severity, message: String, help: String) -> Doubt {
    Doubt::new(&rule.origin, FoundDoubt { kind, severity, span: rule.origin.whole(), message, help })
}

/// Why nothing satisfies some conditions; nothing for those that were added to the user's.
fn reason(contradiction: &Contradiction) -> Option<String> {
    let shown = |literal: &LiteralRecord| {
        let text = literal.predicate.split_whitespace().collect::<Vec<_>>().join(" ");
        if literal.want { format!("`{text}`") } else { format!("`not ({text})`") }
    };
    let is_own = |literal: &LiteralRecord| !literal.predicate.contains(crate::expr::SOURCE_DATASET);
    match contradiction {
        Contradiction::Unsatisfiable { condition } => {
            is_own(condition).then(|| format!("nothing satisfies {}", shown(condition)))
        }
        Contradiction::Conflict { first, second } => (is_own(first) && is_own(second))
            .then(|| format!("{} and {} exclude each other", shown(first), shown(second))),
    }
}
