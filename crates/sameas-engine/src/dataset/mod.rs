//! The records of a job: read, derived and encoded for its rules.
//!
//! - A [`Dataset`] (`shared`) is what was read. `open` opens the inputs of a job, has `compile` bring its rules and their columns
//!   together, and reads the columns that these need (`wanted_columns`, and the ids of `id_columns`). All inputs are read by
//!   `read_table`. `dataset_input` is what is known of an input, `layout` where its records are.
//! - `bind` makes a program of rules and records. `program_parts` finds in the `cache` what is encoded already, by what it is
//!   (`operand_keys`), and encodes the rest: `frames` derives the columns and ranks for that (`needed_columns`), from `tables`
//!   that are kept or read again (`reread`).
//! - `findings` has what rules could not read, and doubts about them, and `facts` keeps it. `input_record` is what a run records of
//!   its inputs, by the names of `input_names`, `column_counts` what columns hold, and `result_ids` what results call the records.
//!   `known_records` says whether they are those that a run has read before, `job_over` what other jobs may say of them.
//! - `subset` has some records as a dataset of their own, with the ranks and frequencies (`values_of_all`) that they have among all.
//!   `open_parts` makes a dataset of parts of the records (`record_part`), in the order that they have among all
//!   (`parted_rows`, `merged_table`). `whole_inputs` are inputs without ids, for jobs that have no rules yet.
//!
//! What a plan asks about all records is counted here (`count`): rows by value, pairs with equal values (`equal_pairs`) and
//! some of them (`find_rows`), and a sample. `known_statistics` keeps it by what it is of; `shareable` adds what another place
//! needs to plan without the records.
//!
//! **Other jobs** over a dataset have its inputs and ids. Whatever they or their rules say of these must be what was
//! read. What takes time in proportion to the records is done once for all jobs: hashes of columns, what rules cannot
//! read, encoded columns, what is counted, and ids as results have them. A job is charged for all that the dataset
//! holds (`Dataset::within`); where that leaves too little, what no job uses any more is dropped, what was not asked
//! for the longest time first. No lock is held while work is done.
//!
//! **Parts of the records.** A part has some records of each input, with the numbers that they have among all. Several
//! parts can be opened together: each is read and encoded once, whatever it is paired with. Pairs are looked for within
//! a part, or across two, never in the union of several parts, which would find the pairs within them again: so each
//! pair is found once. What only all records can tell is given with them: term frequencies are, ranks are refused.
//!
//! Everything here is about records and rules and nothing about plans or pairs of a result: a run, one branch of it, a
//! question about two records and a report begin with the same steps.

mod bind;
mod cache;
mod column_counts;
mod compile;
mod count;
mod dataset_input;
mod equal_pairs;
mod facts;
mod find_rows;
mod findings;
mod frames;
mod id_columns;
mod input_names;
mod input_record;
mod job_over;
mod known_records;
mod known_statistics;
mod layout;
mod merged_table;
mod needed_columns;
mod open;
mod open_parts;
mod operand_keys;
mod parted_rows;
mod program_parts;
mod read_table;
mod record_part;
mod reread;
mod result_ids;
mod shareable;
mod shared;
mod subset;
mod tables;
#[cfg(test)]
mod tests;
mod values_of_all;
mod wanted_columns;
mod whole_inputs;

pub use bind::{Binding, BindingRequest};
pub use column_counts::{InputColumnCounts, count_columns};
pub use compile::compile_rules;
pub use count::{CountedRecords, RecordCounter};
pub use dataset_input::DatasetInput;
pub use findings::{InputFindings, known_before_reading, never_read};
pub use frames::frames;
pub use id_columns::asked;
pub use input_record::{InputFileRecord, InputRecord};
pub use layout::RecordLayout;
pub use open::OpenedInputs;
pub use open_parts::PartedDataset;
pub use operand_keys::OperandKeys;
pub use parted_rows::PartedRows;
pub use record_part::{PartInput, PartRole, RecordPart};
pub(crate) use result_ids::ResultIds;
pub use shared::Dataset;
pub use tables::Keep;
pub use wanted_columns::{wanted_columns, wanted_names};
pub use whole_inputs::WholeInput;
