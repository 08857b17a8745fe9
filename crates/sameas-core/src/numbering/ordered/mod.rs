//! Ids become dense numbers in the order of the ids: those of columns, or any, to be found later.

mod distinct_texts;
mod integers;
mod ordered_integers;
mod sorted_texts;
mod texts;

pub use distinct_texts::texts_in_order;
pub use integers::number_integers;
pub use ordered_integers::OrderedIntegers;
pub use sorted_texts::SortedTexts;
pub use texts::number_texts;

use crate::error::{Error, Result};

/// Values that one thread numbers at a time.
const AT_A_TIME: usize = 1 << 14;

/// The distinct ids of some columns, ascending, and for each value of each column the number of its id among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered<T> {
    /// Each id once, ascending.
    pub ids: Vec<T>,
    /// The numbers of the values of each column.
    pub columns: Vec<Vec<u32>>,
}

/// An error for more ids than numbers.
fn check_count(ids: usize) -> Result<()> {
    match u32::try_from(ids) {
        Ok(count) if count < u32::MAX => Ok(()),
        _ => Err(Error::data(format!("{ids} different ids are too many: at most {} are possible", u32::MAX - 1))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::Cancel;

    /// Numbers below an end that look random.
    fn drawn(seed: u64, at: u64, end: u64) -> u64 {
        (((seed << 32) ^ at).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 16) % end
    }

    fn expected<T: Ord + Clone>(columns: &[Vec<T>]) -> Numbered<T> {
        let mut ids = columns.concat();
        ids.sort_unstable();
        ids.dedup();
        let number = |id: &T| ids.partition_point(|other| other < id) as u32;
        let columns = columns.iter().map(|column| column.iter().map(number).collect()).collect();
        Numbered { ids, columns }
    }

    #[test]
    fn integers_are_numbered_by_value() {
        for seed in 0..60 {
            let span = [10, 1000, 1 << 20, u64::from(u32::MAX)][seed as usize % 4];
            let shift = [0, 3, 32][seed as usize % 3];
            let id = |at: u64| (drawn(seed, at, span) << shift) + 7 * seed;
            let columns = [0..500, 500..501, 0..0, 400..3400].map(|part| part.map(id).collect::<Vec<u64>>());
            let slices: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
            assert_eq!(number_integers(&slices, Cancel::NEVER).unwrap(), expected(&columns), "seed {seed}");
        }
    }

    #[test]
    fn the_ends_of_the_range_have_numbers() {
        let columns = vec![vec![u64::MAX, 0, 1, u64::MAX - 1], vec![0, 1 << 63]];
        let slices: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        assert_eq!(number_integers(&slices, Cancel::NEVER).unwrap(), expected(&columns));
        assert_eq!(number_integers(&[], Cancel::NEVER).unwrap(), expected::<u64>(&[]));
        assert_eq!(number_texts(&[&[]], Cancel::NEVER).unwrap(), Numbered { ids: vec![], columns: vec![vec![]] });
    }

    #[test]
    fn texts_are_numbered_by_their_bytes() {
        for seed in 0..20 {
            let text = |at: u64, span| format!("{}{}", ["a", "", "é", "Z"][at as usize % 4], drawn(seed, at, span));
            let texts = [300, 70_000].map(|span| (0..span / 3).map(|at| text(at, span)).collect::<Vec<String>>());
            let columns: Vec<Vec<&[u8]>> =
                texts.iter().map(|column| column.iter().map(String::as_bytes).collect()).collect();
            let slices: Vec<&[&[u8]]> = columns.iter().map(Vec::as_slice).collect();
            assert_eq!(number_texts(&slices, Cancel::NEVER).unwrap(), expected(&columns), "seed {seed}");
        }
    }
}
