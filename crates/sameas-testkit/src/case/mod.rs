//! Test cases as plain data: tables, rules as trees, jobs; their text forms; and how to make them smaller.
//!
//! Nothing here knows the engine. A case goes to the engine as the files a user would write, and to the
//! [oracle](crate::oracle) as it is.

mod expr;
mod files;
mod frequencies;
mod job;
mod lists;
mod minimise;
mod op;
mod scoring;
mod shrink;
mod shrink_scores;
mod sql;
mod table;
mod types;

pub use expr::{Expr, Literal, Side};
pub use files::{csv, job_toml, json_lines, model_toml};
pub use job::{Case, Derive, Job, JobKind, Rule};
pub use lists::list_name;
pub use minimise::minimise;
pub use op::{MeasureKind, Op};
pub use scoring::{Compare, FrequencyTable, Level, LevelShares, Scoring, TermFrequency, Threshold};
pub use sql::sql;
pub use table::{Cell, Column, Kind, Row, Table};
pub use types::{SOURCE_DATASET, Type, case_values, chosen, compared, source_name, type_of};
