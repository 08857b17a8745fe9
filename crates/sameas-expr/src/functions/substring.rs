//! Parts of texts. Positions and lengths count Unicode scalar values.

use super::arithmetic::to_integer;
use crate::expr::eval::{Args, texts};
use crate::expr::{Function, Vector};

pub(super) fn apply(function: Function, args: &Args<'_>) -> Vector {
    match function {
        Function::Trim | Function::TrimStart | Function::TrimEnd => trim(function, args),
        Function::Substr => substr(args),
        Function::Left => cut(args, |length, count| (0, end_of_left(length, count))),
        Function::Right => cut(args, |length, count| (length - end_of_left(length, count), length)),
        Function::SplitPart => split_part(args),
        other => unreachable!("{other:?} belongs to another group"),
    }
}

/// Characters that `left` takes; a negative count leaves out that many.
fn end_of_left(length: i64, count: i64) -> i64 {
    if count < 0 { (length + count).max(0) } else { count.min(length) }
}

/// White space cut off, or with a second argument the characters in it.
fn trim(function: Function, args: &Args<'_>) -> Vector {
    let (text, set) = (args.texts(0), args.texts(1));
    let given = args.len() > 1;
    texts(args, text.bytes(args.rows()), |row, out| {
        let set = if given { Some(set.get(row)?) } else { None };
        let cut = |c: char| set.map_or_else(|| c.is_whitespace(), |set| set.contains(c));
        let mut text = text.get(row)?;
        if function != Function::TrimEnd {
            text = text.trim_start_matches(cut);
        }
        if function != Function::TrimStart {
            text = text.trim_end_matches(cut);
        }
        out.push_str(text);
        Some(())
    })
}

/// `left` and `right`: `window` returns which characters to keep, from the length and the count.
fn cut(args: &Args<'_>, window: impl Fn(i64, i64) -> (i64, i64)) -> Vector {
    let (text, count) = (args.texts(0), args.numbers(1));
    texts(args, text.bytes(args.rows()), |row, out| {
        let (text, count) = (text.get(row)?, to_integer(count.get(row)?)?);
        let (from, to) = window(length(text), count);
        out.push_str(slice(text, from, to));
        Some(())
    })
}

fn substr(args: &Args<'_>) -> Vector {
    let (text, start, count) = (args.texts(0), args.numbers(1), args.numbers(2));
    let limited = args.len() > 2;
    texts(args, text.bytes(args.rows()), |row, out| {
        let (text, start) = (text.get(row)?, to_integer(start.get(row)?)?);
        let count = if limited { to_integer(count.get(row)?)? } else { i64::MAX };
        let length = length(text);
        // Place 0 is before the first character, and a negative one counts from the end.
        let from = if start < 0 { length + start } else { start - 1 };
        let to = if limited { from.saturating_add(count) } else { length };
        out.push_str(slice(text, from.clamp(0, length), to.clamp(0, length)));
        (count >= 0).then_some(())
    })
}

fn length(text: &str) -> i64 {
    if text.is_ascii() { text.len() as i64 } else { text.chars().count() as i64 }
}

/// The characters from one place to another, both within the text; none if the end comes first.
fn slice(text: &str, from: i64, to: i64) -> &str {
    let (from, to) = (from as usize, to.max(from) as usize);
    if text.is_ascii() {
        return &text[from..to];
    }
    let start = byte_of(text, from);
    &text[start..start + byte_of(&text[start..], to - from)]
}

/// The byte where a character starts, or the text ends.
fn byte_of(text: &str, character: usize) -> usize {
    text.char_indices().nth(character).map_or(text.len(), |(byte, _)| byte)
}

fn split_part(args: &Args<'_>) -> Vector {
    let (text, separator, number) = (args.texts(0), args.texts(1), args.numbers(2));
    texts(args, text.bytes(args.rows()), |row, out| {
        let (text, separator) = (text.get(row)?, separator.get(row)?);
        out.push_str(part(text, separator, to_integer(number.get(row)?)?).unwrap_or_default());
        Some(())
    })
}

/// The part of that number, from 1 or, where negative, from the end. Without a separator the text is one part.
fn part<'a>(text: &'a str, separator: &str, number: i64) -> Option<&'a str> {
    if separator.is_empty() {
        return matches!(number, 1 | -1).then_some(text);
    }
    // Parts from the end are counted by splitting from the start too: "aaa" splits at "aa" in one way only.
    let index = if number < 0 { text.split(separator).count() as i64 + number } else { number - 1 };
    text.split(separator).nth(usize::try_from(index).ok()?)
}

#[cfg(test)]
mod tests {
    use crate::expr::Function as F;
    use crate::expr::eval::testing::{check, f, n, null, t};

    const HUGE: i64 = i64::MAX;
    const LOW: i64 = i64::MIN;

    #[test]
    fn ends_are_trimmed() {
        for (text, both, start, end) in [
            (t(" \u{3000}é b\t"), "'é b'", "'é b\t'", "' \u{3000}é b'"),
            (t("  "), "''", "''", "''"),
            (t(""), "''", "''", "''"),
            (null(), "null", "null", "null"),
        ] {
            check(F::Trim, [text.clone()], both);
            check(F::TrimStart, [text.clone()], start);
            check(F::TrimEnd, [text], end);
        }
        for (text, set, both, start, end) in [
            (t("xéaéx"), t("éx"), "'a'", "'aéx'", "'xéa'"),
            (t(" a "), t(""), "' a '", "' a '", "' a '"),
            (t("a"), null(), "null", "null", "null"),
        ] {
            check(F::Trim, [text.clone(), set.clone()], both);
            check(F::TrimStart, [text.clone(), set.clone()], start);
            check(F::TrimEnd, [text, set], end);
        }
    }

    #[test]
    fn substr_takes_a_window() {
        for (start, count, ascii, unicode) in [
            (n(1), n(2), "'ab'", "'aé'"),
            (n(2), n(HUGE), "'bc'", "'é😀'"),
            (n(3), n(0), "''", "''"),
            (n(4), n(2), "''", "''"),
            (n(0), n(2), "'a'", "'a'"),
            (n(-1), n(1), "'c'", "'😀'"),
            (n(-2), n(1), "'b'", "'é'"),
            (n(-5), n(3), "'a'", "'a'"),
            (n(-5), n(2), "''", "''"),
            (n(1), n(-1), "null", "null"),
            (n(HUGE), n(HUGE), "''", "''"),
            (n(LOW), n(HUGE), "'ab'", "'aé'"),
            (f(1.6), n(1), "'b'", "'é'"),
            (f(1e300), n(1), "null", "null"),
            (null(), n(1), "null", "null"),
            (n(1), null(), "null", "null"),
        ] {
            check(F::Substr, [t("abc"), start.clone(), count.clone()], ascii);
            check(F::Substr, [t("aé😀"), start, count], unicode);
        }
        for (start, result) in [(n(2), "'é😀'"), (n(0), "'aé😀'"), (n(-9), "'aé😀'"), (n(LOW), "'aé😀'")] {
            check(F::Substr, [t("aé😀"), start], result);
        }
        check(F::Substr, [t(""), n(1), n(3)], "''");
        check(F::Substr, [null(), n(1)], "null");
    }

    #[test]
    fn left_and_right_take_or_leave() {
        for (count, left, right) in [
            (n(2), "'aé'", "'é😀'"),
            (n(0), "''", "''"),
            (n(HUGE), "'aé😀'", "'aé😀'"),
            (n(-1), "'aé'", "'é😀'"),
            (n(-3), "''", "''"),
            (n(LOW), "''", "''"),
            (null(), "null", "null"),
        ] {
            check(F::Left, [t("aé😀"), count.clone()], left);
            check(F::Right, [t("aé😀"), count], right);
        }
        check(F::Left, [null(), n(1)], "null");
        check(F::Right, [t(""), n(1)], "''");
    }

    #[test]
    fn parts_are_counted_from_both_ends() {
        for (text, separator, number, result) in [
            (t("a--é--c"), t("--"), n(2), "'é'"),
            (t("a--é--c"), t("--"), n(-1), "'c'"),
            (t("a--é--c"), t("--"), n(4), "''"),
            (t("a--é--c"), t("--"), n(-4), "''"),
            (t("a--é--c"), t("--"), n(0), "''"),
            (t("aaa"), t("aa"), n(-1), "'a'"),
            (t("abc"), t(""), n(1), "'abc'"),
            (t("abc"), t(""), n(-1), "'abc'"),
            (t("abc"), t(""), n(2), "''"),
            (t("abc"), t("x"), n(1), "'abc'"),
            (t("abc"), t("x"), n(LOW), "''"),
            (t("abc"), t("x"), n(HUGE), "''"),
            (t(""), t("x"), n(1), "''"),
            (null(), t("x"), n(1), "null"),
            (t("a"), null(), n(1), "null"),
            (t("a"), t("x"), null(), "null"),
        ] {
            check(F::SplitPart, [text, separator, number], result);
        }
    }
}
