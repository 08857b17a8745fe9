//! Jobs of Splink: [`SplinkSettings`] has the rules and the [`Model`](crate::Model) of its settings, and what is not
//! quite the same.

#[doc(inline)]
pub use sameas_rules::splink::{SplinkNote, SplinkNoteKind, SplinkSettings};
