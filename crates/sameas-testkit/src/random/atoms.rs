//! Random predicates over two records: what conjunctions are made of.

use super::rules::Author;
use crate::case::{Expr, MeasureKind, Op, SOURCE_DATASET, Side, source_name};

const THRESHOLDS: [f64; 14] =
    [0.0, 0.2, 0.25, 0.4, 0.5, 0.6, 0.666_666_666_666_666_6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0];

/// The same expression on both sides.
fn both(own: &Expr) -> (Expr, Expr) {
    (own.on(Side::Left), own.on(Side::Right))
}

impl Author<'_> {
    /// A predicate of any sort.
    pub(super) fn atom(&mut self) -> Expr {
        match self.rng.below(40) {
            0..=9 => self.equality(),
            10..=16 => self.text_measure(),
            17..=20 => self.set_measure(),
            21 | 22 => self.list_or_vector(),
            23 | 24 => self.neighbours(),
            25..=28 => self.band(),
            29..=32 => self.sided(),
            33 | 34 => self.inequality(),
            _ => self.residual(),
        }
    }

    /// A predicate that is often true, to carry a rule.
    pub(super) fn carrier(&mut self) -> Expr {
        match self.rng.below(10) {
            0..=5 => self.equality(),
            6 => self.text_measure(),
            7 => self.set_measure(),
            8 => self.neighbours(),
            _ => self.band(),
        }
    }

    pub(super) fn equality(&mut self) -> Expr {
        let (l, r) = match self.rng.below(32) {
            0..=9 => both(&Expr::own(&self.text_column())),
            10..=15 => both(&self.text()),
            16 | 17 => both(&self.number()),
            18 | 19 => (Expr::l("given"), Expr::r("surname")),
            20 | 21 => (Expr::l("amount"), Expr::r("age")),
            22 => both(&self.date()),
            23 => (self.date().on(Side::Left), Expr::r("born")),
            24 => both(&self.one_sided()),
            28 | 29 => both(&Expr::own(self.one_of(&["big", "price", "serial"]))),
            30 => {
                let other = self.one_of(&["big", "price", "serial", "age", "amount", "lon"]);
                (Expr::l(self.one_of(&["big", "price", "serial"])), Expr::r(other))
            }
            25 if self.has_sources() => both(&Expr::own(SOURCE_DATASET)),
            _ => (self.text().on(Side::Left), self.text().on(Side::Right)),
        };
        let op = if self.rng.percent(12) { Op::NotDistinct } else { Op::Equal };
        // A record may be on either side of the sign.
        if self.rng.percent(20) { Expr::binary(op, r, l) } else { Expr::binary(op, l, r) }
    }

    fn compared(&mut self, measure: Expr, thresholds: &[Expr]) -> Expr {
        let threshold = self.rng.pick(thresholds).clone();
        let op = *self.rng.pick(&[Op::GreaterEqual, Op::Greater, Op::LessEqual, Op::Less]);
        if self.rng.percent(15) { Expr::binary(op, threshold, measure) } else { Expr::binary(op, measure, threshold) }
    }

    /// A measure compared with a threshold, mostly in the direction that requires similarity.
    fn similar(&mut self, measure: Expr, at_least: bool, thresholds: &[Expr]) -> Expr {
        if self.rng.percent(25) {
            return self.compared(measure, thresholds);
        }
        let ops = if at_least { [Op::GreaterEqual, Op::Greater] } else { [Op::LessEqual, Op::Less] };
        let op = *self.rng.pick(&ops);
        Expr::binary(op, measure, self.rng.pick(thresholds).clone())
    }

    pub(super) fn measured(&mut self, op: Op) -> Expr {
        let (l, r) = if self.rng.percent(85) {
            both(&self.measured_text())
        } else {
            (self.measured_text().on(Side::Left), self.measured_text().on(Side::Right))
        };
        Expr::binary(op, l, r)
    }

    fn text_measure(&mut self) -> Expr {
        if self.rng.percent(55) {
            let op = *self.rng.pick(&Op::of_kind(MeasureKind::TextSimilarity));
            let measure = self.measured(op);
            self.similar(measure, true, &THRESHOLDS.map(Expr::float))
        } else {
            let op = *self.rng.pick(&Op::of_kind(MeasureKind::Distance));
            let measure = self.measured(op);
            match self.rng.below(8) {
                0 => Expr::Call(Op::Between, vec![measure, Expr::int(1), Expr::int(3)]),
                1 => Expr::binary(Op::Equal, measure, Expr::int(self.rng.between(0, 2))),
                _ => self.similar(measure, false, &[0, 1, 2, 3, 4, 10].map(Expr::int)),
            }
        }
    }

    fn set_measure(&mut self) -> Expr {
        let (l, r) = match self.rng.below(8) {
            0 => (self.tokens().on(Side::Left), self.tokens().on(Side::Right)),
            _ => both(&self.tokens()),
        };
        if self.rng.percent(25) {
            return self.similar(Expr::binary(Op::Overlap, l, r), true, &[0, 1, 2, 3].map(Expr::int));
        }
        let op = *self.rng.pick(&Op::of_kind(MeasureKind::SetSimilarity));
        self.similar(Expr::binary(op, l, r), true, &THRESHOLDS.map(Expr::float))
    }

    fn list_or_vector(&mut self) -> Expr {
        match self.rng.below(6) {
            4 | 5 => self.in_list(),
            0 => Expr::binary(Op::ListHasAny, Expr::l("tags"), Expr::r("tags")),
            3 => Expr::binary(Op::ListHasAny, Expr::l("codes"), Expr::r("codes")),
            1 => {
                let cosine = Expr::binary(Op::CosineSimilarity, Expr::l("vec"), Expr::r("vec"));
                self.similar(cosine, true, &[-1.0, -0.5, 0.1, 0.5, 0.9, 0.99].map(Expr::float))
            }
            _ => {
                let places = vec![Expr::l("lat"), Expr::l("lon"), Expr::r("lat"), Expr::r("lon")];
                self.similar(
                    Expr::Call(Op::HaversineKm, places),
                    false,
                    &[0.05, 1.0, 115.0, 130.0, 300.0].map(Expr::float),
                )
            }
        }
    }

    /// Two texts that are equal or together in a list.
    pub(super) fn in_list(&mut self) -> Expr {
        let (own, list) = self.listed();
        let (l, r) = both(&own);
        Expr::Call(Op::InList, vec![l, r, list])
    }

    pub(super) fn neighbours(&mut self) -> Expr {
        let key = if self.rng.percent(60) { self.text() } else { self.number() };
        let (l, r) = both(&key);
        Expr::Call(Op::Neighbours, vec![l, r, Expr::int(self.rng.between(1, 5))])
    }

    /// Two numbers or dates that lie close together.
    fn band(&mut self) -> Expr {
        let width = if self.rng.percent(20) {
            Expr::float(*self.rng.pick(&[0.1, 0.3]))
        } else {
            Expr::int(self.rng.between(0, 3))
        };
        match self.rng.below(5) {
            0 => {
                let (l, r) = both(&self.date());
                Expr::binary(Op::LessEqual, Expr::binary(Op::Subtract, l, r), Expr::int(self.rng.between(-5, 400)))
            }
            1 => {
                let days = Expr::binary(Op::DateDiffDays, Expr::l("born"), Expr::r("born"));
                Expr::Call(Op::Between, vec![days, Expr::int(-3), Expr::int(self.rng.between(0, 40))])
            }
            _ => {
                let (l, r) = both(&self.number());
                let apart = Expr::unary(Op::Abs, Expr::binary(Op::Subtract, l, r));
                Expr::binary(*self.rng.pick(&[Op::LessEqual, Op::LessEqual, Op::Less, Op::Greater]), apart, width)
            }
        }
    }

    /// A condition on one of the two records.
    pub(super) fn sided(&mut self) -> Expr {
        let side = *self.rng.pick(&[Side::Left, Side::Right]);
        if self.has_sources() && self.rng.percent(15) {
            let name = source_name(self.rng.below(self.tables), self.tables);
            return Expr::binary(Op::Equal, Expr::own(SOURCE_DATASET), Expr::text(&name)).on(side);
        }
        self.one_sided().on(side)
    }

    fn inequality(&mut self) -> Expr {
        let op = *self.rng.pick(&[Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual, Op::NotEqual, Op::Distinct]);
        match self.rng.below(4) {
            0 => Expr::binary(op, self.number().on(Side::Left), self.number().on(Side::Right)),
            1 => Expr::binary(op, Expr::l("amount"), Expr::r("age")),
            2 => Expr::binary(op, self.date().on(Side::Left), Expr::r("born")),
            _ => Expr::binary(op, self.text().on(Side::Left), self.text().on(Side::Right)),
        }
    }

    /// Operators that mostly meet constants, with values of both records.
    fn across(&mut self) -> Expr {
        let (a, b) = (self.short_column(), self.text_column());
        let (l, r) = (Expr::l(&a), Expr::r(&b));
        match self.rng.below(7) {
            0 => {
                let items = vec![l, r, Expr::r(&a), self.text_constant()];
                Expr::Call(*self.rng.pick(&[Op::In, Op::NotIn]), items)
            }
            1 => {
                let (low, high) = (self.number().on(Side::Right), self.number().on(Side::Left));
                Expr::Call(*self.rng.pick(&[Op::Between, Op::NotBetween]), vec![Expr::l("age"), low, high])
            }
            2 => Expr::binary(*self.rng.pick(&[Op::Like, Op::NotLike, Op::ILike]), l, r),
            3 => Expr::binary(*self.rng.pick(&[Op::StartsWith, Op::Contains]), l, Expr::r(&a)),
            4 => {
                let same = Expr::binary(Op::NullIf, l, Expr::r(&a));
                Expr::unary(*self.rng.pick(&[Op::IsNull, Op::IsNotNull]), same)
            }
            5 => {
                let op = *self.rng.pick(&[Op::Equal, Op::NotEqual, Op::Distinct, Op::NotDistinct]);
                Expr::binary(op, self.equality(), self.equality())
            }
            _ => {
                let chosen = Expr::Call(Op::Coalesce, vec![l, r]);
                let distance = Expr::binary(Op::Levenshtein, chosen, Expr::r(&a));
                Expr::binary(Op::LessEqual, distance, Expr::int(self.rng.between(0, 3)))
            }
        }
    }

    /// What no index supports: expressions that mix both records.
    fn residual(&mut self) -> Expr {
        if self.rng.percent(40) {
            return self.across();
        }
        let (a, b) = (self.short_column(), self.text_column());
        let jaro = |name: &str| Expr::binary(Op::Jaro, Expr::l(name), Expr::r(name));
        match self.rng.below(12) {
            10 | 11 => self.sum(),
            0 => Expr::binary(Op::Greater, Expr::binary(Op::Add, jaro(&a), jaro(&b)), Expr::float(1.2)),
            1 => {
                let joined = Expr::binary(Op::Concat, Expr::l(&a), Expr::r(&b));
                Expr::binary(Op::Greater, Expr::unary(Op::Length, joined), Expr::int(self.rng.between(5, 15)))
            }
            2 => Expr::Call(Op::Case, vec![self.equality(), self.text_measure(), self.equality()]),
            3 => {
                let crossed = |x: &str, y: &str| Expr::binary(Op::Concat, Expr::l(x), Expr::r(y));
                Expr::binary(Op::Equal, crossed("given", "surname"), crossed("surname", "given"))
            }
            4 => {
                let chosen = Expr::Call(Op::Coalesce, vec![Expr::l(&a), Expr::r(&b)]);
                Expr::binary(Op::Equal, chosen, Expr::r(&a))
            }
            5 => Expr::binary(Op::Less, self.measured(Op::Levenshtein), Expr::unary(Op::Length, Expr::l(&b))),
            6 => {
                let ages = vec![Expr::l("age"), Expr::r("age")];
                Expr::binary(
                    self.comparison(),
                    Expr::Call(*self.rng.pick(&[Op::Least, Op::Greatest]), ages),
                    Expr::int(5),
                )
            }
            7 => {
                let ratio = Expr::binary(*self.rng.pick(&[Op::Divide, Op::Modulo]), Expr::l("age"), Expr::r("age"));
                Expr::binary(self.comparison(), ratio, Expr::float(0.5))
            }
            8 => self.computed(),
            _ => {
                let tests = [Op::IsTrue, Op::IsNotTrue, Op::IsFalse, Op::IsNotFalse, Op::IsNull];
                Expr::unary(*self.rng.pick(&tests), self.equality())
            }
        }
    }

    /// A comparison of what is computed of numbers of both records.
    fn computed(&mut self) -> Expr {
        let (a, b) = (self.number().on(Side::Left), self.number().on(Side::Right));
        let operation = *self.rng.pick(&[Op::Add, Op::Subtract, Op::Multiply, Op::Divide, Op::Modulo]);
        let value = Expr::binary(operation, a.clone(), b.clone());
        let value = match self.rng.below(4) {
            0 => Expr::unary(*self.rng.pick(&[Op::Abs, Op::Negate]), value),
            1 => Expr::Call(Op::Case, vec![Expr::binary(Op::Less, a, b), value, Expr::r("age")]),
            2 => Expr::Call(*self.rng.pick(&[Op::Coalesce, Op::Least, Op::Greatest]), vec![value, Expr::l("age")]),
            _ => value,
        };
        let limit =
            if self.rng.percent(50) { self.number().on(Side::Left) } else { Expr::int(self.rng.between(-3, 40)) };
        Expr::binary(self.comparison(), value, limit)
    }
}
