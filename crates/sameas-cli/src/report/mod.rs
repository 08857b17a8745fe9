//! What the program tells its user, as text.

mod pair;
mod plan;
mod scores;
mod summary;

pub use pair::{pair, pair_in_short};
pub use plan::plan;
pub use scores::{scores, scores_json};
pub use summary::{findings, summary};
