//! Jobs and cases: what to match, by which rules.

use super::{Expr, Table};

/// Which pairs a job compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// Unordered pairs within one table.
    Dedupe,
    /// Pairs of records of different tables, the one of the earlier table on the left.
    Link,
    /// Both at once: every unordered pair of the union of the tables.
    LinkAndDedupe,
}

/// A computed column.
#[derive(Clone, Debug, PartialEq)]
pub struct Derive {
    /// The name of the new column.
    pub name: String,
    /// The table it is for; nothing for `[derive]`, which applies to every input.
    pub table: Option<usize>,
    /// What it computes, over columns of `Side::Own`.
    pub expr: Expr,
}

/// A rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The name in `match_key`; `rule_1`, `rule_2`, ... where there is none.
    pub name: Option<String>,
    /// The condition.
    pub when: Expr,
}

/// A job: what a rule file says.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// Which pairs.
    pub kind: JobKind,
    /// Computed columns.
    pub derives: Vec<Derive>,
    /// The rules in file order.
    pub rules: Vec<Rule>,
    /// The vetoes.
    pub nevers: Vec<Expr>,
}

impl Job {
    /// The name of the rule at `index` (from 0), as in `match_key`.
    pub fn rule_name(&self, index: usize) -> String {
        self.rules[index].name.clone().unwrap_or_else(|| format!("rule_{}", index + 1))
    }

    /// The conditions of rules and vetoes.
    pub fn conditions(&self) -> impl Iterator<Item = &Expr> {
        self.rules.iter().map(|rule| &rule.when).chain(&self.nevers)
    }
}

/// Tables and a job: one table for a dedupe, else two or more.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The inputs.
    pub tables: Vec<Table>,
    /// What to do with them.
    pub job: Job,
}
