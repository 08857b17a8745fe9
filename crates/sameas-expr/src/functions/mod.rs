//! What each function computes, one file per group. Every function is total: what cannot be computed is null.

mod arithmetic;
mod choice;
mod compare;
mod concat;
mod convert;
mod date_format;
mod dates;
mod groups;
mod like;
mod logic;
mod measures;
mod memo;
mod metaphone;
mod parse_number;
mod regex;
mod sets;
mod substring;
mod text;

pub use date_format::{DIRECTIVES, FormatMistake, MONTHS, format_mistake};
pub(super) use groups::groups_of;
pub use groups::shown_member;

use super::eval::Args;
use super::{Function, Vector};

/// The value of a function for every row. Each group's own `apply` distinguishes its functions, and stops at one that it does
/// not have.
pub(super) fn apply(function: Function, args: &Args<'_>) -> Vector {
    use Function as F;
    match function {
        F::And | F::Or | F::Not | F::IsNull | F::IsNotNull | F::IsTrue | F::IsFalse => logic::apply(function, args),
        F::Equal | F::NotEqual | F::Less | F::LessEqual | F::Greater | F::GreaterEqual => {
            compare::apply(function, args)
        }
        F::Distinct | F::NotDistinct => compare::distinct(function, args),
        F::In => compare::is_in(args),
        F::Case | F::Coalesce | F::NullIf | F::Least | F::Greatest => choice::apply(function, args),
        F::ToNumber | F::ToDate | F::ToText | F::ToBool => convert::apply(function, args),
        F::ToInteger | F::ToFloat => convert::apply(function, args),
        F::ToTextList => convert::to_text_list(args),
        F::Strptime => date_format::strptime(args),
        F::ParseNumber => parse_number::apply(args),
        F::Add | F::Subtract | F::Multiply | F::Divide | F::Modulo => arithmetic::binary(function, args),
        F::Negate | F::Abs | F::Floor | F::Ceil => arithmetic::unary(function, args),
        F::Round => arithmetic::round(args),
        F::Concat | F::Lower | F::Upper | F::Replace => text::apply(function, args),
        F::StripAccents | F::StripPunctuation | F::CollapseSpaces | F::Digits => text::apply(function, args),
        F::ConcatPresent | F::ConcatWs => concat::apply(function, args),
        F::Length | F::StartsWith | F::Contains => text::property(function, args),
        F::Trim | F::TrimStart | F::TrimEnd | F::Substr | F::Left | F::Right | F::SplitPart => {
            substring::apply(function, args)
        }
        F::RegexpReplace => regex::replace(args),
        F::RegexpExtract => regex::extract(args),
        F::Like | F::ILike => like::apply(function, args),
        F::Year | F::Month | F::Day => dates::part(function, args),
        F::DateDiffDays => dates::difference(args),
        F::Metaphone | F::MetaphoneAlternate => metaphone::apply(function, args),
        F::Soundex => measures::sounds(args),
        F::SortKey => measures::key(args),
        F::CosineSimilarity => measures::cosine(args),
        F::HaversineKm => measures::haversine(args),
        F::Text(measure) => measures::of_texts(measure, args),
        F::Words | F::Qgrams => sets::tokens(function, args),
        F::Set(measure) => sets::measure(measure, args),
        F::ListHasAny => sets::has_any(args),
        F::ArrayLength => sets::array_length(args),
        F::ListGroups => groups::without_file(args),
    }
}
