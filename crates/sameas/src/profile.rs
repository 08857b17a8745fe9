//! What inputs hold and which keys join them well: [`Session::profile`](crate::Session::profile) gives a [`Profile`].

#[doc(inline)]
pub use sameas_report::profile::{
    ColumnLook, ColumnProfile, ColumnType, FormatCount, GarbledText, InputProfile, JoinKey, KeySearch, KeyVerdict,
    LargestGroup, PatternCount, Profile, SharedBy, SharedValues, TextFormat, TextProfile, ValueCount,
};
