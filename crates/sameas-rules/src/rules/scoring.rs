//! Comparisons and training rules, compiled: the levels of a comparison are rules of which the first that holds counts.

use std::collections::HashSet;

use super::compile::RuleCompiler;
use super::diagnostic::{Diagnostic, Origin};
use super::doubt::Role;
use super::predicate::{Literal, Test};
use super::rule_file::{CompareText, RuleFile, RuleText};
use super::rule_set::{ComparisonRules, Conjunction, LevelRule, Rule, ScoringRules};
use super::simplify::unreachable_levels;
use crate::expr::{Expr, ExprKind, shown_name};

impl RuleCompiler<'_> {
    /// The comparisons and training rules of the file.
    pub(super) fn scoring(&mut self) -> ScoringRules {
        let file: &RuleFile = self.file;
        let levelled = file.compares.iter().enumerate().filter(|(_, text)| text.weighted.is_none());
        let levelled: Vec<(usize, &CompareText)> = levelled.collect();
        let comparisons: Vec<ComparisonRules> = levelled.iter().map(|(at, text)| self.comparison(text, *at)).collect();
        self.report_unreachable(&levelled, &comparisons);
        let weighted = self.weighted_rules();
        let (training, training_conjunctions) = self.unnamed(&file.train.rules);
        let (deterministic, deterministic_conjunctions) = self.unnamed(&file.train.deterministic);
        self.report_repeated_names();
        ScoringRules {
            comparisons,
            weighted,
            training,
            training_conjunctions,
            deterministic,
            deterministic_conjunctions,
        }
    }

    fn unnamed(&mut self, rules: &[RuleText]) -> (Vec<Rule>, Vec<Conjunction>) {
        let names: Vec<String> = rules.iter().enumerate().map(|(at, _)| (at + 1).to_string()).collect();
        self.rules(rules, &names, Role::Rule)
    }

    fn comparison(&mut self, text: &CompareText, at: usize) -> ComparisonRules {
        let mut levels: Vec<LevelRule> = text.levels.iter().map(|level| self.level(level)).collect();
        let term_frequency = text.term_frequency.as_ref().and_then(|column| self.equality_of(column, &levels));
        if let Some(predicate) = term_frequency {
            let equal = Literal { predicate, want: true };
            for level in &mut levels {
                level.has_term_frequency = level.ways.iter().all(|literals| literals.contains(&equal));
            }
        }
        ComparisonRules { name: text.name_at(at), levels, term_frequency }
    }

    fn level(&mut self, origin: &Origin) -> LevelRule {
        let text = origin.text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.level_of(origin, text)
    }

    /// The predicate of a level that says that both records have one value of a column.
    fn equality_of(&mut self, column: &Origin, levels: &[LevelRule]) -> Option<usize> {
        let is_column = |expr: &Expr| match &expr.kind {
            ExprKind::Column(_, key) => shown_name(key).eq_ignore_ascii_case(column.text.trim()),
            _ => false,
        };
        let is_equality = |literal: &&Literal| match &self.predicates.get(literal.predicate).test {
            Test::Equal { left, right, null_safe: false } => literal.want && is_column(left) && is_column(right),
            _ => false,
        };
        let literals = levels.iter().flat_map(|level| level.ways.iter().flatten());
        let found = literals.filter(|literal| is_equality(literal)).map(|literal| literal.predicate).next();
        if found.is_none() {
            let name = column.text.trim();
            let message = format!("no level of this comparison says `l.{name} = r.{name}`");
            let help = "term frequencies adjust levels that hold for equal values of a column only";
            self.report.add(column, &[Diagnostic::new(column.whole(), message).with_help(help)]);
        }
        found
    }

    /// A level that an earlier one holds wherever it does never counts.
    fn report_unreachable(&mut self, texts: &[(usize, &CompareText)], comparisons: &[ComparisonRules]) {
        for (comparison, level) in unreachable_levels(self.predicates.all(), comparisons) {
            let origin = &texts[comparison].1.levels[level];
            let message = "this level can never be reached: an earlier one holds wherever it does";
            let help = "order levels from the strictest to the loosest";
            self.report.add(origin, &[Diagnostic::new(origin.whole(), message).with_help(help)]);
        }
    }

    fn report_repeated_names(&mut self) {
        let mut known: HashSet<&str> = HashSet::new();
        for compare in &self.file.compares {
            let Some(name) = &compare.name else { continue };
            if !known.insert(name) {
                let twice = Diagnostic::new(compare.at.whole(), format!("two comparisons are called \"{name}\""));
                self.report.add(&compare.at, &[twice.with_help("give each a name of its own")]);
            }
        }
    }
}
