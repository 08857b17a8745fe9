//! The score of a pair as a waterfall: what each comparison adds.

use std::fmt::Write;

use sameas::{ComparisonScore, ScoreExplanation};

use crate::text::{cut, one_line};

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
    let mut out = format!("   {name:NAME$}  {level:LEVEL$}  {:>8}\n", bits(comparison.weight));
    if let Some(adjustment) = comparison.term_frequency {
        let _ = writeln!(out, "   {:NAME$}  {:LEVEL$}  {:>8}", "", "by the frequency of the value", bits(adjustment));
    }
    out
}

fn bits(weight: f64) -> String {
    format!("{weight:+.3}")
}
