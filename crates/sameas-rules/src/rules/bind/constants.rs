//! Constants that can only give null: a rule that has one never holds, so each is a mistake.
//!
//! What is computed per record may be null for some records. What is written in the rule is known now.

use regex::RegexBuilder;

use super::{Binder, fold};
use crate::expr::{Expr, ExprKind, Function, Num, Span, Type, Value};

/// What is wrong with an argument: its place, what it is, and what to write.
pub(super) type WrongConstant = (Span, String, String);

impl Binder<'_> {
    /// A call, unless its constants make it null for every record.
    pub(super) fn call(&mut self, function: Function, args: Vec<Expr>, span: Span) -> Option<Expr> {
        let wrong = wrong_argument(function, &args).or_else(|| self.always_null(function, &args, span));
        if let Some((span, message, help)) = wrong {
            self.mistake(span, message, help);
            return None;
        }
        Some(fold::call(function, args, span))
    }

    /// A function of constants, none of them null, that is null.
    fn always_null(&self, function: Function, args: &[Expr], span: Span) -> Option<WrongConstant> {
        let is_value = |arg: &Expr| matches!(&arg.kind, ExprKind::Literal(value) if *value != Value::Null);
        if args.is_empty() || !args.iter().all(is_value) || !fold::is_null(function, args, span) {
            return None;
        }
        let shown = |span: Span| shortened(&self.text[span.start..span.end]);
        let Some(want) = type_made_by(function) else {
            let message = format!("`{}` is null for every record, so nothing made of it ever holds", shown(span));
            return Some((span, message, "change the constants in it".to_owned()));
        };
        let message = format!("{} is not {}", shown(args[0].span), want.name());
        let help = match want {
            Type::Date => "dates are written '2024-05-31', and the calendar must have the day",
            Type::Bool => "true and false can be written as words, or as 1 and 0",
            _ => "write a finite number: any other text becomes null, and a rule with null never holds",
        };
        Some((args[0].span, message, help.to_owned()))
    }
}

/// The type that a conversion from text makes.
fn type_made_by(function: Function) -> Option<Type> {
    match function {
        Function::ToNumber | Function::ToInteger | Function::ToFloat => Some(Type::Number),
        Function::ToDate => Some(Type::Date),
        Function::ToBool => Some(Type::Bool),
        _ => None,
    }
}

/// Literal patterns, flags, escapes and sizes that no text can be used with.
fn wrong_argument(function: Function, args: &[Expr]) -> Option<WrongConstant> {
    match function {
        Function::RegexpReplace => wrong_flags(args.get(3)).or_else(|| wrong_pattern(args, text(args.get(3)))),
        Function::RegexpExtract => wrong_pattern(args, None).or_else(|| wrong_group(args)),
        Function::Like | Function::ILike => wrong_escape(args),
        Function::Strptime => super::date_format::wrong_format(args),
        Function::ParseNumber => super::date_format::wrong_mark(args),
        Function::Qgrams => wrong_number(
            args.get(1),
            |q| q >= 1,
            "q-grams have a length of at least 1",
            "write for example `qgrams(l.name, 3)`",
        ),
        Function::SplitPart => {
            wrong_number(args.get(2), |n| n != 0, "parts are counted from 1", "1 is the first part, -1 the last")
        }
        _ => None,
    }
}

fn wrong_number(arg: Option<&Expr>, is_good: impl Fn(i64) -> bool, message: &str, help: &str) -> Option<WrongConstant> {
    let arg = arg?;
    let ExprKind::Literal(Value::Number(number)) = &arg.kind else { return None };
    // Fractions are rounded where they are used; what is beyond the integers is null there.
    let whole = match number.canonical() {
        Num::Int(value) => is_good(value),
        _ => number.to_f64().abs() < 9e18 && is_good(number.to_f64().round() as i64),
    };
    (!whole).then(|| (arg.span, message.to_owned(), help.to_owned()))
}

pub(super) fn text(arg: Option<&Expr>) -> Option<(&str, Span)> {
    match arg {
        Some(Expr { kind: ExprKind::Literal(Value::Text(text)), span, .. }) => Some((text, *span)),
        _ => None,
    }
}

fn wrong_flags(flags: Option<&Expr>) -> Option<WrongConstant> {
    let (flags, span) = text(flags)?;
    let unknown = flags.chars().find(|flag| !matches!(flag, 'g' | 'i'))?;
    let help = "the flags are `g` (every match) and `i` (ignore case)";
    Some((span, format!("unknown flag `{}`", unknown.escape_debug()), help.to_owned()))
}

fn wrong_pattern(args: &[Expr], flags: Option<(&str, Span)>) -> Option<WrongConstant> {
    let (pattern, span) = text(args.get(1))?;
    let ignore_case = flags.is_some_and(|(flags, _)| flags.contains('i'));
    let error = RegexBuilder::new(pattern).case_insensitive(ignore_case).build().err()?;
    let reason = error.to_string();
    let reason = reason.lines().last().unwrap_or("").trim_start_matches("error: ").to_owned();
    Some((span, "this is not a regular expression".to_owned(), reason))
}

fn wrong_group(args: &[Expr]) -> Option<WrongConstant> {
    let (pattern, _) = text(args.get(1))?;
    let groups = regex::Regex::new(pattern).ok()?.captures_len() as i64 - 1;
    let message = match groups {
        1 => "the pattern has 1 group".to_owned(),
        groups => format!("the pattern has {groups} groups"),
    };
    wrong_number(
        args.get(2),
        |group| (0..=groups).contains(&group),
        &message,
        "0 is the whole match, 1 the first group in parentheses",
    )
}

fn wrong_escape(args: &[Expr]) -> Option<WrongConstant> {
    let (escape, span) = text(args.get(2))?;
    if escape.chars().count() > 1 {
        let message = format!("an escape is one character, this is {}", escape.chars().count());
        return Some((span, message, "write for example `like '10!%' escape '!'`".to_owned()));
    }
    let (pattern, span) = text(args.get(1))?;
    let escape = escape.chars().next()?;
    // Each escape takes the character after it, so an odd number of them at the end leaves one without.
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        if c == escape && rest.next().is_none() {
            let help = "write it twice to mean itself";
            return Some((span, "this pattern ends with its escape".to_owned(), help.to_owned()));
        }
    }
    None
}

/// A piece of a rule for a message.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}
