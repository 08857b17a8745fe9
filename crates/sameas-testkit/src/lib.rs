//! The testkit of sameas: test cases, the oracle that answers them, and the generator of dirty data.
//!
//! - [`case`]: tables, rules and jobs as plain data, their text forms, and smaller versions of a failing case;
//! - [`oracle`]: the answer to a case by nested loops and textbook definitions;
//! - [`random`] and [`edges`]: cases from a seed, and the standing list of edges;
//! - [`generate`](mod@generate): people and publications with duplicates, of any number.
//!
//! The library does not depend on the engine, so the compiler guarantees that the judge shares no code with the judged.

pub mod case;
pub mod edges;
pub mod generate;
pub mod oracle;
pub mod random;
pub mod rng;
