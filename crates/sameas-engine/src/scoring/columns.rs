//! The columns of pairs besides their ids: the scores that they carry, what these are made of, and the expressions that were
//! asked for.
//!
//! A probability is a function of the match weight. Levels and similarities of single comparisons need the two records: they
//! are made here, where a job asks for them, and nowhere before, because a score is found without most of them.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, UInt32Array};
use arrow_schema::{DataType, Field};

use super::model_scores::{Scoring, levels_of};
use super::scores::Scores;
use super::weighted::{SimilarityReader, Weighted};
use crate::candidates::{BATCH, Batch};
use crate::error::{Error, Result};
use crate::expr::{Vector, array_of, array_type};
use crate::model::MatchWeight;
use crate::output::ExtraColumns;
use crate::pairs::{Pair, ResultPairs};
use crate::records::{dictionary, dictionary_field};
use crate::rules::{PairColumn, RuleSet};
use crate::score::OutcomeReader;
use crate::verify::Program;

/// Makes the columns of a job's pairs.
#[derive(Clone, Copy)]
pub struct ScoreColumns<'a> {
    pub rules: &'a RuleSet,
    /// What is read of the records.
    pub program: &'a Program,
    pub scores: &'a Scores,
}

impl ExtraColumns for ScoreColumns<'_> {
    fn fields(&self) -> Vec<Field> {
        let mut fields = Vec::new();
        match self.scores {
            Scores::None => {}
            Scores::Model(scoring) => fields.extend(self.score_fields(scoring)),
            Scores::Weighted(weighted) => fields.extend(self.average_fields(weighted)),
            Scores::Given(_) => fields.push(Field::new("score", DataType::Float64, true)),
        }
        fields.extend(self.rules.columns.iter().map(|of| Field::new(&of.name, array_type(of.ty), true)));
        fields
    }

    fn columns(&self, pairs: &ResultPairs) -> Result<Vec<ArrayRef>> {
        let mut columns: Vec<ArrayRef> = Vec::new();
        match self.scores {
            Scores::None => {}
            Scores::Model(scoring) => columns.extend(self.score_columns(scoring, pairs)?),
            Scores::Weighted(weighted) => columns.extend(self.average_columns(weighted, pairs)?),
            Scores::Given(_) => columns.push(Arc::new(pairs.numbers().collect::<Float64Array>())),
        }
        columns.extend(self.rules.columns.iter().map(|of| self.named_column(of, &pairs.pairs)));
        Ok(columns)
    }
}

impl ScoreColumns<'_> {
    /// Whether pairs have no more columns than their ids and rules.
    pub fn is_empty(&self) -> bool {
        self.scores.is_none() && self.rules.columns.is_empty()
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

    fn score_columns(&self, scoring: &Scoring, pairs: &ResultPairs) -> Result<Vec<ArrayRef>> {
        let weights = all_scores(pairs)?;
        let probabilities = weights.iter().map(|bits| MatchWeight::probability_of_bits(*bits));
        let probabilities = Float64Array::from_iter_values(probabilities);
        let mut columns: Vec<ArrayRef> = vec![Arc::new(Float64Array::from(weights)), Arc::new(probabilities)];
        if scoring.with_levels {
            let patterns = self.patterns_of(scoring, &pairs.pairs);
            for at in 0..scoring.shape.comparisons() {
                let outcomes = patterns.iter().map(|pattern| scoring.shape.outcome(*pattern, at) as u32);
                let outcomes = UInt32Array::from_iter_values(outcomes);
                columns.push(dictionary(outcomes, &self.outcome_names(at))?);
            }
        }
        Ok(columns)
    }

    fn patterns_of(&self, scoring: &Scoring, pairs: &[Pair]) -> Vec<u64> {
        let (mut reader, levels) = (OutcomeReader::new(self.program), levels_of(self.rules));
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

    fn average_columns(&self, weighted: &Weighted, pairs: &ResultPairs) -> Result<Vec<ArrayRef>> {
        let mut columns: Vec<ArrayRef> = vec![Arc::new(Float64Array::from(all_scores(pairs)?))];
        if weighted.with_similarities {
            let similarities = self.similarities_of(weighted, &pairs.pairs);
            columns.extend(similarities.into_iter().map(|all| Arc::new(Float64Array::from(all)) as ArrayRef));
        }
        Ok(columns)
    }

    /// The similarity of each comparison, by comparison and then by pair.
    fn similarities_of(&self, weighted: &Weighted, pairs: &[Pair]) -> Vec<Vec<Option<f64>>> {
        let mut reader = SimilarityReader::new(self.rules, self.program, weighted);
        let (mut batch, mut similarities) = (Batch::default(), vec![Vec::new(); self.rules.scoring.weighted.len()]);
        for chunk in pairs.chunks(BATCH) {
            batch.set(chunk.iter().map(|pair| (pair.l, pair.r)));
            reader.read(&batch);
            for (all, parts) in similarities.iter_mut().zip(&reader.parts) {
                all.extend(parts.iter().map(|part| part.similarity));
            }
        }
        similarities
    }

    /// The values of an expression that was asked for.
    fn named_column(&self, of: &PairColumn, pairs: &[Pair]) -> ArrayRef {
        let mut parts: Vec<Vector> = Vec::new();
        self.program.columns_of(of.value, pairs.iter().map(|pair| (pair.l, pair.r)), |part| parts.push(part.clone()));
        array_of(of.ty, &parts)
    }
}

/// The scores of pairs all of which carry one.
fn all_scores(pairs: &ResultPairs) -> Result<Vec<f64>> {
    pairs.numbers().collect::<Option<Vec<f64>>>().ok_or_else(|| Error::internal("a pair of a scored job has no score"))
}
