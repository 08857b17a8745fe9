//! The encoding of some records alone: their codes, and the values they hold, renumbered in the old order.

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
    let is_value = |code: &&u32| **code != NULL;
    if codes.saturating_mul(FAR_LARGER) < values {
        let mut kept: Vec<u32> = columns.iter().flat_map(|c| c.codes.iter().filter(is_value).copied()).collect();
        kept.par_sort_unstable();
        kept.dedup();
        replace(&mut columns, |code| kept.partition_point(|other| *other < code) as u32);
        return kept;
    }
    let mut numbers = vec![NULL; values];
    columns.iter().flat_map(|c| c.codes.iter().filter(is_value)).for_each(|code| numbers[*code as usize] = 0);
    let kept: Vec<u32> = (0..values as u32).filter(|code| numbers[*code as usize] == 0).collect();
    kept.iter().enumerate().for_each(|(number, code)| numbers[*code as usize] = number as u32);
    replace(&mut columns, |code| numbers[code as usize]);
    kept
}

fn replace(columns: &mut [&mut EncodedColumn], number: impl Fn(u32) -> u32 + Sync) {
    for column in columns {
        column.codes.par_iter_mut().filter(|code| **code != NULL).for_each(|code| *code = number(*code));
    }
}

impl Domain {
    /// Some of the values. Only numbers are read from their bytes: texts are recoded, lists are sets.
    fn part(&self, kept: &[u32]) -> Self {
        let texts = self.texts.as_ref().map(|texts| texts.part(kept));
        let is_read = self.ty.is_number() || self.ty == Type::Date;
        let dictionary = if is_read { self.dictionary.part(kept) } else { Dictionary::of_empty_values(kept.len()) };
        Self { ty: self.ty, dictionary, texts }
    }
}

/// Some of the values that are stored one after the other, each up to its end; stored in the same way.
pub(super) fn gather<T: Copy>(values: &[T], ends: &[usize], kept: &[u32]) -> (Vec<T>, Vec<usize>) {
    let range = |code: u32| if code == 0 { 0 } else { ends[code as usize - 1] }..ends[code as usize];
    let mut all = Vec::with_capacity(kept.iter().map(|code| range(*code).len()).sum());
    let mut push = |code: &u32| {
        all.extend_from_slice(&values[range(*code)]);
        all.len()
    };
    let ends = kept.iter().map(&mut push).collect();
    (all, ends)
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
