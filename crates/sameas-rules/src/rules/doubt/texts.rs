//! Texts compared with constants that they never are.

use super::super::catalogue::name_of;
use super::DoubtKind;
use super::constant::{number, text};
use super::range::has_characters;
use super::walk::{DoubtWalk, wanted};
use crate::expr::{Expr, ExprKind, Function, Num, Span, Type, Value};
use crate::rules::bind::fold;

/// Why a text is never the constant it is compared with.
pub(super) struct Unreachable {
    pub kind: DoubtKind,
    pub why: String,
    pub help: String,
}

impl DoubtWalk<'_> {
    /// `of` compared with a text.
    pub(super) fn with_text(&mut self, function: Function, of: &Expr, with: &Expr, want: bool, span: Span) {
        let Some(constant) = text(with) else { return };
        let holds = match wanted(function, want) {
            Function::Equal | Function::NotDistinct => false,
            Function::NotEqual | Function::Distinct => true,
            _ => return,
        };
        if let Some(Unreachable { kind, why, help }) = self.unreachable(of, constant, with.span) {
            self.decided(kind, holds, span, &why, help);
        }
    }

    /// Why no value of an expression is this text.
    pub(super) fn unreachable(&self, of: &Expr, constant: &str, at: Span) -> Option<Unreachable> {
        if constant.is_empty() {
            return has_characters(of).then(|| Unreachable {
                kind: DoubtKind::EmptyText,
                why: "an empty text is null".to_owned(),
                help: format!("write `{0} is null`, or `{0} is not null`", self.shown(of.span)),
            });
        }
        let ExprKind::Call(function, args) = &of.kind else { return None };
        self.other_length(*function, args, constant, of.span)
            .or_else(|| self.changed_by(*function, args, constant, at))
            .or_else(|| self.no_soundex(*function, constant, of.span))
    }

    /// Functions that change no text they have made: what they would change, they do not make.
    fn changed_by(&self, function: Function, args: &[Expr], constant: &str, at: Span) -> Option<Unreachable> {
        use Function as F;
        let is_stable = matches!(function, F::Lower | F::Upper | F::StripAccents | F::StripPunctuation)
            || matches!(function, F::CollapseSpaces | F::Digits | F::Trim);
        if !is_stable || args.len() != 1 {
            return None;
        }
        let made = fold::call(function, vec![text_literal(constant, at)], at);
        let made = text(&made)?;
        if made == constant {
            return None;
        }
        let name = name_of(function);
        let is_case = matches!(function, F::Lower | F::Upper);
        let why = match is_case {
            true => {
                format!("`{name}` leaves no {} letters", if function == F::Lower { "upper-case" } else { "lower-case" })
            }
            false => format!("`{name}` never gives this text"),
        };
        let help = match made.is_empty() {
            true => "compare with a text that it can give".to_owned(),
            false => format!("did you mean '{}'?", made.replace('\'', "''")),
        };
        Some(Unreachable { kind: if is_case { DoubtKind::OtherCase } else { DoubtKind::UnreachableText }, why, help })
    }

    /// A part of a text that is shorter than the constant.
    fn other_length(&self, function: Function, args: &[Expr], constant: &str, of: Span) -> Option<Unreachable> {
        let most = match (function, args) {
            (Function::Left | Function::Right, [_, count]) => whole(count)?,
            (Function::Substr, [_, start, count]) => {
                whole(start)?;
                whole(count)?
            }
            _ => return None,
        };
        let length = constant.chars().count() as i64;
        (most >= 0 && length > most).then(|| Unreachable {
            kind: DoubtKind::OtherLength,
            why: format!("`{}` has at most {}, the text has {length}", self.shown(of), characters(most)),
            help: format!("take {} of it, or compare with a shorter text", characters(length)),
        })
    }

    /// A soundex code is a letter and three digits.
    fn no_soundex(&self, function: Function, constant: &str, of: Span) -> Option<Unreachable> {
        let bytes = constant.as_bytes();
        let is_code = bytes.len() == 4 && bytes[0].is_ascii_uppercase() && bytes[1..].iter().all(u8::is_ascii_digit);
        (function == Function::Soundex && !is_code).then(|| Unreachable {
            kind: DoubtKind::UnreachableText,
            why: format!("`{}` is a letter and three digits, such as R163", self.shown(of)),
            help: format!("did you mean `soundex('{}')` on the other side?", constant.replace('\'', "''")),
        })
    }

    /// `lower(l.a) = upper(r.a)`.
    pub(super) fn other_cases(&mut self, function: Function, sides: [&Expr; 2], span: Span) {
        let cases = sides.map(|side| match &side.kind {
            ExprKind::Call(case @ (Function::Lower | Function::Upper), _) => Some(*case),
            _ => None,
        });
        let is_equality =
            matches!(function, Function::Equal | Function::NotEqual | Function::Distinct | Function::NotDistinct);
        if let ([Some(a), Some(b)], true) = (cases, is_equality)
            && a != b
        {
            let message = "a text in lower case equals one in upper case only where it has no letters".to_owned();
            self.warn(DoubtKind::OtherCase, span, message, "use `lower` on both sides".to_owned());
        }
    }

    /// `digits(l.a) is not null`: nothing may be left of a text, and inside an expression that is a text without characters.
    pub(super) fn null_test(&mut self, function: Function, args: &[Expr], span: Span) {
        let (Function::IsNull | Function::IsNotNull, [of]) = (function, args) else { return };
        if !may_be_emptied(of) {
            return;
        }
        let (shown, not) = (self.shown(of.span), if function == Function::IsNull { "" } else { "not " });
        let message = format!("`{shown}` may be an empty text, which is null in columns only, and not here");
        let help = format!("where empty is as good as missing, write `nullif({shown}, '') is {not}null`");
        self.warn(DoubtKind::EmptyNotNull, span, message, help);
    }

    /// A pattern with letters that the text never has, or for a text that is never empty.
    pub(super) fn pattern(&mut self, function: Function, of: &Expr, pattern: &Expr, want: bool, span: Span) {
        let Some(constant) = text(pattern) else { return };
        let ExprKind::Call(case @ (Function::Lower | Function::Upper), _) = &of.kind else { return };
        if function == Function::ILike {
            return;
        }
        // Upper case may be more than one letter, so only letters that have a case of their own count.
        let is_other = |c: char| match case {
            Function::Lower => c.is_uppercase() && c.is_ascii(),
            _ => c.is_lowercase() && c.is_ascii(),
        };
        if !constant.chars().any(is_other) {
            return;
        }
        let other = if *case == Function::Lower { "upper-case" } else { "lower-case" };
        let help = match case {
            Function::Lower => format!("did you mean '{}'?", constant.to_ascii_lowercase().replace('\'', "''")),
            _ => format!("did you mean '{}'?", constant.to_ascii_uppercase().replace('\'', "''")),
        };
        self.decided(
            DoubtKind::OtherCase,
            !want,
            span,
            &format!("`{}` leaves no {other} letters", name_of(*case)),
            help,
        );
    }
}

/// Whether a function may leave nothing of a text that has characters.
fn may_be_emptied(expr: &Expr) -> bool {
    use Function as F;
    let ExprKind::Call(function, args) = &expr.kind else { return false };
    let is_none_of_it = |count: &Expr| whole(count).is_none_or(|count| count <= 0);
    match (function, &args[..]) {
        (F::Digits | F::StripPunctuation | F::CollapseSpaces | F::Trim | F::TrimStart | F::TrimEnd, _) => true,
        (F::Replace | F::RegexpReplace | F::RegexpExtract | F::SplitPart, _) => true,
        (F::Left | F::Right, [of, count]) => may_be_emptied(of) || is_none_of_it(count),
        (F::Substr, [of, start, count @ ..]) => {
            may_be_emptied(of) || whole(start).is_none_or(|start| start > 1) || count.iter().any(is_none_of_it)
        }
        (F::Lower | F::Upper | F::StripAccents, [of]) => may_be_emptied(of),
        _ => false,
    }
}

fn text_literal(value: &str, span: Span) -> Expr {
    Expr { kind: ExprKind::Literal(Value::Text(value.to_owned())), ty: Type::Text, span }
}

fn whole(expr: &Expr) -> Option<i64> {
    match number(expr)?.canonical() {
        Num::Int(value) => Some(value),
        _ => None,
    }
}

fn characters(count: i64) -> String {
    if count == 1 { "1 character".to_owned() } else { format!("{count} characters") }
}
