//! What the program says, as text: every sentence about typed facts of the library is made here.

mod bars;
mod closure;
mod cluster;
mod clusters;
mod devices;
mod doubts;
mod model;
mod near;
mod no_gpu;
mod page_words;
mod pair;
mod plan;
mod profile;
mod records;
mod relate;
mod scores;
mod summary;
mod values;
mod warnings;
mod waterfall;

pub use closure::{closure_plan, closure_summary};
pub use cluster::cluster;
pub use devices::devices;
pub use doubts::doubts;
pub use model::model;
pub use no_gpu::no_gpu;
pub use page_words::page_words;
pub use pair::{pair, pair_in_short};
pub use plan::plan;
pub use profile::{first_rules, profile};
pub use relate::{relate_plan, related};
pub use scores::{scores, scores_json};
pub use summary::{findings, summary};
pub use warnings::warning;
