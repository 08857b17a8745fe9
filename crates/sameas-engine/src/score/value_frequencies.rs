//! How frequent the values of a column are, as shares of records: counted over the records of a job, or given. With given
//! ones a job over some of the records, or over those of another day, weighs a value as a job over all of them does.

use rayon::prelude::*;

use crate::frequency_table::{FrequencySource, FrequencyTable};
use crate::records::encode::Encoded;
use crate::threshold::Sides;

/// The frequencies of the values of two operands that are compared, by the codes of their domain.
#[derive(Debug)]
pub struct ValueFrequencies {
    operands: Sides<usize>,
    /// The records of the job with each value.
    rows: Vec<u64>,
    shares: FrequencyShares,
}

/// What the frequencies are shares of.
#[derive(Debug)]
enum FrequencyShares {
    /// Of the records of the job that have a value, of which there are this many.
    Counted(u64),
    /// Of records that a table was made of; nothing for values that it lacks.
    Given { source: FrequencySource, by_code: Vec<Option<f64>> },
}

impl ValueFrequencies {
    /// Counted over the records, of both sides where these are different.
    pub fn counted(encoded: &Encoded, operands: Sides<usize>) -> Self {
        let (rows, records) = value_rows(encoded, operands);
        Self { operands, rows, shares: FrequencyShares::Counted(records) }
    }

    /// As a table gives them.
    pub fn given(encoded: &Encoded, operands: Sides<usize>, table: &FrequencyTable) -> Self {
        let dictionary = &encoded.domain(operands.left).dictionary;
        let share = |code: u32| table.share(dictionary.value(code));
        let by_code = (0..dictionary.len() as u32).into_par_iter().map(share).collect();
        let shares = FrequencyShares::Given { source: table.source().clone(), by_code };
        Self { operands, rows: value_rows(encoded, operands).0, shares }
    }

    /// Where the values are encoded.
    pub fn operands(&self) -> Sides<usize> {
        self.operands
    }

    /// The records of the job with each value, by its code.
    pub fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// The share of the records with a value; nothing where it is not known.
    pub fn share(&self, code: u32) -> Option<f64> {
        let rows = self.rows[code as usize];
        match &self.shares {
            FrequencyShares::Counted(records) => (rows > 0).then(|| rows as f64 / *records as f64),
            FrequencyShares::Given { by_code, .. } => by_code[code as usize],
        }
    }

    /// The table that gave them; nothing where they were counted.
    pub fn source(&self) -> Option<&FrequencySource> {
        match &self.shares {
            FrequencyShares::Counted(_) => None,
            FrequencyShares::Given { source, .. } => Some(source),
        }
    }

    /// The values of the records whose shares are not known.
    pub fn lacking(&self) -> u64 {
        match &self.shares {
            FrequencyShares::Counted(_) => 0,
            FrequencyShares::Given { by_code, .. } => {
                self.rows.iter().zip(by_code).filter(|(rows, share)| **rows > 0 && share.is_none()).count() as u64
            }
        }
    }

    /// The values of the records.
    pub fn distinct(&self) -> u64 {
        self.rows.iter().filter(|rows| **rows > 0).count() as u64
    }

    /// Memory that given shares take.
    pub fn given_bytes(&self) -> usize {
        match &self.shares {
            FrequencyShares::Counted(_) => 0,
            FrequencyShares::Given { by_code, .. } => size_of_val(&by_code[..]),
        }
    }
}

/// The records with each value, and those with any, of both sides where these are different.
fn value_rows(encoded: &Encoded, operands: Sides<usize>) -> (Vec<u64>, u64) {
    let left = encoded.value_rows(operands.left);
    let (mut rows, mut records): (Vec<u64>, u64) =
        (left.by_code.iter().copied().map(u64::from).collect(), left.present);
    if operands.right != operands.left {
        let right = encoded.value_rows(operands.right);
        rows.iter_mut().zip(&right.by_code).for_each(|(both, right)| *both += u64::from(*right));
        records += right.present;
    }
    (rows, records)
}
