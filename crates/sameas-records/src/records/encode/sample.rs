//! The codes of some records over the values of all: nothing is numbered or copied but the codes.

use std::sync::Arc;

use rayon::prelude::*;

use super::{Encoded, EncodedColumn};

impl Encoded {
    /// The encoding of some records, ascending and by frame, for all operands. Values are shared, so codes mean what
    /// they mean here; where all records of a frame are chosen, its codes are shared too.
    pub fn sample(&self, rows: &[&[u32]]) -> Self {
        Self {
            columns: self.columns.par_iter().map(|column| column.sample(rows[column.frame])).collect(),
            domains: self.domains.clone(),
            tokens: self.tokens.clone(),
            token_sources: self.token_sources.clone(),
        }
    }
}

impl EncodedColumn {
    fn sample(&self, rows: &[u32]) -> Self {
        let all = &self.codes[..];
        let (codes, counted) = if rows.len() == all.len() {
            (Arc::clone(&self.codes), Arc::clone(&self.counted))
        } else {
            (Arc::new(rows.iter().map(|row| all[*row as usize]).collect()), Arc::default())
        };
        Self { codes, counted, domain: self.domain, text: self.text.clone(), frame: self.frame }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::encode::NULL;

    #[test]
    fn a_sample_has_codes_of_its_own_and_all_records_have_none() {
        let column = |codes: &[u32], frame| EncodedColumn {
            codes: Arc::new(codes.to_vec()),
            counted: Arc::default(),
            domain: 0,
            text: "name".into(),
            frame,
        };
        let columns = vec![column(&[7, NULL, 2, 7], 0), column(&[9, 2], 1)];
        let encoded = Encoded { columns, ..Encoded::default() };
        let sample = encoded.sample(&[&[1, 2], &[0, 1]]);
        assert_eq!(sample.columns.iter().map(|column| &column.codes[..]).collect::<Vec<_>>(), [&[NULL, 2], &[9, 2]]);
        let shared = |at: usize| Arc::ptr_eq(&sample.columns[at].codes, &encoded.columns[at].codes);
        assert_eq!([shared(0), shared(1)], [false, true]);
    }
}
