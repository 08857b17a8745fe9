//! A report: everything that is worth seeing of a run, within a size. A page shows it; the numbers are facts here, and
//! what has many rows is a table.
//!
//! It is made of the results of a run and of its record, after the run and without changing anything (`making`). All pairs
//! are looked at twice, batch by batch (`looked`): `pair_counts` counts them, `pair_picks` takes some of each rule and the
//! pairs inside some clusters. `cluster_choice` finds the clusters worth looking at, with the `bridges` in them; `selection`
//! decides which records and pairs there is room for. Only these are read from the inputs and looked at condition by
//! condition (`explained`, `misses`). Samples have a fixed seed, so the same run always gives the same report. `mask` hides
//! values.

mod bridges;
mod cluster_choice;
mod cluster_records;
mod condition;
mod container;
mod data_facts;
mod explained;
mod facts;
mod looked;
mod making;
mod mask;
mod material;
mod members;
mod misses;
mod options;
mod overlaps;
mod overview;
mod pair_counts;
mod pair_picks;
mod pair_reader;
mod personal;
mod plan_facts;
mod reservoir;
mod results;
mod score_facts;
mod selection;
mod size_search;
mod tables;

pub use cluster_records::{ClusterColumn, ClusterMember, ClusterPair, ClusterRecords, cluster_records};
pub use facts::*;
pub use making::{ReportRequest, RunReport, make_report};
pub use options::{ReportOptions, WithoutValues};
pub use results::{FolderResults, ResultRows, RunResults};
