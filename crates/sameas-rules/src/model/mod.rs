//! Models: what each level of each comparison says about a pair, as it was learned or given.
//!
//! `learned` has the model, and whether it fits the comparisons of some rules; `model_file` is its text, which a person can read and
//! change. `combined` has comparisons that a model takes together, and completes rules with them. `training_warning` is what should
//! be known about how it was learned, and `warning_text` writes that into the file. `plausible` refuses impossible numbers, and
//! `places` finds their lines. `weight` has the weights: whole multiples of 2^-32 bit, so that a score is a sum of integers, the same
//! in any order and on any machine.

mod combined;
mod learned;
mod model_file;
mod places;
mod plausible;
mod training_warning;
mod warning_text;
mod weight;

pub use combined::CombinedComparison;
pub use learned::{ComparisonModel, LearnedFrom, LevelModel, Model, TrainingPass};
pub(crate) use model_file::toml_text;
pub use training_warning::{NotCombinedReason, PairClass, PassShare, SharedColumns, TrainingWarning};
pub use weight::MatchWeight;
