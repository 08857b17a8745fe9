//! The scores of pairs, counted while they are written.

use std::sync::{Mutex, PoisonError};

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field};

use crate::error::Result;
use crate::output::ExtraColumns;
use crate::score::{ScoreBin, ScoreHistogram};
use crate::verify::Pair;

/// The columns of which one has the scores: the first that is there.
const SCORES: [&str; 2] = ["match_weight", "score"];

/// Makes the columns of pairs, and counts their scores.
pub struct CountedScores<'a> {
    columns: &'a dyn ExtraColumns,
    /// The place of the scores among the columns.
    place: Option<usize>,
    histogram: Mutex<ScoreHistogram>,
}

impl<'a> CountedScores<'a> {
    /// Of these columns.
    pub fn new(columns: &'a dyn ExtraColumns) -> Self {
        let fields = columns.fields();
        let is_score = |name: &str| fields.iter().position(|field| field.name() == name);
        let place = SCORES.iter().find_map(|name| is_score(name));
        let place = place.filter(|place| *fields[*place].data_type() == DataType::Float64);
        Self { columns, place, histogram: Mutex::default() }
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

    fn columns(&self, pairs: &[Pair]) -> Result<Vec<ArrayRef>> {
        let columns = self.columns.columns(pairs)?;
        if let Some(place) = self.place {
            let mut counted = ScoreHistogram::default();
            let scores = columns[place].as_primitive::<Float64Type>();
            (0..scores.len()).filter(|row| scores.is_valid(*row)).for_each(|row| counted.add(scores.value(row)));
            self.histogram.lock().unwrap_or_else(PoisonError::into_inner).add_all(counted);
        }
        Ok(columns)
    }
}
