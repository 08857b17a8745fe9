//! Directed graphs of dense vertices: their components, and who reaches whom.
//!
//! Vertices are the numbers of ids, `0..n` (`numbering`); [`Graph`] has the successors of each; [`Condensation`] joins what
//! lies on one cycle, which leaves a graph without cycles; `reach` sweeps that graph with bits, some sources or targets at
//! a time, to count or list all pairs that a path connects.
//!
//! Successors are listed by a parallel counting sort. Components come from union-find. Strongly connected components
//! come from Tarjan's search with a stack of its own, which looks at one number for each edge. On a device (`gpu`),
//! bits of the ids that occur and their prefix sums number vertices, and a radix sort lists the edges of each.

mod adjacency;
mod components;
mod condensation;
pub mod gpu;
pub mod reach;
#[cfg(test)]
pub(crate) mod testing;

pub use adjacency::Graph;
pub use components::{connected_components, number_components};
pub use condensation::Condensation;
