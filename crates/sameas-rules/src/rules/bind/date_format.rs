//! Formats of dates and marks of numbers: constants that say how a text is read.

use super::constants::{WrongConstant, text};
use crate::expr::{DIRECTIVES, Expr, ExprKind, FormatMistake, Function, Span, Type, format_mistake};

/// What is wrong with the arguments of `strptime`.
pub(super) fn wrong_format(args: &[Expr]) -> Option<WrongConstant> {
    let (of, formats) = args.split_first()?;
    if is_made_from(of, Type::Date) {
        return Some(already(of, "a date", "it can be compared as it is"));
    }
    formats.iter().find_map(|format| {
        let Some((known, span)) = text(Some(format)) else { return Some(not_constant(format)) };
        format_mistake(known).map(|mistake| described(&mistake, known, span))
    })
}

/// What is wrong with the arguments of `parse_number`.
pub(super) fn wrong_mark(args: &[Expr]) -> Option<WrongConstant> {
    let (of, mark) = (args.first()?, args.get(1)?);
    if is_made_from(of, Type::Number) || is_made_from(of, Type::Decimal) {
        return Some(already(of, "a number", "it can be computed with as it is"));
    }
    match text(Some(mark)) {
        Some(("," | ".", _)) => None,
        _ => Some((
            mark.span,
            "the decimal mark must be ',' or '.'".to_owned(),
            "`parse_number(price, ',')` reads 1.234,56, `parse_number(price, '.')` reads 1,234.56".to_owned(),
        )),
    }
}

/// Whether it is the text of a value of another type.
fn is_made_from(expr: &Expr, ty: Type) -> bool {
    matches!(&expr.kind, ExprKind::Call(Function::ToText, args) if args[0].ty == ty)
}

fn already(expr: &Expr, what: &str, help: &str) -> WrongConstant {
    (expr.span, format!("this is {what} already"), help.to_owned())
}

fn not_constant(format: &Expr) -> WrongConstant {
    let message = "the format must be written here, as a text in quotes";
    (format.span, message.to_owned(), "write for example `strptime(born, '%d.%m.%Y')`".to_owned())
}

fn described(mistake: &FormatMistake, format: &str, span: Span) -> WrongConstant {
    let piece = |bytes: &std::ops::Range<usize>| {
        // A format without doubled quotes stands in the rule as it is.
        let as_written = span.end - span.start == format.len() + 2;
        let place = Span { start: span.start + 1 + bytes.start, end: span.start + 1 + bytes.end };
        (if as_written { place } else { span }, &format[bytes.clone()])
    };
    let known = || format!("a format may have {DIRECTIVES}");
    match mistake {
        FormatMistake::Unknown(bytes) => {
            let (place, text) = piece(bytes);
            (place, format!("`{text}` means nothing in a format of dates"), known())
        }
        FormatMistake::Repeated(bytes) => {
            let (place, text) = piece(bytes);
            (place, format!("`{text}` says what the format has said before"), "leave one of the two out".to_owned())
        }
        FormatMistake::NoYear => (span, "this format has no year: `%Y` or `%y`".to_owned(), known()),
        FormatMistake::NoMonth => (span, "this format has a day without a month: `%m` or `%b`".to_owned(), known()),
    }
}
