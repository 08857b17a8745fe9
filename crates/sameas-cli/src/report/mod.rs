//! What the program says, as text: every sentence about typed facts of the library is made here.

mod closure;
mod clusters;
mod doubts;
mod near;
mod no_gpu;
mod pair;
mod plan;
mod profile;
mod records;
mod scores;
mod summary;
mod values;
mod warnings;

pub use closure::{closure_plan, closure_summary};
pub use doubts::doubts;
pub use no_gpu::no_gpu;
pub use pair::{pair, pair_in_short};
pub use plan::plan;
pub use profile::{first_rules, profile};
pub use scores::{scores, scores_json};
pub use summary::{findings, summary};
pub use warnings::warning;
