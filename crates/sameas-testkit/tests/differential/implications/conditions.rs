//! Conditions of the kinds that can follow from each other, drawn at random around the edges of their thresholds.

use sameas_testkit::case::{Expr, MeasureKind, Op, Side, sql};
use sameas_testkit::rng::Rng;

/// A condition on two records.
pub struct Condition {
    /// Conditions of one group read the same columns.
    pub group: usize,
    /// What it compares.
    pub tag: &'static str,
    pub expr: Expr,
}

impl Condition {
    pub fn sql(&self) -> String {
        sql(&self.expr)
    }
}

const COMPARISONS: [Op; 5] = [Op::Equal, Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual];
const COUNTS: [f64; 9] = [-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 2.0, 3.0, 1e300];
const SHARES: [f64; 12] = [0.0, 1.0 / 3.0, 0.5, 2.0 / 3.0, 1.0 - 1.0 / 3.0, 0.7, 0.8, 0.9, 17.0 / 18.0, 1.0, 1.0, 1.5];
/// Bounds that equal values are within, or are not.
const FAR: [f64; 8] = [-1.0, 0.0, 0.0, 0.5, 1.0, 2.0, 9e15, 1e300];

/// Conditions, group by group.
pub fn draw(rng: &mut Rng) -> Vec<Condition> {
    let mut drawn = Drawn { rng, all: Vec::new(), group: 0 };
    let t = || Expr::own("t");
    let lower = Expr::unary(Op::Lower, t());
    let start = Expr::Call(Op::Substr, vec![t(), Expr::int(1), Expr::int(2)]);
    for operand in [t(), lower, start, Expr::binary(Op::Coalesce, t(), Expr::text(""))] {
        drawn.texts(&operand);
    }
    drawn.functions_of_text();
    drawn.group += 1;
    let q = |q| Expr::binary(Op::Qgrams, t(), Expr::int(q));
    for set in [Expr::unary(Op::Words, t()), q(1), q(2)] {
        drawn.sets(&set);
    }
    drawn.equalities(&t());
    drawn.null_tests(&t());
    drawn.group += 1;
    drawn.sets(&Expr::own("xs"));
    drawn.null_tests(&Expr::own("xs"));
    drawn.group += 1;
    drawn.differences(Op::Subtract, &Expr::own("n"), &Expr::own("n"), 10);
    drawn.equalities(&Expr::unary(Op::CastText, Expr::own("n")));
    drawn.group += 1;
    drawn.differences(Op::DateDiffDays, &Expr::own("d"), &Expr::unary(Op::CastDate, Expr::own("d")), 10);
    drawn.equalities(&Expr::own("d"));
    drawn.all
}

/// A rule of up to three ways to hold, each of up to three of the conditions, some of them negated.
pub fn rule(rng: &mut Rng, group: &[Condition]) -> Expr {
    let way = |rng: &mut Rng| {
        let literal = |rng: &mut Rng| {
            let condition = rng.pick(group).expr.clone();
            if rng.percent(25) { Expr::unary(Op::Not, condition) } else { condition }
        };
        joined(Op::And, (0..rng.between(1, 3)).map(|_| literal(rng)).collect())
    };
    joined(Op::Or, (0..rng.between(1, 3)).map(|_| way(rng)).collect())
}

fn joined(op: Op, mut parts: Vec<Expr>) -> Expr {
    if parts.len() == 1 { parts.remove(0) } else { Expr::Call(op, parts) }
}

struct Drawn<'a> {
    rng: &'a mut Rng,
    all: Vec<Condition>,
    group: usize,
}

impl Drawn<'_> {
    fn add(&mut self, tag: &'static str, expr: Expr) {
        self.all.push(Condition { group: self.group, tag, expr });
    }

    /// A measure of the operand on both sides, compared with one of the thresholds.
    fn bound(&mut self, measure: Op, tag: &'static str, value: Expr, thresholds: &[f64]) {
        let threshold = *self.rng.pick(thresholds);
        let whole = threshold.fract() == 0.0 && threshold.abs() < 1e9 && self.rng.percent(50);
        let threshold = if whole { Expr::int(threshold as i64) } else { Expr::float(threshold) };
        let is_distance = measure == Op::Abs || measure.kind() == Some(MeasureKind::Distance);
        let usual = if is_distance { Op::LessEqual } else { Op::GreaterEqual };
        let comparison = if self.rng.percent(40) { usual } else { *self.rng.pick(&COMPARISONS) };
        self.add(tag, Expr::binary(comparison, value, threshold));
    }

    fn measures(&mut self, measures: &[Op], operand: &Expr, thresholds: &[f64], each: usize) {
        for measure in measures {
            for _ in 0..each {
                self.bound(*measure, measure.name(), both(*measure, operand), thresholds);
            }
        }
    }

    fn texts(&mut self, operand: &Expr) {
        let (distances, similarities) = (Op::of_kind(MeasureKind::Distance), Op::of_kind(MeasureKind::TextSimilarity));
        self.measures(&distances, operand, &COUNTS, 4);
        self.measures(&similarities, operand, &SHARES, 4);
        self.sums(&distances, operand, &COUNTS, 4);
        self.sums(&similarities, operand, &SHARES, 6);
        self.equalities(operand);
        self.null_tests(operand);
    }

    /// Sums of two measures, some with a weight or points for equal operands.
    fn sums(&mut self, measures: &[Op], operand: &Expr, thresholds: &[f64], each: usize) {
        for _ in 0..each {
            let [a, b] = [(), ()].map(|()| both(*self.rng.pick(measures), operand));
            let sum = match self.rng.below(5) {
                0 => Expr::binary(Op::Divide, Expr::binary(Op::Add, a, b), Expr::int(2)),
                1 => Expr::binary(Op::Add, Expr::binary(Op::Multiply, Expr::float(0.1), a), b),
                2 => Expr::binary(Op::Add, a, Expr::binary(Op::Coalesce, b, Expr::int(0))),
                3 => {
                    // Lists cannot be compared.
                    let is_of_sets = measures[0].kind() == Some(MeasureKind::SetSimilarity);
                    let same = if is_of_sets { Op::ListHasAny } else { Op::Equal };
                    let points = vec![both(same, operand), Expr::int(2), Expr::int(0)];
                    Expr::binary(Op::Add, Expr::Call(Op::Case, points), a)
                }
                _ => Expr::binary(Op::Add, a, b),
            };
            self.bound(measures[0], "sum", sum, thresholds);
        }
    }

    fn sets(&mut self, operand: &Expr) {
        let similarities = Op::of_kind(MeasureKind::SetSimilarity);
        self.measures(&similarities, operand, &SHARES, 6);
        self.measures(&Op::of_kind(MeasureKind::Common), operand, &COUNTS, 6);
        self.sums(&similarities, operand, &SHARES, 8);
        self.add("list_has_any", both(Op::ListHasAny, operand));
    }

    fn equalities(&mut self, operand: &Expr) {
        for op in [Op::Equal, Op::NotDistinct] {
            self.add(op.name(), both(op, operand));
        }
    }

    fn null_tests(&mut self, operand: &Expr) {
        for (op, side) in [Op::IsNull, Op::IsNotNull].into_iter().flat_map(|op| [(op, Side::Left), (op, Side::Right)]) {
            self.add(op.name(), Expr::unary(op, operand.on(side)));
        }
    }

    fn differences(&mut self, op: Op, operand: &Expr, compared: &Expr, count: usize) {
        for _ in 0..count {
            let apart = Expr::unary(Op::Abs, both(op, operand));
            self.bound(Op::Abs, Op::Abs.name(), apart.clone(), &FAR);
            let weighted = Expr::binary(Op::Multiply, apart.clone(), Expr::float(*self.rng.pick(&[0.1, 1.0, 3.0])));
            self.bound(Op::Abs, "sum", Expr::binary(Op::Add, weighted, apart), &FAR);
        }
        self.equalities(compared);
        self.null_tests(operand);
    }

    /// Functions of the text, total and not, whose results are compared.
    fn functions_of_text(&mut self) {
        let t = || Expr::own("t");
        let (text, int) = (Expr::text, Expr::int);
        let plain = [Op::Upper, Op::Trim, Op::StripAccents, Op::StripPunctuation, Op::CollapseSpaces, Op::Digits];
        for op in plain.into_iter().chain([
            Op::TrimStart,
            Op::TrimEnd,
            Op::Soundex,
            Op::Metaphone,
            Op::MetaphoneAlternate,
            Op::SortKey,
            Op::CastInteger,
        ]) {
            self.equalities(&Expr::unary(op, t()));
            self.equalities(&Expr::unary(op, Expr::unary(Op::Lower, t())));
        }
        for (op, rest) in [
            (Op::Substr, vec![int(2)]),
            (Op::Substr, vec![int(1), int(-1)]),
            (Op::Substr, vec![int(-2), int(5)]),
            (Op::Substr, vec![Expr::float(1e300)]),
            (Op::Left, vec![int(-1)]),
            (Op::Left, vec![int(1)]),
            (Op::Right, vec![int(2)]),
            (Op::Replace, vec![text("a"), text("")]),
            (Op::SplitPart, vec![text(" "), int(1)]),
            (Op::Trim, vec![text("a")]),
            (Op::NullIf, vec![text("a")]),
            (Op::ParseNumber, vec![text(",")]),
            (Op::Strptime, vec![text("%Y"), text("%d.%m.%Y")]),
            (Op::ConcatPresent, vec![text("-")]),
            (Op::ConcatWs, vec![text("-"), text("a")]),
        ] {
            self.equalities(&Expr::Call(op, [vec![t()], rest].concat()));
        }
        self.differences(Op::Subtract, &Expr::unary(Op::Length, t()), &Expr::unary(Op::Length, t()), 8);
        self.differences(Op::Subtract, &t(), &Expr::unary(Op::CastDouble, t()), 8);
        let words = Expr::unary(Op::ArrayLength, Expr::unary(Op::Words, t()));
        self.differences(Op::Subtract, &words, &words, 4);
    }
}

/// The operator applied to the operand of the left and of the right record.
fn both(op: Op, operand: &Expr) -> Expr {
    Expr::binary(op, operand.on(Side::Left), operand.on(Side::Right))
}
