//! Scores in the results of a job: weights to the last bit, the probabilities that belong to them, and levels.

use std::path::Path;

use sameas::Model;
use sameas::score::ScoreExplanation;

use super::outcome::Rows;
use crate::case::{Case, Scoring, model_toml};
use crate::oracle::{PairScore, ScorePart, bits, probability};

/// What a probability may be off by.
const TOLERANCE: f64 = 1e-12;

/// Writes the model of a case into a folder and reads it, if the case has one.
pub fn model(case: &Case, folder: &Path) -> Result<Option<Model>, String> {
    let Some(scoring) = &case.job.scoring else { return Ok(None) };
    let path = folder.join("model.toml");
    std::fs::write(&path, model_toml(scoring)).map_err(|error| error.to_string())?;
    Model::read(&path).map(Some).map_err(|error| error.to_string())
}

/// The columns that pairs with scores have more than others.
pub fn columns(case: &Case) -> Vec<String> {
    let Some(scoring) = &case.job.scoring else { return Vec::new() };
    let levels = (0..scoring.comparisons.len()).filter(|_| scoring.with_levels);
    let levels = levels.map(|at| format!("level_{}", scoring.name(at)));
    ["match_weight", "match_probability"].map(str::to_owned).into_iter().chain(levels).collect()
}

/// What a pair has in these columns: its weight as a whole multiple of 2^-32 bit, no probability, and levels.
pub fn cells(scoring: &Scoring, score: &PairScore) -> Vec<String> {
    let outcomes = scoring.comparisons.iter().zip(&score.parts).filter(|_| scoring.with_levels);
    let levels = outcomes.map(|(compare, part)| compare.outcome_names()[part.outcome].clone());
    std::iter::once(score.total().to_string()).chain(levels).collect()
}

/// The rows of a file in the form of [`cells`]; the probability must be that of the weight.
pub fn exact(case: &Case, mut rows: Rows) -> Result<Rows, String> {
    if case.job.scoring.is_none() {
        return Ok(rows);
    }
    for row in &mut rows {
        let at = row.len() - columns(case).len();
        let [weight, given] = [0, 1].map(|more| row[at + more].parse::<f64>().unwrap_or(f64::NAN));
        let whole = weight / bits(1);
        // A number that is not finite has no fraction of zero.
        if whole.fract() != 0.0 {
            return Err(format!("{row:?}: the weight is no multiple of 2^-32"));
        }
        let probability = probability(whole as i64);
        if (given - probability).abs().partial_cmp(&TOLERANCE).is_none_or(std::cmp::Ordering::is_gt) {
            return Err(format!("{row:?}: the probability of the weight is {probability:?}"));
        }
        row[at] = (whole as i64).to_string();
        row.remove(at + 1);
    }
    Ok(rows)
}

/// Compares what `why` says about the score of a pair with what the oracle says: the score, and whether it is enough.
pub fn is_explained(
    case: &Case,
    expected: Option<(PairScore, bool)>,
    given: Option<&ScoreExplanation>,
) -> Result<(), String> {
    let (scoring, (score, is_reached), given) = match (&case.job.scoring, expected, given) {
        (None, None, None) => return Ok(()),
        (Some(scoring), Some(expected), Some(given)) => (scoring, expected, given),
        (_, expected, given) => return Err(format!("the score is {expected:?}, `why` says {given:?}")),
    };
    let wrong = |what: &str| Err(format!("{what} of {score:?}, which is enough: {is_reached}; `why` says {given:?}"));
    if given.prior != bits(score.prior) || given.match_weight != bits(score.total()) {
        return wrong("the prior or the sum");
    }
    if given.is_reached != is_reached || (given.match_probability - probability(score.total())).abs() > TOLERANCE {
        return wrong("the probability");
    }
    if given.comparisons.len() != score.parts.len() {
        return wrong("the number of comparisons");
    }
    for (at, part) in score.parts.iter().enumerate() {
        if !is_part(scoring, at, part, given) {
            return wrong(&format!("comparison {}", at + 1));
        }
    }
    Ok(())
}

fn is_part(scoring: &Scoring, at: usize, part: &ScorePart, given: &ScoreExplanation) -> bool {
    let (compare, given) = (&scoring.comparisons[at], &given.comparisons[at]);
    let number = (part.outcome < compare.levels.len()).then_some(part.outcome + 1);
    given.name == scoring.name(at)
        && given.level == compare.outcome_names()[part.outcome]
        && given.number == number
        && given.weight == bits(part.weight)
        && given.term_frequency == part.adjustment.map(bits)
}
