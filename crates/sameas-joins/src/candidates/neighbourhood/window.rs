//! Windows: for each distinct left number, the right numbers that are near enough.
//!
//! Why the right numbers of one kind that are near a left number `a` are one run of their order:
//!
//! 1. With a float, the difference is `|fl(x(a) - x(b))|`, where `x` is the nearest float of a number (a float is its
//!    own) and `fl` rounds to the nearest float. That of two other numbers is exact, or, with a decimal among them,
//!    rounded to 76 digits.
//! 2. Exact: `|a - b|` does not rise while `b` rises to `a`, and does not fall from there on; rounding to a number of
//!    digits never turns an order round. Of two integers it is null where it exceeds `i64::MAX`, which is farther than
//!    any difference that is not null.
//! 3. Rounded: `x` and `fl` never turn an order round, and `fl(-y) = -fl(y)`. So with rising `b` the difference does not
//!    rise as long as `x(b) < x(a)`, and does not fall from the first `b` with `x(b) >= x(a)` on. It is null where it is
//!    infinite, which is farther than any difference that is not null.
//! 4. The condition asks whether the difference is less than, or at most, a constant: it holds for a difference only if
//!    it holds for every smaller one, and not for null. By 2 and 3 it holds, before the centre (the first `b` that is
//!    not less than `a`, both as floats if one is), on a run that ends there, and from the centre on for
//!    a run that begins there.
//! 5. Both ends are found by testing the condition itself, so that the window is neither too narrow nor too wide.
//!
//! Across kinds 2 and 3 do not add up to one order: the integer 2^53 + 1 is 1 away from the integer 2^53 + 2, but 2 away
//! from the float that equals it, because its own nearest float is 2^53. Hence one list of windows for each two kinds.

use std::ops::Range;

use rayon::prelude::*;

use super::order::NumberOrder;
use crate::expr::Num;

/// Left numbers that are searched one after another, each beginning where its predecessor ended.
const RUN: usize = 1 << 12;

/// Some left rows of one number and the right rows of a window, as places in the orders of their rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The left rows begin here.
    pub left: u32,
    /// The left rows end here.
    pub left_end: u32,
    /// The right rows begin here.
    pub right: u32,
    /// The right rows end here.
    pub right_end: u32,
}

impl Window {
    /// The left rows.
    pub fn left(self) -> Range<usize> {
        self.left as usize..self.left_end as usize
    }

    /// The right rows.
    pub fn right(self) -> Range<usize> {
        self.right as usize..self.right_end as usize
    }
}

/// The window of each left number that has one.
pub fn between(left: &NumberOrder, right: &NumberOrder, holds: &(impl Fn(Num, Num) -> bool + Sync)) -> Vec<Window> {
    in_runs(left, |at, last: &mut [usize; 3]| {
        let (number, end) = (left.number(at), right.len());
        let centre = border(0..end, last[1], |b| is_less(right.number(b), number));
        let from = border(0..centre, last[0], |b| !holds(number, right.number(b)));
        let to = border(centre..end, last[2], |b| holds(number, right.number(b)));
        *last = [from, centre, to];
        right.start(from)..right.start(to)
    })
}

/// For each number the window from its own rows on, of all numbers that are not less: each two numbers meet once.
pub fn ahead(order: &NumberOrder, holds: &(impl Fn(Num, Num) -> bool + Sync)) -> Vec<Window> {
    in_runs(order, |at, last: &mut usize| {
        let number = order.number(at);
        *last = border(at..order.len(), *last, |b| holds(number, order.number(b)));
        order.start(at)..order.start(*last)
    })
}

fn in_runs<T: Default>(left: &NumberOrder, window: impl Fn(usize, &mut T) -> Range<u32> + Sync) -> Vec<Window> {
    let runs: Vec<Vec<Window>> = (0..left.len().div_ceil(RUN))
        .into_par_iter()
        .map(|run| {
            let mut last = T::default();
            let places = run * RUN..((run + 1) * RUN).min(left.len());
            let with_partners = places.filter_map(|at| {
                let Range { start, end } = window(at, &mut last);
                let made = Window { left: left.start(at), left_end: left.start(at + 1), right: start, right_end: end };
                (start < end).then_some(made)
            });
            with_partners.collect()
        })
        .collect();
    runs.concat()
}

/// Whether a number lies before the centre of another: as floats, if one is.
#[inline]
fn is_less(b: Num, a: Num) -> bool {
    match (b, a) {
        (Num::Float(_), _) | (_, Num::Float(_)) => b.to_f64() < a.to_f64(),
        (b, a) => b < a,
    }
}

/// The first place of a range where `before` is false, given that it is false from there on. The search goes from
/// `guess` in doubling steps: neighbouring numbers have neighbouring windows.
#[inline]
fn border(range: Range<usize>, guess: usize, before: impl Fn(usize) -> bool) -> usize {
    let Range { mut start, mut end } = range;
    let (guess, mut step) = (guess.clamp(start, end), 1);
    if guess < end && before(guess) {
        start = guess + 1;
        while start < end {
            let at = (start + step).min(end) - 1;
            if !before(at) {
                end = at;
                break;
            }
            start = at + 1;
            step *= 2;
        }
    } else {
        end = guess;
        while start < end {
            let at = end.saturating_sub(step).max(start);
            if before(at) {
                start = at + 1;
                break;
            }
            end = at;
            step *= 2;
        }
    }
    while start < end {
        let middle = start.midpoint(end);
        if before(middle) {
            start = middle + 1;
        } else {
            end = middle;
        }
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_border_is_found_from_any_guess() {
        for (start, end) in [(0, 0), (0, 1), (3, 20), (5, 5), (0, 70)] {
            for border_at in start..=end {
                for guess in 0..end + 2 {
                    assert_eq!(border(start..end, guess, |at| at < border_at), border_at);
                }
            }
        }
    }
}
