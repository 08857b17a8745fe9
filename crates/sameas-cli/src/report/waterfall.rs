//! The score of a pair as a waterfall: what each comparison adds.

use std::fmt::Write;

use sameas::score::{ComparisonScore, OutsideScore, ScoreExplanation, WeightedExplanation, WeightedScore};

use crate::text::{count, cut, one_line};

/// Characters of a name and of a level that are shown.
const NAME: usize = 20;
const LEVEL: usize = 44;

/// The prior, each comparison, the sum and the probability.
pub fn waterfall(score: &ScoreExplanation) -> String {
    let mut out = format!("\nScore\n   {:NAME$}  {:LEVEL$}  {:>8}\n", "prior", "", bits(score.prior));
    score.comparisons.iter().for_each(|comparison| out += &line(comparison));
    let verdict = if score.is_reached { "reaches" } else { "is below" };
    let _ = writeln!(out, "   {:NAME$}  {:LEVEL$}  {:>8}", "match_weight", "", bits(score.match_weight));
    let _ = writeln!(
        out,
        "   match_probability {:.6}, which {verdict} the threshold (match weight {})",
        score.match_probability,
        bits(score.threshold_weight)
    );
    out
}

fn line(comparison: &ComparisonScore) -> String {
    let (name, level) = (cut(&one_line(&comparison.name), NAME), cut(&one_line(&comparison.level), LEVEL));
    let mut out = format!("   {name:NAME$}  {level:LEVEL$}  {:>8}{}\n", bits(comparison.weight), evidence(comparison));
    if let Some(adjustment) = comparison.term_frequency {
        let by = cut(&by_frequency(comparison), LEVEL);
        let _ = writeln!(out, "   {:NAME$}  {by:LEVEL$}  {:>8}", "", bits(adjustment));
    }
    out
}

/// How sure a weight is, where the model says so: its standard error and the matches that it was learned from.
fn evidence(of: &ComparisonScore) -> String {
    match (of.weight_error, of.learned_from) {
        (Some(error), Some(matches)) => format!("  ± {error:.2}, from {} matches", count(matches.round() as u64)),
        (Some(error), None) => format!("  ± {error:.2}"),
        (None, Some(0.0)) => "  not seen in training".to_owned(),
        (None, _) => String::new(),
    }
}

/// What adjusts a weight: a frequency that was counted, or one of a table, if it has the value.
fn by_frequency(comparison: &ComparisonScore) -> String {
    match (&comparison.frequencies_given, comparison.frequency) {
        (None, _) => "by the frequency of the value".to_owned(),
        (Some(given), Some(_)) => format!("by its frequency in {}", file_name(given)),
        (Some(given), None) => format!("the value is not in {}", file_name(given)),
    }
}

/// The last part of a path.
fn file_name(path: &str) -> String {
    one_line(path.rsplit(['/', '\\']).next().unwrap_or(path))
}

fn bits(weight: f64) -> String {
    format!("{weight:+.3}")
}

/// The similarity of each comparison, what it adds, and the weighted average.
pub fn weighted_average(score: &WeightedExplanation) -> String {
    let mut out = "\nScore\n".to_owned();
    score.comparisons.iter().for_each(|comparison| out += &weighted_line(comparison));
    let verdict = if score.is_reached { "reaches" } else { "is below" };
    let _ = writeln!(out, "   {:NAME$}  {:LEVEL$}  {:>8.4}", "score", "", score.score);
    let _ = writeln!(out, "   which {verdict} the threshold of {}", score.threshold);
    out
}

fn weighted_line(comparison: &WeightedScore) -> String {
    let how = match (comparison.is_within, comparison.similarity) {
        (false, _) => format!("not within {}", one_line(comparison.within.as_deref().unwrap_or_default())),
        (true, None) => "a value is missing".to_owned(),
        (true, Some(similarity)) if similarity < comparison.at_least => {
            format!("similarity {similarity:.4}, below {}", comparison.at_least)
        }
        (true, Some(similarity)) => format!("similarity {similarity:.4}, weight {:.4}", comparison.share),
    };
    let (name, how) = (cut(&one_line(&comparison.name), NAME), cut(&how, LEVEL));
    format!("   {name:NAME$}  {how:LEVEL$}  {:>8.4}\n", comparison.adds)
}

/// The score that others have given.
pub fn outside_score(score: &OutsideScore) -> String {
    let threshold = score.threshold;
    match score.score {
        None => "\nScore\n   the file with scores does not have the pair\n".to_owned(),
        Some(given) => {
            let verdict = if score.is_reached { "reaches" } else { "is below" };
            format!("\nScore\n   {given}, which {verdict} the threshold of {threshold}\n")
        }
    }
}
