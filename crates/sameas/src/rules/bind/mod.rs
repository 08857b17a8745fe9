//! SQL trees to typed expressions: names are looked up, types checked, conversions written out, constants folded.
//!
//! Every mistake becomes a [`Diagnostic`], and binding goes on, so that all of a file are reported at once.

mod call;
mod fold;
mod scope;
mod typing;

use sqlparser::ast::{
    BinaryOperator as Op, CaseWhen, DataType, DateTimeField, Expr as Sql, Ident, UnaryOperator, Value as SqlValue,
};
use sqlparser::ast::{CeilFloorKind, TrimWhereField};

pub use scope::{Column, Scope};

use super::diagnostic::Diagnostic;
use super::span::span_of;
use super::sql;
use crate::expr::{Expr, ExprKind, Function, Num, Span, Type, Value};

/// `neighbours(a, b, w)` compares ranks; this is one of these rankings, which rules read as a number column.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// The name of the synthetic column.
    pub name: String,
    /// The sort key of a left and of a right record, each as an expression of its own record.
    pub keys: [Expr; 2],
}

/// Binds one piece of SQL.
pub struct Binder<'a> {
    text: &'a str,
    scope: &'a Scope<'a>,
    /// Mistakes found so far.
    pub diagnostics: Vec<Diagnostic>,
    /// Rankings that `neighbours` needs.
    pub rankings: Vec<Ranking>,
}

impl<'a> Binder<'a> {
    /// A binder for `text`, whose columns are those of `scope`.
    pub fn new(text: &'a str, scope: &'a Scope<'a>) -> Self {
        Self { text, scope, diagnostics: Vec::new(), rankings: Vec::new() }
    }

    /// The typed expression of the whole text, or `None` and diagnostics.
    pub fn expression(&mut self) -> Option<Expr> {
        match sql::parse(self.text) {
            Ok(parsed) => self.bind(&parsed),
            Err(diagnostic) => {
                self.diagnostics.push(diagnostic);
                None
            }
        }
    }

    /// The typed condition of the whole text, or `None` and diagnostics; a constant is a mistake.
    pub fn condition(&mut self) -> Option<Expr> {
        let bound = self.expression()?;
        let bound = self.expect_bool(bound)?;
        if let ExprKind::Literal(value) = &bound.kind {
            let always = match value {
                Value::Bool(true) => "true for every pair",
                Value::Bool(false) => "false for every pair",
                _ => "null for every pair, so it never holds",
            };
            let whole = Span { start: 0, end: self.text.trim_end().len() };
            self.mistake(whole, format!("this condition is {always}"), "compare columns of `l` and `r`");
            return None;
        }
        Some(bound)
    }

    fn mistake(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(span, message).with_help(help));
    }

    fn span(&self, expr: &Sql) -> Span {
        span_of(self.text, expr)
    }

    fn bind_all<'s>(&mut self, all: impl IntoIterator<Item = &'s Sql>) -> Option<Vec<Expr>> {
        // Collected first, so that the mistakes of every part are reported.
        let bound: Vec<Option<Expr>> = all.into_iter().map(|e| self.bind(e)).collect();
        bound.into_iter().collect()
    }

    fn bind(&mut self, expr: &Sql) -> Option<Expr> {
        let span = self.span(expr);
        match expr {
            Sql::Nested(inner) => self.bind(inner),
            Sql::Value(value) => self.literal(&value.value, span),
            Sql::Identifier(name) => self.column(std::slice::from_ref(name), span),
            Sql::CompoundIdentifier(names) => self.column(names, span),
            Sql::UnaryOp { op, expr } => self.unary(*op, expr, span),
            Sql::BinaryOp { op: op @ (Op::And | Op::Or), .. } => self.junction(op, expr, span),
            Sql::BinaryOp { left, op, right } => self.binary(left, op, right, span),
            Sql::IsNull(e) | Sql::IsUnknown(e) => self.test(Function::IsNull, e, span),
            Sql::IsNotNull(e) | Sql::IsNotUnknown(e) => self.test(Function::IsNotNull, e, span),
            Sql::IsTrue(e) => self.truth(Function::IsTrue, e, false, span),
            Sql::IsNotTrue(e) => self.truth(Function::IsTrue, e, true, span),
            Sql::IsFalse(e) => self.truth(Function::IsFalse, e, false, span),
            Sql::IsNotFalse(e) => self.truth(Function::IsFalse, e, true, span),
            Sql::IsDistinctFrom(a, b) => self.comparison(Function::Distinct, a, b, span),
            Sql::IsNotDistinctFrom(a, b) => self.comparison(Function::NotDistinct, a, b, span),
            Sql::Between { expr, negated, low, high } => self.between(expr, low, high, *negated, span),
            Sql::InList { expr, list, negated } => self.in_list(expr, list, *negated, span),
            Sql::Like { negated, any: false, expr, pattern, escape_char } => {
                self.like(Function::Like, expr, pattern, escape_char.as_deref(), *negated, span)
            }
            Sql::ILike { negated, any: false, expr, pattern, escape_char } => {
                self.like(Function::ILike, expr, pattern, escape_char.as_deref(), *negated, span)
            }
            Sql::Case { operand, conditions, else_result, .. } => {
                self.case(operand.as_deref(), conditions, else_result.as_deref(), span)
            }
            Sql::Cast { expr, data_type, .. } => self.cast(expr, data_type, span),
            Sql::TypedString(typed) => self.typed_string(&typed.data_type, &typed.value.value, span),
            Sql::Extract { field, expr, .. } => self.extract(field, expr, span),
            Sql::Ceil { expr, field: CeilFloorKind::DateTimeField(DateTimeField::NoDateTime) } => {
                self.named_call("ceil", &[expr], span)
            }
            Sql::Floor { expr, field: CeilFloorKind::DateTimeField(DateTimeField::NoDateTime) } => {
                self.named_call("floor", &[expr], span)
            }
            Sql::Substring { expr, substring_from, substring_for, .. } => {
                let args: Vec<&Sql> = [Some(expr), substring_from.as_ref(), substring_for.as_ref()]
                    .into_iter()
                    .flatten()
                    .map(|e| &**e)
                    .collect();
                self.named_call("substr", &args, span)
            }
            Sql::Trim { trim_where, trim_what, expr, trim_characters } => {
                self.trim(*trim_where, trim_what.as_deref(), expr, trim_characters.as_deref(), span)
            }
            Sql::Function(function) => self.function(function, span),
            Sql::Subquery(_) | Sql::Exists { .. } | Sql::InSubquery { .. } => {
                self.mistake(span, "a rule cannot hold a subquery", "a rule sees the columns of `l` and `r` only");
                None
            }
            other => {
                self.mistake(
                    span,
                    format!("`{other}` is not part of the rule language"),
                    "see the README, \"The rule language\"",
                );
                None
            }
        }
    }

    fn literal(&mut self, value: &SqlValue, span: Span) -> Option<Expr> {
        let (value, ty) = match value {
            SqlValue::Null => (Value::Null, Type::Null),
            SqlValue::Boolean(b) => (Value::Bool(*b), Type::Bool),
            SqlValue::SingleQuotedString(text) => (Value::Text(text.clone()), Type::Text),
            SqlValue::Number(text, _) => match Num::parse(text) {
                Some(number) => (Value::Number(number), Type::Number),
                None => {
                    self.mistake(span, format!("`{text}` is not a 64-bit number"), "write a smaller number");
                    return None;
                }
            },
            other => {
                self.mistake(
                    span,
                    format!("`{other}` is not a literal of the rule language"),
                    "write texts in 'single quotes'",
                );
                return None;
            }
        };
        Some(Expr { kind: ExprKind::Literal(value), ty, span })
    }

    fn column(&mut self, names: &[Ident], span: Span) -> Option<Expr> {
        match self.scope.resolve(names) {
            Ok((side, column, ty)) => Some(Expr { kind: ExprKind::Column(side, column), ty, span }),
            Err((message, help)) => {
                self.mistake(span, message, help);
                None
            }
        }
    }

    fn unary(&mut self, op: UnaryOperator, inner: &Sql, span: Span) -> Option<Expr> {
        let bound = self.bind(inner)?;
        match op {
            UnaryOperator::Not => {
                let bound = self.expect_bool(bound)?;
                Some(fold::call(Function::Not, vec![bound], span))
            }
            UnaryOperator::Minus => {
                let bound = self.convert(bound, Type::Number, "`-`")?;
                Some(fold::call(Function::Negate, vec![bound], span))
            }
            UnaryOperator::Plus => self.convert(bound, Type::Number, "`+`"),
            other => {
                self.mistake(span, format!("the operator `{other}` is not part of the rule language"), "");
                None
            }
        }
    }

    /// `a and b and c` is one call of three arguments; so is `or`.
    fn junction(&mut self, op: &Op, expr: &Sql, span: Span) -> Option<Expr> {
        let mut parts = Vec::new();
        flatten(op, expr, &mut parts);
        let bound: Vec<Option<Expr>> =
            parts.into_iter().map(|p| self.bind(p).and_then(|e| self.expect_bool(e))).collect();
        let function = if *op == Op::And { Function::And } else { Function::Or };
        Some(fold::call(function, bound.into_iter().collect::<Option<_>>()?, span))
    }

    fn binary(&mut self, left: &Sql, op: &Op, right: &Sql, span: Span) -> Option<Expr> {
        let function = match op {
            Op::Eq => Function::Equal,
            Op::NotEq => Function::NotEqual,
            Op::Lt => Function::Less,
            Op::LtEq => Function::LessEqual,
            Op::Gt => Function::Greater,
            Op::GtEq => Function::GreaterEqual,
            Op::Plus => Function::Add,
            Op::Minus => Function::Subtract,
            Op::Multiply => Function::Multiply,
            Op::Divide => Function::Divide,
            Op::Modulo => Function::Modulo,
            Op::StringConcat => Function::Concat,
            other => {
                self.mistake(
                    span,
                    format!("the operator `{other}` is not part of the rule language"),
                    "use a function or a comparison",
                );
                return None;
            }
        };
        match function {
            Function::Concat => self.concat(left, right, span),
            Function::Add | Function::Subtract | Function::Multiply | Function::Divide | Function::Modulo => {
                self.arithmetic(function, left, right, op, span)
            }
            _ => self.comparison(function, left, right, span),
        }
    }

    fn concat(&mut self, left: &Sql, right: &Sql, span: Span) -> Option<Expr> {
        let args = self.bind_all([left, right])?;
        let args: Option<Vec<Expr>> = args.into_iter().map(|a| self.convert(a, Type::Text, "`||`")).collect();
        Some(fold::call(Function::Concat, args?, span))
    }

    fn arithmetic(&mut self, function: Function, left: &Sql, right: &Sql, op: &Op, span: Span) -> Option<Expr> {
        let args = self.bind_all([left, right])?;
        if function == Function::Subtract && args.iter().all(|a| a.ty == Type::Date) {
            // The days between two dates: `a - b` counts from b to a.
            return Some(fold::call(Function::DateDiffDays, args.into_iter().rev().collect(), span));
        }
        let what = format!("`{op}`");
        let ty = if args.iter().any(|a| a.ty == Type::Decimal) { Type::Decimal } else { Type::Number };
        let args: Option<Vec<Expr>> = args.into_iter().map(|a| self.convert(a, ty, &what)).collect();
        Some(fold::call(function, args?, span))
    }

    fn comparison(&mut self, function: Function, left: &Sql, right: &Sql, span: Span) -> Option<Expr> {
        let args = self.bind_all([left, right])?;
        let args = self.comparable(args, span)?;
        Some(fold::call(function, args, span))
    }

    fn test(&mut self, function: Function, inner: &Sql, span: Span) -> Option<Expr> {
        let bound = self.bind(inner)?;
        Some(fold::call(function, vec![bound], span))
    }

    fn truth(&mut self, function: Function, inner: &Sql, negated: bool, span: Span) -> Option<Expr> {
        let bound = self.bind(inner)?;
        let bound = self.expect_bool(bound)?;
        Some(negate_if(negated, fold::call(function, vec![bound], span)))
    }

    fn between(&mut self, expr: &Sql, low: &Sql, high: &Sql, negated: bool, span: Span) -> Option<Expr> {
        // One comparison of three values: if one is a number, all are read as numbers.
        let args = self.bind_all([expr, low, high])?;
        let [value, low, high] = <[Expr; 3]>::try_from(self.comparable(args, span)?).ok()?;
        let above = fold::call(Function::GreaterEqual, vec![value.clone(), low], span);
        let below = fold::call(Function::LessEqual, vec![value, high], span);
        Some(negate_if(negated, fold::call(Function::And, vec![above, below], span)))
    }

    fn in_list(&mut self, expr: &Sql, list: &[Sql], negated: bool, span: Span) -> Option<Expr> {
        let args = self.bind_all(std::iter::once(expr).chain(list))?;
        let args = self.comparable(args, span)?;
        Some(negate_if(negated, fold::call(Function::In, args, span)))
    }

    fn like(
        &mut self,
        function: Function,
        expr: &Sql,
        pattern: &Sql,
        escape: Option<&Sql>,
        negated: bool,
        span: Span,
    ) -> Option<Expr> {
        let args = self.bind_all([Some(expr), Some(pattern), escape].into_iter().flatten())?;
        let args: Option<Vec<Expr>> = args.into_iter().map(|a| self.convert(a, Type::Text, "`like`")).collect();
        Some(negate_if(negated, fold::call(function, args?, span)))
    }

    fn case(&mut self, operand: Option<&Sql>, whens: &[CaseWhen], otherwise: Option<&Sql>, span: Span) -> Option<Expr> {
        let mut conditions = Vec::new();
        for when in whens {
            conditions.push(match operand {
                Some(operand) => self.comparison(Function::Equal, operand, &when.condition, span),
                None => self.bind(&when.condition).and_then(|c| self.expect_bool(c)),
            });
        }
        let mut values = self.bind_all(whens.iter().map(|w| &w.result).chain(otherwise))?;
        if otherwise.is_none() {
            values.push(Expr { kind: ExprKind::Literal(Value::Null), ty: Type::Null, span });
        }
        let mut values = self.with_common_type(values, span)?;
        let last = values.pop()?;
        let conditions: Vec<Expr> = conditions.into_iter().collect::<Option<_>>()?;
        let mut args: Vec<Expr> = conditions.into_iter().zip(values).flat_map(|(c, v)| [c, v]).collect();
        args.push(last);
        Some(fold::call(Function::Case, args, span))
    }

    fn cast(&mut self, expr: &Sql, data_type: &DataType, span: Span) -> Option<Expr> {
        let bound = self.bind(expr)?;
        let name = data_type.to_string().to_lowercase();
        let word: &str = name.split(['(', ' ']).next().unwrap_or("");
        let function = match word {
            "varchar" | "text" | "string" | "char" | "character" | "nvarchar" => Function::ToText,
            "int" | "integer" | "bigint" | "smallint" | "tinyint" | "int4" | "int8" | "int64" | "int32" | "hugeint" => {
                Function::ToInteger
            }
            "double" | "float" | "real" | "numeric" | "decimal" | "float4" | "float8" | "float64" => Function::ToFloat,
            "date" => Function::ToDate,
            "boolean" | "bool" => Function::ToBool,
            _ => {
                self.mistake(
                    span,
                    format!("cannot cast to `{data_type}`"),
                    "cast to varchar, bigint, double, boolean or date",
                );
                return None;
            }
        };
        if matches!(bound.ty, Type::TextList | Type::NumberList)
            || (function == Function::ToDate && bound.ty.is_number())
        {
            self.mistake(span, format!("cannot cast {} to {word}", bound.ty.name()), "cast the single values");
            return None;
        }
        Some(fold::call(function, vec![bound], span))
    }

    fn typed_string(&mut self, data_type: &DataType, value: &SqlValue, span: Span) -> Option<Expr> {
        let literal = self.literal(value, span)?;
        if matches!(data_type, DataType::Date) {
            return Some(fold::call(Function::ToDate, vec![literal], span));
        }
        self.mistake(
            span,
            format!("literals of type `{data_type}` are not known"),
            "write date '2024-05-31' or a text",
        );
        None
    }

    fn extract(&mut self, field: &DateTimeField, expr: &Sql, span: Span) -> Option<Expr> {
        let name = field.to_string().to_lowercase();
        match name.as_str() {
            "year" | "month" | "day" => self.named_call(&name, &[expr], span),
            _ => {
                self.mistake(span, format!("cannot extract `{field}`"), "year, month and day can be extracted");
                None
            }
        }
    }

    fn trim(
        &mut self,
        place: Option<TrimWhereField>,
        what: Option<&Sql>,
        expr: &Sql,
        characters: Option<&[Sql]>,
        span: Span,
    ) -> Option<Expr> {
        let name = match place {
            Some(TrimWhereField::Leading) => "ltrim",
            Some(TrimWhereField::Trailing) => "rtrim",
            _ => "trim",
        };
        let set = what.or_else(|| characters.and_then(<[Sql]>::first));
        let args: Vec<&Sql> = std::iter::once(expr).chain(set).collect();
        self.named_call(name, &args, span)
    }
}

/// The parts of a chain of one operator, without the parentheses between them.
fn flatten<'s>(op: &Op, expr: &'s Sql, parts: &mut Vec<&'s Sql>) {
    // Chains lean to the left, so the right parts are collected on the way down.
    let mut rights = Vec::new();
    let mut rest = expr;
    loop {
        match rest {
            Sql::Nested(inner) if matches!(&**inner, Sql::BinaryOp { op: o, .. } if o == op) => rest = inner,
            Sql::BinaryOp { left, op: o, right } if o == op => {
                rights.push(&**right);
                rest = left;
            }
            _ => break,
        }
    }
    parts.push(rest);
    parts.extend(rights.into_iter().rev());
}

fn negate_if(negated: bool, expr: Expr) -> Expr {
    if !negated {
        return expr;
    }
    let span = expr.span;
    fold::call(Function::Not, vec![expr], span)
}
