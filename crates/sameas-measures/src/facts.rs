//! What is known of every measure, whether it compares texts or sets: one value in the file of the measure. Rules, doubts,
//! near pairs, reports, help, pages and the Python package read it, and keep no list of measures of their own.

/// When most measures of texts are null.
pub const IF_EMPTY: &str = "null if an argument is null or empty";

/// When measures of sets are null: an empty set counts as missing.
pub const IF_NO_ELEMENT: &str = "null if a set is null or empty";

/// What people read of a measure.
#[derive(Clone, Copy, Debug)]
pub struct MeasureWords {
    /// Its name in rules.
    pub name: &'static str,
    /// Other names for the same.
    pub also: &'static [&'static str],
    /// How it is written.
    pub signature: &'static str,
    /// What it gives.
    pub meaning: &'static str,
    /// When it is null.
    pub null: &'static str,
    /// An expression with it, and the value of that expression.
    pub example: [&'static str; 2],
}

/// What the values of a measure are, of which the least is always 0. It decides how a threshold is advised, loosened and
/// shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureKind {
    /// A number of differences: a whole number, and the fewer the nearer.
    Distance,
    /// A number of what two sets have in common: a whole number, and the more the nearer.
    Common,
    /// A similarity up to 1: the more the nearer.
    Similarity,
}

impl MeasureKind {
    /// Whether its values are whole numbers.
    pub const fn is_whole(self) -> bool {
        match self {
            Self::Distance | Self::Common => true,
            Self::Similarity => false,
        }
    }
}

/// The greatest value of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Highest {
    /// There is none.
    Unbounded,
    /// 1, to the last bit.
    One,
    /// 1, or a little more by rounding.
    AboutOne,
}

/// Measures of which none is ever above the next one, for the same operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureChain {
    /// Numbers of edits: what one may do, those before it may do too.
    Edits,
    /// The similarities that belong to them.
    EditSimilarities,
    /// Jaro, and what is added to it.
    Jaro,
    /// Shares of what two sets have in common.
    Shares,
}

/// The place of a measure in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasurePlace {
    /// The chain.
    pub chain: MeasureChain,
    /// Those before it are never above it.
    pub at: u8,
}

/// What is known of a measure.
#[derive(Clone, Copy, Debug)]
pub struct MeasureFacts {
    /// What people read of it.
    pub words: MeasureWords,
    /// What its values are.
    pub kind: MeasureKind,
    /// The greatest of them.
    pub high: Highest,
    /// Its place among others, where the order is certain to the last bit.
    pub place: Option<MeasurePlace>,
    /// Whether its arguments may be exchanged, to the last bit.
    pub is_symmetric: bool,
    /// Whether no difference, or a similarity of 1, means that both operands are equal.
    pub tells_equality: bool,
    /// Whether it has no value for some operands that are neither null nor empty.
    pub has_more_nulls: bool,
    /// Of a number, the similarity that is meant where it is compared with a fraction.
    pub similarity: Option<&'static str>,
}

impl MeasureFacts {
    /// A number of differences, which equal operands have none of, and no others.
    pub const fn distance(words: MeasureWords, similarity: &'static str) -> Self {
        Self {
            words,
            kind: MeasureKind::Distance,
            high: Highest::Unbounded,
            place: None,
            is_symmetric: true,
            tells_equality: true,
            has_more_nulls: false,
            similarity: Some(similarity),
        }
    }

    /// A number of what is in common.
    pub const fn common(words: MeasureWords, similarity: &'static str) -> Self {
        Self { kind: MeasureKind::Common, tells_equality: false, ..Self::distance(words, similarity) }
    }

    /// A similarity from 0 to 1.
    pub const fn similarity(words: MeasureWords) -> Self {
        let (kind, high) = (MeasureKind::Similarity, Highest::One);
        Self { kind, high, similarity: None, ..Self::common(words, "") }
    }

    /// The same with a place in a chain.
    #[must_use]
    pub const fn at(self, chain: MeasureChain, at: u8) -> Self {
        Self { place: Some(MeasurePlace { chain, at }), ..self }
    }

    /// The same where 1 means that both operands are equal.
    #[must_use]
    pub const fn telling_equality(self) -> Self {
        Self { tells_equality: true, ..self }
    }
}

/// A value of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MeasureValue {
    /// A whole number.
    Whole(usize),
    /// A similarity.
    Share(f64),
}
