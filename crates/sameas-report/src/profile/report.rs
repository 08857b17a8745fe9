//! What a profile says.

use serde::Serialize;

use crate::expr::{FieldValue, Type};
use crate::rules::LinkType;

/// What the columns of a job's inputs hold, and which keys would join its records.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Profile {
    /// What the pairs are made of.
    pub link_type: LinkType,
    /// The inputs.
    pub inputs: Vec<InputProfile>,
    /// Columns of two inputs that hold the same things under different names.
    pub shared_values: Vec<SharedValues>,
    /// All pairs of records there are.
    pub nominal_pairs: u64,
    /// Every key that was tried, the best first.
    pub keys: Vec<JoinKey>,
    /// How keys were looked for.
    pub search: KeySearch,
}

/// One input.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct InputProfile {
    /// Its name.
    pub name: String,
    /// Number of records.
    pub rows: u64,
    /// Its columns, in order.
    pub columns: Vec<ColumnProfile>,
}

/// One column.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ColumnProfile {
    /// Its name.
    pub name: String,
    /// The type that rules see.
    pub column_type: ColumnType,
    /// What its values look like.
    pub look: ColumnLook,
    /// Records without a value; empty texts are none.
    pub nulls: u64,
    /// Different values.
    pub distinct: u64,
    /// Every record has a value, and no two have the same.
    pub can_be_id: bool,
    /// The values of most records, those of the most first.
    pub frequent: Vec<ValueCount>,
    /// More about texts.
    pub text: Option<TextProfile>,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ColumnType {
    /// Text.
    Text,
    /// Numbers.
    Number,
    /// Dates.
    Date,
    /// True or false.
    Bool,
    /// Lists of texts.
    TextList,
    /// Lists of numbers.
    NumberList,
    /// The file says nothing but null.
    Null,
    /// Nested objects, binary data and the like, which rules cannot use.
    Unusable,
}

impl ColumnType {
    /// The type of a column that expressions see with this type.
    pub(super) fn from_type(ty: Type) -> Self {
        match ty {
            Type::Null => Self::Null,
            Type::Bool => Self::Bool,
            Type::Text => Self::Text,
            Type::Number | Type::Decimal => Self::Number,
            Type::Date => Self::Date,
            Type::TextList => Self::TextList,
            Type::NumberList => Self::NumberList,
        }
    }
}

/// What most values of a column look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ColumnLook {
    /// There is no value.
    Empty,
    /// All values are the same.
    Constant,
    /// Every record has another number or code.
    Identifier,
    /// Dates.
    Date,
    /// E-mail addresses.
    Email,
    /// Phone numbers.
    Phone,
    /// Numbers.
    Number,
    /// Codes without blanks, such as postcodes.
    Code,
    /// A few words, such as names.
    Name,
    /// Longer texts.
    Text,
    /// A few values that many records share, such as a sex or a state.
    Category,
    /// True or false.
    Flag,
    /// Lists and what rules cannot use.
    Other,
}

/// A value and the number of records that have it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ValueCount {
    /// The value.
    pub value: FieldValue,
    /// The records.
    pub records: u64,
}

/// A column of texts. Numbers are of records.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TextProfile {
    /// Characters of the shortest text.
    pub shortest: u64,
    /// Characters of the longest text.
    pub longest: u64,
    /// Characters on average.
    pub mean_length: f64,
    /// What the texts are, the most frequent first.
    pub formats: Vec<FormatCount>,
    /// The most frequent patterns of characters.
    pub patterns: Vec<PatternCount>,
    /// Values that look as if they stood for a missing one.
    pub missing_like: Vec<ValueCount>,
    /// Texts of white space alone.
    pub blank: u64,
    /// Texts with white space at the beginning or the end.
    pub padded: u64,
    /// Texts without small letters.
    pub upper: u64,
    /// Texts without capital letters.
    pub lower: u64,
    /// Texts with both.
    pub mixed: u64,
    /// Values that become equal to another one in small letters without accents; not known for columns whose keys were not
    /// tried.
    pub folded: Option<u64>,
    /// Texts that seem to have been read in a wrong encoding.
    pub garbled: Option<GarbledText>,
}

/// What a text is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
#[non_exhaustive]
pub enum TextFormat {
    /// A date that date functions read: `2024-05-31` or `20240531`, also with a time.
    IsoDate,
    /// Another date, with the formats of `strptime` that read it: two where day and month could be exchanged.
    Date {
        /// Such as `%d.%m.%Y`.
        formats: Vec<String>,
    },
    /// Digits alone.
    Digits,
    /// Another number.
    Number,
    /// A number with a decimal comma.
    DecimalComma,
    /// An e-mail address.
    Email,
    /// Seven to fifteen digits with blanks and signs between them.
    Phone,
    /// Letters and what stands between words.
    Words,
    /// Anything else.
    Other,
}

/// A format and the number of records that have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FormatCount {
    /// The format.
    #[serde(flatten)]
    pub format: TextFormat,
    /// The records.
    pub records: u64,
    /// One of the values.
    pub example: String,
}

/// A pattern of characters: `9` is a digit, `A` a capital letter, `a` another letter; four letters stand for four or more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PatternCount {
    /// The pattern.
    pub pattern: String,
    /// The records.
    pub records: u64,
    /// One of the values.
    pub example: String,
}

/// Texts that seem to have been read in a wrong encoding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct GarbledText {
    /// The records.
    pub records: u64,
    /// One of the values.
    pub example: String,
    /// What it would be if it is UTF-8 that was taken for Latin-1 or Windows-1252.
    pub repaired: Option<String>,
}

/// A column of the left input and one of the right that have different names and hold the same things.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SharedValues {
    /// The left column.
    pub left: String,
    /// The right column.
    pub right: String,
    /// What they share.
    pub by: SharedBy,
    /// Of values the share of one of them that the other one has too, of words the share of all that both have; about.
    pub share: f64,
}

/// What two columns share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SharedBy {
    /// Whole values.
    Values,
    /// Words of their values.
    Words,
}

/// A key: records with equal values are candidates.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct JoinKey {
    /// The condition as a rule has it.
    pub condition: String,
    /// The columns that it reads; with two inputs as the left one calls them.
    pub columns: Vec<String>,
    /// Pairs of records with the same key, exactly.
    pub candidates: u64,
    /// Records that have the key: nothing in it is null.
    pub records: u64,
    /// Different keys.
    pub distinct: u64,
    /// The key with the most candidates.
    pub largest: Option<LargestGroup>,
    /// What to think of it.
    pub verdict: KeyVerdict,
}

/// The records of one key.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LargestGroup {
    /// The values of the key.
    pub values: Vec<FieldValue>,
    /// The records that have it.
    pub records: u64,
    /// Their candidates.
    pub candidates: u64,
}

/// What to think of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum KeyVerdict {
    /// Few candidates per record.
    Good,
    /// Many candidates per record: a job of some size needs time for them.
    Loose,
    /// Too many candidates per record.
    TooManyCandidates,
    /// Too many candidates, and most of them from one value.
    OneValue,
    /// Hardly any record has it.
    MostlyMissing,
    /// No two records share a value.
    NoCandidates,
    /// Each of two inputs numbers its own records: equal numbers mean nothing.
    OwnNumbers,
}

/// How keys were looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct KeySearch {
    /// Keys of one column that were tried.
    pub single_keys: u64,
    /// Those that are neither good alone nor hopeless, which could be combined.
    pub combinable: u64,
    /// Those of them that were combined, the most promising ones.
    pub combined: u64,
    /// Combinations of two that were counted; others of these would give far too many candidates.
    pub combinations: u64,
}
