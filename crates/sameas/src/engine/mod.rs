//! The engine: a job from its inputs to its results, step by step.
//!
//! [`execute`] does it all: `load` reads the inputs and checks the rules against them, [`Prepared`] holds everything
//! encoded and planned, `join` enumerates and verifies (`gpu` on devices), `encode` makes the program of its rules, `adaptive` reorders the checks of a branch whose estimates were wrong, and `run` sorts, clusters and writes.

mod adaptive;
mod encode;
mod gpu;
mod history;
mod join;
mod load;
mod options;
mod prepared;
mod record;
mod run;
mod why;

pub use history::History;
pub use load::{Loaded, check, load};
pub use options::{JobSpec, NoProgress, Options, OutputTarget, Progress};
pub use prepared::{Explanation, Prepared};
pub use record::{InputRecord, NeverRecord, OperatorRecord, RuleRecord, RunRecord};
pub use run::{analyze, execute};
pub use why::{Why, why};
