//! What should be known about how a model was learned: facts that a model keeps, so that whoever uses it sees them, too.
//!
//! Nothing here stops anything. Each says that something which training has to assume is not so, or cannot be known, as far as
//! the records tell.

use serde::{Deserialize, Serialize};

/// What should be known about how a model was learned. Every reader has to say something about each kind, so the list is
/// exhaustive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum TrainingWarning {
    /// Nothing says how many records match.
    PriorGuessed {
        /// What was taken.
        prior: f64,
    },
    /// Which part of all matches certain rules find was not said.
    RecallAssumed {
        /// What was taken.
        recall: f64,
    },
    /// As far as the records tell, there are no matches, or hardly one.
    NoMatches {
        /// The matches that are expected among all pairs.
        expected: f64,
    },
    /// There are fewer pairs with a level than matches that must have it.
    PriorTooHigh {
        /// The prior.
        prior: f64,
        /// The comparison.
        comparison: String,
        /// The condition of the level, or `else`.
        level: String,
        /// The pairs with it.
        pairs: f64,
        /// The matches with it that are expected by the prior.
        matches: f64,
    },
    /// A rule that is to be learned from has no pair.
    RuleWithoutPairs {
        /// The rule.
        rule: String,
        /// Whether its pairs were to be certain.
        is_certain: bool,
    },
    /// A pass ended before its probabilities stood still.
    NotConverged {
        /// The rule of the pass.
        rule: String,
        /// Its rounds.
        rounds: u64,
        /// The last change of a probability.
        change: f64,
    },
    /// Passes and shares of pairs that do not match are found by each other in turn, and ended before both stood still.
    NotSettled {
        /// The comparison of the level that changed most.
        comparison: String,
        /// The condition of the level, or `else`.
        level: String,
        /// How often all passes went on.
        rounds: u64,
        /// The last change of the level's u, as a part of it.
        change: f64,
    },
    /// No rule teaches anything about a comparison: all its levels weigh 0.
    NotLearned {
        /// The comparison.
        comparison: String,
        /// The rules that leave it out, and the columns that both read.
        rules: Vec<SharedColumns>,
    },
    /// No pair that was learned from has these levels, so they weigh 0.
    LevelsUnseen {
        /// The comparison.
        comparison: String,
        /// Their conditions, or `else`.
        levels: Vec<String>,
    },
    /// A comparison is null for most pairs, and one column of several that it reads is why.
    MissingColumn {
        /// The comparison.
        comparison: String,
        /// The column that most of these pairs lack.
        column: String,
        /// The share of all pairs for which the comparison is null.
        share: f64,
    },
    /// A pass would take more pairs for matches than there are matches, and was repeated with no more than its rule can have.
    ShareAboveMatches {
        /// The rule of the pass.
        rule: String,
        /// The share of its pairs that it would take for matches.
        share: f64,
        /// The share that all matches there are would make.
        most: f64,
    },
    /// A pass would take more pairs for matches than its rule should have, by the part of the certain pairs that it has, and was
    /// repeated with no such share.
    ShareAboveExpected {
        /// The rule of the pass.
        rule: String,
        /// The share of its pairs that it would take for matches.
        share: f64,
        /// The share that is expected at most.
        most: f64,
    },
    /// A pass takes fewer pairs for matches than certain rules find among them.
    ShareBelowCertain {
        /// The rule of the pass.
        rule: String,
        /// The share of its pairs that it takes for matches.
        share: f64,
        /// The share that is certain.
        certain: f64,
    },
    /// A pass takes nearly all pairs of a rule for matches, and certain rules do not confirm it.
    ShareUnconfirmed {
        /// The rule of the pass.
        rule: String,
        /// The share of its pairs that it takes for matches.
        share: f64,
        /// The share that is certain.
        certain: f64,
    },
    /// A pass cannot tell which pairs match: the error of their share is large, or there are hardly any.
    ShareUncertain {
        /// The rule of the pass.
        rule: String,
        /// The share of its pairs that it takes for matches.
        share: f64,
        /// Its standard error; nothing where the pairs do not determine it at all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<f64>,
        /// The matches that it learned from.
        matches: f64,
    },
    /// Two passes say different things of one level.
    PassesDisagree {
        /// The comparison.
        comparison: String,
        /// The condition of the level, or `else`.
        level: String,
        /// The pass with the least weight of the level.
        least: PassShare,
        /// The pass with the greatest.
        most: PassShare,
    },
    /// The pairs of a rule can be explained in another way that is as likely, or nearly.
    OtherMaximum {
        /// The rule of the pass.
        rule: String,
        /// The share of matches that was taken.
        share: f64,
        /// The share of the other explanation.
        other: f64,
        /// The comparison that it says most else about.
        comparison: String,
        /// What was taken for the weight of its first level, in bits.
        weight: f64,
        /// That weight by the other explanation.
        other_weight: f64,
    },
    /// Two comparisons depend on each other, so that their weights count the same thing twice.
    Dependent {
        /// The rule of the pass in which it was seen.
        rule: String,
        /// The comparisons.
        comparisons: [String; 2],
        /// The level of each that come together most above what is expected, or `else`.
        levels: [String; 2],
        /// Among which pairs.
        among: PairClass,
        /// Cramér's V: 0 where they are independent, 1 where one says the other.
        strength: f64,
        /// How much more often the two levels come together than is expected, in bits.
        bits: f64,
    },
    /// Two comparisons count the same thing twice, and were to be taken together, but cannot be.
    NotCombined {
        /// The comparisons.
        comparisons: [String; 2],
        /// What the sum of their weights is off by in a match, on the mean, in bits.
        bits: f64,
        /// Why they stay apart.
        because: NotCombinedReason,
    },
    /// By their scores more pairs match than the prior says.
    MatchesBeyondPrior {
        /// The sum of the probabilities of all pairs.
        matches: f64,
        /// The matches that there are by the prior.
        known: f64,
    },
    /// Pairs that the model takes for matches are of a kind of which it expects far fewer: records that do not match share what these
    /// comparisons compare.
    PairsUnexpected {
        /// The comparisons that agree in the most frequent kind; all others differ, or are null.
        comparisons: Vec<String>,
        /// The pairs of that kind that are taken for matches.
        pairs: f64,
        /// The pairs of that kind that are expected.
        expected: f64,
        /// The share of unexpected pairs of all kinds among those that are taken for matches.
        share: f64,
    },
    /// Among pairs of a rule that do not match, a level is far more frequent than among all pairs: the rule decides it in part.
    RuleDependent {
        /// The rule of the pass.
        rule: String,
        /// The comparison.
        comparison: String,
        /// The condition of the level.
        level: String,
        /// Its share among the rule's pairs that do not match.
        seen: f64,
        /// Its u.
        expected: f64,
    },
}

/// Columns that a rule shares with a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedColumns {
    /// The rule.
    pub rule: String,
    /// The columns, in order.
    pub columns: Vec<String>,
}

/// What a pass says of a level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PassShare {
    /// The rule of the pass.
    pub rule: String,
    /// m of the level.
    pub m: f64,
    /// The weight that this gives, in bits.
    pub weight: f64,
}

/// Why two comparisons that count the same thing twice stay apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotCombinedReason {
    /// One of them has term frequencies, and a level of two comparisons has none.
    TermFrequencies,
    /// One of them asks for the places of records in an order of all of them.
    Neighbours,
    /// A condition has a comment, which could hide what follows it.
    Comment,
    /// Their levels together are no comparison: some contradict each other, or there are too many.
    Levels,
}

/// Pairs that match, or all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PairClass {
    /// Pairs that match.
    Matches,
    /// Pairs that do not.
    Others,
}
