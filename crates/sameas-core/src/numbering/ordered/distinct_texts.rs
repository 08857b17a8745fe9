//! Distinct texts in the order of their bytes, to be found later.

use foldhash::fast::RandomState;
use hashbrown::HashSet;
use rayon::prelude::*;

use crate::cancel::or_end;
use crate::error::Result;
use crate::memory::{Held, MemoryBudget};
use crate::numbering::growing::GrowingNumbers;

/// Bytes beside the characters of a text: where it ends, its number, its place in a table.
const BESIDE_A_TEXT: usize = 24;

/// Bytes for each text of a set: its address and length, and what is free beside it.
const IN_A_SET: usize = 20;

/// These texts, which come in any order and with repetitions, numbered in their order.
pub fn texts_in_order<'a>(
    texts: impl ParallelIterator<Item = &'a [u8]>,
    budget: &MemoryBudget,
) -> Result<GrowingNumbers> {
    let none = || SeenTexts::new(budget);
    let seen = texts.fold(none, SeenTexts::with).reduce(none, SeenTexts::joined);
    let _listed = budget.hold(seen.set.len() * size_of::<&[u8]>())?;
    let mut sorted: Vec<&[u8]> = seen.set.into_iter().collect();
    drop(seen.held);
    sorted.par_sort_unstable();
    let bytes = sorted.iter().map(|text| text.len()).sum::<usize>();
    let _made = budget.hold(bytes + sorted.len() * BESIDE_A_TEXT)?;
    let mut numbers = GrowingNumbers::with_room(sorted.len(), bytes);
    for text in sorted {
        numbers.push(text);
    }
    Ok(numbers)
}

/// Different texts while they are collected, and their memory: ends the job where there is too little.
struct SeenTexts<'a> {
    set: HashSet<&'a [u8], RandomState>,
    held: Held,
}

impl<'a> SeenTexts<'a> {
    fn new(budget: &MemoryBudget) -> Self {
        Self { set: HashSet::default(), held: or_end(budget.hold(0)) }
    }

    fn with(mut self, text: &'a [u8]) -> Self {
        self.set.insert(text);
        or_end(self.held.grow(self.set.capacity() * IN_A_SET));
        self
    }

    fn joined(mut self, mut other: Self) -> Self {
        if self.set.len() < other.set.len() {
            std::mem::swap(&mut self, &mut other);
        }
        self.set.extend(other.set);
        or_end(self.held.grow(self.set.capacity() * IN_A_SET));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::catch;
    use crate::error::ErrorCode;

    #[test]
    fn numbers_are_in_the_order_of_the_texts() {
        let texts = ["b", "", "a", "b", "é"].into_par_iter().map(str::as_bytes);
        let numbers = texts_in_order(texts, &MemoryBudget::unlimited()).unwrap();
        assert_eq!((0..4).map(|number| numbers.text(number)).collect::<Vec<_>>(), ["", "a", "b", "é"]);
        assert_eq!((numbers.count(), numbers.find("é".as_bytes()), numbers.find(b"c")), (4, Some(3), None));
    }

    #[test]
    fn texts_stay_within_the_memory() {
        let texts: Vec<String> = (0..100_000).map(|at| at.to_string()).collect();
        let texts = || texts.par_iter().map(String::as_bytes);
        let error = catch(|| texts_in_order(texts(), &MemoryBudget::of_relations(1 << 20))).unwrap_err();
        assert_eq!(error.code(), ErrorCode::MemoryLimit);
        let numbers = texts_in_order(texts(), &MemoryBudget::unlimited()).unwrap();
        assert_eq!((numbers.find(b"99999"), numbers.text(0)), (Some(99_999), "0"));
    }
}
