//! Which columns a rule shares with a comparison.
//!
//! A rule decides the level of a comparison, in part, where both look at the values of one column, through whatever derived
//! columns. A column that only selects is no evidence: of `case when C then A else B end` the value is that of A or B, and of
//! `nullif(A, B)` it is that of A; a condition on one record alone, such as `l.kind = 'book'`, chooses records and compares
//! nothing. What a column of sources or kinds selects may be anything.

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::{Expr, ExprKind, Function, derived_key};
use crate::rules::{Literal, RuleSet, Test};

/// The columns whose values some literals compare: those of the inputs, by their names in expressions, and derived ones that
/// are made of none.
pub fn compared_columns<'l>(literals: impl Iterator<Item = &'l Literal>, set: &RuleSet) -> BTreeSet<String> {
    let mut columns = ComparedColumns { set, known: BTreeMap::new(), columns: BTreeSet::new() };
    for literal in literals {
        columns.of_test(&set.predicates[literal.predicate].test);
    }
    columns.columns
}

struct ComparedColumns<'a> {
    set: &'a RuleSet,
    /// What columns are made of, each looked into once.
    known: BTreeMap<String, BTreeSet<String>>,
    columns: BTreeSet<String>,
}

impl ComparedColumns<'_> {
    fn of_test(&mut self, test: &Test) {
        match test {
            Test::OneSided { .. } => {}
            Test::Residual(condition) => self.of_condition(condition),
            _ => test.exprs().into_iter().for_each(|expr| self.of_value(expr)),
        }
    }

    /// What a condition on both records compares.
    fn of_condition(&mut self, condition: &Expr) {
        use Function::{And, IsFalse, IsTrue, Not, Or};
        match &condition.kind {
            ExprKind::Call(And | Or | Not | IsTrue | IsFalse, args) => {
                args.iter().for_each(|arg| self.of_condition(arg));
            }
            _ if reads_both_records(condition) => self.of_value(condition),
            _ => {}
        }
    }

    /// The columns that a value is made of.
    fn of_value(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Column(_, key) => self.of_column(key),
            ExprKind::Call(Function::Case, args) => {
                let is_value = |at: &usize| at % 2 == 1 || at + 1 == args.len();
                (0..args.len()).filter(is_value).for_each(|at| self.of_value(&args[at]));
            }
            ExprKind::Call(Function::NullIf, args) => args.iter().take(1).for_each(|arg| self.of_value(arg)),
            ExprKind::Call(_, args) => args.iter().for_each(|arg| self.of_value(arg)),
            ExprKind::Literal(_) | ExprKind::Operand(..) => {}
        }
    }

    fn of_column(&mut self, key: &str) {
        if !self.known.contains_key(key) {
            let made_of = self.made_of(key);
            self.known.insert(key.to_owned(), made_of);
        }
        self.columns.extend(self.known.get(key).into_iter().flatten().cloned());
    }

    /// What a column is made of: itself, if of no other.
    fn made_of(&mut self, key: &str) -> BTreeSet<String> {
        let set = self.set;
        let derived = set.derived.iter().flatten().filter(|of| derived_key(&of.name) == key).map(|of| &of.expr);
        let ranked = set.rankings.iter().filter(|of| of.name == key).flat_map(|of| &of.keys);
        let outer = std::mem::take(&mut self.columns);
        derived.chain(ranked).for_each(|expr| self.of_value(expr));
        let made_of = std::mem::replace(&mut self.columns, outer);
        if made_of.is_empty() { BTreeSet::from([key.to_owned()]) } else { made_of }
    }
}

fn reads_both_records(expr: &Expr) -> bool {
    let mut first = None;
    let mut both = false;
    expr.each_column(&mut |side, _| both |= *first.get_or_insert(side) != side);
    both
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, RecordBatch, StringArray};

    use super::super::super::testing::TestRecords;
    use super::*;
    use crate::job::Job;
    use crate::records::Input;
    use crate::rules::RuleFile;

    /// What each level of the only comparison compares, beside the columns source, a, b and c.
    fn compared(derive: &str, levels: &[&str]) -> Vec<String> {
        let names = ["id", "source", "a", "b", "c"];
        let column =
            |name: &str| -> ArrayRef { Arc::new(StringArray::from(vec![format!("{name}1"), format!("{name}2")])) };
        let batch = RecordBatch::try_from_iter(names.map(|name| (name, column(name)))).unwrap();
        let input = Input::batches("things", batch.schema(), vec![batch]).unwrap();
        let levels: Vec<String> = levels.iter().map(|level| format!("{level:?}")).collect();
        let text = format!("[derive]\n{derive}\n[[compare]]\nlevels = [{}]\n", levels.join(", "));
        let job = Job::dedupe(input).with_rules(RuleFile::parse(&text, "rules.toml").unwrap());
        let records = TestRecords::read(&job);
        let all = &records.rules.scoring.comparisons[0].levels;
        let of_level = |level: &crate::rules::LevelRule| {
            let columns = compared_columns(level.conjunctions.iter().flatten(), &records.rules);
            columns.into_iter().collect::<Vec<_>>().join(" ")
        };
        all.iter().map(of_level).collect()
    }

    #[test]
    fn derived_columns_are_what_they_are_made_of() {
        let derive = "x = \"lower(a || b)\"\ny = \"upper(x)\"";
        assert_eq!(compared(derive, &["l.y = r.y", "l.c = r.c and levenshtein(l.a, r.a) <= 2"]), ["a b", "a c"]);
    }

    #[test]
    fn what_only_selects_is_no_evidence() {
        let derive = "x = \"case when source = '1' then a else b end\"\ny = \"nullif(a, source)\"";
        assert_eq!(compared(derive, &["l.x = r.x", "l.y = r.y"]), ["a b", "a"]);
        let levels = ["l.c = r.c and l.source = '1'", "l.b = r.b and (l.a = r.a or l.source = 'x' and r.source = 'y')"];
        assert_eq!(compared("z = \"lower(c)\"", &levels), ["c", "a b"]);
        // A column that is made by selecting alone is one of its own.
        assert_eq!(compared("z = \"case when source = '1' then 'x' else 'y' end\"", &["l.z = r.z"]), ["\u{1}z"]);
        // It is one where both records must have the same.
        assert_eq!(compared("z = \"lower(c)\"", &["l.source = r.source and l.z = r.z"]), ["c source"]);
    }
}
