//! The scores of pairs, counted while they are written.

use std::sync::{Mutex, PoisonError};

use arrow_array::ArrayRef;
use arrow_schema::Field;

use crate::error::Result;
use crate::output::ExtraColumns;
use crate::pairs::ResultPairs;
use crate::score::{ScoreBin, ScoreHistogram};

/// Makes the columns of pairs, and counts the scores that these carry.
pub struct CountedScores<'a> {
    columns: &'a dyn ExtraColumns,
    histogram: Mutex<ScoreHistogram>,
}

impl<'a> CountedScores<'a> {
    /// Of these columns.
    pub fn new(columns: &'a dyn ExtraColumns) -> Self {
        Self { columns, histogram: Mutex::default() }
    }

    /// What was counted.
    pub fn bins(self) -> Vec<ScoreBin> {
        self.histogram.into_inner().unwrap_or_else(PoisonError::into_inner).bins()
    }
}

impl ExtraColumns for CountedScores<'_> {
    fn fields(&self) -> Vec<Field> {
        self.columns.fields()
    }

    fn columns(&self, pairs: &ResultPairs) -> Result<Vec<ArrayRef>> {
        let mut counted = ScoreHistogram::default();
        pairs.numbers().flatten().for_each(|score| counted.add(score));
        self.histogram.lock().unwrap_or_else(PoisonError::into_inner).add_all(counted);
        self.columns.columns(pairs)
    }
}
