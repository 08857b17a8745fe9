//! `like` and `ilike`: `%` stands for any characters, `_` for one.

use super::memo::Memo;
use crate::expr::eval::{Args, bools};
use crate::expr::{Function, Vector};

/// A piece of a pattern.
#[derive(Clone, Copy, PartialEq)]
enum LikePiece {
    /// This character.
    One(char),
    /// Any one character.
    AnyOne,
    /// Any characters or none.
    Any,
}

pub(super) fn apply(function: Function, args: &Args<'_>) -> Vector {
    let (text, pattern, escape) = (args.texts(0), args.texts(1), args.texts(2));
    let escaped = args.len() > 2;
    let mut patterns = Memo::new();
    bools(args.rows(), |row| {
        let (text, pattern) = (text.get(row)?, pattern.get(row)?);
        let escape = if escaped { escape.get(row)? } else { "" };
        if function == Function::ILike {
            let make = || pieces(&pattern.to_lowercase(), &escape.to_lowercase());
            return Some(matches(&text.to_lowercase(), patterns.get(pattern, escape, make).as_ref()?));
        }
        Some(matches(text, patterns.get(pattern, escape, || pieces(pattern, escape)).as_ref()?))
    })
}

/// Reads a pattern; `None` if the escape is more than one character or nothing follows it.
fn pieces(pattern: &str, escape: &str) -> Option<Vec<LikePiece>> {
    let mut escape_chars = escape.chars();
    let escape = escape_chars.next();
    if escape_chars.next().is_some() {
        return None;
    }
    let mut pieces = Vec::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        pieces.push(match c {
            _ if Some(c) == escape => LikePiece::One(chars.next()?),
            '%' => LikePiece::Any,
            '_' => LikePiece::AnyOne,
            _ => LikePiece::One(c),
        });
    }
    Some(pieces)
}

/// Tries to match from left to right; on a failure the last `%` takes one character more. Earlier ones need not be
/// tried again: what they could reach, the last can reach as well.
fn matches(text: &str, pieces: &[LikePiece]) -> bool {
    let (mut rest, mut next) = (text, 0);
    let mut retry: Option<(&str, usize)> = None;
    loop {
        let mut chars = rest.chars();
        match (pieces.get(next), chars.next()) {
            (Some(LikePiece::Any), _) => {
                next += 1;
                retry = Some((rest, next));
                continue;
            }
            (None, None) => return true,
            (Some(LikePiece::One(wanted)), Some(c)) if *wanted == c => {}
            (Some(LikePiece::AnyOne), Some(_)) => {}
            _ => {
                let Some((from, piece)) = retry else { return false };
                let mut chars = from.chars();
                if chars.next().is_none() {
                    return false;
                }
                (rest, next) = (chars.as_str(), piece);
                retry = Some((rest, next));
                continue;
            }
        }
        (rest, next) = (chars.as_str(), next + 1);
    }
}

#[cfg(test)]
mod tests {
    use crate::expr::Function as F;
    use crate::expr::eval::testing::{check, null, t};

    #[test]
    fn patterns_match_whole_texts() {
        for (text, pattern, result) in [
            ("abc", "abc", "true"),
            ("abc", "ab", "false"),
            ("abc", "a%", "true"),
            ("abc", "%b%", "true"),
            ("abc", "%b", "false"),
            ("abc", "_b_", "true"),
            ("abc", "__", "false"),
            ("aé😀", "a__", "true"),
            ("", "%", "true"),
            ("", "_", "false"),
            ("", "", "true"),
            ("aXbXcX", "a%X%X", "true"),
            ("aab", "%ab", "true"),
            ("abcabd", "%ab_", "true"),
            ("mississippi", "m%iss%pi", "true"),
            ("mississippi", "m%iss%ppp%", "false"),
            ("a%b", "a\\%b", "false"),
            ("ABC", "abc", "false"),
        ] {
            check(F::Like, [t(text), t(pattern)], result);
        }
    }

    #[test]
    fn an_escape_makes_the_next_character_plain() {
        for (text, pattern, escape, result) in [
            ("a%b", "a!%b", "!", "true"),
            ("axb", "a!%b", "!", "false"),
            ("a!b", "a!!b", "!", "true"),
            ("a_", "aé_", "é", "true"),
            ("a!", "a!", "", "true"),
            ("a", "a!", "!", "null"),
            ("a", "a", "!!", "null"),
        ] {
            check(F::Like, [t(text), t(pattern), t(escape)], result);
        }
        check(F::Like, [t("a"), t("a"), null()], "null");
        check(F::Like, [null(), t("a")], "null");
        check(F::Like, [t("a"), null()], "null");
    }

    #[test]
    fn ilike_ignores_case() {
        for (text, pattern, result) in
            [("ÀB", "à_", "true"), ("straße", "STRASSE", "false"), ("abc", "%C", "true"), ("abc", "%D", "false")]
        {
            check(F::ILike, [t(text), t(pattern)], result);
        }
        check(F::ILike, [t("A%"), t("a!%"), t("!")], "true");
        check(F::ILike, [null(), t("a")], "null");
    }

    #[test]
    fn many_wildcards_take_no_exponential_time() {
        let (text, pattern) = ("a".repeat(10_000), "%a".repeat(50) + "%b");
        check(F::Like, [t(&text), t(&pattern)], "false");
    }
}
