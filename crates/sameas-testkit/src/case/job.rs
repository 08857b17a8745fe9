//! Jobs and cases: what to match, by which rules.

use super::{Expr, Scoring, Table};

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
    /// Whether its pairs are kept whatever their score.
    pub is_certain: bool,
}

impl Rule {
    /// A rule without a name that is not certain.
    pub fn new(when: Expr) -> Self {
        Rule { name: None, when, is_certain: false }
    }
}

/// A job: what a rule file says.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// Which pairs.
    pub kind: JobKind,
    /// Computed columns.
    pub derives: Vec<Derive>,
    /// The rules in file order; a job with scores may have none.
    pub rules: Vec<Rule>,
    /// The vetoes.
    pub nevers: Vec<Expr>,
    /// What makes a score of a pair, if pairs have one.
    pub scoring: Option<Scoring>,
}

/// The `match_key` of pairs of a job without rules.
const SCORE: &str = "score";

impl Job {
    /// The name of the rule at `index` (from 0), as in `match_key`.
    pub fn rule_name(&self, index: usize) -> String {
        let name_of = |rule: &Rule| rule.name.clone().unwrap_or_else(|| format!("rule_{}", index + 1));
        self.rules.get(index).map_or(SCORE.to_owned(), name_of)
    }

    /// The rules in the order in which pairs belong to them: certain ones first.
    pub fn rule_order(&self) -> Vec<usize> {
        let (certain, others): (Vec<_>, Vec<_>) = (0..self.rules.len()).partition(|rule| self.rules[*rule].is_certain);
        [certain, others].concat()
    }

    /// The conditions of rules, vetoes and levels.
    pub fn conditions(&self) -> impl Iterator<Item = &Expr> {
        let levels = self.scoring.iter().flat_map(Scoring::conditions);
        self.rules.iter().map(|rule| &rule.when).chain(&self.nevers).chain(levels)
    }

    /// The same, to change them.
    pub fn conditions_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let levels = self.scoring.iter_mut().flat_map(Scoring::conditions_mut);
        self.rules.iter_mut().map(|rule| &mut rule.when).chain(&mut self.nevers).chain(levels)
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
