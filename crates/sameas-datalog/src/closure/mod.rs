//! The transitive closure of a file of pairs: all pairs of ids that a path connects, sorted, or only their number.
//!
//! `edges` reads the pairs and `ids` makes vertices of their ids; `plan` chooses between sweeps of bits over the condensed graph and
//! the fixpoint of two rules over relations, and can say why; `solve` counts; `write` streams the pairs in order, some
//! sources at a time, so that they never have to fit the memory. Both may happen on a device (`device`), which finds the rows
//! of many chunks at once (`blocks`).
//!
//! Without direction, components say everything; otherwise the expected steps of a sample decide between bit rows and
//! the fixpoint. Files have the same bytes whatever method, threads, memory and device are. While a device finds a
//! block of rows no thread of the host helps, because all of them may wait for it; each chunk brings its rows in order
//! itself. A fixpoint whose number of pairs differs from that of the bit rows is a defect, and is reported as one.

mod blocks;
mod device;
mod edges;
mod fixpoint;
mod ids;
mod plan;
mod sink;
mod solve;
#[cfg(test)]
mod tests;
mod write;

pub use plan::{ClosureMethod, ClosurePlan, ClosureReason};
pub use sink::{BatchesSink, FileSink};
pub use solve::{SolvedClosure, explain, solve};

use crate::records::Input;

/// A file of pairs, and what its closure is to be.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClosureJob {
    /// The pairs.
    pub edges: Input,
    /// The names of the columns with the two ids of a pair; by default the first two.
    pub columns: Option<[String; 2]>,
    /// Whether a pair leads from its first id to its second only; otherwise it leads back, too.
    pub directed: bool,
    /// Whether every id is connected with itself, even where no path leads there.
    pub reflexive: bool,
    /// How it is found.
    pub method: ClosureMethod,
}

impl ClosureJob {
    /// The closure of pairs that lead from the first id to the second, by paths of at least one pair.
    pub fn new(edges: Input) -> Self {
        Self { edges, columns: None, directed: true, reflexive: false, method: ClosureMethod::Auto }
    }

    /// The same with pairs that lead both ways.
    #[must_use]
    pub fn undirected(mut self) -> Self {
        self.directed = false;
        self
    }

    /// The same with every id connected with itself.
    #[must_use]
    pub fn reflexive(mut self) -> Self {
        self.reflexive = true;
        self
    }

    /// The same with the ids in these columns.
    #[must_use]
    pub fn with_columns(mut self, first: &str, second: &str) -> Self {
        self.columns = Some([first.to_owned(), second.to_owned()]);
        self
    }

    /// The same, found in this way.
    #[must_use]
    pub fn with_method(mut self, method: ClosureMethod) -> Self {
        self.method = method;
        self
    }
}
