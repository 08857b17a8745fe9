//! The encoding of some records alone: their codes, and the values they hold, renumbered in the old order.

use std::sync::Arc;

use rayon::prelude::*;

use super::{Dictionary, Domain, Encoded, EncodedColumn, NULL};
use crate::expr::Type;
use crate::numbering::CloseIntegers;

/// A domain with this many times more values than a part has codes is not scanned to number those of the part.
const FAR_LARGER: usize = 16;

impl Encoded {
    /// The encoding of some records, listed by frame, for some operands and token sets; others are left empty.
    pub fn part(&self, rows: &[&[u32]], operands: &[usize], tokens: &[usize]) -> Self {
        let wanted = |(at, column): (usize, &EncodedColumn)| {
            if operands.contains(&at) { column.gather(rows) } else { Vec::new() }
        };
        let mut codes: Vec<Vec<u32>> = self.columns.par_iter().enumerate().map(wanted).collect();
        let mut by_domain: Vec<Vec<&mut [u32]>> = self.domains.iter().map(|_| Vec::new()).collect();
        for (column, codes) in self.columns.iter().zip(&mut codes) {
            by_domain[column.domain].push(&mut codes[..]);
        }
        let domains = by_domain.into_par_iter().zip(&self.domains);
        let kept: Vec<Vec<u32>> = domains.map(|(columns, domain)| renumber(columns, domain.dictionary.len())).collect();
        let sets = self.tokens.par_iter().zip(&self.token_sources).enumerate().map(|(at, (sets, (operand, _)))| {
            if tokens.contains(&at) { sets.part(&kept[self.columns[*operand].domain]) } else { Default::default() }
        });
        Self {
            tokens: sets.map(Arc::new).collect(),
            domains: self.domains.par_iter().zip(&kept).map(|(domain, kept)| Arc::new(domain.part(kept))).collect(),
            token_sources: self.token_sources.clone(),
            columns: self.columns.iter().zip(codes).map(|(column, codes)| column.with_codes(codes)).collect(),
        }
    }
}

impl EncodedColumn {
    fn with_codes(&self, codes: Vec<u32>) -> Self {
        let (codes, counted) = (Arc::new(codes), Arc::default());
        Self { codes, counted, domain: self.domain, text: self.text.clone(), frame: self.frame }
    }

    fn gather(&self, rows: &[&[u32]]) -> Vec<u32> {
        let codes = &self.codes[..];
        rows[self.frame].par_iter().map(|row| codes[*row as usize]).collect()
    }
}

/// How many values some columns of a domain have, which has this many in all.
pub fn distinct_codes(columns: &[&[u32]], values: usize) -> usize {
    kept_codes(columns, values).count()
}

/// Renumbers the codes of columns of one domain, in the old order; returns those that occur.
fn renumber(mut columns: Vec<&mut [u32]>, values: usize) -> Vec<u32> {
    let codes: usize = columns.iter().map(|codes| codes.len()).sum();
    if codes.saturating_mul(FAR_LARGER) < values {
        let all = columns.par_iter().flat_map(|codes| codes[..].par_iter().copied());
        let mut kept: Vec<u32> = all.filter(|code| *code != NULL).collect();
        kept.par_sort_unstable();
        kept.dedup();
        replace(&mut columns, |code| kept.partition_point(|other| *other < code) as u32);
        return kept;
    }
    let kept = kept_codes(&columns, values);
    replace(&mut columns, |code| kept.number(code as usize));
    kept.par_ascending().map(|code| code as u32).collect()
}

fn replace(columns: &mut [&mut [u32]], number: impl Fn(u32) -> u32 + Sync) {
    for codes in columns {
        codes[..].par_iter_mut().filter(|code| **code != NULL).for_each(|code| *code = number(*code));
    }
}

/// Which codes of a domain occur, which has this many values.
fn kept_codes<C: AsRef<[u32]>>(columns: &[C], values: usize) -> CloseIntegers {
    CloseIntegers::set_by(0, values, |bits| {
        for codes in columns {
            codes.as_ref().par_iter().filter(|code| **code != NULL).for_each(|code| bits.set(*code as usize));
        }
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_numbered_in_the_old_order_however_large_the_domain() {
        for values in [10, 1000] {
            let (mut a, mut b) = ([7, NULL, 2, 7], [9, 2]);
            assert_eq!(renumber(vec![&mut a[..], &mut b[..]], values), [2, 7, 9]);
            assert_eq!((a, b), ([1, NULL, 0, 1], [2, 0]));
        }
        assert!(renumber(Vec::new(), 3).is_empty());
        assert_eq!(distinct_codes(&[&[7, NULL, 2, 7], &[9, 2]], 10), 3);
        assert_eq!(distinct_codes(&[&[NULL]], 0), 0);
    }
}
