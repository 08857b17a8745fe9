//! The weighted average of one pair, part by part.

use serde::{Deserialize, Serialize};

use super::weighted::{SimilarityReader, Weighted};
use crate::candidates::Batch;
use crate::error::Result;
use crate::job::Job;
use crate::rules::RuleSet;
use crate::score::WeightedSum;
use crate::verify::Program;

/// How the weighted average of a pair comes about: parts that add up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WeightedExplanation {
    /// The comparisons, in order.
    pub comparisons: Vec<WeightedScore>,
    /// The weighted average.
    pub score: f64,
    /// The least weighted average of a pair that is kept.
    pub threshold: f64,
    /// Whether it is reached.
    pub is_reached: bool,
}

/// What a comparison adds to a weighted average.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WeightedScore {
    /// Its name.
    pub name: String,
    /// The similarity as the rules have it.
    pub similarity_of: String,
    /// The condition without which it does not count.
    pub within: Option<String>,
    /// Whether that holds; where there is none it does.
    pub is_within: bool,
    /// The similarity; null where a value is missing, and not looked at where the pair is not within.
    pub similarity: Option<f64>,
    /// The least similarity that counts.
    pub at_least: f64,
    /// Its share of all weights.
    pub share: f64,
    /// What it adds.
    pub adds: f64,
}

/// The weighted average of a pair of rows of a job, where its comparisons have weights.
pub fn explain_weighted(
    job: &Job,
    rules: &RuleSet,
    program: &Program,
    (l, r): (u32, u32),
) -> Result<Option<WeightedExplanation>> {
    let weighted = Weighted::from_job(job, rules)?;
    Ok(weighted.map(|weighted| weighted.explanation(rules, program, (l, r))))
}

impl Weighted {
    /// The weighted average of a pair of rows.
    pub fn explanation(&self, rules: &RuleSet, program: &Program, rows: (u32, u32)) -> WeightedExplanation {
        explained(self, rules, program, rows)
    }
}

fn explained(weighted: &Weighted, rules: &RuleSet, program: &Program, (l, r): (u32, u32)) -> WeightedExplanation {
    let (mut batch, mut reader) = (Batch::default(), SimilarityReader::new(rules, program, weighted));
    batch.set([(l, r)].into_iter());
    reader.read(&batch);
    let comparison = |(at, of): (usize, &crate::rules::WeightedRules)| {
        let part = reader.parts[at][0];
        WeightedScore {
            name: of.name.clone(),
            similarity_of: of.text.clone(),
            within: of.within_text.clone(),
            is_within: part.is_within,
            similarity: part.similarity,
            at_least: of.at_least,
            share: WeightedSum::average(weighted.sum.part(at, 1.0)),
            adds: WeightedSum::average(part.part),
        }
    };
    let total = reader.total(0);
    WeightedExplanation {
        comparisons: rules.scoring.weighted.iter().enumerate().map(comparison).collect(),
        score: WeightedSum::average(total),
        threshold: weighted.threshold,
        is_reached: total >= weighted.sum.threshold(),
    }
}
