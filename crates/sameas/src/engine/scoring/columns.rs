//! The columns of pairs besides their ids: scores and what they are made of, and the expressions that were asked for.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, UInt32Array};
use arrow_schema::{DataType, Field};

use super::super::prepared::Prepared;
use super::weighted::{SimilarityReader, Weighted};
use super::{Scoring, levels_of};
use crate::candidates::{BATCH, Batch};
use crate::error::Result;
use crate::expr::{Vector, array_of, array_type};
use crate::output::ExtraColumns;
use crate::records::{dictionary, dictionary_field};
use crate::rules::PairColumn;
use crate::score::{MatchWeight, OutcomeReader, WeightedSum};
use crate::verify::Pair;

impl ExtraColumns for Prepared {
    fn fields(&self) -> Vec<Field> {
        let mut fields = Vec::new();
        fields.extend(self.scoring.iter().flat_map(|scoring| self.score_fields(scoring)));
        fields.extend(self.weighted.iter().flat_map(|weighted| self.average_fields(weighted)));
        fields.extend(self.outside.iter().map(|_| Field::new("score", DataType::Float64, true)));
        fields.extend(self.rules.columns.iter().map(|of| Field::new(&of.name, array_type(of.ty), true)));
        fields
    }

    fn columns(&self, pairs: &[Pair]) -> Result<Vec<ArrayRef>> {
        let mut columns = Vec::new();
        if let Some(scoring) = &self.scoring {
            columns.extend(self.score_columns(scoring, pairs)?);
        }
        columns.extend(self.weighted.iter().flat_map(|weighted| self.average_columns(weighted, pairs)));
        columns.extend(self.outside.iter().map(|outside| {
            let scores = pairs.iter().map(|pair| outside.score(pair.l, pair.r));
            Arc::new(scores.collect::<Float64Array>()) as ArrayRef
        }));
        columns.extend(self.rules.columns.iter().map(|of| self.named_column(of, pairs)));
        Ok(columns)
    }
}

impl Prepared {
    /// Whether pairs have more columns than their ids and rules.
    pub(in super::super) fn has_more_columns(&self) -> bool {
        self.scoring.is_some() || self.weighted.is_some() || self.outside.is_some() || !self.rules.columns.is_empty()
    }

    fn score_fields(&self, scoring: &Scoring) -> Vec<Field> {
        let number = |name: &str| Field::new(name, DataType::Float64, false);
        let mut fields = vec![number("match_weight"), number("match_probability")];
        if scoring.with_levels {
            let names = self.rules.scoring.comparisons.iter().map(|of| format!("level_{}", of.name));
            fields.extend(names.map(|name| dictionary_field(&name, DataType::Utf8, false)));
        }
        fields
    }

    fn score_columns(&self, scoring: &Scoring, pairs: &[Pair]) -> Result<Vec<ArrayRef>> {
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

    fn average_fields(&self, weighted: &Weighted) -> Vec<Field> {
        let mut fields = vec![Field::new("score", DataType::Float64, false)];
        if weighted.with_similarities {
            let names = self.rules.scoring.weighted.iter().map(|of| format!("similarity_{}", of.name));
            fields.extend(names.map(|name| Field::new(name, DataType::Float64, true)));
        }
        fields
    }

    fn average_columns(&self, weighted: &Weighted, pairs: &[Pair]) -> Vec<ArrayRef> {
        let mut reader = SimilarityReader::new(&self.rules, &self.program, weighted);
        let (mut batch, mut averages) = (Batch::default(), Vec::with_capacity(pairs.len()));
        let mut similarities: Vec<Vec<Option<f64>>> = vec![Vec::new(); self.rules.scoring.weighted.len()];
        for chunk in pairs.chunks(BATCH) {
            batch.set(chunk.iter().map(|pair| (pair.l, pair.r)));
            reader.read(&batch);
            averages.extend((0..chunk.len()).map(|pair| WeightedSum::average(reader.total(pair))));
            for (all, parts) in similarities.iter_mut().zip(&reader.parts) {
                all.extend(parts.iter().map(|part| part.similarity));
            }
        }
        let mut columns: Vec<ArrayRef> = vec![Arc::new(Float64Array::from(averages))];
        if weighted.with_similarities {
            columns.extend(similarities.into_iter().map(|all| Arc::new(Float64Array::from(all)) as ArrayRef));
        }
        columns
    }

    /// The values of an expression that was asked for.
    fn named_column(&self, of: &PairColumn, pairs: &[Pair]) -> ArrayRef {
        let mut parts: Vec<Vector> = Vec::new();
        self.program.columns_of(of.value, pairs.iter().map(|pair| (pair.l, pair.r)), |part| parts.push(part.clone()));
        array_of(of.ty, &parts)
    }
}
