//! Ids and values become dense numbers, from 0 on.
//!
//! `ordered` numbers all at once, in the order of their values; `first_seen` all at once, by their first occurrence, or some
//! blocks at a time; `growing` one after the other, as they come. Integers that lie close together are a bit each
//! ([`CloseIntegers`]), wherever they are numbered.

mod by_number;
mod close_integers;
mod first_seen;
mod growing;
mod ordered;
mod value_list;

pub use by_number::ByNumber;
pub use close_integers::CloseIntegers;
pub use first_seen::{FirstSeen, GrowingParts, NULL, RecentValues, SeenPart, SplitValue, SplitValues, hash_of};
pub use growing::GrowingNumbers;
pub use ordered::{Numbered, OrderedIntegers, SortedTexts, number_integers, number_texts, texts_in_order};
pub use value_list::{ValueList, up_to_end};
