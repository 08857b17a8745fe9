//! What the program tells its user, as text.

mod pair;
mod plan;
mod scores;
mod summary;

pub use pair::pair;
pub use plan::plan;
pub use scores::{scores, scores_json};
pub use summary::{findings, summary};
