//! Rules carried by similarity: no equality, so that a join by a measure or a window has to find the pairs.

use super::rules::Author;
use super::tables::TEXTS;
use crate::case::{Expr, MeasureKind, Op, Side};
use crate::oracle::number_of;

/// From what nearly everything reaches to what nothing does.
const THRESHOLDS: [f64; 15] = [0.0, 0.1, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.99, 1.0, 1.1];
const WIDTHS: [i64; 10] = [0, 1, 1, 2, 3, 10, 31, 400, -1, i64::MAX];

impl Author<'_> {
    /// A rule whose positive predicates are similarities, alone or with what no join can use.
    pub(super) fn carried_by_similarity(&mut self) -> Expr {
        let like = self.similarity();
        let and = |more: Vec<Expr>| Expr::Call(Op::And, [vec![like.clone()], more].concat());
        match self.rng.below(18) {
            16 => self.sum(),
            17 => Expr::binary(Op::And, self.sum(), self.sided()),
            0..=6 => like,
            7 => and(vec![self.sided()]),
            8 => and(vec![self.sided(), self.sided()]),
            9 | 10 => and(vec![self.similarity()]),
            11 => and(vec![Expr::unary(Op::Not, self.atom())]),
            12 => and(vec![self.similarity(), self.sided()]),
            13 | 14 => Expr::binary(Op::Or, like, self.similarity()),
            _ => {
                let condition = self.sided();
                let other = Expr::binary(Op::And, self.similarity(), Expr::unary(Op::Not, condition.clone()));
                Expr::binary(Op::Or, and(vec![condition]), other)
            }
        }
    }

    fn similarity(&mut self) -> Expr {
        match self.rng.below(4) {
            0 => self.like_sets(),
            1 => self.few_edits(),
            2 => self.like_jaro(),
            _ => self.near(),
        }
    }

    /// Two token sets with enough in common.
    fn like_sets(&mut self) -> Expr {
        let (l, r) = self.two_sides(Self::tokens);
        let wanted = *self.rng.pick(&[Op::GreaterEqual, Op::Greater]);
        match self.rng.below(9) {
            0 => Expr::binary(Op::ListHasAny, l, r),
            8 => self.in_list(),
            1 | 2 => {
                let least = Expr::int(self.rng.between(0, 5));
                self.ordered(wanted, Expr::binary(Op::Overlap, l, r), least)
            }
            _ => {
                let op = *self.rng.pick(&Op::joined_by("set_join", MeasureKind::SetSimilarity));
                let threshold = self.threshold(|a, b| {
                    let grams = |text: &str| Expr::binary(Op::Qgrams, Expr::text(text), Expr::int(2));
                    Expr::binary(op, grams(a), grams(b))
                });
                self.ordered(wanted, Expr::binary(op, l, r), threshold)
            }
        }
    }

    /// Two texts with few edits between them.
    fn few_edits(&mut self) -> Expr {
        let (l, r) = self.two_sides(Self::compared_text);
        if self.rng.percent(60) {
            let distances = Op::joined_by("edit_join", MeasureKind::Distance);
            let measure = Expr::binary(*self.rng.pick(&distances), l, r);
            let most = Expr::int(*self.rng.pick(&[-1, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 12]));
            let wanted = *self.rng.pick(&[Op::LessEqual, Op::LessEqual, Op::Less]);
            return self.ordered(wanted, measure, most);
        }
        let op = *self.rng.pick(&Op::joined_by("edit_join", MeasureKind::TextSimilarity));
        self.at_least(op, l, r)
    }

    fn like_jaro(&mut self) -> Expr {
        let (l, r) = self.two_sides(Self::compared_text);
        let op = *self.rng.pick(&[Op::Jaro, Op::JaroWinkler, Op::JaroWinkler]);
        self.at_least(op, l, r)
    }

    fn at_least(&mut self, op: Op, l: Expr, r: Expr) -> Expr {
        let threshold = self.threshold(|a, b| Expr::binary(op, Expr::text(a), Expr::text(b)));
        let wanted = *self.rng.pick(&[Op::GreaterEqual, Op::GreaterEqual, Op::Greater]);
        self.ordered(wanted, Expr::binary(op, l, r), threshold)
    }

    /// Two numbers or days that lie close together, by value or by rank.
    fn near(&mut self) -> Expr {
        if self.rng.percent(30) {
            return self.neighbours();
        }
        let apart = match self.rng.below(6) {
            0 => {
                let (l, r) = self.two_sides(Self::date);
                Expr::binary(Op::Subtract, l, r)
            }
            1 => Expr::binary(Op::DateDiffDays, Expr::r("born"), Expr::l("born")),
            2 | 3 => Expr::binary(Op::Subtract, Expr::l("amount"), Expr::r("amount")),
            _ => {
                let (l, r) = self.two_sides(Self::number);
                Expr::binary(Op::Subtract, l, r)
            }
        };
        let width = match self.rng.below(8) {
            0 => Expr::float(*self.rng.pick(&[0.0, 0.5, 0.1, 2.0, 1e300, f64::MAX])),
            _ => Expr::int(*self.rng.pick(&WIDTHS)),
        };
        let wanted = *self.rng.pick(&[Op::LessEqual, Op::LessEqual, Op::Less]);
        self.ordered(wanted, Expr::unary(Op::Abs, apart), width)
    }

    /// `measure op threshold`, or the same in the other order.
    fn ordered(&mut self, op: Op, measure: Expr, threshold: Expr) -> Expr {
        if self.rng.percent(85) {
            return Expr::binary(op, measure, threshold);
        }
        let mirrored = match op {
            Op::GreaterEqual => Op::LessEqual,
            Op::Greater => Op::Less,
            Op::LessEqual => Op::GreaterEqual,
            _ => Op::Greater,
        };
        Expr::binary(mirrored, threshold, measure)
    }

    /// The same expression on both sides, or sometimes two.
    fn two_sides(&mut self, make: impl Fn(&mut Self) -> Expr) -> (Expr, Expr) {
        let left = make(self);
        let right = if self.rng.percent(75) { left.clone() } else { make(self) };
        (left.on(Side::Left), right.on(Side::Right))
    }

    /// A text of any column, mostly as it is.
    fn compared_text(&mut self) -> Expr {
        if self.rng.percent(80) { Expr::own(&self.text_column()) } else { self.text() }
    }

    /// A usual threshold, or the very value that the measure has for two texts of the case: there `>=` and `>` differ.
    fn threshold(&mut self, measure: impl Fn(&str, &str) -> Expr) -> Expr {
        let usual = Expr::float(*self.rng.pick(&THRESHOLDS));
        if self.rng.percent(55) {
            return usual;
        }
        let pool = self.pools.texts(self.rng.below(TEXTS.len()));
        let (a, b) = (self.rng.pick(pool), self.rng.pick(pool));
        number_of(&measure(a, b)).map_or(usual, Expr::float)
    }
}
