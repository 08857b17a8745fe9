//! The engine against the oracle: the same cases to both, and every difference is a failure.
//!
//! - `property`: random cases, as many as `SAMEAS_CASES` says, from seed `SAMEAS_SEED` on; a failing one is made small
//!   before it is printed;
//! - `scores`: the same for jobs whose pairs have scores;
//! - `groups`: the other groups of the self-test: edges, tables of many values, access paths, memory, relations;
//! - `faults`: oracles with one seeded mistake each, which the same comparison must detect;
//! - `device_parts`: tables beyond the memory of a device; `places`: what a plan runs on a device and what on the cores;
//! - `parts_of_records`: jobs whose records are divided among machines, within each part and across each two;
//! - `evaluation`: measures of clusters, comparisons of results, and estimates from labels;
//! - `implications`: which conditions imply which, and rules simplified by that;
//! - `misestimates`: data made to mislead the planner, which must detect it;
//! - `why`: every pair of small jobs, explained;
//! - `clusters`: clusterings of random graphs, as many as `SAMEAS_CASES` says, by their plain definitions;
//! - `decisions`: random jobs with random decisions about their pairs;
//! - `entities`: entities, records and what stands beside pairs of random jobs, as many as `SAMEAS_CASES` says;
//! - `text_cases`: the files of `cases/`, which show the language to a reader; `SAMEAS_UPDATE=1` rewrites what they
//!   expect.

mod clusters;
mod decisions;
#[cfg(feature = "emulated")]
mod device_parts;
mod entities;
mod evaluation;
mod faults;
mod groups;
mod implications;
mod misestimates;
mod parts_of_records;
#[cfg(feature = "emulated")]
mod places;
mod property;
mod scores;
mod support;
mod survey;
mod text_cases;
mod why;
