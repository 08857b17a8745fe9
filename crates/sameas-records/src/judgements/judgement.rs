//! A judgement as a value.

/// What somebody says of two records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JudgementKind {
    /// They are the same.
    Same,
    /// They are not.
    Different,
    /// Nobody can tell.
    Unsure,
}

impl JudgementKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Same, Self::Different, Self::Unsure];

    /// How files write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Different => "different",
            Self::Unsure => "unsure",
        }
    }

    /// What a file says; case and white space around it do not matter.
    pub(super) fn named(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| text.trim().eq_ignore_ascii_case(kind.name()))
    }

    /// Whether the records are the same, if somebody knows.
    pub fn is_same(self) -> Option<bool> {
        match self {
            Self::Same => Some(true),
            Self::Different => Some(false),
            Self::Unsure => None,
        }
    }
}

/// A record as a judgement names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct JudgedRecord {
    /// The input that it is from, where the file says it.
    pub source: Option<String>,
    /// Its id.
    pub id: String,
}

/// What was said of a pair.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Judgement {
    /// The two records, as the row has them.
    pub records: [JudgedRecord; 2],
    /// Whether they are the same.
    pub kind: JudgementKind,
    /// Who says it.
    pub who: Option<String>,
    /// When it was said, as the file writes it.
    pub when: Option<String>,
    /// The part of the pairs that this one was drawn from.
    pub stratum: Option<String>,
    /// How likely the pair was to be drawn: above 0, at most 1.
    pub inclusion_probability: Option<f64>,
    /// The row that says it.
    pub(super) row: usize,
}

impl Judgement {
    /// The bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        let of_records =
            self.records.iter().map(|record| record.id.len() + record.source.as_ref().map_or(0, String::len));
        let of_texts = [&self.who, &self.when, &self.stratum].into_iter().flatten().map(String::len);
        size_of::<Self>() + of_records.chain(of_texts).sum::<usize>()
    }
}
