//! What the program says, as text: every sentence about typed facts of the library is made here.

mod near;
mod no_gpu;
mod pair;
mod plan;
mod records;
mod scores;
mod summary;
mod values;
mod warnings;

pub use no_gpu::no_gpu;
pub use pair::{pair, pair_in_short};
pub use plan::plan;
pub use scores::{scores, scores_json};
pub use summary::{findings, summary};
