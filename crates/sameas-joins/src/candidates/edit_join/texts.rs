//! The texts that take part, numbered by slot: those of the left list, then those of the right one.

use super::by_length::ByLength;
use super::lengths::LengthHistogram;
use crate::measure::Unit;
use crate::records::encode::Strings;

/// The texts by slot.
pub(super) struct JoinTexts<'a, U> {
    codes: Vec<u32>,
    /// The characters by slot: one access where code, end and characters would be three.
    texts: Vec<&'a [U]>,
    lefts: u32,
    two_lists: bool,
}

impl<'a, U: Unit> JoinTexts<'a, U> {
    /// The texts of one list or two that are not empty.
    pub(super) fn new(strings: Strings<'a, U>, left: &[u32], right: Option<&[u32]>) -> Self {
        let some = |code: &u32| strings.length(*code) > 0;
        let mut codes: Vec<u32> = left.iter().copied().filter(some).collect();
        let lefts = codes.len() as u32;
        codes.extend(right.unwrap_or_default().iter().copied().filter(some));
        // The largest slot number marks the end of a group.
        assert!(codes.len() < u32::MAX as usize, "more than 2^32 - 2 texts");
        let texts = codes.iter().map(|&code| strings.get(code)).collect();
        JoinTexts { codes, texts, lefts, two_lists: right.is_some() }
    }

    /// How many slots there are.
    pub(super) fn len(&self) -> u32 {
        self.codes.len() as u32
    }

    /// How many slots belong to the left list.
    pub(super) fn lefts(&self) -> u32 {
        self.lefts
    }

    /// True in a join of two lists.
    pub(super) fn two_lists(&self) -> bool {
        self.two_lists
    }

    /// The first slot that may stand on the right of a pair.
    pub(super) fn first_right(&self) -> u32 {
        if self.two_lists { self.lefts } else { 0 }
    }

    #[inline]
    pub(super) fn code(&self, slot: u32) -> u32 {
        self.codes[slot as usize]
    }

    #[inline]
    pub(super) fn get(&self, slot: u32) -> &'a [U] {
        self.texts[slot as usize]
    }

    /// How many texts have each length.
    pub(super) fn histogram(&self) -> LengthHistogram {
        let count = |texts: &[&[U]]| {
            let mut counts = ByLength::default();
            for text in texts {
                *counts.get_mut(text.len()) += 1;
            }
            counts
        };
        let (left, right) = self.texts.split_at(self.lefts as usize);
        LengthHistogram { left: count(left), right: self.two_lists.then(|| count(right)) }
    }
}
