//! What the model of a run expects of its pairs, as a table: its own opinion.

use sameas::record::ScoreRecord;
use sameas::score::{ExpectedThreshold, MatchesFrom, ScoreExpectation};

use crate::text::{count, counted, table};

/// What stands above the thresholds.
const OPINION: &str = "Expected by the model, its own opinion";

/// Probabilities whose rows are shown, beside that of the threshold of the run.
const SHOWN: [f64; 5] = [0.5, 0.9, 0.99, 0.999, 0.9999];

/// The table, and what it rests on; nothing where there is no model.
pub fn expected(scores: &ScoreRecord) -> String {
    let Some(expected) = &scores.expected else { return String::new() };
    let mut rows = vec![[OPINION, "pairs", "precision", "recall"].map(str::to_owned).to_vec()];
    let is_shown = |(at, row): &(usize, &ExpectedThreshold)| *at == 0 || SHOWN.contains(&row.threshold);
    rows.extend(expected.thresholds.iter().enumerate().filter(is_shown).map(|(_, row)| of_threshold(row)));
    format!("{}{}\n", table(&rows), basis(expected))
}

fn of_threshold(row: &ExpectedThreshold) -> Vec<String> {
    let shares =
        [row.precision, row.recall].map(|share| share.map_or("unknown".to_owned(), |share| format!("{share:.4}")));
    [vec![probability(row.threshold), count(row.pairs)], shares.to_vec()].concat()
}

/// A threshold as it would be written in a rule file, or with as many digits as tell it from 1.
fn probability(threshold: f64) -> String {
    if SHOWN.contains(&threshold) { format!("from {threshold}") } else { format!("from {threshold:.4}") }
}

/// What recall is of.
fn basis(expected: &ScoreExpectation) -> String {
    let matches = count(expected.matches.round() as u64);
    let certain = match expected.certain {
        0 => String::new(),
        certain => format!("; {} of certain rules are among them", counted(certain, "pair")),
    };
    match expected.matches_from {
        MatchesFrom::Prior => format!("Recall is of {matches} matches among all pairs, by the prior{certain}."),
        MatchesFrom::Found => format!(
            "Recall is of the {matches} matches among the pairs found, more than the prior allows: what is missing is not \
             known{certain}."
        ),
    }
}
