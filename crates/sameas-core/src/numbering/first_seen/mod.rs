//! Values are numbered by their first occurrence, on all cores.
//!
//! Each value of a block is hashed once, repetitions within the block apart (`split`). The top bits of the hash choose
//! its part; a part is one task that sees its values in row order and finds the distinct ones in the cache of its core
//! (`part`). Then each block takes the numbers of its values from the parts. Nothing is done by one core alone, and
//! numbers depend on the values and their order alone, never on the number of threads or the size of blocks.
//!
//! Where blocks come one after the other, and are not kept, `growing_parts` numbers their values in the same way.

mod growing_parts;
mod part;
mod recent_values;
mod split;

use rayon::prelude::*;

pub use growing_parts::GrowingParts;
pub use part::SeenPart;
pub use recent_values::{RecentValues, hash_of};
pub use split::{NULL, SplitValue, SplitValues};

use super::value_list::ValueList;
use crate::cancel::Cancel;
use crate::memory::Held;

/// Below this many rows one part is quicker than many.
const SMALL: usize = 1 << 14;

/// Rows of a part, about, so that its table and its values stay in the cache of a core.
const PART_ROWS: usize = 1 << 14;

/// Parts of a large input: enough for many cores, and few enough that a block has some values of each.
const LEAST_PARTS: usize = 64;
const MOST_PARTS: usize = 2048;

/// The values of some blocks, numbered.
pub struct FirstSeen {
    split: Vec<SplitValues>,
    parts: Vec<SeenPart>,
    /// The number of the first value of each part.
    firsts: Vec<u32>,
    _held: Held,
}

impl FirstSeen {
    /// Numbers the values of blocks, which are of this many rows. `split` hashes the values of a block, for a number of
    /// parts, and `add` gives some of them to their part.
    pub fn number<B: Sync>(
        blocks: &[B],
        rows: usize,
        split: impl Fn(&B, usize) -> SplitValues + Sync,
        add: impl Fn(&B, &[SplitValue], &mut SeenPart) + Sync,
        cancel: Cancel<'_>,
    ) -> Self {
        let parts = parts_of(rows);
        let split_block = |block: &B| {
            cancel.check();
            split(block, parts)
        };
        let split: Vec<SplitValues> = blocks.par_iter().map(split_block).collect();
        let held = cancel.hold(split.iter().map(SplitValues::bytes).sum());
        let make_part = |part: usize| {
            cancel.check();
            let of_blocks = || split.iter().map(move |split| split.values.list(part));
            let add_blocks = |made: &mut SeenPart| {
                for (block, values) in blocks.iter().zip(of_blocks()) {
                    add(block, values, made);
                    made.end_block();
                }
            };
            SeenPart::new(of_blocks().map(<[_]>::len).sum(), add_blocks, cancel)
        };
        let parts: Vec<SeenPart> = (0..parts).into_par_iter().map(make_part).collect();
        let (mut firsts, mut sum) = (Vec::with_capacity(parts.len()), 0);
        for part in &parts {
            firsts.push(sum as u32);
            sum += part.values.count();
        }
        assert!(sum < NULL as usize, "fewer than 2^32 - 1 distinct values");
        Self { split, parts, firsts, _held: held }
    }

    /// Writes the number of each value of a block, [`NULL`] for null.
    pub fn write_numbers(&self, block: usize, numbers: &mut [u32]) {
        let of_parts = self.parts.iter().map(|part| part.numbers_of_block(block));
        self.split[block].write_numbers(numbers, self.firsts.iter().copied().zip(of_parts));
    }

    /// All values.
    pub fn into_values(self) -> ValueList {
        let Self { split, parts, .. } = self;
        drop(split);
        ValueList::joined(parts.into_iter().map(|part| part.values).collect())
    }
}

/// The number of parts for that many rows. It must not depend on the blocks: these depend on the threads.
fn parts_of(rows: usize) -> usize {
    if rows < SMALL { 1 } else { (rows / PART_ROWS).next_power_of_two().clamp(LEAST_PARTS, MOST_PARTS) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of blocks, and their numbers.
    fn numbered(blocks: &[&[Option<&str>]]) -> (ValueList, Vec<u32>) {
        let bytes_at = |block: &[Option<&str>], place: usize| block[place].map(|text| text.as_bytes().to_vec());
        let seen = FirstSeen::number(
            blocks,
            blocks.iter().map(|block| block.len()).sum(),
            |block, parts| SplitValues::new(block.len(), parts, |place| bytes_at(block, place)),
            |block, values, part| part.add(values, |place| bytes_at(block, place)),
            Cancel::NEVER,
        );
        let of_block = |at: usize| {
            let mut numbers = vec![0; blocks[at].len()];
            seen.write_numbers(at, &mut numbers);
            numbers
        };
        let numbers = (0..blocks.len()).flat_map(of_block).collect();
        (seen.into_values(), numbers)
    }

    #[test]
    fn values_are_numbered_as_they_come_whatever_the_blocks() {
        let texts = [Some("b"), None, Some("a"), Some("b"), Some(""), Some("a"), Some("c")];
        for blocks in [vec![&texts[..]], vec![&texts[..3], &[], &texts[3..]], texts.chunks(1).collect()] {
            let (values, numbers) = numbered(&blocks);
            assert_eq!(numbers, [0, NULL, 1, 0, 2, 1, 3]);
            assert_eq!((values.bytes, values.ends), (b"bac".to_vec(), vec![1, 2, 2, 3]));
        }
        let numbers: Vec<String> = (0..SMALL).map(|row| (row * 7919 % 9000).to_string()).collect();
        let texts: Vec<Option<&str>> = numbers.iter().map(|text| Some(text.as_str())).collect();
        let (values, of_texts) = numbered(&[&texts]);
        assert!(texts.iter().zip(&of_texts).all(|(text, number)| values.value(*number) == text.unwrap().as_bytes()));
        assert_eq!((values.count(), numbered(&texts.chunks(1000).collect::<Vec<_>>()).1), (9000, of_texts));
    }
}
