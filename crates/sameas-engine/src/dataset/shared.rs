//! A dataset: the records of inputs, read once and shared by all jobs over them.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::cache::ColumnCache;
use super::dataset_input::DatasetInput;
use super::facts::FactCache;
use super::input_record::InputRecord;
use super::layout::RecordLayout;
use super::reread::read_again;
use super::result_ids::ResultIds;
use super::subset::SubsetOf;
use super::tables::{ColumnsByInput, InputTables, Keep};
use super::wanted_columns::wanted_names;
use crate::cancel::{Cancel, catch};
use crate::error::{Error, ErrorCode, Result};
use crate::memory::{Held, MemoryBudget};
use crate::observer::Progress;
use crate::records::{Table, hash_of_columns};
use crate::rules::RuleSet;
use crate::verify::Program;

/// The records of some inputs, for any number of jobs, also at the same time: what one has read, derived, encoded or counted of
/// them, others find. Clones share them.
///
/// `Session::open` reads one, [`Self::job`] makes a job over it, and `Session::run_on` and its like take
/// both.
#[derive(Clone)]
pub struct Dataset(Arc<DatasetState>);

/// What clones of a dataset share. Locks are held for a look or a change, and never while work is done.
struct DatasetState {
    layout: RecordLayout,
    inputs: Vec<DatasetInput>,
    tables: InputTables,
    columns: Mutex<ColumnCache>,
    facts: Mutex<FactCache>,
    /// What results call the records, once a job has had some.
    ids: Mutex<Option<ResultIds>>,
    /// What it is a part of, if it is one.
    subset: Option<SubsetOf>,
    /// The memory that it may take with tables that are kept only where there is room.
    room: usize,
    /// Counts what was encoded.
    work: AtomicU64,
    /// Counts what was counted, drawn and sampled.
    found: AtomicU64,
    /// The memory of ids, in the budget that they were read within.
    _held: Vec<Held>,
}

impl Dataset {
    /// Of inputs with these tables, which were read within a budget.
    pub(super) fn new(
        layout: RecordLayout,
        inputs: Vec<DatasetInput>,
        tables: InputTables,
        budget: &MemoryBudget,
        held: Vec<Held>,
    ) -> Self {
        Self(Arc::new(DatasetState {
            layout,
            inputs,
            tables,
            columns: Mutex::default(),
            facts: Mutex::default(),
            ids: Mutex::default(),
            subset: None,
            room: budget.most() / 2,
            work: AtomicU64::new(0),
            found: AtomicU64::new(0),
            _held: held,
        }))
    }

    /// Of some records of another one.
    pub(super) fn part(layout: RecordLayout, inputs: Vec<DatasetInput>, tables: InputTables, of: SubsetOf) -> Self {
        Self(Arc::new(DatasetState {
            layout,
            inputs,
            tables,
            columns: Mutex::default(),
            facts: Mutex::default(),
            ids: Mutex::default(),
            subset: Some(of),
            room: usize::MAX,
            work: AtomicU64::new(0),
            found: AtomicU64::new(0),
            _held: Vec::new(),
        }))
    }

    /// What it is a part of, if it is one.
    pub(super) fn subset_of(&self) -> Option<&SubsetOf> {
        self.0.subset.as_ref()
    }

    /// How many records it has.
    pub fn records(&self) -> u64 {
        self.layout().records()
    }

    /// Where its records lie.
    #[doc(hidden)]
    pub fn layout(&self) -> &RecordLayout {
        &self.0.layout
    }

    /// Its inputs.
    #[doc(hidden)]
    pub fn inputs(&self) -> &[DatasetInput] {
        &self.0.inputs
    }

    /// What a run with these rules records of its inputs. Columns that were never read are read for their hashes.
    #[doc(hidden)]
    pub fn input_records(
        &self,
        rules: &RuleSet,
        progress: Progress<'_>,
        cancel: Cancel<'_>,
    ) -> Result<Vec<InputRecord>> {
        let columns: Vec<BTreeSet<String>> =
            self.inputs().iter().enumerate().map(|(at, input)| columns_read(at, input, rules)).collect();
        if self.hashes(&columns).is_none() {
            self.tables_with(&columns, progress, cancel)?;
        }
        let hashes = self.hashes(&columns).ok_or_else(|| Error::internal("a column that was read has no hash"))?;
        Ok(self.inputs().iter().zip(hashes).map(|(input, hash)| input.record.with_hash(hash)).collect())
    }

    /// The hash of some columns of each input, if all of them were read.
    fn hashes(&self, columns: &ColumnsByInput) -> Option<Vec<u128>> {
        let of_input = |(at, (input, columns)): (usize, (&DatasetInput, &BTreeSet<String>))| {
            let names = input.schema.fields().iter().map(|field| field.name().as_str());
            let columns: Vec<&str> = names.filter(|name| columns.contains(*name)).collect();
            Some(hash_of_columns(self.tables().hashes(at, &columns)?))
        };
        self.inputs().iter().zip(columns).enumerate().map(of_input).collect()
    }

    /// Bytes of the plain files that it was read from.
    pub(crate) fn bytes_on_disk(&self) -> u64 {
        self.inputs().iter().flat_map(|input| &input.record.on_disk).map(|file| file.bytes).sum()
    }

    /// Bytes that it takes, with all that jobs have made of it.
    pub fn bytes(&self) -> usize {
        let inputs: usize = self.inputs().iter().map(DatasetInput::bytes).sum();
        let ids = self.known_ids().as_ref().map_or(0, |ids| ids.bytes_beside(self.inputs()));
        inputs + ids + self.table_bytes() + self.columns().bytes() + self.facts().statistics.bytes()
    }

    /// Memory of what was encoded for others than this program.
    pub(crate) fn bytes_of_others(&self, program: &Program) -> usize {
        self.columns().bytes_beside(program)
    }

    /// Memory that the tables take, as far as they are kept.
    pub(crate) fn table_bytes(&self) -> usize {
        self.tables().kept().iter().flat_map(|tables| tables.iter()).map(Table::bytes).sum()
    }

    /// Whether tables are kept, so that nothing has to be read again.
    #[doc(hidden)]
    pub fn has_tables(&self) -> bool {
        self.tables().kept().is_some()
    }

    /// Drops the tables: whoever needs them reads them again.
    pub(crate) fn drop_tables(&self) {
        drop(self.tables().take());
    }

    /// Does the work of one more job within a memory limit, of which what the dataset holds is taken. Where the rest does not
    /// suffice, what no job uses any more is dropped, and the work is done again.
    #[doc(hidden)]
    pub fn within<T>(&self, limit: usize, work: impl Fn(&MemoryBudget) -> Result<T>) -> Result<T> {
        loop {
            let (budget, bytes) = (MemoryBudget::new(limit), self.bytes());
            let done = catch(|| {
                let _held = budget.hold(bytes)?;
                work(&budget)
            });
            match done {
                Err(error) if error.code() == ErrorCode::MemoryLimit && self.drop_below(bytes) => {}
                done => return done,
            }
        }
    }

    /// Drops what no job uses until it takes less than this; gives whether it does. What the work that has ended had made is
    /// unused too: it must not be done again and again without more room than before.
    fn drop_below(&self, bytes: usize) -> bool {
        while self.bytes() >= bytes {
            if !self.drop_unused() {
                return false;
            }
        }
        true
    }

    /// Drops some of what no job uses; gives whether there was anything.
    pub(crate) fn drop_unused(&self) -> bool {
        self.drop_unused_columns() || self.tables().keep() == Keep::IfRoom && self.tables().take().is_some()
    }

    /// Drops some of what was encoded and no job uses; gives whether there was anything.
    pub(crate) fn drop_unused_columns(&self) -> bool {
        self.columns().drop_unused() > 0
    }

    /// Drops the tables if none are to be kept, or only where there is room and there is none.
    pub(super) fn make_room(&self) {
        let are_dropped = match self.tables().keep() {
            Keep::Nothing => true,
            Keep::IfRoom => self.bytes() > self.0.room,
            Keep::Always => false,
        };
        if are_dropped {
            self.drop_tables();
        }
    }

    /// The tables with all that rules read of them and their ids, or with all columns that can be shown; each has them in the
    /// order of its input.
    pub(crate) fn shown_tables(
        &self,
        rules: &RuleSet,
        whole_records: bool,
        progress: Progress<'_>,
        cancel: Cancel<'_>,
    ) -> Result<Vec<Table>> {
        let columns = |(at, input): (usize, &DatasetInput)| {
            let mut columns = columns_read(at, input, rules);
            columns.extend(input.shown_columns().filter(|_| whole_records).map(str::to_owned));
            columns
        };
        let columns: Vec<BTreeSet<String>> = self.inputs().iter().enumerate().map(columns).collect();
        let tables = self.tables_with(&columns, progress, cancel)?;
        tables.iter().zip(self.inputs()).map(|(table, input)| table.in_order_of(&input.schema)).collect()
    }

    /// The tables, each with these columns alone.
    pub(super) fn tables_with(
        &self,
        columns: &ColumnsByInput,
        progress: Progress<'_>,
        cancel: Cancel<'_>,
    ) -> Result<Vec<Table>> {
        let tables = self.tables_having(columns, progress, cancel)?;
        tables.iter().zip(columns).map(|(table, names)| table.only(names)).collect()
    }

    /// The tables with these columns, and perhaps others: kept, read again, or taken from the dataset that it is a part of.
    pub(super) fn tables_having(
        &self,
        columns: &ColumnsByInput,
        progress: Progress<'_>,
        cancel: Cancel<'_>,
    ) -> Result<Arc<Vec<Table>>> {
        let has_grown = Cell::new(false);
        let read = |missing: &ColumnsByInput| {
            has_grown.set(true);
            match self.subset_of() {
                Some(of) => of.tables(missing, progress, cancel),
                None => read_again(self.inputs(), missing, self.tables(), progress, cancel),
            }
        };
        let tables = self.tables().having(columns, &read);
        if has_grown.get() {
            self.make_room();
        }
        tables
    }

    /// The tables, as far as they are kept.
    pub(super) fn tables(&self) -> &InputTables {
        &self.0.tables
    }

    /// What was encoded. A panic of another thread leaves nothing to repair: each change is whole.
    pub(super) fn columns(&self) -> MutexGuard<'_, ColumnCache> {
        self.0.columns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was found.
    pub(super) fn facts(&self) -> MutexGuard<'_, FactCache> {
        self.0.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What results call the records, if that is known.
    pub(super) fn known_ids(&self) -> MutexGuard<'_, Option<ResultIds>> {
        self.0.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more domain, condition or group of token sets is encoded.
    pub(super) fn count_work(&self) {
        self.0.work.fetch_add(1, Relaxed);
    }

    /// This much more was counted, drawn or sampled.
    pub(super) fn count_found(&self, found: usize) {
        self.0.found.fetch_add(found as u64, Relaxed);
    }

    /// How many operands, token sets and equalities were counted, and samples taken, by all jobs.
    #[doc(hidden)]
    pub fn counted_so_far(&self) -> u64 {
        self.0.found.load(Relaxed)
    }

    /// How many domains, conditions and groups of token sets were encoded, by all jobs.
    #[doc(hidden)]
    pub fn encoded_so_far(&self) -> u64 {
        self.0.work.load(Relaxed)
    }
}

/// The columns of an input that rules read, and that of its ids.
fn columns_read(at: usize, input: &DatasetInput, rules: &RuleSet) -> BTreeSet<String> {
    let names = wanted_names(rules, at);
    let columns = input.schema.fields().iter().map(|field| field.name());
    columns.filter(|name| names.contains(*name) || input.id_column.as_ref() == Some(*name)).cloned().collect()
}

impl std::fmt::Debug for Dataset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Dataset {{ inputs: {}, records: {} }}", self.inputs().len(), self.layout().records())
    }
}
