//! Static types of expressions: what decides how a text is read, before any value is seen.

use super::{Case, Derive, Expr, JobKind, Kind, Literal, Op, Side};

/// The column that says which of two inputs a record comes from.
pub const SOURCE_DATASET: &str = "source_dataset";

/// The value of [`SOURCE_DATASET`] for a table of a job with this number of tables.
pub fn source_name(table: usize, tables: usize) -> String {
    match (table, tables) {
        (0, ..=2) => "left".to_owned(),
        (1, 2) => "right".to_owned(),
        _ => format!("table {}", table + 1),
    }
}

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// The constant `null`, which fits everywhere.
    Null,
    /// True, false or null.
    Bool,
    /// Text.
    Text,
    /// An integer or a float.
    Number,
    /// A number of a column of decimals, or computed with one.
    Decimal,
    /// A calendar day.
    Date,
    /// A list or set of texts.
    TextList,
    /// A vector.
    NumberList,
}

/// The one type at which values of these types are compared: a number or a date decides over text.
pub fn compared(types: impl IntoIterator<Item = Type>) -> Type {
    let types: Vec<Type> = types.into_iter().collect();
    let strongest = [Type::Decimal, Type::Number, Type::Date].into_iter().find(|t| types.contains(t));
    strongest.or_else(|| types.iter().copied().find(|t| *t != Type::Null)).unwrap_or(Type::Null)
}

/// The one type of a choice between values of these types: different types meet as text.
pub fn chosen(types: impl IntoIterator<Item = Type>) -> Type {
    let known: Vec<Type> = types.into_iter().filter(|t| *t != Type::Null).collect();
    match known.first() {
        None => Type::Null,
        Some(first) if known.iter().all(|t| t == first) => *first,
        Some(_) if known.iter().all(|t| matches!(t, Type::Number | Type::Decimal)) => Type::Decimal,
        Some(_) => Type::Text,
    }
}

/// The type of `expr`, where `column` returns the types of columns.
pub fn type_of(expr: &Expr, column: &dyn Fn(Side, &str) -> Type) -> Type {
    match expr {
        Expr::Column(side, name) => column(*side, name),
        Expr::Literal(Literal::Null) => Type::Null,
        Expr::Literal(Literal::Bool(_)) => Type::Bool,
        Expr::Literal(Literal::Text(_)) => Type::Text,
        Expr::Literal(Literal::Int(_) | Literal::Float(_)) => Type::Number,
        Expr::Call(op, arguments) => call_type(*op, arguments, column),
    }
}

fn call_type(op: Op, arguments: &[Expr], column: &dyn Fn(Side, &str) -> Type) -> Type {
    match op {
        Op::Case => chosen(case_values(arguments).map(|value| type_of(value, column))),
        Op::Coalesce | Op::Least | Op::Greatest => chosen(arguments.iter().map(|value| type_of(value, column))),
        Op::NullIf => type_of(&arguments[0], column),
        Op::StartsWith | Op::Contains | Op::ListHasAny | Op::InList | Op::Neighbours => Type::Bool,
        _ if (Op::And..=Op::ILike).contains(&op) => Type::Bool,
        Op::CastDate | Op::Strptime => Type::Date,
        Op::Add
        | Op::Subtract
        | Op::Multiply
        | Op::Modulo
        | Op::Negate
        | Op::Abs
        | Op::Round
        | Op::Floor
        | Op::Ceil
            if arguments.iter().any(|argument| type_of(argument, column) == Type::Decimal) =>
        {
            Type::Decimal
        }
        Op::Words | Op::Qgrams => Type::TextList,
        Op::CastText | Op::Concat | Op::Lower | Op::Upper | Op::Trim | Op::TrimStart | Op::TrimEnd => Type::Text,
        Op::Substr | Op::Left | Op::Right | Op::Replace | Op::RegexpReplace | Op::RegexpExtract => Type::Text,
        Op::SplitPart | Op::StripAccents | Op::StripPunctuation | Op::CollapseSpaces => Type::Text,
        Op::Digits | Op::ConcatPresent | Op::ConcatWs => Type::Text,
        Op::Soundex | Op::Metaphone | Op::MetaphoneAlternate => Type::Text,
        _ => Type::Number,
    }
}

/// The values among the arguments of a `case`: every `then` and the `else`.
pub fn case_values(arguments: &[Expr]) -> impl Iterator<Item = &Expr> {
    arguments.chunks(2).map(|branch| &branch[branch.len() - 1])
}

impl Case {
    /// Which table a side means; within one table both sides are the same.
    fn table_of(&self, side: Side) -> usize {
        usize::from(side == Side::Right && self.job.kind != JobKind::Dedupe)
    }

    /// The derive that makes column `name` of a table, if there is one.
    pub fn derive_of(&self, table: usize, name: &str) -> Option<&Derive> {
        let is_for_it = |derive: &&Derive| derive.name == name && derive.table.is_none_or(|of| of == table);
        self.job.derives.iter().find(is_for_it)
    }

    /// The value of [`SOURCE_DATASET`] for a table.
    pub fn source(&self, table: usize) -> String {
        source_name(table, self.tables.len())
    }

    /// Whether `l` is a record of the first and `r` one of the second of two tables; otherwise either may be of any.
    pub fn has_two_sides(&self) -> bool {
        self.job.kind == JobKind::Link && self.tables.len() == 2
    }

    /// Whether pairs must say which tables their records are of.
    pub fn has_sources_in_pairs(&self) -> bool {
        self.has_sources() && !self.has_two_sides()
    }

    /// The type of a column of a table, derived or not. `inside` is the derive being computed, whose own name means
    /// the input column. A column that is nowhere has the type of `null`.
    pub fn column_type(&self, table: usize, name: &str, inside: Option<&str>) -> Type {
        if inside != Some(name)
            && let Some(derive) = self.derive_of(table, name)
        {
            return type_of(&derive.expr, &|_, inner| self.column_type(table, inner, Some(name)));
        }
        if self.has_sources() && name == SOURCE_DATASET {
            return Type::Text;
        }
        let column = self.tables[table].column(name);
        match column.map(|at| self.tables[table].columns[at].kind) {
            Some(Kind::Text) => Type::Text,
            Some(Kind::TextList) => Type::TextList,
            Some(Kind::NumberList) => Type::NumberList,
            Some(Kind::Number | Kind::Unsigned) => Type::Number,
            Some(Kind::Decimal(..)) => Type::Decimal,
            // Their elements are compared as texts.
            Some(Kind::Integers) => Type::TextList,
            None => Type::Null,
        }
    }

    /// Whether rules may read which input a record comes from.
    pub fn has_sources(&self) -> bool {
        self.job.kind != JobKind::Dedupe
    }

    /// The type of an expression inside a rule.
    pub fn rule_type(&self, expr: &Expr) -> Type {
        type_of(expr, &|side, name| self.column_type(self.table_of(side), name, None))
    }

    /// Whether every column that rules and derives mention exists.
    pub fn has_its_columns(&self) -> bool {
        let known = |table: usize, name: &str, inside: Option<&str>| {
            let derived = inside != Some(name) && self.derive_of(table, name).is_some();
            derived || self.tables[table].column(name).is_some() || self.has_sources() && name == SOURCE_DATASET
        };
        let all = 0..self.tables.len();
        let tables_of = |side: Side| match side {
            Side::Left if self.has_two_sides() => 0..1,
            Side::Right if self.has_two_sides() => 1..2,
            _ => all.clone(),
        };
        let derives = self.job.derives.iter().all(|derive| {
            let (columns, tables) = (derive.expr.columns(), derive.table.map_or(all.clone(), |table| table..table + 1));
            tables.into_iter().all(|t| columns.iter().all(|(_, name)| known(t, name, Some(&derive.name))))
        });
        derives
            && self
                .job
                .conditions()
                .flat_map(Expr::columns)
                .all(|(side, name)| tables_of(side).all(|t| known(t, name, None)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_decide_comparisons_and_text_decides_choices() {
        assert_eq!(compared([Type::Text, Type::Number]), Type::Number);
        assert_eq!(compared([Type::Null, Type::Date, Type::Text]), Type::Date);
        assert_eq!(chosen([Type::Number, Type::Null, Type::Number]), Type::Number);
        assert_eq!(chosen([Type::Number, Type::Text]), Type::Text);
        assert_eq!(chosen([Type::Number, Type::Null, Type::Decimal]), Type::Decimal);
        assert_eq!(compared([Type::Text, Type::Decimal, Type::Number]), Type::Decimal);
    }

    #[test]
    fn a_case_takes_the_type_of_its_values() {
        let case = Expr::Call(Op::Case, vec![Expr::l("p"), Expr::int(1), Expr::text("x")]);
        assert_eq!(type_of(&case, &|_, _| Type::Bool), Type::Text);
        let case = Expr::Call(Op::Case, vec![Expr::l("p"), Expr::int(1)]);
        assert_eq!(type_of(&case, &|_, _| Type::Bool), Type::Number);
    }
}
