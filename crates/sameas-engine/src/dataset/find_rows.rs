//! The rows that are meant by a value and a place among the rows of that value.

use rayon::prelude::*;

/// Rows per task.
const PIECE: usize = 1 << 18;

/// Bits of the filter, as a power of two: it stays in the first-level cache.
const FILTER: u32 = 16;

/// The row that is the `ordinal`th with a value.
pub struct WantedRow {
    /// The code of the value.
    pub code: usize,
    /// Its place among the rows with the value.
    pub ordinal: u32,
    /// Its place in the answer.
    pub pick: usize,
}

/// The wanted rows by pick; the code of null is that after the last of `values`. Pieces of the rows are first counted and
/// then searched, on all cores.
pub fn find_rows(codes: &[u32], values: usize, mut wanted: Vec<WantedRow>) -> Vec<u32> {
    wanted.sort_unstable_by_key(|w| (w.code, w.ordinal));
    let groups = Groups::new(&wanted, values);
    let pieces: Vec<&[u32]> = codes.chunks(PIECE).collect();
    let mut before: Vec<Vec<u32>> = match pieces.len() {
        // There is nothing before the only piece.
        0 | 1 => vec![Vec::new()],
        _ => pieces.par_iter().map(|piece| groups.counts(piece)).collect(),
    };
    let mut sums = vec![0; groups.wanted.len()];
    for counts in &mut before {
        counts.resize(sums.len(), 0);
        counts.iter_mut().zip(&mut sums).for_each(|(count, sum)| *sum += std::mem::replace(count, *sum));
    }
    let piece = |(at, (codes, before)): (usize, (&&[u32], Vec<u32>))| groups.find(codes, before, at * PIECE);
    let found: Vec<Vec<(usize, u32)>> = pieces.par_iter().zip(before).enumerate().map(piece).collect();
    let mut rows = vec![0; wanted.len()];
    found.into_iter().flatten().for_each(|(pick, row)| rows[pick] = row);
    rows
}

/// Wanted rows by value.
struct Groups<'w> {
    wanted: Vec<&'w [WantedRow]>,
    /// The value of each group, ascending.
    codes: Vec<usize>,
    /// The code of null, which is that after the last value.
    null: usize,
    /// A bit for each hash of a value that has a group: few rows have such a value, and few others pass.
    filter: Vec<u64>,
}

impl<'w> Groups<'w> {
    fn new(wanted: &'w [WantedRow], values: usize) -> Self {
        let wanted: Vec<&[WantedRow]> = wanted.chunk_by(|a, b| a.code == b.code).collect();
        let codes: Vec<usize> = wanted.iter().map(|group| group[0].code).collect();
        let mut filter = vec![0; 1 << (FILTER - 6)];
        for (word, bit) in codes.iter().map(|code| place(*code)) {
            filter[word] |= bit;
        }
        Self { wanted, codes, null: values, filter }
    }

    #[inline]
    fn group_of(&self, code: u32) -> Option<usize> {
        let code = (code as usize).min(self.null);
        let (word, bit) = place(code);
        if self.filter[word] & bit == 0 { None } else { self.codes.binary_search(&code).ok() }
    }

    /// The rows of each group.
    fn counts(&self, codes: &[u32]) -> Vec<u32> {
        let mut counts = vec![0; self.wanted.len()];
        codes.iter().filter_map(|code| self.group_of(*code)).for_each(|group| counts[group] += 1);
        counts
    }

    /// The wanted rows among rows that begin at `first`, after `seen` rows of each group.
    fn find(&self, codes: &[u32], mut seen: Vec<u32>, first: usize) -> Vec<(usize, u32)> {
        let after = |(group, seen): (&&[WantedRow], &u32)| group.partition_point(|wanted| wanted.ordinal < *seen);
        let mut next: Vec<usize> = self.wanted.iter().zip(&seen).map(after).collect();
        let mut found = Vec::new();
        for (row, code) in codes.iter().enumerate() {
            let Some(group) = self.group_of(*code) else { continue };
            let (ordinal, next) = (&mut seen[group], &mut next[group]);
            while let Some(wanted) = self.wanted[group].get(*next).filter(|wanted| wanted.ordinal == *ordinal) {
                found.push((wanted.pick, (first + row) as u32));
                *next += 1;
            }
            *ordinal += 1;
        }
        found
    }
}

/// The word and the bit of a value in the filter.
#[inline]
fn place(code: usize) -> (usize, u64) {
    let hash = (code as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - FILTER);
    (hash as usize >> 6, 1 << (hash & 63))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::encode::NULL;

    #[test]
    fn rows_are_found_by_value_and_ordinal_in_any_piece() {
        for rows in [0, 1, 1000, 2 * PIECE + 77] {
            let code = |row: usize| if row.is_multiple_of(11) { NULL } else { (row * row % 4999) as u32 };
            let codes: Vec<u32> = (0..rows).map(code).collect();
            let mut by_code: Vec<Vec<u32>> = vec![Vec::new(); 5000];
            codes.iter().enumerate().for_each(|(row, code)| by_code[(*code as usize).min(4999)].push(row as u32));
            let mut expected = Vec::new();
            let mut wanted = Vec::new();
            for (code, rows) in by_code.iter().enumerate().filter(|(code, rows)| code % 7 == 3 && !rows.is_empty()) {
                for ordinal in [rows.len() - 1, rows.len() / 2, rows.len() / 2, 0] {
                    wanted.push(WantedRow { code, ordinal: ordinal as u32, pick: expected.len() });
                    expected.push(rows[ordinal]);
                }
            }
            if let Some(last) = by_code[4999].last() {
                let ordinal = by_code[4999].len() as u32 - 1;
                wanted.push(WantedRow { code: 4999, ordinal, pick: expected.len() });
                expected.push(*last);
            }
            assert_eq!(find_rows(&codes, 4999, wanted), expected, "{rows} rows");
        }
    }
}
