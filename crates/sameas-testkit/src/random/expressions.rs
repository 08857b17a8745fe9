//! Random expressions over one record, from bare columns to nested functions.

use super::rules::Author;
use crate::case::{Expr, Literal, Op};

impl Author<'_> {
    /// The name of a text column, derived ones included.
    pub(super) fn text_column(&mut self) -> String {
        let at = self.rng.below(self.texts.len());
        self.texts[at].clone()
    }

    /// The name of a column that holds names of people or cities: short texts for string measures.
    pub(super) fn short_column(&mut self) -> String {
        (*self.rng.pick(&["given", "surname", "given", "surname", "city", "zip"])).to_owned()
    }

    pub(super) fn one_of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.rng.below(texts.len())]
    }

    /// A constant that some text column may hold.
    pub(super) fn text_constant(&mut self) -> Expr {
        let column = self.rng.below(super::tables::TEXTS.len());
        let value = self.rng.pick(self.pools.texts(column)).clone();
        Expr::text(&value)
    }

    /// A text of one record: a column, or mostly a function of it.
    pub(super) fn text(&mut self) -> Expr {
        let column = Expr::own(&self.text_column());
        if self.rng.percent(45) { column } else { self.text_function(column) }
    }

    /// A text for a measure: mostly a short column as it is.
    pub(super) fn measured_text(&mut self) -> Expr {
        match self.rng.below(10) {
            0..=4 => Expr::own(&self.short_column()),
            5..=7 => Expr::own(&self.text_column()),
            _ => self.text(),
        }
    }

    fn text_function(&mut self, of: Expr) -> Expr {
        let ops = [Op::Lower, Op::Upper, Op::StripAccents, Op::StripPunctuation, Op::CollapseSpaces, Op::Digits];
        let n = self.rng.between(-1, 4);
        match self.rng.below(24) {
            0..=4 => Expr::unary(*self.rng.pick(&ops), of),
            5 => Expr::unary(*self.rng.pick(&[Op::Trim, Op::TrimStart, Op::TrimEnd]), of),
            6 => Expr::Call(Op::Trim, vec![of, Expr::text("an")]),
            7 | 8 => Expr::Call(Op::Substr, vec![of, Expr::int(n.max(1)), Expr::int(3)]),
            9 => Expr::Call(Op::Substr, vec![of, Expr::int(*self.rng.pick(&[-3, -2, 0, 2]))]),
            10 => Expr::binary(*self.rng.pick(&[Op::Left, Op::Right]), of, Expr::int(n)),
            11 | 12 => Expr::unary(Op::Soundex, of),
            13 => Expr::Call(Op::Replace, vec![of, Expr::text("n"), Expr::text("m")]),
            14 => self.regular_expression(of),
            15 => Expr::Call(Op::SplitPart, vec![of, Expr::text(" "), Expr::int(*self.rng.pick(&[1, 2, -1, 3]))]),
            16 => Expr::Call(Op::Coalesce, vec![of, Expr::text(self.one_of(&["", "none"]))]),
            17 => Expr::binary(Op::NullIf, of, self.text_constant()),
            18 => Expr::Call(Op::Concat, vec![of, Expr::text(" "), self.text()]),
            19 => Expr::Call(
                Op::ConcatPresent,
                [vec![of, self.text()], vec![Expr::text("-"); self.rng.below(2)]].concat(),
            ),
            20 => Expr::Call(Op::ConcatWs, vec![Expr::text(" "), of, self.text()]),
            21 | 22 => Expr::unary(*self.rng.pick(&[Op::Metaphone, Op::MetaphoneAlternate]), of),
            _ => self.text_choice(of),
        }
    }

    fn regular_expression(&mut self, of: Expr) -> Expr {
        let (pattern, to) = *self.rng.pick(&[
            ("[0-9]+", "#"),
            ("[aeiou]", ""),
            ("^(.)(.)", "\\2\\1"),
            ("n+|e$", "-"),
            ("([a-m]+) ?", "<\\1>"),
        ]);
        let (pattern, to) = (Expr::text(pattern), Expr::text(to));
        match self.rng.below(3) {
            0 => Expr::Call(Op::RegexpReplace, vec![of, pattern, to]),
            1 => Expr::Call(Op::RegexpReplace, vec![of, pattern, to, Expr::text("g")]),
            _ => Expr::Call(Op::RegexpExtract, vec![of, pattern]),
        }
    }

    fn text_choice(&mut self, of: Expr) -> Expr {
        match self.rng.below(4) {
            0 => Expr::Call(*self.rng.pick(&[Op::Least, Op::Greatest]), vec![of, self.text()]),
            1 => Expr::Call(Op::Case, vec![self.one_sided(), of, self.text()]),
            2 => Expr::Call(Op::Case, vec![self.one_sided(), of]),
            _ => Expr::unary(Op::CastText, self.number()),
        }
    }

    /// A number of one record.
    pub(super) fn number(&mut self) -> Expr {
        let (age, amount, born) = (Expr::own("age"), Expr::own("amount"), Expr::own("born"));
        let small = Expr::int(self.rng.between(1, 3));
        match self.rng.below(21) {
            0..=2 => age,
            3 | 16 => Expr::own(&self.number_column()),
            17 => self.exact_number(),
            18 => Expr::binary(Op::ParseNumber, amount, Expr::text(self.one_of(&[",", ",", "."]))),
            19 => Expr::unary(Op::ArrayLength, self.tokens()),
            20 => Expr::unary(*self.rng.pick(&[Op::Year, Op::Month, Op::Day]), self.date()),
            4 => Expr::unary(Op::CastInteger, amount),
            5 => Expr::unary(Op::CastDouble, amount),
            6 => Expr::binary(*self.rng.pick(&[Op::Add, Op::Subtract, Op::Multiply]), amount, small),
            7 => Expr::binary(*self.rng.pick(&[Op::Divide, Op::Modulo]), age, Expr::int(self.rng.between(0, 3))),
            8 => Expr::unary(Op::Length, self.text()),
            9 => Expr::unary(Op::SortKey, Expr::own(&self.text_column())),
            10 => Expr::unary(*self.rng.pick(&[Op::Year, Op::Month, Op::Day]), born),
            11 => Expr::binary(Op::DateDiffDays, born, Expr::text("2000-01-01")),
            12 => Expr::unary(*self.rng.pick(&[Op::Abs, Op::Negate, Op::Floor, Op::Ceil, Op::Round]), amount),
            13 => Expr::Call(Op::Round, vec![Expr::own("lat"), Expr::int(1)]),
            14 => Expr::Call(Op::Coalesce, vec![age, small]),
            _ => {
                Expr::Call(*self.rng.pick(&[Op::Least, Op::Greatest]), vec![age, Expr::unary(Op::Length, self.text())])
            }
        }
    }

    /// A date of one record.
    pub(super) fn date(&mut self) -> Expr {
        let born = Expr::own("born");
        if self.rng.percent(50) {
            return Expr::unary(Op::CastDate, born);
        }
        let formats = [
            vec!["%d.%m.%Y"],
            vec!["%Y-%m-%d"],
            vec!["%d.%m.%Y", "%Y-%m-%d", "%m/%d/%y"],
            vec!["%Y%m%d", "%d %b %Y", "%Y-%j"],
            vec!["%Y-%m-%dT%H:%M", "%Y-%m-%d"],
        ];
        let formats = self.rng.pick(&formats).iter().map(|format| Expr::text(format));
        Expr::Call(Op::Strptime, std::iter::once(born).chain(formats).collect())
    }

    /// A list of groups for `in_list`, and what is compared in it.
    pub(super) fn listed(&mut self) -> (Expr, Expr) {
        let column = self.rng.below(3);
        let pool = self.pools.texts(column).clone();
        let row = |author: &mut Self| {
            let cells: Vec<String> = (0..author.rng.between(1, 3)).map(|_| author.rng.pick(&pool).clone()).collect();
            cells.join(author.one_of(&[",", ", "])) + "\n"
        };
        let rows: String = (0..self.rng.between(0, 4)).map(|_| row(self)).collect();
        (Expr::own(super::tables::TEXTS[column].0), Expr::text(&rows))
    }

    /// A function of a decimal or of an integer that no float equals.
    fn exact_number(&mut self) -> Expr {
        let column = Expr::own(self.one_of(&["big", "price", "serial"]));
        let other = match self.rng.below(4) {
            0 => Expr::int(self.rng.between(-2, 3)),
            1 => Expr::float(*self.rng.pick(&[0.1, 0.3, 0.5, 1.5])),
            _ => Expr::own(&self.number_column()),
        };
        match self.rng.below(8) {
            0 | 1 => column,
            2 | 3 => Expr::binary(*self.rng.pick(&[Op::Add, Op::Subtract, Op::Multiply]), column, other),
            4 => Expr::binary(*self.rng.pick(&[Op::Divide, Op::Modulo]), column, other),
            5 => Expr::unary(*self.rng.pick(&[Op::Abs, Op::Negate, Op::Floor, Op::Ceil, Op::Round]), column),
            6 => Expr::unary(*self.rng.pick(&[Op::CastInteger, Op::CastDouble]), column),
            _ => Expr::Call(*self.rng.pick(&[Op::Coalesce, Op::Least, Op::Greatest]), vec![column, other]),
        }
    }

    fn number_column(&mut self) -> String {
        let at = self.rng.below(self.numbers.len());
        self.numbers[at].clone()
    }

    /// A set of tokens of one record.
    pub(super) fn tokens(&mut self) -> Expr {
        let text = Expr::own(self.one_of(&["title", "title", "given", "surname", "note", "city", "code", "glyphs"]));
        match self.rng.below(8) {
            0..=2 => Expr::unary(Op::Words, text),
            3..=5 => Expr::binary(Op::Qgrams, text, Expr::int(self.rng.between(1, 4))),
            6 => Expr::own(self.one_of(&["tags", "codes"])),
            _ => {
                let at = self.rng.below(self.lists.len());
                Expr::own(&self.lists[at].clone())
            }
        }
    }

    /// A condition on one record.
    pub(super) fn one_sided(&mut self) -> Expr {
        let text = Expr::own(&self.text_column());
        match self.rng.below(12) {
            0 => Expr::unary(*self.rng.pick(&[Op::IsNull, Op::IsNotNull]), text),
            1 | 2 => Expr::binary(*self.rng.pick(&[Op::Equal, Op::NotEqual, Op::Less]), text, self.text_constant()),
            3 => {
                let items = vec![text, self.text_constant(), self.text_constant(), self.text_constant()];
                Expr::Call(*self.rng.pick(&[Op::In, Op::In, Op::NotIn]), items)
            }
            4 => Expr::Call(Op::In, vec![text, self.text_constant(), Expr::Literal(Literal::Null)]),
            5 => {
                let (low, high) = (Expr::int(self.rng.between(0, 6)), Expr::int(self.rng.between(5, 12)));
                Expr::Call(*self.rng.pick(&[Op::Between, Op::NotBetween]), vec![Expr::own("age"), low, high])
            }
            6 if self.rng.percent(50) => {
                let constant = Expr::float(*self.rng.pick(&[-0.1, 0.1, 0.3, 0.5, 1.1]));
                Expr::binary(self.comparison(), Expr::own(self.one_of(&["price", "serial"])), constant)
            }
            6 => Expr::binary(self.comparison(), Expr::own("amount"), Expr::int(self.rng.between(0, 9))),
            7 => self.pattern(text),
            8 => Expr::binary(Op::StartsWith, text, Expr::text(self.one_of(&["a", "b", "2", "An"]))),
            9 => Expr::binary(Op::Contains, text, Expr::text(self.one_of(&["n", "e", "1", " ", "明"]))),
            10 => {
                let date = self.date();
                Expr::binary(self.comparison(), date, Expr::unary(Op::CastDate, Expr::text("2000-01-15")))
            }
            _ => Expr::binary(self.comparison(), self.number(), Expr::int(self.rng.between(0, 9))),
        }
    }

    fn pattern(&mut self, text: Expr) -> Expr {
        match self.rng.below(4) {
            0 => Expr::Call(Op::Like, vec![text, Expr::text("a!%%"), Expr::text("!")]),
            1 => Expr::binary(Op::ILike, text, Expr::text(self.one_of(&["AN%", "%E%", "_e%"]))),
            2 => Expr::binary(Op::NotLike, text, Expr::text(self.one_of(&["a%", "%n%", "____"]))),
            _ => Expr::binary(Op::Like, text, Expr::text(self.one_of(&["a%", "%e", "_n%", "%i%n%"]))),
        }
    }

    /// An operator that compares.
    pub(super) fn comparison(&mut self) -> Op {
        *self.rng.pick(&[Op::Equal, Op::NotEqual, Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual])
    }
}
