//! The encoding of some records alone: their codes, and the values they hold, renumbered in the old order.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::{Dictionary, Domain, Encoded, EncodedColumn, NULL};
use crate::expr::Type;

/// A domain with this many times more values than a part has codes is not scanned to number those of the part.
const FAR_LARGER: usize = 16;

impl Encoded {
    /// The encoding of some records, listed by frame, for some operands and token sets; others are left empty.
    pub fn part(&self, rows: &[&[u32]], operands: &[usize], tokens: &[usize]) -> Self {
        let mut columns: Vec<EncodedColumn> = self.columns.iter().map(EncodedColumn::without_rows).collect();
        let wanted = |(at, column): (usize, &mut EncodedColumn)| {
            if operands.contains(&at) {
                column.codes = self.columns[at].gather(rows);
            }
        };
        columns.par_iter_mut().enumerate().for_each(wanted);
        let mut by_domain: Vec<Vec<&mut EncodedColumn>> = self.domains.iter().map(|_| Vec::new()).collect();
        columns.iter_mut().for_each(|column| by_domain[column.domain].push(column));
        let domains = by_domain.into_par_iter().zip(&self.domains);
        let kept: Vec<Vec<u32>> = domains.map(|(columns, domain)| renumber(columns, domain.dictionary.len())).collect();
        let sets = self.tokens.par_iter().zip(&self.token_sources).enumerate().map(|(at, (sets, (operand, _)))| {
            if tokens.contains(&at) { sets.part(&kept[self.columns[*operand].domain]) } else { Default::default() }
        });
        Self {
            tokens: sets.collect(),
            domains: self.domains.par_iter().zip(&kept).map(|(domain, kept)| domain.part(kept)).collect(),
            token_sources: self.token_sources.clone(),
            columns,
        }
    }
}

impl EncodedColumn {
    fn without_rows(&self) -> Self {
        Self { codes: Vec::new(), domain: self.domain, text: self.text.clone(), frame: self.frame }
    }

    fn gather(&self, rows: &[&[u32]]) -> Vec<u32> {
        rows[self.frame].par_iter().map(|row| self.codes[*row as usize]).collect()
    }
}

/// Renumbers the codes of columns of one domain, in the old order; returns those that occur.
fn renumber(mut columns: Vec<&mut EncodedColumn>, values: usize) -> Vec<u32> {
    let codes: usize = columns.iter().map(|column| column.codes.len()).sum();
    if codes.saturating_mul(FAR_LARGER) < values {
        let all = columns.par_iter().flat_map(|column| column.codes.par_iter().copied());
        let mut kept: Vec<u32> = all.filter(|code| *code != NULL).collect();
        kept.par_sort_unstable();
        kept.dedup();
        replace(&mut columns, |code| kept.partition_point(|other| *other < code) as u32);
        return kept;
    }
    let kept = KeptCodes::new(&columns, values);
    replace(&mut columns, |code| kept.number(code));
    kept.all()
}

fn replace(columns: &mut [&mut EncodedColumn], number: impl Fn(u32) -> u32 + Sync) {
    for column in columns {
        column.codes.par_iter_mut().filter(|code| **code != NULL).for_each(|code| *code = number(*code));
    }
}

/// Which codes of a domain occur: a bit each, and how many there are before each word of bits.
struct KeptCodes {
    words: Vec<u64>,
    before: Vec<u32>,
}

impl KeptCodes {
    fn new(columns: &[&mut EncodedColumn], values: usize) -> Self {
        let words: Vec<AtomicU64> = (0..values.div_ceil(64)).into_par_iter().map(|_| AtomicU64::new(0)).collect();
        let mark = |code: &u32| {
            let (word, bit) = (&words[*code as usize / 64], 1 << (code % 64));
            // Most bits are set by others.
            if word.load(Relaxed) & bit == 0 {
                word.fetch_or(bit, Relaxed);
            }
        };
        for column in columns {
            column.codes.par_iter().filter(|code| **code != NULL).for_each(mark);
        }
        let words: Vec<u64> = words.into_iter().map(AtomicU64::into_inner).collect();
        let count = |before: &mut u32, word: &u64| {
            *before += word.count_ones();
            Some(*before - word.count_ones())
        };
        Self { before: words.iter().scan(0, count).collect(), words }
    }

    /// The number of a code that occurs.
    #[inline]
    fn number(&self, code: u32) -> u32 {
        let word = code as usize / 64;
        self.before[word] + (self.words[word] & ((1 << (code % 64)) - 1)).count_ones()
    }

    /// The codes that occur, ascending.
    fn all(&self) -> Vec<u32> {
        let of_word = |(at, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| at as u32 * 64 + bit)
        };
        self.words.par_iter().enumerate().flat_map_iter(of_word).collect()
    }
}

impl Domain {
    /// Some of the values. Only numbers are read from their bytes: texts are recoded, lists are sets.
    fn part(&self, kept: &[u32]) -> Self {
        let texts = self.texts.as_ref().map(|texts| texts.part(kept));
        let is_read = self.ty.is_number() || self.ty == Type::Date;
        let dictionary = if is_read { self.dictionary.part(kept) } else { Dictionary::of_empty_values(kept.len()) };
        let integers = self.integers.as_ref().map(|integers| integers.part(kept));
        Self { ty: self.ty, dictionary, texts, integers }
    }
}

/// Values that one core copies at a time.
const COPIED: usize = 1 << 14;

/// Some of the values that are stored one after the other, each up to its end; stored in the same way.
pub(super) fn gather<T>(values: &[T], ends: &[usize], kept: &[u32]) -> (Vec<T>, Vec<usize>)
where
    T: Copy + Default + Send + Sync,
{
    let value = |code: u32| &values[if code == 0 { 0 } else { ends[code as usize - 1] }..ends[code as usize]];
    let mut new_ends: Vec<usize> = kept.par_iter().map(|code| value(*code).len()).collect();
    let mut all = 0;
    for end in &mut new_ends {
        all += *end;
        *end = all;
    }
    let mut gathered = vec![T::default(); all];
    let (mut rest, mut done) = (&mut gathered[..], 0);
    let mut copies = Vec::with_capacity(kept.len().div_ceil(COPIED));
    for (codes, ends) in kept.chunks(COPIED).zip(new_ends.chunks(COPIED)) {
        let end = ends[ends.len() - 1];
        let (piece, after) = std::mem::take(&mut rest).split_at_mut(end - done);
        copies.push((codes, piece));
        (rest, done) = (after, end);
    }
    copies.into_par_iter().for_each(|(codes, mut piece)| {
        for code in codes {
            let (to, after) = piece.split_at_mut(value(*code).len());
            to.copy_from_slice(value(*code));
            piece = after;
        }
    });
    (gathered, new_ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_numbered_in_the_old_order_however_large_the_domain() {
        for values in [10, 1000] {
            let column =
                |codes: &[u32]| EncodedColumn { codes: codes.to_vec(), domain: 0, text: String::new(), frame: 0 };
            let (mut a, mut b) = (column(&[7, NULL, 2, 7]), column(&[9, 2]));
            assert_eq!(renumber(vec![&mut a, &mut b], values), [2, 7, 9]);
            assert_eq!((a.codes, b.codes), (vec![1, NULL, 0, 1], vec![2, 0]));
        }
        assert!(renumber(Vec::new(), 3).is_empty());
    }

    #[test]
    fn values_are_gathered_with_their_ends() {
        let (values, ends) = ([1, 2, 3, 4, 5, 6], [0, 2, 2, 5, 6]);
        assert_eq!(gather(&values, &ends, &[]), (vec![], vec![]));
        assert_eq!(gather(&values, &ends, &[0, 1, 3]), (vec![1, 2, 3, 4, 5], vec![0, 2, 5]));
        assert_eq!(gather(&values, &ends, &[2, 4]), (vec![6], vec![0, 1]));
    }
}
