//! Sums of measures: no part of them is compared with anything, and yet each must have some value for the sum to hold.

use super::rules::Author;
use crate::case::{Expr, MeasureKind, Op, Side};

impl Author<'_> {
    /// A sum with a threshold: of distances, of similarities with weights, or of points for conditions.
    pub(super) fn sum(&mut self) -> Expr {
        let sum = match self.rng.below(3) {
            0 => self.sum_of_distances(),
            1 => self.weighted_average(),
            _ => self.points(),
        };
        if self.rng.percent(15) { Expr::unary(Op::Not, sum) } else { sum }
    }

    fn sum_of_distances(&mut self) -> Expr {
        let distance = |author: &mut Self| match author.rng.below(5) {
            0 => {
                let number = author.number();
                let (l, r) = (number.on(Side::Left), number.on(Side::Right));
                Expr::unary(Op::Abs, Expr::binary(Op::Subtract, l, r))
            }
            _ => {
                let op = *author.rng.pick(&Op::of_kind(MeasureKind::Distance));
                author.measured(op)
            }
        };
        let (first, second) = (distance(self), distance(self));
        let sum = match self.rng.below(5) {
            0 => Expr::binary(Op::Multiply, Expr::int(2), Expr::binary(Op::Add, first, second)),
            1 => Expr::binary(Op::Add, Expr::binary(Op::Add, first, second), distance(self)),
            2 => Expr::binary(Op::Subtract, first, Expr::unary(Op::Negate, second)),
            _ => Expr::binary(Op::Add, first, second),
        };
        let most = Expr::int(self.rng.between(0, 5));
        match self.rng.below(4) {
            0 => Expr::binary(Op::GreaterEqual, most, sum),
            1 => Expr::binary(Op::Less, sum, most),
            _ => Expr::binary(Op::LessEqual, sum, most),
        }
    }

    fn weighted_average(&mut self) -> Expr {
        let (first, second) = (self.part_of_average(), self.part_of_average());
        let weigh = |weight: f64, part: Expr| Expr::binary(Op::Multiply, Expr::float(weight), part);
        let average = match self.rng.below(4) {
            0 => Expr::binary(Op::Add, weigh(0.6, first), weigh(0.4, second)),
            1 => Expr::binary(Op::Add, weigh(0.1, first), weigh(0.9, second)),
            2 => Expr::binary(Op::Multiply, first, second),
            _ => Expr::binary(Op::Divide, Expr::binary(Op::Add, first, second), Expr::int(2)),
        };
        let least = Expr::float(*self.rng.pick(&[0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 0.95, 1.0]));
        Expr::binary(*self.rng.pick(&[Op::GreaterEqual, Op::Greater]), average, least)
    }

    /// A similarity of texts or sets; null may count as none.
    fn part_of_average(&mut self) -> Expr {
        let part = if self.rng.percent(25) {
            let (op, set) = (*self.rng.pick(&Op::of_kind(MeasureKind::SetSimilarity)), self.tokens());
            Expr::binary(op, set.on(Side::Left), set.on(Side::Right))
        } else {
            let op = *self.rng.pick(&Op::of_kind(MeasureKind::TextSimilarity));
            self.measured(op)
        };
        match self.rng.below(6) {
            0 => Expr::binary(Op::Coalesce, part, Expr::float(*self.rng.pick(&[0.0, 0.5, 1.0]))),
            1 => Expr::binary(*self.rng.pick(&[Op::Greatest, Op::Least]), part, Expr::float(0.5)),
            _ => part,
        }
    }

    fn points(&mut self) -> Expr {
        let sum = Expr::binary(Op::Add, self.points_of_case(), self.points_of_case());
        Expr::binary(Op::GreaterEqual, sum, Expr::int(self.rng.between(2, 6)))
    }

    /// Three points for equal texts, two for similar ones.
    fn points_of_case(&mut self) -> Expr {
        let column = self.short_column();
        let (l, r) = (Expr::l(&column), Expr::r(&column));
        let same = Expr::binary(Op::Equal, l.clone(), r.clone());
        let near = Expr::binary(Op::LessEqual, Expr::binary(Op::Levenshtein, l, r), Expr::int(self.rng.between(1, 2)));
        let otherwise = if self.rng.percent(20) { Expr::int(1) } else { Expr::int(0) };
        match self.rng.below(4) {
            0 => Expr::Call(Op::Case, vec![same, Expr::int(3), otherwise]),
            1 => Expr::Call(Op::Case, vec![near, Expr::int(2), self.equality(), Expr::int(1), otherwise]),
            _ => Expr::Call(Op::Case, vec![same, Expr::int(3), near, Expr::int(2), otherwise]),
        }
    }
}
