//! One side of a join: its sets in order of size.

use std::ops::Range;

use rayon::prelude::*;

use super::bounds::Bounds;
use super::signature::SetSignatures;
use crate::records::encode::Sets;

/// The sets of a side. A rank is a set's place in the order of rising size.
#[derive(Debug)]
pub struct SetSide<'a> {
    sets: Sets<'a>,
    /// Codes by rank.
    pub codes: Vec<u32>,
    /// Classes of size by rank.
    classes: Vec<u32>,
    /// The first rank of each class, and after the last class the number of ranks.
    firsts: Vec<u32>,
    /// Signatures by rank.
    pub signatures: SetSignatures,
}

impl<'a> SetSide<'a> {
    /// Orders the non-empty sets of some codes by size; codes of one size keep their order.
    pub fn new(sets: Sets<'a>, codes: &[u32], bounds: &Bounds) -> Self {
        let class = |code: &u32| {
            let size = sets.set(*code).len() as u32;
            (size > 0).then(|| (bounds.class_of(size), *code))
        };
        let given: Vec<(u32, u32)> = codes.par_iter().filter_map(class).collect();
        let mut firsts = vec![0; bounds.classes() + 1];
        given.iter().for_each(|(class, _)| firsts[*class as usize + 1] += 1);
        for at in 1..firsts.len() {
            firsts[at] += firsts[at - 1];
        }
        let mut next = firsts.clone();
        let (mut codes, mut classes) = (vec![0; given.len()], vec![0; given.len()]);
        for (class, code) in given {
            let rank = &mut next[class as usize];
            codes[*rank as usize] = code;
            classes[*rank as usize] = class;
            *rank += 1;
        }
        Self { sets, codes, classes, firsts, signatures: SetSignatures::default() }
    }

    /// Makes signatures of `words` words.
    pub fn sign(&mut self, words: usize) {
        self.signatures = SetSignatures::new(self.sets, &self.codes, words);
    }

    /// Number of sets.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// The set of a rank.
    #[inline]
    pub fn set(&self, rank: u32) -> &'a [u32] {
        self.sets.set(self.codes[rank as usize])
    }

    /// The class of a rank.
    #[inline]
    pub fn class(&self, rank: u32) -> u32 {
        self.classes[rank as usize]
    }

    /// The ranks of some classes.
    #[inline]
    pub fn ranks(&self, classes: Range<u32>) -> Range<u32> {
        self.firsts[classes.start as usize]..self.firsts[classes.end as usize]
    }

    /// One above the largest token.
    pub fn tokens(&self) -> usize {
        (0..self.len() as u32)
            .into_par_iter()
            .map(|r| self.set(r).last().map_or(0, |t| *t as usize + 1))
            .max()
            .unwrap_or(0)
    }
}
