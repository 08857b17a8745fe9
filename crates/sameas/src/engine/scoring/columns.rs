//! The columns of scored pairs: `match_weight`, `match_probability`, and the level of each comparison on request.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, UInt32Array};
use arrow_schema::{DataType, Field};

use super::super::prepared::Prepared;
use super::{Scoring, levels_of};
use crate::candidates::{BATCH, Batch};
use crate::error::Result;
use crate::output::ExtraColumns;
use crate::records::{dictionary, dictionary_field};
use crate::score::{MatchWeight, OutcomeReader};
use crate::verify::Pair;

impl ExtraColumns for Prepared {
    fn fields(&self) -> Vec<Field> {
        let Some(scoring) = &self.scoring else { return Vec::new() };
        let number = |name: &str| Field::new(name, DataType::Float64, false);
        let mut fields = vec![number("match_weight"), number("match_probability")];
        if scoring.with_levels {
            let names = self.rules.scoring.comparisons.iter().map(|of| format!("level_{}", of.name));
            fields.extend(names.map(|name| dictionary_field(&name, DataType::Utf8, false)));
        }
        fields
    }

    fn columns(&self, pairs: &[Pair]) -> Result<Vec<ArrayRef>> {
        let Some(scoring) = &self.scoring else { return Ok(Vec::new()) };
        let patterns = self.patterns_of(scoring, pairs);
        let score = |(pair, pattern): (&Pair, &u64)| {
            scoring.scorer.score(&scoring.shape, *pattern, (pair.l, pair.r), &self.program.encoded)
        };
        let scores: Vec<MatchWeight> = pairs.iter().zip(&patterns).map(score).collect();
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(Float64Array::from_iter_values(scores.iter().map(|score| score.bits()))),
            Arc::new(Float64Array::from_iter_values(scores.iter().map(|score| score.probability()))),
        ];
        if scoring.with_levels {
            for at in 0..scoring.shape.comparisons() {
                let outcomes = patterns.iter().map(|pattern| scoring.shape.outcome(*pattern, at) as u32);
                let outcomes = UInt32Array::from_iter_values(outcomes);
                columns.push(dictionary(outcomes, &self.outcome_names(at))?);
            }
        }
        Ok(columns)
    }
}

impl Prepared {
    fn patterns_of(&self, scoring: &Scoring, pairs: &[Pair]) -> Vec<u64> {
        let (mut reader, levels) = (OutcomeReader::new(&self.program), levels_of(&self.rules));
        let (mut batch, mut some, mut all) = (Batch::default(), Vec::new(), Vec::with_capacity(pairs.len()));
        for chunk in pairs.chunks(BATCH) {
            batch.set(chunk.iter().map(|pair| (pair.l, pair.r)));
            reader.patterns(&batch, &scoring.shape, &levels, &mut some);
            all.extend_from_slice(&some);
        }
        all
    }

    /// What the outcomes of a comparison are called: levels by their conditions.
    fn outcome_names(&self, comparison: usize) -> Vec<String> {
        let levels = self.rules.scoring.comparisons[comparison].levels.iter().map(|level| level.text.clone());
        levels.chain(["else".to_owned(), "null".to_owned()]).collect()
    }
}
