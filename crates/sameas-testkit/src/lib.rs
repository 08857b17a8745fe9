//! The testkit of sameas: test cases, the oracle that answers them, and the generator of dirty data.
//!
//! - [`case`]: tables, rules and jobs as plain data, their text forms, and smaller versions of a failing case;
//! - [`entities`]: jobs with an `[entity]` section as plain data;
//! - [`program`]: relations and rules over them as plain data;
//! - [`oracle`]: the answer to a case, a job with entities or a program by nested loops and textbook definitions;
//! - [`random`], [`edges`] and [`large`]: cases, graphs and programs from a seed, the fixed list of edges, tables of many
//!   values;
//! - [`generate`](mod@generate): people, publications and CDs with duplicates, of any number.
//!
//! - `selftest` (a feature): the engine against the oracle on all of them.
//!
//! Only `selftest` knows the engine. Without that feature the library is built without it, so the compiler guarantees
//! that the judge shares no code with the judged.

pub mod case;
pub mod edges;
pub mod entities;
pub mod generate;
pub mod large;
pub mod oracle;
pub mod program;
pub mod random;
pub mod rng;
#[cfg(feature = "selftest")]
pub mod selftest;
