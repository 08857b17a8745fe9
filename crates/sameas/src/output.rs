//! What an [`OutputFolder`](crate::OutputFolder) and a [`ResultFile`](crate::ResultFile) have begun and not finished.

#[doc(inline)]
pub use sameas_records::output::{PartialFile, PartialResults};
