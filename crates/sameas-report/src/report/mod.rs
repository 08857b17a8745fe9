//! A report: everything that is worth seeing of a run, within a size. A page shows it; the numbers are facts here, and
//! what has many rows is a table.
//!
//! It is made of the results of a run and of its record, after the run and without changing anything (`making`). All pairs
//! are looked at twice, batch by batch (`result_scan`): `pair_counts` counts them, `pair_picks` takes some of each rule and the
//! pairs inside some clusters. `cluster_choice` finds the clusters worth looking at, with the `bridges` in them; `selection`
//! decides which records and pairs there is room for. Only these are read from the inputs and looked at condition by
//! condition (`explained`, `misses`). Samples have a fixed seed, so the same run always gives the same report. `mask` hides
//! values. `cut_pairs` are those between the clusters of these records. A sweep was made before, by `evaluate` (`sweep_facts`).
//!
//! Two smaller questions about a run are answered here, too: `cluster_records` shows one cluster, and `connection` says what
//! connects two records, of a run at hand or of results that are read (`read_run`).
//!
//! A run without a report pays nothing for it. *Facts* (`facts`) are numbers and texts, as JSON; *tables* (`tables`,
//! `container`) are Arrow streams. Sentences are made by the program, in the words of the terminal.
//!
//! **Bounded.** Up to two million pairs are kept from the first look, and as many inside clusters. `results` reads
//! Parquet, CSV or JSON lines of a folder, whose files must have the hashes that `run.json` names, or a run in memory.
//! `members` numbers the records by the table of clusters. Inputs that are read again must be as they were. Only some
//! thousand pairs are looked at condition by condition. What the run has not counted is estimated: keys of several
//! values in a sample, different values of columns that no rule reads by a sketch. `material` makes facts and tables of
//! as many records and pairs as fit the size (`size_search`).
//!
//! **Within the memory.** Results have four tenths of the limit and inputs six: both are read at the same time, and
//! what fits must not depend on which comes first. A truth is compared before, by itself. With little memory fewer
//! records and pairs are looked at, fewer clusters searched for bridges, and only the columns that rules read are read.
//!
//! **Repeatable.** No clock is read but that of the run's record. A sample is taken from each rule, and a pair of it
//! stands for as many as that rule has pairs for each in the sample (`overlaps`).

mod bridges;
mod cluster_choice;
mod cluster_records;
mod condition;
mod connection;
mod container;
mod cut_pairs;
mod cut_reader;
mod data_facts;
mod entity_examples;
mod entity_facts;
mod explained;
pub mod facts;
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
mod pair_weights;
mod personal;
mod plan_facts;
mod read_run;
mod reservoir;
mod result_scan;
mod results;
mod score_facts;
mod selection;
mod size_search;
mod sweep_facts;
mod tables;

pub use cluster_records::{
    ClusterColumn, ClusterCut, ClusterEntityColumn, ClusterMember, ClusterPair, ClusterRecords, ClusterRequest,
    cluster_records,
};
pub use connection::{ConnectionRequest, connection};
pub use making::{ReportRequest, RunReport, make_report};
pub use options::{ReportOptions, WithoutValues};
pub use read_run::connection_in_results;
pub use results::{FolderResults, ResultRows, RunResults};
