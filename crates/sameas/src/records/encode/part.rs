//! The encoding of some records alone: their codes, and the values they hold, numbered anew in the old order.

use rayon::prelude::*;

use super::{Column, Domain, Encoded, NULL};

impl Encoded {
    /// The encoding of some records, listed by frame, for some operands and token sets; others are left empty.
    pub fn part(&self, rows: &[&[u32]], operands: &[usize], tokens: &[usize]) -> Self {
        let mut columns: Vec<Column> = self.columns.iter().map(Column::without_rows).collect();
        operands.iter().for_each(|at| columns[*at].codes = self.columns[*at].gather(rows));
        let kept: Vec<Vec<u32>> = (0..self.domains.len()).map(|domain| values(&columns, domain)).collect();
        columns.iter_mut().for_each(|column| column.renumber(&kept[column.domain]));
        let sets = self.tokens.iter().zip(&self.token_sources).enumerate().map(|(at, (sets, (operand, _)))| {
            if tokens.contains(&at) { sets.part(&kept[self.columns[*operand].domain]) } else { Default::default() }
        });
        Self {
            domains: self.domains.iter().zip(&kept).map(|(domain, kept)| domain.part(kept)).collect(),
            tokens: sets.collect(),
            token_sources: self.token_sources.clone(),
            columns,
        }
    }
}

impl Column {
    fn without_rows(&self) -> Self {
        Self { codes: Vec::new(), domain: self.domain, text: self.text.clone(), frame: self.frame }
    }

    fn gather(&self, rows: &[&[u32]]) -> Vec<u32> {
        rows[self.frame].par_iter().map(|row| self.codes[*row as usize]).collect()
    }

    /// Gives every code its place among those that are kept, which ascend.
    fn renumber(&mut self, kept: &[u32]) {
        let number = |code: u32| if code == NULL { NULL } else { kept.partition_point(|other| *other < code) as u32 };
        self.codes.par_iter_mut().for_each(|code| *code = number(*code));
    }
}

/// The codes that columns hold of a domain, ascending.
fn values(columns: &[Column], domain: usize) -> Vec<u32> {
    let of_domain = columns.iter().filter(|column| column.domain == domain);
    let mut codes: Vec<u32> =
        of_domain.flat_map(|column| &column.codes).copied().filter(|code| *code != NULL).collect();
    codes.par_sort_unstable();
    codes.dedup();
    codes
}

impl Domain {
    fn part(&self, kept: &[u32]) -> Self {
        let texts = self.texts.as_ref().map(|texts| texts.part(kept));
        Self { ty: self.ty, dictionary: self.dictionary.part(kept), texts }
    }
}

/// Values that lie one behind the other, each up to its end: some of them, likewise.
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
    fn values_are_gathered_with_their_ends() {
        let (values, ends) = ([1, 2, 3, 4, 5, 6], [0, 2, 2, 5, 6]);
        assert_eq!(gather(&values, &ends, &[]), (vec![], vec![]));
        assert_eq!(gather(&values, &ends, &[0, 1, 3]), (vec![1, 2, 3, 4, 5], vec![0, 2, 5]));
        assert_eq!(gather(&values, &ends, &[2, 4]), (vec![6], vec![0, 1]));
    }
}
