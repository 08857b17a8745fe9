//! Which rows a column refers to, and the place of each among them.

/// A set of row numbers. The place of a row is the number of smaller rows in the set.
pub struct RowPlaces {
    first: u32,
    /// A bit for each row from the first one on.
    words: Vec<u64>,
    /// The rows before each word.
    before: Vec<u32>,
}

impl RowPlaces {
    /// The rows that occur in a list.
    pub fn of(rows: &[u32]) -> Self {
        let (first, last) = rows.iter().fold((u32::MAX, 0), |(first, last), row| (first.min(*row), last.max(*row)));
        let first = first & !63;
        let mut words = vec![0u64; if rows.is_empty() { 0 } else { (last - first) as usize / 64 + 1 }];
        for row in rows {
            let at = row - first;
            words[at as usize / 64] |= 1 << (at % 64);
        }
        let before = words.iter().scan(0, |rows, word: &u64| {
            let before = *rows;
            *rows += word.count_ones();
            Some(before)
        });
        Self { first, before: before.collect(), words }
    }

    /// The number of rows.
    pub fn count(&self) -> usize {
        let last = self.before.last().zip(self.words.last());
        last.map_or(0, |(before, word)| (before + word.count_ones()) as usize)
    }

    /// The place of a row of the set.
    #[inline]
    pub fn of_row(&self, row: u32) -> u32 {
        let at = row - self.first;
        let (word, bit) = (at as usize / 64, at % 64);
        self.before[word] + (self.words[word] & ((1 << bit) - 1)).count_ones()
    }

    /// The rows, ascending.
    pub fn rows(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(at, word)| {
            let (first, mut left) = (self.first + 64 * at as u32, *word);
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros();
                left &= left.wrapping_sub(1);
                (bit < 64).then(|| first + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn places_count_smaller_rows(rows in prop::collection::vec(1000u32..1400, 0..200)) {
            let places = RowPlaces::of(&rows);
            let mut distinct = rows.clone();
            distinct.sort_unstable();
            distinct.dedup();
            prop_assert_eq!(places.rows().collect::<Vec<_>>(), &distinct[..]);
            prop_assert_eq!(places.count(), distinct.len());
            for row in rows {
                prop_assert_eq!(distinct[places.of_row(row) as usize], row);
            }
        }
    }

    #[test]
    fn the_last_row_there_can_be() {
        let places = RowPlaces::of(&[u32::MAX, u32::MAX - 64]);
        assert_eq!((places.of_row(u32::MAX), places.count()), (1, 2));
        assert_eq!(places.rows().collect::<Vec<_>>(), [u32::MAX - 64, u32::MAX]);
    }
}
