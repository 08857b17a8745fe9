//! Sets of tokens and measures of two sets. An empty set is null in every measure.

use std::sync::Arc;

use super::arithmetic::to_integer;
use crate::cancel::or_end;
use crate::expr::eval::{Args, bools, numbers};
use crate::expr::{BESIDE_A_TEXT, Function, Num, Vector};
use crate::measure::SetMeasure;
use crate::measure::set::common_texts;
use crate::measure::tokens::{qgrams, words};

/// The tokens of a text, in order and each once.
pub(super) fn tokens(function: Function, args: &Args<'_>) -> Vector {
    let (text, q) = (args.texts(0), args.numbers(1));
    let set = |row| {
        let text = text.get(row)?;
        // A token is first known by its place in the text.
        super::text::check_long(args, text.len().saturating_mul(size_of::<&str>()));
        if function == Function::Words {
            return Some(sorted(words(text).collect()));
        }
        let q = usize::try_from(to_integer(q.get(row)?)?).ok().filter(|q| *q > 0)?;
        Some(sorted(qgrams(text, q).collect()))
    };
    let (mut bytes, mut held) = (0, args.cancel().hold(0));
    let mut boxed = |set: Vec<&str>| -> Arc<[Box<str>]> {
        bytes += set.iter().map(|token| BESIDE_A_TEXT + token.len()).sum::<usize>();
        or_end(held.grow(bytes));
        set.into_iter().map(Box::from).collect()
    };
    Vector::TextList((0..args.rows()).map(|row| set(row).map(&mut boxed)).collect())
}

fn sorted(mut tokens: Vec<&str>) -> Vec<&str> {
    // Sets made here are in order already; only list columns need sorting.
    if !tokens.is_sorted_by(|a, b| a < b) {
        tokens.sort_unstable();
        tokens.dedup();
    }
    tokens
}

/// The set of a list's elements; `None` where it is empty.
fn set(list: &[Box<str>]) -> Option<Vec<&str>> {
    let elements: Vec<&str> = list.iter().map(AsRef::as_ref).filter(|element: &&str| !element.is_empty()).collect();
    (!elements.is_empty()).then(|| sorted(elements))
}

/// The two sets of a row; `None` where one is null or empty.
fn both<'a>(args: &Args<'a>, row: usize) -> Option<(Vec<&'a str>, Vec<&'a str>)> {
    Some((set(args.text_lists(0).get(row)?)?, set(args.text_lists(1).get(row)?)?))
}

/// A measure of two sets.
pub(super) fn measure(measure: SetMeasure, args: &Args<'_>) -> Vector {
    numbers(args.rows(), |row| both(args, row).map(|(x, y)| Num::from(measure.value(&x, &y))))
}

/// The number of different elements, 0 of an empty list.
pub(super) fn array_length(args: &Args<'_>) -> Vector {
    let lists = args.text_lists(0);
    numbers(args.rows(), |row| Some(Num::Int(set(lists.get(row)?).map_or(0, |set| set.len()) as i64)))
}

/// `list_has_any`.
pub(super) fn has_any(args: &Args<'_>) -> Vector {
    bools(args.rows(), |row| both(args, row).map(|(x, y)| common_texts(&x, &y) > 0))
}

#[cfg(test)]
mod tests {
    use crate::expr::Function as F;
    use crate::expr::eval::testing::{check, f, n, null, t, tl};
    use crate::measure::SetMeasure as M;

    #[test]
    fn texts_have_sets_of_tokens() {
        for (text, words) in [
            (t("b a-b, é1"), "[a, b, é1]"),
            (t("e\u{301}a -\u{301}"), "[e\u{301}a]"),
            (t("!?"), "[]"),
            (t(""), "[]"),
            (null(), "null"),
        ] {
            check(F::Words, [text], words);
        }
        for (text, q, qgrams) in [
            (t("banana"), n(2), "[an, ba, na]"),
            (t("éa"), n(1), "[a, é]"),
            (t("ab"), n(3), "[]"),
            (t("ab"), n(i64::MAX), "[]"),
            (t("ab"), n(0), "null"),
            (t("ab"), n(-1), "null"),
            (t("ab"), f(1e300), "null"),
            (t("ab"), null(), "null"),
            (null(), n(2), "null"),
        ] {
            check(F::Qgrams, [text, q], qgrams);
        }
    }

    #[test]
    fn measures_of_sets() {
        let (x, y) = (tl(&["b", "a", "b", ""]), tl(&["é", "b", "c"]));
        for (function, result) in [
            (F::Set(M::Jaccard), "0.25"),
            (F::Set(M::Dice), "0.4"),
            (F::Set(M::Cosine), "0.4082482904638631"),
            (F::Set(M::OverlapCoefficient), "0.5"),
            (F::Set(M::Overlap), "1"),
            (F::ListHasAny, "true"),
        ] {
            check(function, [x.clone(), y.clone()], result);
            for missing in [null(), tl(&[]), tl(&[""])] {
                check(function, [x.clone(), missing.clone()], "null");
                check(function, [missing, x.clone()], "null");
            }
        }
        for (list, length) in [(tl(&["b", "a", "b", ""]), "2"), (tl(&[]), "0"), (null(), "null")] {
            check(F::ArrayLength, [list], length);
        }
        check(F::ListHasAny, [tl(&["a"]), tl(&["b"])], "false");
        check(F::Set(M::Overlap), [tl(&["a"]), tl(&["b"])], "0");
    }
}
