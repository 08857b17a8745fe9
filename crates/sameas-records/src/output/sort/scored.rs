//! Sorts pairs with the scores that they carry. While pairs are moved they carry their places in place of their rules, so
//! that the sort is the same whether they have scores or not, and a pair without one is no wider.

use super::radix;
use crate::pairs::{Pair, PairScore, ResultPairs};

/// Memory that sorting uses.
#[derive(Default)]
pub struct SortScratch {
    /// As many pairs again.
    pub pairs: Vec<Pair>,
    /// The scores in order.
    pub scores: Vec<PairScore>,
    rules: Vec<u32>,
}

/// Sorts pairs by [`Pair::key`], and their scores with them.
pub fn sort(list: &mut ResultPairs, scratch: &mut SortScratch) {
    let ResultPairs { pairs, scores } = list;
    if scores.is_empty() {
        return radix::sort(pairs, &mut scratch.pairs);
    }
    scratch.rules.clear();
    let with_place = |(place, pair): (usize, &mut Pair)| std::mem::replace(&mut pair.rule, place as u32);
    scratch.rules.extend(pairs.iter_mut().enumerate().map(with_place));
    radix::sort(pairs, &mut scratch.pairs);
    scratch.scores.clear();
    for pair in pairs {
        let place = pair.rule as usize;
        pair.rule = scratch.rules[place];
        scratch.scores.push(scores[place]);
    }
    std::mem::swap(scores, &mut scratch.scores);
}
