//! SQL conditions of Splink to conditions of the rule language.

use sqlparser::ast::{
    BinaryOperator, CaseWhen, CeilFloorKind, DateTimeField, Expr, Ident, TrimWhereField, UnaryOperator, Value,
};

use super::dialect::SqlBackend;
use super::note::{NotExpressible, NoteList, shown};
use super::term::{COMPARISONS, IS_NOT_NULL, IS_NOT_TRUE, IS_NULL, SqlTerm};
use crate::expr::Side;

/// Parts of an expression that is written more than once, at most. Those of Splink have a few.
const MOST_REPEATED: usize = 200;

/// A translated part.
pub type Translated = Result<SqlTerm, NotExpressible>;

/// How columns are written.
#[derive(Clone, Copy, Debug)]
pub enum ColumnStyle<'a> {
    /// `name_l` and `name_r`, as in levels.
    Suffix,
    /// `l.name` and `r.name`, as in blocking rules; these lists are taken apart, so that an element is one value.
    Prefix { exploded: &'a [String] },
}

/// Translates the conditions of one level or blocking rule.
pub struct SqlTranslator<'a> {
    pub backend: SqlBackend,
    pub columns: ColumnStyle<'a>,
    /// Where the condition stands.
    pub place: &'a str,
    /// What is said about it.
    pub notes: &'a mut NoteList,
}

impl SqlTranslator<'_> {
    /// A condition as text.
    pub fn condition(&mut self, sql: &str) -> Translated {
        let expr = self.backend.parse(sql)?;
        let term = self.term(&expr)?;
        let mut has_seconds = false;
        term.walk(&mut |part| has_seconds |= matches!(part, SqlTerm::Seconds(_)));
        if has_seconds {
            let what = format!("`{}` counts seconds, and the rule language has whole days", shown(sql));
            return Err(NotExpressible::new(what, "compare days, or derive a number of seconds in the data"));
        }
        self.note_orders(&term);
        Ok(term)
    }

    /// Says so where two columns are compared by their order.
    fn note_orders(&mut self, term: &SqlTerm) {
        let mut ordered = Vec::new();
        term.walk(&mut |part| {
            if let SqlTerm::Infix("<" | "<=" | ">" | ">=", operands) = part
                && let [SqlTerm::Column(_, name), SqlTerm::Column(..)] = &**operands
            {
                ordered.push(name.clone());
            }
        });
        for name in ordered {
            let what = format!("`{name}` is compared by the order of texts where its records come from CSV");
            self.note(what, "no change is needed for texts and Parquet; cast numbers from CSV to double in the rule");
        }
    }

    /// Says once for a comparison what is so at each of its levels.
    pub(super) fn note(&mut self, what: impl Into<String>, next: &str) {
        let place = self.place.rsplit_once(", level ").map_or(self.place, |(comparison, _)| comparison);
        self.notes.differs(place, what, next);
    }

    /// An expression.
    pub(super) fn term(&mut self, expr: &Expr) -> Translated {
        if let Some(found) = self.known_formula(expr) {
            return found;
        }
        match expr {
            Expr::Nested(of) => self.term(of),
            Expr::Identifier(name) => self.suffixed(name),
            Expr::CompoundIdentifier(parts) => self.prefixed(parts),
            Expr::Value(value) => literal(&value.value),
            Expr::UnaryOp { op, expr } => self.unary(*op, expr),
            Expr::BinaryOp { op: BinaryOperator::And | BinaryOperator::Or, .. } => self.chain(expr),
            Expr::BinaryOp { left, op, right } => self.binary(left, op, right),
            Expr::Case { operand: None, conditions, else_result, .. } => self.case(conditions, else_result.as_deref()),
            Expr::Function(function) => self.function(function),
            other => self.test(other),
        }
    }

    /// A condition in words: `is null`, `in`, `between`, `like`.
    fn test(&mut self, expr: &Expr) -> Translated {
        match expr {
            Expr::IsNull(of) => Ok(self.term(of)?.test(IS_NULL)),
            Expr::IsNotNull(of) => Ok(self.term(of)?.test(IS_NOT_NULL)),
            Expr::IsTrue(of) => Ok(self.term(of)?.test("is true")),
            Expr::IsNotTrue(of) => Ok(self.term(of)?.test(IS_NOT_TRUE)),
            Expr::IsFalse(of) => Ok(self.term(of)?.test("is false")),
            Expr::IsNotFalse(of) => Ok(self.term(of)?.test("is not false")),
            Expr::IsDistinctFrom(left, right) => self.distinct("is distinct from", left, right),
            Expr::IsNotDistinctFrom(left, right) => self.distinct("is not distinct from", left, right),
            Expr::InList { expr, list, negated } => {
                let others = list.iter().map(|other| self.term(other)).collect::<Result<_, _>>()?;
                Ok(opposite_if(*negated, SqlTerm::In(Box::new(self.term(expr)?), others)))
            }
            Expr::Between { expr, negated, low, high } => {
                let [of, low, high] = [self.term(expr)?, self.term(low)?, self.term(high)?];
                repeatable(&of)?;
                let both = SqlTerm::all([SqlTerm::infix(">=", of.clone(), low), SqlTerm::infix("<=", of, high)]);
                Ok(opposite_if(*negated, both))
            }
            Expr::Like { negated, any: false, expr, pattern, escape_char } => {
                self.like("like", *negated, [expr, pattern], escape_char.as_deref())
            }
            Expr::ILike { negated, any: false, expr, pattern, escape_char } => {
                self.like("ilike", *negated, [expr, pattern], escape_char.as_deref())
            }
            other => self.special_form(other),
        }
    }

    /// A function with a syntax of its own.
    fn special_form(&mut self, expr: &Expr) -> Translated {
        match expr {
            Expr::Cast { expr, data_type, .. } => {
                let of = self.term(expr)?;
                cast(of, &data_type.to_string())
            }
            Expr::Extract { field, expr, .. } => self.extract(field, expr),
            Expr::Floor { expr, field: CeilFloorKind::DateTimeField(DateTimeField::NoDateTime) } => {
                self.call("floor", &[expr])
            }
            Expr::Ceil { expr, field: CeilFloorKind::DateTimeField(DateTimeField::NoDateTime) } => {
                self.call("ceil", &[expr])
            }
            Expr::Substring { expr, substring_from, substring_for, .. } => {
                self.substring(expr, substring_from.as_deref(), substring_for.as_deref())
            }
            Expr::Trim { trim_where, trim_what, expr, trim_characters } => {
                let name = match trim_where {
                    Some(TrimWhereField::Leading) => "ltrim",
                    Some(TrimWhereField::Trailing) => "rtrim",
                    _ => "trim",
                };
                let what = trim_what.as_deref().or(trim_characters.as_ref().and_then(|characters| characters.first()));
                self.call(name, &[&**expr].into_iter().chain(what).collect::<Vec<_>>())
            }
            other => Err(unknown(other)),
        }
    }

    /// `first_name_l`: a column with the letter of its record at its end.
    fn suffixed(&self, name: &Ident) -> Translated {
        let lower = name.value.to_ascii_lowercase();
        let side = match (self.columns, lower.ends_with("_l"), lower.ends_with("_r")) {
            (ColumnStyle::Suffix, true, _) => Side::Left,
            (ColumnStyle::Suffix, _, true) => Side::Right,
            (ColumnStyle::Suffix, ..) => {
                let what = format!("`{}` is not a column of one of the two records", name.value);
                return Err(NotExpressible::new(what, "columns end with _l or _r"));
            }
            (ColumnStyle::Prefix { .. }, ..) => {
                let what = format!("`{}` is not a column of one of the two records", name.value);
                return Err(NotExpressible::new(what, "columns begin with l. or r."));
            }
        };
        Ok(SqlTerm::Column(side, name.value[..name.value.len() - 2].to_owned()))
    }

    /// `l.first_name`: a column with the letter of its record before it.
    fn prefixed(&self, parts: &[Ident]) -> Translated {
        let shown_parts = || parts.iter().map(|part| part.value.as_str()).collect::<Vec<_>>().join(".");
        let field = |name: String| {
            NotExpressible::new(format!("`{name}` is a field of a column"), "give the field a column of its own")
        };
        match (self.columns, parts) {
            (ColumnStyle::Prefix { .. }, [side, name]) if side.value.eq_ignore_ascii_case("l") => {
                Ok(SqlTerm::Column(Side::Left, name.value.clone()))
            }
            (ColumnStyle::Prefix { .. }, [side, name]) if side.value.eq_ignore_ascii_case("r") => {
                Ok(SqlTerm::Column(Side::Right, name.value.clone()))
            }
            _ => Err(field(shown_parts())),
        }
    }

    fn unary(&mut self, op: UnaryOperator, expr: &Expr) -> Translated {
        let of = self.term(expr)?;
        match (op, of) {
            (UnaryOperator::Not, of) => Ok(SqlTerm::Not(Box::new(of))),
            (UnaryOperator::Plus, of) => Ok(of),
            (UnaryOperator::Minus, SqlTerm::Literal(number)) if !number.starts_with('-') => {
                Ok(SqlTerm::Literal(format!("-{number}")))
            }
            (UnaryOperator::Minus, of) => Ok(SqlTerm::infix("-", SqlTerm::number(0.0), of)),
            _ => Err(unknown(expr)),
        }
    }

    /// A chain of `and` or of `or`, which the parser nests to the left.
    fn chain(&mut self, expr: &Expr) -> Translated {
        let Expr::BinaryOp { op: wanted, .. } = expr else { return Err(unknown(expr)) };
        let (mut parts, mut rest) = (Vec::new(), expr);
        while let Expr::BinaryOp { left, op, right } = rest
            && op == wanted
        {
            parts.push(self.term(right)?);
            rest = left;
        }
        parts.push(self.term(rest)?);
        parts.reverse();
        Ok(if *wanted == BinaryOperator::And { SqlTerm::all(parts) } else { SqlTerm::any(parts) })
    }

    fn binary(&mut self, left: &Expr, op: &BinaryOperator, right: &Expr) -> Translated {
        let operator = match op {
            BinaryOperator::Eq => "=",
            BinaryOperator::NotEq => "<>",
            BinaryOperator::Lt => "<",
            BinaryOperator::LtEq => "<=",
            BinaryOperator::Gt => ">",
            BinaryOperator::GtEq => ">=",
            BinaryOperator::Plus => "+",
            BinaryOperator::Minus => "-",
            BinaryOperator::Multiply => "*",
            BinaryOperator::Divide => "/",
            BinaryOperator::Modulo => "%",
            BinaryOperator::StringConcat => "||",
            BinaryOperator::Custom(text) if text == "==" => "=",
            other => {
                let what = format!("the rule language has no operator `{other}`");
                return Err(NotExpressible::new(what, "write the condition in the rule language by hand"));
            }
        };
        let (left, right) = (self.term(left)?, self.term(right)?);
        if COMPARISONS.contains(&operator) {
            return self.comparison(operator, left, right);
        }
        if operator == "/" {
            return Ok(self.quotient(left, right));
        }
        Ok(SqlTerm::infix(operator, left, right))
    }

    /// A quotient; what divides the difference of two numbers by the larger of them is recognised.
    fn quotient(&mut self, left: SqlTerm, right: SqlTerm) -> SqlTerm {
        if self.backend.divides_integers() && right.constant().is_none() {
            let what = "a quotient of two integers keeps its fraction in sameas, and loses it there";
            self.note(what, "no change is needed where the columns hold fractions");
        }
        let right = match (&left, larger_of(&right)) {
            (SqlTerm::Call("abs", args), Some([a, b])) => match &args[..] {
                [SqlTerm::Infix("-", of)] if [&of[0], &of[1]] == [a, b] || [&of[1], &of[0]] == [a, b] => {
                    // Columns of a CSV file are texts, whose order is another.
                    SqlTerm::Call(
                        "greatest",
                        of.iter().map(|of| SqlTerm::Cast(Box::new(of.clone()), "double")).collect(),
                    )
                }
                _ => right,
            },
            _ => right,
        };
        SqlTerm::infix("/", left, right)
    }

    fn distinct(&mut self, operator: &'static str, left: &Expr, right: &Expr) -> Translated {
        Ok(SqlTerm::infix(operator, self.term(left)?, self.term(right)?))
    }

    fn like(&mut self, operator: &'static str, negated: bool, of: [&Expr; 2], escape: Option<&Expr>) -> Translated {
        let parts = of.into_iter().chain(escape).map(|part| self.term(part)).collect::<Result<_, _>>()?;
        Ok(opposite_if(negated, SqlTerm::Like(operator, parts)))
    }

    fn extract(&mut self, field: &DateTimeField, expr: &Expr) -> Translated {
        match field {
            DateTimeField::Year => self.call("year", &[expr]),
            DateTimeField::Month => self.call("month", &[expr]),
            DateTimeField::Day => self.call("day", &[expr]),
            DateTimeField::Epoch => self.call("epoch", &[expr]),
            _ => Err(unknown(expr)),
        }
    }

    fn substring(&mut self, expr: &Expr, from: Option<&Expr>, length: Option<&Expr>) -> Translated {
        let mut args = vec![self.term(expr)?];
        for part in [from, length].into_iter().flatten() {
            args.push(self.term(part)?);
        }
        match &args[..] {
            // Postgres: the first match of a regular expression, or null.
            [_, pattern] if pattern.literal_text().is_some() => {
                let group = i32::from(pattern.literal_text().is_some_and(|pattern| pattern.starts_with('(')));
                args.push(SqlTerm::number(group.into()));
                let found = SqlTerm::Call("regexp_extract", args);
                Ok(SqlTerm::Call("nullif", vec![found, SqlTerm::text_literal("")]))
            }
            _ => Ok(SqlTerm::Call("substr", args)),
        }
    }

    fn case(&mut self, conditions: &[CaseWhen], otherwise: Option<&Expr>) -> Translated {
        let mut whens = Vec::new();
        for CaseWhen { condition, result } in conditions {
            whens.push([self.term(condition)?, self.term(result)?]);
        }
        Ok(SqlTerm::Case(whens, otherwise.map(|of| self.term(of)).transpose()?.map(Box::new)))
    }
}

/// Refuses what is too long to be written more than once: of such expressions inside each other, each doubles all that is
/// inside it.
pub fn repeatable(term: &SqlTerm) -> Result<(), NotExpressible> {
    let mut parts = 0;
    term.walk(&mut |_| parts += 1);
    if parts <= MOST_REPEATED {
        return Ok(());
    }
    let text = shown(&term.text());
    let what = format!("the rules would have to repeat `{text}`, which has more than {MOST_REPEATED} parts");
    Err(NotExpressible::new(what, "compute it as a column of the data"))
}

/// Two values of which an expression is the larger: `case when b > a then b else a end`.
fn larger_of(term: &SqlTerm) -> Option<[&SqlTerm; 2]> {
    let SqlTerm::Case(whens, Some(otherwise)) = term else { return None };
    let [[SqlTerm::Infix(">", operands), then]] = &whens[..] else { return None };
    (operands[0] == *then && operands[1] == **otherwise).then_some([then, &**otherwise])
}

fn opposite_if(negated: bool, term: SqlTerm) -> SqlTerm {
    if negated { SqlTerm::Not(Box::new(term)) } else { term }
}

fn literal(value: &Value) -> Translated {
    Ok(match value {
        Value::Number(number, _) => SqlTerm::Literal(number.clone()),
        Value::SingleQuotedString(text) | Value::DoubleQuotedString(text) => SqlTerm::text_literal(text),
        Value::Boolean(truth) => SqlTerm::Literal(truth.to_string()),
        Value::Null => SqlTerm::Literal("null".to_owned()),
        other => return Err(unknown(other)),
    })
}

/// A cast; a number stays as it is written.
fn cast(of: SqlTerm, kind: &str) -> Translated {
    let name = kind.to_lowercase();
    let name = name.split('(').next().unwrap_or_default().trim();
    let ours = match name {
        "text" | "varchar" | "string" | "char" | "character varying" => "varchar",
        "int" | "integer" | "bigint" | "smallint" | "tinyint" | "int4" | "int8" | "hugeint" | "long" => "bigint",
        "double" | "double precision" | "float" | "float8" | "float4" | "real" | "decimal" | "numeric" => "double",
        "boolean" | "bool" => "boolean",
        "date" => "date",
        _ => {
            let what = format!("the rule language has no type `{kind}`");
            return Err(NotExpressible::new(what, "cast to varchar, bigint, double, boolean or date"));
        }
    };
    let stays = match (of.constant(), ours) {
        (Some(_), "double") => true,
        (Some(number), "bigint") => number.fract() == 0.0,
        _ => false,
    };
    Ok(if stays { of } else { SqlTerm::Cast(Box::new(of), ours) })
}

/// What the rule language does not have.
pub fn unknown(sql: &impl std::fmt::Display) -> NotExpressible {
    let what = format!("the rule language cannot say `{}`", shown(&sql.to_string()));
    NotExpressible::new(what, "write a condition of its kind by hand, or compute it as a column of the data")
}
