//! The score of a pair by its definition: the prior, and for each comparison the weight of the first level that holds, with
//! an adjustment by the frequency of the value.

use super::coverage::Coverage;
use super::fault::Fault;
use super::interpret::{Pair, equal};
use super::neighbours::Ranks;
use super::records::{Record, has_back, is_compared, records};
use super::value::Value;
use crate::case::{
    Case, Compare, Expr, FrequencyTable, LevelShares, Scoring, TermFrequency, Threshold, Type, compared,
};

/// How the score of a pair comes about. Weights are whole multiples of 2^-32 bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairScore {
    /// The weight of the prior.
    pub prior: i64,
    /// What each comparison adds.
    pub parts: Vec<ScorePart>,
}

/// What a comparison adds to a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScorePart {
    /// The place of the first level that holds; the number of levels for *else*, one more for *null*.
    pub outcome: usize,
    /// Its weight.
    pub weight: i64,
    /// What the frequency of the value adds, where a level is adjusted by it.
    pub adjustment: Option<i64>,
}

impl PairScore {
    /// The match weight.
    pub fn total(&self) -> i64 {
        self.prior + self.parts.iter().map(|part| part.weight + part.adjustment.unwrap_or(0)).sum::<i64>()
    }
}

/// Steps of one bit.
const STEPS: f64 = 4_294_967_296.0;

/// The most that one weight or a threshold can be, in bits.
const MOST: f64 = 1024.0;

/// Bits as a multiple of 2^-32, rounded once.
fn steps(bits: f64) -> i64 {
    (bits.clamp(-MOST, MOST) * STEPS).round() as i64
}

/// The weight of the odds of a probability.
fn odds(probability: f64) -> i64 {
    steps((probability / (1.0 - probability)).log2())
}

/// A weight in bits.
pub fn bits(weight: i64) -> f64 {
    weight as f64 / STEPS
}

/// The probability whose odds a weight is the logarithm of.
pub fn probability(weight: i64) -> f64 {
    // Of two forms of one formula, that in which nothing overflows.
    let odds = (-bits(weight).abs()).exp2();
    let (less, more) = (odds / (1.0 + odds), 1.0 / (1.0 + odds));
    if weight < 0 { less } else { more }
}

/// Scores the pairs of a case.
pub struct Scorer<'a> {
    case: &'a Case,
    scoring: &'a Scoring,
    ranks: &'a Ranks,
    /// For each comparison and record how frequent its value is; nothing where it has none.
    frequencies: Vec<Vec<Option<Frequency>>>,
    fault: Option<Fault>,
}

/// How frequent a value is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Frequency {
    /// The share of the records that have it.
    Share(f64),
    /// The table of frequencies does not say it.
    Lacking,
}

impl<'a> Scorer<'a> {
    /// For a case whose pairs have scores.
    pub fn new(case: &'a Case, records: &[Record], ranks: &'a Ranks, fault: Option<Fault>) -> Option<Self> {
        let scoring = case.job.scoring.as_ref()?;
        let frequencies = |compare: &Compare| {
            compare.term_frequency.as_ref().map_or(Vec::new(), |of| frequencies(records, of, fault))
        };
        let frequencies = scoring.comparisons.iter().map(frequencies).collect();
        Some(Scorer { case, scoring, ranks, frequencies, fault })
    }

    /// Whether a score reaches the threshold.
    pub fn is_reached(&self, score: &PairScore) -> bool {
        let threshold = match self.scoring.threshold {
            Threshold::Even => odds(0.5),
            Threshold::Weight(bits) => steps(bits),
            Threshold::Probability(probability) => odds(probability),
        };
        match self.fault {
            Some(Fault::ThresholdExcluded) => score.total() > threshold,
            _ => score.total() >= threshold,
        }
    }

    /// The score of two records, `a` being the earlier row.
    pub fn score(&self, a: &Record, b: &Record, coverage: &mut Coverage) -> PairScore {
        let comparisons = self.scoring.comparisons.iter().enumerate();
        let parts = comparisons.map(|(at, compare)| self.part(at, compare, a, b, coverage)).collect();
        PairScore { prior: odds(self.scoring.prior), parts }
    }

    fn part(&self, at: usize, compare: &Compare, a: &Record, b: &Record, coverage: &mut Coverage) -> ScorePart {
        let outcome = self.outcome(compare, a, b, coverage);
        let shares = compare.levels.iter().map(|level| level.shares).chain([compare.otherwise]).nth(outcome);
        let weight = shares.map_or(0, |LevelShares { m, u }| steps(m.log2() - u.log2()));
        let is_adjusted = outcome < compare.levels.len() && compare.is_adjusted(outcome);
        let of = compare.term_frequency.as_ref().filter(|_| is_adjusted);
        let adjustment = of.zip(self.frequencies[at].get(a.row).copied().flatten());
        let adjustment = adjustment.map(|(of, frequency)| self.adjustment(compare, of, frequency));
        ScorePart { outcome, weight, adjustment }
    }

    /// The first level that holds; where none does, *null* if one is null, and else *else*.
    fn outcome(&self, compare: &Compare, a: &Record, b: &Record, coverage: &mut Coverage) -> usize {
        let mut is_open = false;
        let mut found = None;
        for (at, level) in compare.levels.iter().enumerate() {
            match self.truth(&level.when, a, b, coverage) {
                Some(true) if self.fault == Some(Fault::LastLevelCounts) => found = Some(at),
                Some(true) => return at,
                Some(false) => {}
                None => is_open = true,
            }
        }
        let is_null = is_open && self.fault != Some(Fault::NullAsElse);
        found.unwrap_or(compare.levels.len() + usize::from(is_null))
    }

    /// The truth of a level: it holds if it does either way round, where the job has no sides.
    fn truth(&self, when: &Expr, a: &Record, b: &Record, coverage: &mut Coverage) -> Option<bool> {
        let mut truth = |left: &Record, right: &Record| {
            let pair = Pair { left, right, ranks: self.ranks, fault: self.fault };
            pair.value(when, coverage).as_bool()
        };
        let forth = truth(a, b);
        if forth == Some(true) || !has_back(self.case, a, b) || self.fault == Some(Fault::LevelsOneWayOnly) {
            return forth;
        }
        match (forth, truth(b, a)) {
            (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        }
    }

    /// What the frequency of a value adds: it takes the place of u of the first level that says that values are equal.
    fn adjustment(&self, compare: &Compare, of: &TermFrequency, frequency: Frequency) -> i64 {
        let Frequency::Share(frequency) = frequency else { return 0 };
        if self.fault == Some(Fault::TermFrequencyIgnored) {
            return 0;
        }
        let exact = (0..compare.levels.len()).find(|level| compare.is_adjusted(*level));
        let u = exact.map_or(1.0, |level| compare.levels[level].shares.u);
        let frequency = frequency.max(of.minimum.unwrap_or(0.0));
        steps(of.weight.unwrap_or(1.0) * (u.log2() - frequency.log2()))
    }
}

/// For each record how frequent its value of a column is: by a table, or else among all records that have one.
fn frequencies(records: &[Record], of: &TermFrequency, fault: Option<Fault>) -> Vec<Option<Frequency>> {
    let (common, values) = values_of(records, &of.column);
    let known = values.iter().filter(|value| !value.is_null()).count();
    let counted = |value: &Value| {
        let same = values.iter().filter(|other| equal(value, other) == Some(true)).count();
        Frequency::Share(same as f64 / known as f64)
    };
    let frequency = |value: &Value| match &of.given {
        Some(table) => match given_share(table, value, common) {
            Some(share) => Frequency::Share(share),
            None if fault == Some(Fault::LackingCounted) => counted(value),
            None => Frequency::Lacking,
        },
        None => counted(value),
    };
    values.iter().map(|value| (!value.is_null()).then(|| frequency(value))).collect()
}

/// The values of a column, as they are compared, and their type.
fn values_of(records: &[Record], column: &str) -> (Type, Vec<Value>) {
    let common = compared(records.iter().map(|record| record.type_of(column)));
    (common, records.iter().map(|record| record.value_of(column).read_as(common)).collect())
}

/// The share of a value by a table: what stands there, or what is there of all counts.
fn given_share(table: &FrequencyTable, value: &Value, common: Type) -> Option<f64> {
    let is_it = |text: &String| equal(value, &Value::Text(text.clone()).read_as(common)) == Some(true);
    let (_, number) = table.rows.iter().find(|(text, _)| is_it(text))?;
    let all: f64 = table.rows.iter().map(|(_, number)| number).sum();
    Some(if table.are_counts { number / all } else { *number })
}

/// The different values of a column as texts; none where texts may be read back as other values.
pub fn value_texts(case: &Case, column: &str) -> Vec<String> {
    let (common, values) = values_of(&records(case, None), column);
    if !matches!(common, Type::Text | Type::Number) {
        return Vec::new();
    }
    let mut different: Vec<&Value> = Vec::new();
    for value in &values {
        if !different.iter().any(|known| equal(known, value) == Some(true)) {
            different.push(value);
        }
    }
    let text = |value: &&Value| match value {
        Value::Text(text) => Some(text.clone()),
        Value::Int(value) => Some(value.to_string()),
        Value::Float(value) => Some(format!("{value:?}")),
        _ => None,
    };
    different.iter().filter_map(text).collect()
}

/// The scores of all pairs that a case compares, by the rows of their records; none if its pairs have no scores.
pub fn all_scores(case: &Case) -> Vec<((usize, usize), PairScore)> {
    let records = records(case, None);
    let ranks = Ranks::new(case, &records);
    let Some(scorer) = Scorer::new(case, &records, &ranks, None) else { return Vec::new() };
    let mut all = Vec::new();
    for a in &records {
        for b in records[a.row + 1..].iter().filter(|b| is_compared(case, a, b)) {
            all.push(((a.row, b.row), scorer.score(a, b, &mut Coverage::default())));
        }
    }
    all
}

/// The score of the pair of two rows, and whether it reaches the threshold.
pub fn score_of(case: &Case, l: usize, r: usize) -> Option<(PairScore, bool)> {
    let records = records(case, None);
    let ranks = Ranks::new(case, &records);
    let scorer = Scorer::new(case, &records, &ranks, None)?;
    let score = scorer.score(&records[l], &records[r], &mut Coverage::default());
    let is_reached = scorer.is_reached(&score);
    Some((score, is_reached))
}

#[cfg(test)]
mod tests;
