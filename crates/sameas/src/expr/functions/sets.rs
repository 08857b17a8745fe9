//! Sets of tokens and measures of two sets. An empty set is null in every measure.

use std::cmp::Ordering;
use std::sync::Arc;

use super::arithmetic::to_integer;
use crate::cancel::or_end;
use crate::expr::eval::{Args, bools, numbers};
use crate::expr::{BESIDE_A_TEXT, Function, Num, Vector};
use crate::measure::set::{cosine, dice, jaccard, overlap_coefficient};
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

/// Number of elements that two sorted sets share.
fn intersection(x: &[&str], y: &[&str]) -> usize {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while let (Some(a), Some(b)) = (x.get(i), y.get(j)) {
        let order = a.cmp(b);
        i += usize::from(order != Ordering::Greater);
        j += usize::from(order != Ordering::Less);
        common += usize::from(order == Ordering::Equal);
    }
    common
}

/// Sizes of the intersection and of the two sets of a row.
fn sizes(args: &Args<'_>, row: usize) -> Option<(usize, usize, usize)> {
    let x = set(args.text_lists(0).get(row)?)?;
    let y = set(args.text_lists(1).get(row)?)?;
    Some((intersection(&x, &y), x.len(), y.len()))
}

pub(super) fn measure(function: Function, args: &Args<'_>) -> Vector {
    let formula: fn(usize, usize, usize) -> Num = match function {
        Function::Jaccard => |i, x, y| Num::Float(jaccard(i, x, y)),
        Function::Dice => |i, x, y| Num::Float(dice(i, x, y)),
        Function::Cosine => |i, x, y| Num::Float(cosine(i, x, y)),
        Function::OverlapCoefficient => |i, x, y| Num::Float(overlap_coefficient(i, x, y)),
        _ => |i, _, _| Num::Int(i as i64),
    };
    numbers(args.rows(), |row| sizes(args, row).map(|(i, x, y)| formula(i, x, y)))
}

/// The number of different elements, 0 of an empty list.
pub(super) fn array_length(args: &Args<'_>) -> Vector {
    let lists = args.text_lists(0);
    numbers(args.rows(), |row| Some(Num::Int(set(lists.get(row)?).map_or(0, |set| set.len()) as i64)))
}

/// `list_has_any`.
pub(super) fn has_any(args: &Args<'_>) -> Vector {
    bools(args.rows(), |row| sizes(args, row).map(|(common, _, _)| common > 0))
}

#[cfg(test)]
mod tests {
    use crate::expr::Function as F;
    use crate::expr::eval::testing::{check, f, n, null, t, tl};

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
            (F::Jaccard, "0.25"),
            (F::Dice, "0.4"),
            (F::Cosine, "0.4082482904638631"),
            (F::OverlapCoefficient, "0.5"),
            (F::Overlap, "1"),
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
        check(F::Overlap, [tl(&["a"]), tl(&["b"])], "0");
    }
}
