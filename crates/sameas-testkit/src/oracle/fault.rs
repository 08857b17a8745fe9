//! The mistakes that engines make, of which the oracle can be given one.

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// `not null` is true.
    NotNullIsTrue,
    /// A pair for which two parts of an `or` hold appears twice.
    OrEmitsTwice,
    /// A rule is tested with the earlier record as `l` only.
    TriangleOnAsymmetricRule,
    /// A bound on a measure excludes the bound itself: `>=` as `>`, `<=` as `<`.
    BoundOffByOne,
    /// The last record is compared with nothing.
    LostLastRow,
    /// A veto is tested with the earlier record as `l` only.
    NeverOneWayOnly,
    /// `match_key` names the last rule that holds.
    MatchKeyOfLastRule,
    /// An empty text of an input column is a value.
    EmptyIsNotNull,
    /// Null equals null.
    NullEqualsNull,
    /// The string measures look at UTF-8 bytes.
    BytesForCharacters,
    /// The last pair does not join its clusters.
    ClusterMissesAPair,
    /// Numbers are compared as texts.
    NumbersComparedAsText,
    /// Vetoes do nothing.
    NeverForgotten,
    /// `or` with a null is null, even if another part is true.
    OrOfNullIsNull,
    /// A pair that two vetoes forbid counts for the last of them.
    NeverCountedForTheLast,
    /// All values weigh the same, however rare they are.
    TermFrequencyIgnored,
    /// The frequency of a value that a table lacks is counted.
    LackingCounted,
    /// A level that is null says that records disagree.
    NullAsElse,
    /// A score equal to the threshold does not reach it.
    ThresholdExcluded,
    /// The last level that holds counts.
    LastLevelCounts,
    /// A level is tested with the earlier record as `l` only.
    LevelsOneWayOnly,
    /// Pairs of certain rules need the score of others.
    CertainForgotten,
}

impl Fault {
    /// Every fault of rules.
    pub const ALL: [Fault; 15] = [
        Fault::NotNullIsTrue,
        Fault::OrEmitsTwice,
        Fault::TriangleOnAsymmetricRule,
        Fault::BoundOffByOne,
        Fault::LostLastRow,
        Fault::NeverOneWayOnly,
        Fault::MatchKeyOfLastRule,
        Fault::EmptyIsNotNull,
        Fault::NullEqualsNull,
        Fault::BytesForCharacters,
        Fault::ClusterMissesAPair,
        Fault::NumbersComparedAsText,
        Fault::NeverForgotten,
        Fault::OrOfNullIsNull,
        Fault::NeverCountedForTheLast,
    ];

    /// Every fault of scores.
    pub const OF_SCORES: [Fault; 7] = [
        Fault::TermFrequencyIgnored,
        Fault::LackingCounted,
        Fault::NullAsElse,
        Fault::ThresholdExcluded,
        Fault::LastLevelCounts,
        Fault::LevelsOneWayOnly,
        Fault::CertainForgotten,
    ];
}
