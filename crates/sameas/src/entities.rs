//! Entities: what becomes of the records of a cluster, as `[entity]` of a rule file says, and records with their clusters.
//! [`ResultTables`] says which of these tables a [`Job`](crate::Job) asks for; [`Run::record_table`](crate::Run::record_table) gives
//! them to a [`TableSink`].

#[doc(inline)]
pub use sameas_entities::tables::{
    EntityColumnRecord, EntityRecord, RecordTable, ResultTables, TableCounts, TableSink, WithColumns,
};
#[doc(inline)]
pub use sameas_rules::rules::Take;
