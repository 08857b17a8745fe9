//! Directed graphs of dense vertices: their components, and who reaches whom.
//!
//! [`number_integers`] and [`number_texts`] turn ids into vertices `0..n` in the order of the ids; [`Graph`] has the
//! successors of each; [`Condensation`] joins what lies on one cycle, which leaves a graph without cycles; `reach`
//! sweeps that graph with bits, some sources or targets at a time, to count or list all pairs that a path connects.

mod adjacency;
mod components;
mod condensation;
pub mod gpu;
mod numbering;
pub mod reach;
#[cfg(test)]
pub(crate) mod testing;

pub use adjacency::Graph;
pub use components::{connected_components, number_components};
pub use condensation::Condensation;
pub use numbering::{Numbered, number_integers, number_texts};
