//! The functions and operators of the language, as the evaluator knows them.

use std::fmt;

use super::types::Type;
use crate::measure::{MeasureFacts, SetMeasure, TextMeasure};

/// The functions that are not measures of texts or sets: the type of all functions, and its texts, which are parts of keys.
macro_rules! functions {
    ($($(#[$about:meta])* $name:ident,)*) => {
        /// Every function and operator. Arguments already have the types named here; the binder has put
        /// `To...` conversions where a use needs them.
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Function {
            $($(#[$about])* $name,)*
            /// A measure of two texts.
            Text(TextMeasure),
            /// A measure of two sets of texts.
            Set(SetMeasure),
        }

        impl Function {
            /// Those that are not measures of texts or sets.
            const PLAIN: &'static [Self] = &[$(Self::$name,)*];
        }

        /// A function by one name, measures by their own: predicates and operands are distinguished by these texts, and stored
        /// plans and checkpoints are found by them.
        impl fmt::Debug for Function {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$name => f.write_str(stringify!($name)),)*
                    Self::Text(measure) => fmt::Debug::fmt(measure, f),
                    Self::Set(measure) => fmt::Debug::fmt(measure, f),
                }
            }
        }
    };
}

functions! {
    // Logic: three-valued, `Bool` arguments.
    /// All arguments (two or more) hold.
    And,
    /// At least one argument (two or more) holds.
    Or,
    /// The argument is false.
    Not,
    /// The argument of any type is null; never null itself.
    IsNull,
    /// The argument of any type is not null; never null itself.
    IsNotNull,
    /// `a is true`, never null itself.
    IsTrue,
    /// `a is false`, never null itself.
    IsFalse,

    // Comparison: two arguments of one type; null if either is null.
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `is distinct from`: null is a value like any other; never null itself.
    Distinct,
    /// `is not distinct from`.
    NotDistinct,
    /// First argument equals one of the others, which have its type; SQL's rule for nulls.
    In,

    // Choice: all values of one type.
    /// `when, then, when, then, ..., else`: an odd number of arguments.
    Case,
    /// The first that is not null.
    Coalesce,
    /// Null where the two are equal, else the first.
    NullIf,
    /// The smallest that is not null.
    Least,
    /// The largest that is not null.
    Greatest,

    // Conversion: what fails is null.
    /// Number from text (integer if it parses, else float), number or bool (1, 0).
    ToNumber,
    /// Date from ISO 8601 text (`2024-05-31`, `20240531`, optionally followed by a time) or date.
    ToDate,
    /// Text from any scalar type; a date is written `2024-05-31`.
    ToText,
    /// Bool from text (`true false t f yes no y n 1 0`, any case), number (0 is false) or bool.
    ToBool,
    /// Integer: as `ToNumber`, then rounded half away from zero; null out of range.
    ToInteger,
    /// Float: as `ToNumber`, then the nearest float.
    ToFloat,

    /// A list of texts from a list of numbers, each written as `ToText` writes it.
    ToTextList,
    /// `strptime(s, format, ...)`: date from a text by the first of the formats that it fits.
    Strptime,
    /// `parse_number(s, mark)`: number from a text with this decimal mark, and perhaps marks between groups of digits.
    ParseNumber,

    // Arithmetic: integers stay integers and decimals decimals except for `/`, with a float all are floats; overflow,
    // division by zero and whatever is not finite are null.
    /// `+`
    Add,
    /// `-` of two numbers.
    Subtract,
    /// `*`
    Multiply,
    /// `/`, always in floats.
    Divide,
    /// `%`, with the sign of the dividend.
    Modulo,
    /// `-` of one number.
    Negate,
    /// Absolute value.
    Abs,
    /// `round(x)` or `round(x, digits)`, half away from zero.
    Round,
    /// Largest integer not above.
    Floor,
    /// Smallest integer not below.
    Ceil,

    // Text. Positions and lengths count Unicode scalar values.
    /// `||`: all text arguments joined; null if any is null.
    Concat,
    /// Lower case.
    Lower,
    /// Upper case.
    Upper,
    /// White space removed at both ends; with a second argument, its characters instead.
    Trim,
    /// As `Trim`, at the start only.
    TrimStart,
    /// As `Trim`, at the end only.
    TrimEnd,
    /// `substr(s, start)` or `substr(s, start, length)`, from 1; a negative start counts from the end.
    Substr,
    /// First n characters; a negative n leaves out the last -n.
    Left,
    /// Last n characters; a negative n leaves out the first -n.
    Right,
    /// Number of characters.
    Length,
    /// `replace(s, from, to)`, every occurrence; an empty `from` changes nothing.
    Replace,
    /// `regexp_replace(s, pattern, to[, flags])`: first match, all with flag `g`; `i` ignores case; `\1` names a group.
    RegexpReplace,
    /// `regexp_extract(s, pattern[, group])`: the match or the group, empty where there is none.
    RegexpExtract,
    /// `split_part(s, separator, n)`, from 1, negative from the end; empty where there is no such part.
    SplitPart,
    /// `starts_with(s, prefix)`.
    StartsWith,
    /// `contains(s, part)`.
    Contains,
    /// `s like pattern`, with an optional third argument, the escape character.
    Like,
    /// As `Like`, ignoring case.
    ILike,
    /// Accents removed: canonical decomposition without its combining marks, composed again.
    StripAccents,
    /// Everything removed that is neither alphanumeric nor white space.
    StripPunctuation,
    /// Runs of white space become one blank, none at the ends.
    CollapseSpaces,
    /// Only the digits 0-9.
    Digits,
    /// `concat(a, ...)`: joined without those that are null; null where all are.
    ConcatPresent,
    /// `concat_ws(separator, a, ...)`: the same with a text between them.
    ConcatWs,

    // Dates.
    /// Year of a date.
    Year,
    /// Month of a date, 1 to 12.
    Month,
    /// Day of the month.
    Day,
    /// Days from the first date to the second.
    DateDiffDays,

    // Phonetics and keys.
    /// American Soundex.
    Soundex,
    /// Double Metaphone, the primary code.
    Metaphone,
    /// Double Metaphone, the alternate code.
    MetaphoneAlternate,
    /// 1000 * length + code point of the first character.
    SortKey,

    // Token sets.
    /// The set of maximal runs of alphanumeric characters with the combining marks that follow them.
    Words,
    /// `qgrams(s, q)`: the set of substrings of q characters.
    Qgrams,
    /// The text itself and the groups of a file that it is in, as a set: what two texts must share for `in_list`.
    ListGroups,
    /// The number of different elements of a list or set.
    ArrayLength,

    // Tests and measures of other values.
    /// The two lists share an element.
    ListHasAny,
    /// Cosine of the angle between two vectors.
    CosineSimilarity,
    /// Great-circle distance of (lat, lon) and (lat, lon) in kilometres.
    HaversineKm,
}

impl Function {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let texts = TextMeasure::ALL.iter().copied().map(Self::Text);
        let sets = SetMeasure::ALL.iter().copied().map(Self::Set);
        Self::PLAIN.iter().copied().chain(texts).chain(sets)
    }

    /// What is known of it, if it is a measure of texts or sets.
    pub const fn measure(self) -> Option<&'static MeasureFacts> {
        match self {
            Self::Text(measure) => Some(measure.facts()),
            Self::Set(measure) => Some(measure.facts()),
            _ => None,
        }
    }

    /// True for functions that read a text, their first argument, as a number or a date, and may fail.
    pub fn reads_text(self) -> bool {
        let converts = matches!(self, Self::ToNumber | Self::ToDate | Self::ToInteger | Self::ToFloat);
        converts || matches!(self, Self::Strptime | Self::ParseNumber)
    }

    /// True for functions that make decimals of decimals.
    pub fn keeps_decimals(self) -> bool {
        let of_one = matches!(self, Self::Negate | Self::Abs | Self::Round | Self::Floor | Self::Ceil);
        let chosen = matches!(self, Self::Case | Self::Coalesce | Self::Least | Self::Greatest);
        of_one || chosen || matches!(self, Self::Add | Self::Subtract | Self::Multiply | Self::Modulo)
    }

    /// The type of the result; `argument` is the type of the first value argument, which choices return.
    pub fn result_type(self, argument: Type) -> Type {
        use Function as F;
        match self {
            F::And | F::Or | F::Not | F::IsNull | F::IsNotNull | F::IsTrue | F::IsFalse => Type::Bool,
            F::Equal | F::NotEqual | F::Less | F::LessEqual | F::Greater | F::GreaterEqual => Type::Bool,
            F::Distinct | F::NotDistinct | F::In | F::ToBool => Type::Bool,
            F::StartsWith | F::Contains | F::Like | F::ILike | F::ListHasAny => Type::Bool,
            F::Case | F::Coalesce | F::NullIf | F::Least | F::Greatest => argument,
            F::ToDate | F::Strptime => Type::Date,
            F::ToText | F::Concat | F::Lower | F::Upper | F::Trim | F::TrimStart | F::TrimEnd => Type::Text,
            F::Substr | F::Left | F::Right | F::Replace | F::RegexpReplace | F::RegexpExtract => Type::Text,
            F::SplitPart | F::StripAccents | F::StripPunctuation | F::CollapseSpaces => Type::Text,
            F::Digits | F::ConcatPresent | F::ConcatWs => Type::Text,
            F::Soundex | F::Metaphone | F::MetaphoneAlternate => Type::Text,
            F::Words | F::Qgrams | F::ListGroups | F::ToTextList => Type::TextList,
            F::ToNumber | F::ToInteger | F::ToFloat | F::ParseNumber | F::Length | F::ArrayLength => Type::Number,
            F::Add | F::Subtract | F::Multiply | F::Divide | F::Modulo => Type::Number,
            F::Negate | F::Abs | F::Round | F::Floor | F::Ceil => Type::Number,
            F::Year | F::Month | F::Day | F::DateDiffDays | F::SortKey => Type::Number,
            F::Text(_) | F::Set(_) | F::CosineSimilarity | F::HaversineKm => Type::Number,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every function that older versions have, as keys name it.
    const NAMES: &str = "
        And Or Not IsNull IsNotNull IsTrue IsFalse Equal NotEqual Less LessEqual Greater GreaterEqual Distinct
        NotDistinct In Case Coalesce NullIf Least Greatest ToNumber ToDate ToText ToBool ToInteger ToFloat
        ToTextList Strptime ParseNumber Add Subtract Multiply Divide Modulo Negate Abs Round Floor Ceil Concat
        Lower Upper Trim TrimStart TrimEnd Substr Left Right Length Replace RegexpReplace RegexpExtract SplitPart
        StartsWith Contains Like ILike StripAccents StripPunctuation CollapseSpaces Digits ConcatPresent ConcatWs
        Year Month Day DateDiffDays Soundex Metaphone MetaphoneAlternate SortKey Words Qgrams ListGroups
        ArrayLength ListHasAny CosineSimilarity HaversineKm Levenshtein Osa DamerauLevenshtein
        LevenshteinSimilarity OsaSimilarity DamerauSimilarity Hamming Jaro JaroWinkler Jaccard Dice Cosine
        OverlapCoefficient Overlap";

    /// Predicates, operands and stored plans are known by these texts.
    #[test]
    fn functions_keep_their_texts() {
        let all: Vec<String> = Function::all().map(|function| format!("{function:?}")).collect();
        let lost: Vec<&str> = NAMES.split_whitespace().filter(|name| !all.iter().any(|own| own == name)).collect();
        assert!(lost.is_empty(), "{lost:?}");
        let mut distinct = all.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), all.len(), "no two functions have one text");
    }
}
