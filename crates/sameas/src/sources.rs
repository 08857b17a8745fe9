//! Where records come from: what a [`Source`](crate::Source) of the caller is opened with and gives, and how a
//! [`JobSpec`](crate::JobSpec) describes inputs.

#[doc(inline)]
pub use sameas_engine::job::{IdSpec, InputSpec};
#[doc(inline)]
pub use sameas_records::records::{
    DECODER_THREAD, OpenSource, Opening, PartBatches, PartReading, SourceDescription, SourcePart,
};
