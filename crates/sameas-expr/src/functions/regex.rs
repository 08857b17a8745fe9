//! Regular expressions: replacing and extracting. A pattern that does not compile yields null.

use regex::{Captures, Regex, RegexBuilder};

use super::arithmetic::to_integer;
use super::memo::Memo;
use super::text::check_long;
use crate::expr::Vector;
use crate::expr::eval::{Args, texts};

/// A pattern, and whether every match of it is replaced.
struct CompiledPattern {
    regex: Regex,
    every: bool,
}

/// A piece of a replacement.
enum ReplacementPiece {
    Text(String),
    Group(usize),
}

/// `regexp_replace(s, pattern, to[, flags])`.
pub(super) fn replace(args: &Args<'_>) -> Vector {
    let (text, pattern, to, flags) = (args.texts(0), args.texts(1), args.texts(2), args.texts(3));
    let flagged = args.len() > 3;
    let (mut patterns, mut replacements) = (Memo::new(), Memo::new());
    texts(args, text.bytes(args.rows()), |row, out| {
        let (text, pattern, to) = (text.get(row)?, pattern.get(row)?, to.get(row)?);
        let flags = if flagged { flags.get(row)? } else { "" };
        let pattern = patterns.get(pattern, flags, || compile(pattern, flags)).as_ref()?;
        let (start, check) = (out.len(), |length: usize| check_long(args, length));
        write_replaced(text, pattern, replacements.get(to, "", || pieces(to)), out, |length| check(length - start));
        Some(())
    })
}

/// `regexp_extract(s, pattern[, group])`: empty where there is no match or no such group.
pub(super) fn extract(args: &Args<'_>) -> Vector {
    let (text, pattern, group) = (args.texts(0), args.texts(1), args.numbers(2));
    let grouped = args.len() > 2;
    let mut patterns = Memo::new();
    texts(args, text.bytes(args.rows()), |row, out| {
        let (text, pattern) = (text.get(row)?, pattern.get(row)?);
        let group = if grouped { to_integer(group.get(row)?)? } else { 0 };
        let regex = &patterns.get(pattern, "", || compile(pattern, "")).as_ref()?.regex;
        out.push_str(extracted(text, regex, group).unwrap_or_default());
        Some(())
    })
}

fn extracted<'a>(text: &'a str, regex: &Regex, group: i64) -> Option<&'a str> {
    match usize::try_from(group).ok()? {
        0 => regex.find(text).map(|found| found.as_str()),
        group => regex.captures(text)?.get(group).map(|found| found.as_str()),
    }
}

/// The pattern under the flags `g` (every match) and `i` (ignore case); `None` if either is wrong.
fn compile(pattern: &str, flags: &str) -> Option<CompiledPattern> {
    let known = flags.chars().all(|flag| matches!(flag, 'g' | 'i'));
    let regex = known.then(|| RegexBuilder::new(pattern).case_insensitive(flags.contains('i')).build())?;
    Some(CompiledPattern { regex: regex.ok()?, every: flags.contains('g') })
}

/// Reads a replacement: `\0` to `\9` are groups, `\\` is a backslash, all else stands for itself.
fn pieces(to: &str) -> Vec<ReplacementPiece> {
    let (mut pieces, mut plain) = (Vec::new(), String::new());
    let mut chars = to.chars().peekable();
    while let Some(c) = chars.next() {
        let group = chars.peek().and_then(|next| next.to_digit(10)).filter(|_| c == '\\');
        if let Some(group) = group {
            pieces.push(ReplacementPiece::Text(std::mem::take(&mut plain)));
            pieces.push(ReplacementPiece::Group(group as usize));
            chars.next();
        } else {
            plain.push(c);
            if c == '\\' {
                chars.next_if_eq(&'\\');
            }
        }
    }
    pieces.push(ReplacementPiece::Text(plain));
    pieces
}

/// Writes the text with its matches replaced, and tells `check` again and again how long `out` is by now.
fn write_replaced(
    text: &str,
    pattern: &CompiledPattern,
    pieces: &[ReplacementPiece],
    out: &mut String,
    check: impl Fn(usize),
) {
    let mut rest = 0;
    let limit = if pattern.every { usize::MAX } else { 1 };
    // Groups cost time; without one in the replacement, knowing where the matches are is enough.
    if let [ReplacementPiece::Text(plain)] = pieces {
        for found in pattern.regex.find_iter(text).take(limit) {
            out.push_str(&text[rest..found.start()]);
            out.push_str(plain);
            check(out.len());
            rest = found.end();
        }
    } else {
        for groups in pattern.regex.captures_iter(text).take(limit) {
            let found = groups.get_match();
            out.push_str(&text[rest..found.start()]);
            write_pieces(&groups, pieces, out);
            check(out.len());
            rest = found.end();
        }
    }
    out.push_str(&text[rest..]);
}

fn write_pieces(groups: &Captures<'_>, pieces: &[ReplacementPiece], out: &mut String) {
    for piece in pieces {
        match piece {
            ReplacementPiece::Text(text) => out.push_str(text),
            ReplacementPiece::Group(group) => out.push_str(groups.get(*group).map_or("", |found| found.as_str())),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::expr::Function as F;
    use crate::expr::eval::testing::{check, check_columns, n, null, t};

    #[test]
    fn first_or_every_match_is_replaced() {
        for (text, pattern, to, flags, result) in [
            ("a1b22", "[0-9]+", "#", "", "'a#b22'"),
            ("a1b22", "[0-9]+", "#", "g", "'a#b#'"),
            ("AbaB", "b", "", "gi", "'Aa'"),
            ("John Smith", r"(\w+) (\w+)", r"\2, \1", "", "'Smith, John'"),
            ("ab", "(a)|(b)", r"<\1\2\0\7>", "g", "'<aa><bb>'"),
            ("price", "price", "$1 $price", "", "'$1 $price'"),
            ("a", "a", r"\\1\x\", "", r"'\1\x\'"),
            ("é", "", "-", "g", "'-é-'"),
            ("", "^$", "x", "", "'x'"),
            ("abc", "(", "x", "", "null"),
            ("abc", "b", "x", "z", "null"),
            ("abc", r"\w{1000}{1000}", "x", "", "null"),
        ] {
            check(F::RegexpReplace, [t(text), t(pattern), t(to), t(flags)], result);
        }
        check(F::RegexpReplace, [t("aa"), t("a"), t("b")], "'ba'");
        for nulled in 0..4 {
            let mut arguments = vec![t("aa"), t("a"), t("b"), t("g")];
            arguments[nulled] = null();
            check(F::RegexpReplace, arguments, "null");
        }
    }

    #[test]
    fn patterns_may_come_from_a_column() {
        let texts = vec![t("ab"), t("ab"), t("ab"), t("ab")];
        let patterns = vec![t("a"), t("["), t("b"), null()];
        check_columns(F::RegexpExtract, &[texts.clone(), patterns.clone()], &["'a'", "null", "'b'", "null"]);
        let to = vec![t("x"), t("x"), t(r"\0\0"), t("x")];
        check_columns(F::RegexpReplace, &[texts, patterns, to], &["'xb'", "null", "'abb'", "null"]);
    }

    #[test]
    fn a_match_or_group_is_extracted() {
        for (text, pattern, group, result) in [
            (t("tel 030-12"), t(r"(\d+)-(\d+)"), n(0), "'030-12'"),
            (t("tel 030-12"), t(r"(\d+)-(\d+)"), n(2), "'12'"),
            (t("tel 030-12"), t(r"(\d+)-(\d+)"), n(3), "''"),
            (t("tel 030-12"), t(r"(\d+)-(\d+)"), n(-1), "''"),
            (t("b"), t("(a)|b"), n(1), "''"),
            (t("x"), t("a"), n(0), "''"),
            (t("Éa"), t("(?i)é"), n(0), "'É'"),
            (t(""), t(".*"), n(0), "''"),
            (t("a"), t("*"), n(0), "null"),
            (null(), t("a"), n(0), "null"),
            (t("a"), null(), n(0), "null"),
            (t("a"), t("a"), null(), "null"),
        ] {
            check(F::RegexpExtract, [text, pattern, group], result);
        }
        check(F::RegexpExtract, [t("a7"), t("[0-9]")], "'7'");
    }
}
