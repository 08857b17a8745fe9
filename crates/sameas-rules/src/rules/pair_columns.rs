//! Columns of pairs: named expressions of two records.

use std::collections::HashSet;

use super::compile::RuleCompiler;
use super::diagnostic::Diagnostic;
use super::rule_file::{DeriveText, RuleFile};
use super::rule_set::{PairColumn, ScoringRules};
use crate::expr::{ExprKind, Type, Value};

/// Columns that pairs have, or may have, without being asked.
const OWN: &[&str] = &[
    "unique_id_l",
    "unique_id_r",
    "source_dataset_l",
    "source_dataset_r",
    "match_key",
    "loosened",
    "match_weight",
    "match_probability",
    "score",
];

impl RuleCompiler<'_> {
    /// The columns of pairs that the file asks for.
    pub(super) fn pair_columns(&mut self, scoring: &ScoringRules) -> Vec<PairColumn> {
        let file: &RuleFile = self.file;
        let mut taken: HashSet<String> = OWN.iter().map(|name| (*name).to_owned()).collect();
        taken.extend(scoring.comparisons.iter().map(|of| format!("level_{}", of.name).to_lowercase()));
        taken.extend(scoring.weighted.iter().map(|of| format!("similarity_{}", of.name).to_lowercase()));
        let mut columns = Vec::new();
        for text in &file.columns {
            if !taken.insert(text.name.to_lowercase()) {
                let message = format!("pairs have another column called `{}`", text.name);
                self.mistaken_name(text, &message, "give it another name");
            }
            if text.name.trim().is_empty() {
                self.mistaken_name(text, "this column has no name", "give it a name");
            }
            columns.extend(self.pair_column(text));
        }
        columns
    }

    fn mistaken_name(&mut self, text: &DeriveText, message: &str, help: &str) {
        self.report.add(&text.named_at, &[Diagnostic::new(text.named_at.whole(), message).with_help(help)]);
    }

    fn pair_column(&mut self, text: &DeriveText) -> Option<PairColumn> {
        let bound = self.expression(&text.origin)?;
        let ty = bound.ty;
        let mistake = match &bound.kind {
            ExprKind::Literal(Value::Null) => Some("this is null for every pair".to_owned()),
            _ if matches!(ty, Type::TextList | Type::NumberList | Type::Null) => {
                Some(format!("a column of pairs holds texts, numbers, dates, true or false; this is {}", ty.name()))
            }
            _ => None,
        };
        if let Some(message) = mistake {
            let help = "write an expression of `l` and `r` with one value for each pair";
            self.report.add(&text.origin, &[Diagnostic::new(text.origin.whole(), message).with_help(help)]);
            return None;
        }
        Some(PairColumn { name: text.name.clone(), value: self.value(bound), ty })
    }
}
