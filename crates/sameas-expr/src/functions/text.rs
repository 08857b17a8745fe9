//! Texts made from texts, and properties of texts.

use arrow_array::{Array, StringArray};
use arrow_buffer::{Buffer, OffsetBuffer};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::expr::eval::{Args, TextArg, bools, numbers, texts};
use crate::expr::{Function, Num, Vector};

pub(super) fn apply(function: Function, args: &Args<'_>) -> Vector {
    match function {
        Function::Concat => concat(args),
        Function::Lower => case(args, <[u8]>::make_ascii_lowercase, str::to_lowercase),
        Function::Upper => case(args, <[u8]>::make_ascii_uppercase, str::to_uppercase),
        Function::Replace => replace(args),
        Function::StripAccents => strip_accents(args),
        Function::StripPunctuation => map(args, |text, out| {
            out.extend(text.chars().filter(|c| c.is_alphanumeric() || c.is_whitespace()));
        }),
        Function::CollapseSpaces => map(args, collapse_spaces),
        Function::Digits => map(args, digits),
        other => unreachable!("{other:?} belongs to another group"),
    }
}

/// `length`, `starts_with` and `contains`.
pub(super) fn property(function: Function, args: &Args<'_>) -> Vector {
    let (text, part) = (args.texts(0), args.texts(1));
    match function {
        Function::Length => numbers(args.rows(), |row| Some(Num::Int(text.get(row)?.chars().count() as i64))),
        Function::StartsWith => bools(args.rows(), |row| Some(text.get(row)?.starts_with(part.get(row)?))),
        Function::Contains => bools(args.rows(), |row| Some(text.get(row)?.contains(part.get(row)?))),
        other => unreachable!("{other:?} belongs to another group"),
    }
}

/// A text for each text: `write` appends it.
fn map(args: &Args<'_>, write: impl Fn(&str, &mut String)) -> Vector {
    let text = args.texts(0);
    texts(args, text.bytes(args.rows()), |row, out| {
        write(text.get(row)?, out);
        Some(())
    })
}

fn concat(args: &Args<'_>) -> Vector {
    let parts: Vec<TextArg<'_>> = (0..args.len()).map(|index| args.texts(index)).collect();
    let bytes = parts.iter().map(|part| part.bytes(args.rows())).sum();
    texts(args, bytes, |row, out| {
        let joined: usize = parts.iter().filter_map(|part| part.get(row)).map(str::len).sum();
        check_long(args, joined);
        for part in &parts {
            out.push_str(part.get(row)?);
        }
        Some(())
    })
}

/// A text of this many bytes is checked before it is written; shorter ones are counted after that.
const LONG: usize = 1 << 20;

/// Ends the job where a text of that many bytes does not fit its memory.
pub(super) fn check_long(args: &Args<'_>, bytes: usize) {
    if bytes >= LONG {
        args.cancel().check_room(bytes);
    }
}

/// Another letter case; a column of ASCII texts is changed at once.
fn case(args: &Args<'_>, ascii: fn(&mut [u8]), unicode: fn(&str) -> String) -> Vector {
    match args.text_column(0).and_then(|array| Some((array, ascii_bytes(array)?))) {
        Some((array, bytes)) => Vector::Text(with_bytes(array, bytes, ascii)),
        None => map(args, |text, out| out.push_str(&unicode(text))),
    }
}

/// The bytes of a column's texts, null ones included, if all are ASCII.
fn ascii_bytes(array: &StringArray) -> Option<&[u8]> {
    let offsets = array.value_offsets();
    let bytes = &array.value_data()[offsets[0] as usize..offsets[array.len()] as usize];
    bytes.is_ascii().then_some(bytes)
}

/// A column of ASCII texts, these bytes, after a change that keeps them ASCII.
fn with_bytes(array: &StringArray, bytes: &[u8], change: fn(&mut [u8])) -> StringArray {
    let mut bytes = bytes.to_vec();
    change(&mut bytes);
    let first = array.value_offsets()[0];
    let offsets: Vec<i32> = array.value_offsets().iter().map(|offset| offset - first).collect();
    StringArray::new(OffsetBuffer::new(offsets.into()), Buffer::from(bytes), array.nulls().cloned())
}

fn replace(args: &Args<'_>) -> Vector {
    let (text, from, to) = (args.texts(0), args.texts(1), args.texts(2));
    texts(args, text.bytes(args.rows()), |row, out| {
        let (text, from, to) = (text.get(row)?, from.get(row)?, to.get(row)?);
        if text.len().saturating_mul(to.len()) >= LONG && !from.is_empty() {
            let bytes = text.matches(from).count().saturating_mul(to.len()).saturating_add(text.len());
            check_long(args, bytes);
            if bytes >= LONG {
                // A buffer that doubles while it grows would take three times as much for a moment.
                out.reserve_exact(bytes);
            }
        }
        let mut rest = 0;
        if !from.is_empty() {
            for (start, _) in text.match_indices(from) {
                out.push_str(&text[rest..start]);
                out.push_str(to);
                rest = start + from.len();
            }
        }
        out.push_str(&text[rest..]);
        Some(())
    })
}

fn strip_accents(args: &Args<'_>) -> Vector {
    if let Some(array) = args.text_column(0).filter(|array| ascii_bytes(array).is_some()) {
        return Vector::Text(array.clone());
    }
    map(args, write_without_accents)
}

/// Runs of ASCII are copied. They neither decompose nor compose: what a character composes with, in the runs between
/// them too, is a combining mark, which is dropped, or a Hangul letter next to another.
fn write_without_accents(text: &str, out: &mut String) {
    let mut rest = text;
    while !rest.is_empty() {
        let (plain, other) = rest.split_at(rest.bytes().position(|byte| !byte.is_ascii()).unwrap_or(rest.len()));
        let (accented, next) = other.split_at(other.bytes().position(|byte| byte.is_ascii()).unwrap_or(other.len()));
        out.push_str(plain);
        out.extend(accented.nfd().filter(|c| !is_combining_mark(*c)).nfc());
        rest = next;
    }
}

/// Runs of digits are copied whole.
fn digits(text: &str, out: &mut String) {
    text.split(|c: char| !c.is_ascii_digit()).for_each(|run| out.push_str(run));
}

fn collapse_spaces(text: &str, out: &mut String) {
    for (index, word) in text.split_whitespace().enumerate() {
        if index > 0 {
            out.push(' ');
        }
        out.push_str(word);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::expr::Function as F;
    use crate::expr::eval::testing::{check, check_columns, n, null, t};

    proptest! {
        #[test]
        fn accents_are_removed_by_runs_as_from_the_whole_text(text in "(\\PC|[a-c]|[à-ÿ]|[\u{300}-\u{345}]|[\u{1100}-\u{11ff}]|[가-힣]){0,12}") {
            let mut stripped = String::new();
            write_without_accents(&text, &mut stripped);
            prop_assert_eq!(stripped, text.nfd().filter(|c| !is_combining_mark(*c)).nfc().collect::<String>());
        }
    }

    #[test]
    fn texts_are_joined() {
        check(F::Concat, [t("a"), t(""), t("é")], "'aé'");
        check(F::Concat, [t("a"), null(), t("b")], "null");
    }

    #[test]
    fn letter_case_follows_unicode() {
        for (text, lower, upper) in [
            (t("Ab1"), "'ab1'", "'AB1'"),
            (t("ÀÉß"), "'àéß'", "'ÀÉSS'"),
            (t("ΟΔΟΣ"), "'οδος'", "'ΟΔΟΣ'"),
            (t(""), "''", "''"),
            (null(), "null", "null"),
        ] {
            check(F::Lower, [text.clone()], lower);
            check(F::Upper, [text], upper);
        }
        check_columns(F::Lower, &[vec![t("Ab"), null(), t("É"), t("X")]], &["'ab'", "null", "'é'", "'x'"]);
        check_columns(F::Upper, &[vec![t("Ab"), null(), t("x")]], &["'AB'", "null", "'X'"]);
    }

    #[test]
    fn every_occurrence_is_replaced() {
        for (text, from, to, result) in [
            (t("aXbXc"), t("X"), t("--"), "'a--b--c'"),
            (t("aaa"), t("aa"), t("b"), "'ba'"),
            (t("abc"), t(""), t("x"), "'abc'"),
            (t("éé"), t("é"), t(""), "''"),
            (t(""), t("a"), t("b"), "''"),
            (null(), t("a"), t("b"), "null"),
            (t("a"), null(), t("b"), "null"),
            (t("a"), t("b"), null(), "null"),
        ] {
            check(F::Replace, [text, from, to], result);
        }
    }

    #[test]
    fn texts_are_cleaned() {
        for (text, accents, punctuation, spaces, digits) in [
            (t("Crème  Brûlée"), "'Creme  Brulee'", "'Crème  Brûlée'", "'Crème Brûlée'", "''"),
            (t(" O'Neil-1,2 \t٣ "), "' O'Neil-1,2 \t٣ '", "' ONeil12 \t٣ '", "'O'Neil-1,2 ٣'", "'12'"),
            (t("e\u{301}한글ø"), "'e한글ø'", "'e한글ø'", "'e\u{301}한글ø'", "''"),
            (t(""), "''", "''", "''", "''"),
            (t("\u{a0}"), "'\u{a0}'", "'\u{a0}'", "''", "''"),
            (null(), "null", "null", "null", "null"),
        ] {
            check(F::StripAccents, [text.clone()], accents);
            check(F::StripPunctuation, [text.clone()], punctuation);
            check(F::CollapseSpaces, [text.clone()], spaces);
            check(F::Digits, [text], digits);
        }
    }

    #[test]
    fn properties_of_texts() {
        for (text, length) in [(t("aé한😀"), "4"), (t(""), "0"), (null(), "null")] {
            check(F::Length, [text], length);
        }
        for (text, part, starts, contains) in [
            (t("élan"), t("él"), "true", "true"),
            (t("élan"), t("an"), "false", "true"),
            (t("élan"), t("x"), "false", "false"),
            (t("élan"), t(""), "true", "true"),
            (t("é"), t("e"), "false", "false"),
            (t(""), t("a"), "false", "false"),
            (t("a"), null(), "null", "null"),
            (null(), t("a"), "null", "null"),
        ] {
            check(F::StartsWith, [text.clone(), part.clone()], starts);
            check(F::Contains, [text, part], contains);
        }
        check(F::Length, [n(3)], "null");
    }
}
