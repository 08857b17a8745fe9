//! Scores of pairs as plain data: comparisons and their levels, what a model says of them, and the threshold.

use super::{Expr, Op, Side, sql};

/// What the comparisons of a rule file, its `[score]` and the model say.
#[derive(Clone, Debug, PartialEq)]
pub struct Scoring {
    /// The comparisons in file order.
    pub comparisons: Vec<Compare>,
    /// The probability that two random records match, of the model.
    pub prior: f64,
    /// The least score of a pair that is kept.
    pub threshold: Threshold,
    /// Whether pairs have a column with the level of each comparison.
    pub with_levels: bool,
}

/// A comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Compare {
    /// Its name; `compare_1`, `compare_2`, ... where there is none.
    pub name: Option<String>,
    /// Its levels: the first that holds counts.
    pub levels: Vec<Level>,
    /// What the model says of pairs for which no level holds.
    pub otherwise: LevelShares,
    /// The column whose values weigh more the rarer they are.
    pub term_frequency: Option<TermFrequency>,
}

/// A level of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Its condition.
    pub when: Expr,
    /// What the model says of it.
    pub shares: LevelShares,
}

/// Shares of pairs with a level, both above 0 and at most 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelShares {
    /// Of those that match.
    pub m: f64,
    /// Of those that do not.
    pub u: f64,
}

/// An adjustment by the frequency of values.
#[derive(Clone, Debug, PartialEq)]
pub struct TermFrequency {
    /// The column.
    pub column: String,
    /// How much of the adjustment counts: 1 where the model says nothing.
    pub weight: Option<f64>,
    /// The least frequency: 0 where the model says nothing.
    pub minimum: Option<f64>,
    /// The table that has the frequencies; where there is none, they are counted.
    pub given: Option<FrequencyTable>,
}

/// A table of frequencies.
#[derive(Clone, Debug, PartialEq)]
pub struct FrequencyTable {
    /// Values as texts, each with its share of all records or, where `are_counts`, with its number of records.
    pub rows: Vec<(String, f64)>,
    /// Whether numbers of records are given.
    pub are_counts: bool,
    /// Whether columns are called as Splink does it.
    pub is_of_splink: bool,
}

/// The least score of a pair that is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    /// Nothing is said, which means a probability of a half.
    Even,
    /// `threshold_weight`, in bits.
    Weight(f64),
    /// `threshold`.
    Probability(f64),
}

impl Scoring {
    /// The name of the comparison at `index` (from 0).
    pub fn name(&self, index: usize) -> String {
        self.comparisons[index].name.clone().unwrap_or_else(|| format!("compare_{}", index + 1))
    }

    /// The conditions of all levels.
    pub fn conditions(&self) -> impl Iterator<Item = &Expr> {
        self.comparisons.iter().flat_map(|compare| &compare.levels).map(|level| &level.when)
    }

    /// The same, to change them.
    pub fn conditions_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        self.comparisons.iter_mut().flat_map(|compare| &mut compare.levels).map(|level| &mut level.when)
    }
}

impl Compare {
    /// What its outcomes are called: levels by their conditions, then *else*, then *null*.
    pub fn outcome_names(&self) -> Vec<String> {
        let levels = self.levels.iter().map(Level::text);
        levels.chain(["else".to_owned(), "null".to_owned()]).collect()
    }

    /// Whether a level is adjusted by the frequency of the value: its condition says that both records have one.
    pub fn is_adjusted(&self, level: usize) -> bool {
        let says_it = |of: &TermFrequency| says_equal(&self.levels[level].when, &of.column, true);
        self.term_frequency.as_ref().is_some_and(says_it)
    }

    /// Whether some level says that both records have one value of the column with term frequencies, as a file must.
    pub fn has_its_equality(&self) -> bool {
        self.term_frequency.is_none() || (0..self.levels.len()).any(|level| self.is_adjusted(level))
    }
}

impl Level {
    /// Its condition as results show it.
    pub fn text(&self) -> String {
        sql(&self.when).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Whether a condition that has the truth `want` says by its words that both records have one value of a column.
fn says_equal(expr: &Expr, column: &str, want: bool) -> bool {
    let Expr::Call(op, arguments) = expr else { return false };
    let says = |part: &Expr| says_equal(part, column, want);
    match (op, want) {
        (Op::Equal, true) | (Op::NotEqual, false) => are_both(&arguments[0], &arguments[1], column),
        (Op::In, true) | (Op::NotIn, false) => arguments[1..].iter().all(|item| are_both(&arguments[0], item, column)),
        (Op::Not, _) => says_equal(&arguments[0], column, !want),
        (Op::IsTrue, true) | (Op::IsNotTrue, false) => says_equal(&arguments[0], column, true),
        (Op::IsFalse, true) | (Op::IsNotFalse, false) => says_equal(&arguments[0], column, false),
        (Op::And, true) | (Op::Or, false) => arguments.iter().any(says),
        (Op::And, false) | (Op::Or, true) => arguments.iter().all(says),
        _ => false,
    }
}

/// Whether two expressions are the column of the one record and that of the other.
fn are_both(a: &Expr, b: &Expr, column: &str) -> bool {
    match (a, b) {
        (Expr::Column(a_side, a), Expr::Column(b_side, b)) => {
            let sides = [*a_side, *b_side];
            a == column && b == column && sides.contains(&Side::Left) && sides.contains(&Side::Right)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_says_equal_in_many_ways() {
        let equal = |name: &str| Expr::binary(Op::Equal, Expr::r(name), Expr::l(name));
        let other = Expr::binary(Op::NotEqual, Expr::l("a"), Expr::r("a"));
        let says = |expr: &Expr| says_equal(expr, "a", true);
        assert!(says(&equal("a")) && !says(&equal("b")) && !says(&other));
        assert!(says(&Expr::unary(Op::Not, other.clone())));
        assert!(says(&Expr::binary(Op::And, equal("b"), equal("a"))));
        assert!(!says(&Expr::binary(Op::Or, equal("b"), equal("a"))));
        assert!(says(&Expr::unary(Op::Not, Expr::binary(Op::Or, other, equal("b")))));
        assert!(!says(&Expr::binary(Op::Equal, Expr::l("a"), Expr::text("x"))));
        assert!(!says(&Expr::binary(Op::NotDistinct, Expr::l("a"), Expr::r("a"))));
    }
}
