//! Syntax trees to typed expressions: names are looked up, types checked, conversions written out, constants folded.
//!
//! Every mistake becomes a [`Diagnostic`], and binding goes on, so that all of a file are reported at once.

mod call;
mod constants;
mod date_format;
pub(super) mod fold;
mod in_list;
mod quotes;
mod scope;
mod typing;

pub(crate) use quotes::written as written_name;
pub use scope::{Column, ColumnIndex, Scope, Unusable};

use super::diagnostic::{Diagnostic, whole};
use super::doubt::{DoubtKind, FoundDoubt, Severity};
use super::list_file::ListFolder;
use super::parser::{parse, unknown_type};
use super::syntax::{NamePart, Syntax, SyntaxKind, TypeName, join};
use crate::expr::{Expr, ExprKind, Function, Num, Span, Type, Value};

/// `neighbours(a, b, w)` compares ranks; this is one of these rankings, which rules read as a number column.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// The name of the synthetic column.
    pub name: String,
    /// The sort key of a left and of a right record, each as an expression of its own record.
    pub keys: [Expr; 2],
}

/// A chain of more operands than this is one call of all of them; a shorter one is calls of two, which are compared
/// with each other more often.
const LONG_CHAIN: usize = 16;

/// Parts that a condition may have beyond [`PARTS_A_BYTE`] for each byte of its text. `between` and `case` repeat a value
/// that is written once, and each level of them repeats what is inside.
const MORE_PARTS: usize = 1 << 16;
const PARTS_A_BYTE: usize = 16;

/// Binds one piece of SQL.
pub struct Binder<'a> {
    text: &'a str,
    scope: &'a Scope<'a>,
    /// Where the files of `in_list` are; without it none is read.
    lists: Option<ListFolder<'a>>,
    /// Mistakes found so far.
    pub diagnostics: Vec<Diagnostic>,
    /// Parts that are likely mistakes, seen before constants are folded.
    pub doubts: Vec<FoundDoubt>,
    /// Rankings that `neighbours` needs.
    pub rankings: Vec<Ranking>,
    /// The last name that lacks its quotes: its parts are no other mistakes.
    unquoted: Span,
    /// Parts of expressions made so far.
    parts: usize,
}

impl<'a> Binder<'a> {
    /// A binder for `text`, whose columns are those of `scope`.
    pub fn new(text: &'a str, scope: &'a Scope<'a>) -> Self {
        let (diagnostics, doubts, rankings) = (Vec::new(), Vec::new(), Vec::new());
        Self { text, scope, lists: None, diagnostics, doubts, rankings, unquoted: Span::default(), parts: 0 }
    }

    /// The same, which reads the files that `in_list` names.
    #[must_use]
    pub fn with_lists(self, lists: ListFolder<'a>) -> Self {
        Self { lists: Some(lists), ..self }
    }

    /// The typed expression of the whole text, or `None` and diagnostics.
    pub fn expression(&mut self) -> Option<Expr> {
        match parse(self.text) {
            Ok(parsed) => self.bind(&parsed),
            Err(diagnostic) => {
                match self.scope.unquoted_before(self.text, diagnostic.span.start) {
                    Some(name) => self.mistake(name.span, name.message, name.help),
                    None => self.diagnostics.push(diagnostic),
                }
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
            self.mistake(whole(self.text), format!("this condition is {always}"), "compare columns of `l` and `r`");
            return None;
        }
        Some(bound)
    }

    /// A typed expression that is true or false, or `None` and diagnostics.
    pub fn truth(&mut self) -> Option<Expr> {
        let bound = self.expression()?;
        self.expect_bool(bound)
    }

    fn mistake(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(span, message).with_help(help));
    }

    fn bind_all<'s>(&mut self, all: impl IntoIterator<Item = &'s Syntax>) -> Option<Vec<Expr>> {
        // Collected first, so that the mistakes of every part are reported.
        let bound: Vec<Option<Expr>> = all.into_iter().map(|e| self.bind(e)).collect();
        bound.into_iter().collect()
    }

    /// Counts parts that are made; `None` where there are too many for this text.
    fn make_parts(&mut self, parts: usize, span: Span) -> Option<()> {
        let most = MORE_PARTS + PARTS_A_BYTE * self.text.len();
        let were_few = self.parts <= most;
        self.parts = self.parts.saturating_add(parts);
        if were_few && self.parts > most {
            let help = "derive columns from the inner values, and use these here";
            self.mistake(span, "values of `between` or `case` are nested too deeply", help);
        }
        (self.parts <= most).then_some(())
    }

    fn bind(&mut self, expr: &Syntax) -> Option<Expr> {
        let span = expr.span;
        self.make_parts(1, span)?;
        match &expr.kind {
            SyntaxKind::Null => Some(literal(Value::Null, Type::Null, span)),
            SyntaxKind::Bool(truth) => Some(literal(Value::Bool(*truth), Type::Bool, span)),
            SyntaxKind::Text(text) => Some(literal(Value::Text(text.clone()), Type::Text, span)),
            SyntaxKind::Number(text) => self.number(text, span),
            SyntaxKind::Column(names) => self.column(names, span),
            SyntaxKind::Not(of) => self.not(of, span),
            SyntaxKind::Sign(minus, of) => self.sign(*minus, of, span),
            SyntaxKind::Chain(Function::Concat, parts) => self.concat(parts, span),
            SyntaxKind::Chain(function @ (Function::And | Function::Or), parts) => {
                self.junction(*function, parts, span)
            }
            SyntaxKind::Chain(function, parts) => self.long_arithmetic(*function, parts, span),
            SyntaxKind::Binary(function @ (Function::Subtract | Function::Divide | Function::Modulo), parts) => {
                self.arithmetic(*function, parts, span)
            }
            SyntaxKind::Binary(function, parts) => self.comparison(*function, &parts[0], &parts[1], span),
            SyntaxKind::Is { test: Function::IsNull, negated, of } => {
                let test = if *negated { Function::IsNotNull } else { Function::IsNull };
                let bound = self.bind(of)?;
                Some(fold::call(test, vec![bound], span))
            }
            SyntaxKind::Is { test, negated, of } => {
                let bound = self.bind(of)?;
                let bound = self.expect_bool(bound)?;
                Some(negate_if(*negated, fold::call(*test, vec![bound], span)))
            }
            SyntaxKind::Between { negated, parts } => self.between(parts, *negated, span),
            SyntaxKind::In { negated, parts } => {
                let args = self.bind_all(parts)?;
                let args = self.comparable(args, span)?;
                Some(negate_if(*negated, fold::call(Function::In, args, span)))
            }
            SyntaxKind::Like { function, negated, parts } => {
                let args = self.bind_all(parts)?;
                let args: Option<Vec<Expr>> = args.into_iter().map(|a| self.convert(a, Type::Text, "`like`")).collect();
                let like = self.call(*function, args?, span)?;
                Some(negate_if(*negated, like))
            }
            SyntaxKind::Case { operand, whens, otherwise } => {
                self.case(operand.as_deref(), whens, otherwise.as_deref(), span)
            }
            SyntaxKind::Cast(of, ty) => self.cast(of, ty, span),
            SyntaxKind::Date(text) => {
                let text = self.bind(text)?;
                self.call(Function::ToDate, vec![text], span)
            }
            SyntaxKind::Call { name, args } => self.function(name, args, span),
            SyntaxKind::Refused { message, help } => {
                self.mistake(span, message, help);
                None
            }
        }
    }

    fn number(&mut self, text: &str, span: Span) -> Option<Expr> {
        let number = Num::parse(text);
        if number.is_none() {
            self.mistake(span, format!("`{text}` is not a 64-bit number"), "write a smaller number");
        }
        number.map(|number| literal(Value::Number(number), Type::Number, span))
    }

    fn column(&mut self, names: &[NamePart], span: Span) -> Option<Expr> {
        match self.scope.resolve(names) {
            Ok((side, column, ty)) => Some(Expr { kind: ExprKind::Column(side, column), ty, span }),
            Err(_) if (self.unquoted.start..self.unquoted.end).contains(&span.start) => None,
            Err((message, help)) => {
                match self.scope.unquoted(self.text, span.start) {
                    Some(name) => {
                        self.unquoted = name.span;
                        self.mistake(name.span, name.message, name.help);
                    }
                    None => self.mistake(span, message, help),
                }
                None
            }
        }
    }

    fn not(&mut self, of: &Syntax, span: Span) -> Option<Expr> {
        let bound = self.bind(of)?;
        let bound = self.expect_bool(bound)?;
        Some(fold::call(Function::Not, vec![bound], span))
    }

    fn sign(&mut self, minus: bool, of: &Syntax, span: Span) -> Option<Expr> {
        let bound = self.bind(of)?;
        let bound = self.convert(bound, Type::Number, if minus { "`-`" } else { "`+`" })?;
        if minus { self.call(Function::Negate, vec![bound], span) } else { Some(bound) }
    }

    /// `a and b and c` is one call of three arguments; so is `or`.
    fn junction(&mut self, function: Function, parts: &[Syntax], span: Span) -> Option<Expr> {
        let flat = flattened(function, parts);
        let bound: Vec<Option<Expr>> = flat.iter().map(|p| self.bind(p).and_then(|e| self.expect_bool(e))).collect();
        let bound = bound.into_iter().collect::<Option<Vec<Expr>>>()?;
        // What is constant inside a part that is itself a chain has been seen there.
        let is_chain = |part: &Syntax| matches!(part.kind, SyntaxKind::Chain(Function::And | Function::Or, _));
        let parts = flat.iter().zip(&bound).filter(|(part, _)| !is_chain(part));
        self.doubts.extend(parts.filter_map(|(_, part)| constant_part(part, self.text)));
        Some(fold::call(function, bound, span))
    }

    fn concat(&mut self, parts: &[Syntax], span: Span) -> Option<Expr> {
        let args = self.bind_all(parts)?;
        let args: Option<Vec<Expr>> = args.into_iter().map(|a| self.convert(a, Type::Text, "`||`")).collect();
        self.call(Function::Concat, args?, span)
    }

    /// A chain of `+` or `*`, from the left to the right.
    fn long_arithmetic(&mut self, function: Function, parts: &[Syntax], span: Span) -> Option<Expr> {
        let args = self.bind_all(parts)?;
        let args = self.numbers(function, args)?;
        if args.len() > LONG_CHAIN {
            return self.call(function, args, span);
        }
        let mut rest = args.into_iter().zip(parts);
        let (mut sum, first) = rest.next()?;
        for (arg, part) in rest {
            sum = self.call(function, vec![sum, arg], join(first.outer, part.outer))?;
        }
        Some(sum)
    }

    fn arithmetic(&mut self, function: Function, parts: &[Syntax; 2], span: Span) -> Option<Expr> {
        let args = self.bind_all(parts)?;
        if function == Function::Subtract && args.iter().all(|a| a.ty == Type::Date) {
            // The days between two dates: `a - b` counts from b to a.
            return Some(fold::call(Function::DateDiffDays, args.into_iter().rev().collect(), span));
        }
        let args = self.numbers(function, args)?;
        self.call(function, args, span)
    }

    fn numbers(&mut self, function: Function, args: Vec<Expr>) -> Option<Vec<Expr>> {
        let what = match function {
            Function::Add => "`+`",
            Function::Subtract => "`-`",
            Function::Multiply => "`*`",
            Function::Divide => "`/`",
            _ => "`%`",
        };
        let ty = if args.iter().any(|a| a.ty == Type::Decimal) { Type::Decimal } else { Type::Number };
        args.into_iter().map(|a| self.convert(a, ty, what)).collect()
    }

    fn comparison(&mut self, function: Function, left: &Syntax, right: &Syntax, span: Span) -> Option<Expr> {
        let args = self.bind_all([left, right])?;
        let null_safe = matches!(function, Function::Distinct | Function::NotDistinct);
        if !null_safe && args.iter().any(|arg| matches!(arg.kind, ExprKind::Literal(Value::Null))) {
            self.mistake(span, "a comparison with null is never true", "write `is null` or `is not null`");
            return None;
        }
        let args = self.comparable(args, span)?;
        Some(fold::call(function, args, span))
    }

    fn between(&mut self, parts: &[Syntax; 3], negated: bool, span: Span) -> Option<Expr> {
        // One comparison of three values: if one is a number, all are read as numbers.
        let args = self.bind_all(parts)?;
        let [value, low, high] = <[Expr; 3]>::try_from(self.comparable(args, span)?).ok()?;
        self.make_parts(parts_of(&value), span)?;
        let above = fold::call(Function::GreaterEqual, vec![value.clone(), low], span);
        let below = fold::call(Function::LessEqual, vec![value, high], span);
        Some(negate_if(negated, fold::call(Function::And, vec![above, below], span)))
    }

    fn case(
        &mut self,
        operand: Option<&Syntax>,
        whens: &[[Syntax; 2]],
        otherwise: Option<&Syntax>,
        span: Span,
    ) -> Option<Expr> {
        let mut conditions = Vec::new();
        for [when, _] in whens {
            conditions.push(match operand {
                Some(operand) => self.comparison(Function::Equal, operand, when, span),
                None => self.bind(when).and_then(|c| self.expect_bool(c)),
            });
        }
        let mut values = self.bind_all(whens.iter().map(|[_, then]| then).chain(otherwise))?;
        if otherwise.is_none() {
            values.push(literal(Value::Null, Type::Null, span));
        }
        let mut values = self.with_common_type(values, span)?;
        let last = values.pop()?;
        let conditions: Vec<Expr> = conditions.into_iter().collect::<Option<_>>()?;
        let mut args: Vec<Expr> = conditions.into_iter().zip(values).flat_map(|(c, v)| [c, v]).collect();
        args.push(last);
        Some(fold::call(Function::Case, args, span))
    }

    fn cast(&mut self, of: &Syntax, ty: &TypeName, span: Span) -> Option<Expr> {
        let bound = self.bind(of)?;
        let Some(function) = conversion_to(&ty.name) else {
            self.diagnostics.push(unknown_type(self.text, ty.span));
            return None;
        };
        if matches!(bound.ty, Type::TextList | Type::NumberList)
            || (function == Function::ToDate && bound.ty.is_number())
        {
            self.mistake(span, format!("cannot cast {} to {}", bound.ty.name(), ty.name), "cast the single values");
            return None;
        }
        self.call(function, vec![bound], span)
    }
}

/// The conversion that makes a value of a type.
fn conversion_to(ty: &str) -> Option<Function> {
    Some(match ty {
        "varchar" | "text" | "string" | "char" | "character" | "nvarchar" => Function::ToText,
        "character varying" | "char varying" => Function::ToText,
        "int" | "integer" | "bigint" | "smallint" | "tinyint" | "hugeint" => Function::ToInteger,
        "int2" | "int4" | "int8" | "int32" | "int64" => Function::ToInteger,
        "double" | "double precision" | "float" | "real" | "numeric" | "decimal" => Function::ToFloat,
        "float4" | "float8" | "float64" => Function::ToFloat,
        "date" => Function::ToDate,
        "boolean" | "bool" => Function::ToBool,
        _ => return None,
    })
}

/// A part of `and` or `or` that is the same for all records.
fn constant_part(part: &Expr, text: &str) -> Option<FoundDoubt> {
    let truth = match &part.kind {
        ExprKind::Literal(Value::Bool(true)) => "true",
        ExprKind::Literal(Value::Bool(false)) => "false",
        ExprKind::Literal(_) => "null",
        _ => return None,
    };
    let message = format!("`{}` is {truth} for every pair", text[part.span.start..part.span.end].trim());
    let help = "leave it out, or compare columns of `l` and `r`".to_owned();
    Some(FoundDoubt { kind: DoubtKind::ConstantPart, severity: Severity::Warning, span: part.span, message, help })
}

fn literal(value: Value, ty: Type, span: Span) -> Expr {
    Expr { kind: ExprKind::Literal(value), ty, span }
}

/// The parts of a chain of one operator, without the parentheses around its beginning.
fn flattened(function: Function, parts: &[Syntax]) -> Vec<&Syntax> {
    let mut pieces = Vec::new();
    let mut rest = parts;
    while let Some((first, others)) = rest.split_first() {
        pieces.push(others);
        match &first.kind {
            SyntaxKind::Chain(same, inner) if *same == function => rest = inner,
            _ => return std::iter::once(first).chain(pieces.into_iter().rev().flatten()).collect(),
        }
    }
    Vec::new()
}

fn parts_of(expr: &Expr) -> usize {
    match &expr.kind {
        ExprKind::Call(_, args) => 1 + args.iter().map(parts_of).sum::<usize>(),
        _ => 1,
    }
}

fn negate_if(negated: bool, expr: Expr) -> Expr {
    if !negated {
        return expr;
    }
    let span = expr.span;
    fold::call(Function::Not, vec![expr], span)
}
