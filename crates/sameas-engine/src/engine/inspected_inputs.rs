//! The inputs of a run that is looked at: its records are at hand, or its inputs are read once more and must be as they were.
//!
//! There are several ways to have them, from the one with the most columns to the one that takes the least memory.

use super::asked_records::AskedRecords;
use super::inspected_columns::{InspectedColumn, columns_of};
use super::record::RunRecord;
use crate::cancel::catch;
use crate::dataset::{InputColumnCounts, count_columns};
use crate::error::{Error, ErrorCode, Result};
use crate::job::Job;
use crate::memory::{Held, INPUTS_SHARE, MemoryBudget};
use crate::observer::Progress;
use crate::records::{Input, Table, content_hash};

/// Names of columns whose values are to stay secret.
type SecretColumns<'a> = &'a (dyn Fn(&str) -> bool + Sync);

/// The run whose records are looked at.
#[derive(Clone, Copy)]
pub struct InspectedRun<'a> {
    /// Its job.
    pub job: &'a Job,
    /// Its records, if it has kept them.
    pub at_hand: Option<&'a AskedRecords>,
    /// Its record.
    pub run: &'a RunRecord,
    /// Where all records count, and not only those that are shown: names of columns whose values are to stay secret. What columns
    /// hold is counted then, too.
    pub secret: Option<SecretColumns<'a>>,
    /// The memory limit, of which results that are read beside them have their share.
    pub memory: usize,
}

/// Where the inputs of a run are from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InputsFrom {
    /// The records are at hand. Columns that no rule reads are read now, unless their file is gone or is another one.
    KeptWithAllColumns,
    /// The same with what rules read.
    Kept,
    /// They are read.
    FilesWithAllColumns,
    /// The same with what rules read.
    Files,
}

/// The inputs of a run: at hand, or read once more. They have the records that the run has read.
pub struct InspectedInputs {
    pub(super) records: AskedRecords,
    pub(super) budget: MemoryBudget,
    pub(super) columns: Vec<InspectedColumn>,
    pub(super) counts: Vec<InputColumnCounts>,
    pub(super) secret: u128,
    from: InputsFrom,
    /// The memory of records that were at hand.
    _held: Held,
}

impl InputsFrom {
    /// What is tried after a failure; nothing where that is all there is to say. Where memory does not suffice, what was encoded
    /// of kept records and nobody uses is dropped.
    fn after(self, error: &Error, run: InspectedRun<'_>) -> Option<Self> {
        let is_full = error.code() == ErrorCode::MemoryLimit;
        if let Some(records) = run.at_hand.filter(|_| is_full) {
            while records.dataset.drop_unused_columns() {}
        }
        match self {
            Self::KeptWithAllColumns if error.code() != ErrorCode::Cancelled => Some(Self::Kept),
            Self::Kept if is_full && run.job.inputs.iter().all(Input::can_be_read_again) => Some(Self::Files),
            Self::FilesWithAllColumns if is_full => Some(Self::Files),
            _ => None,
        }
    }

    fn has_all_columns(self) -> bool {
        matches!(self, Self::KeptWithAllColumns | Self::FilesWithAllColumns)
    }
}

impl InspectedInputs {
    /// Looks at the inputs, with all columns if there is memory for them: a run needs only those that rules read.
    pub fn open(run: InspectedRun<'_>, progress: Progress<'_>) -> Result<Self> {
        let at_hand = run.at_hand.filter(|records| records.dataset.has_tables());
        at_hand.map_or(Ok(()), |records| check_at_hand(records, run, progress))?;
        let mut from = match at_hand.is_some() {
            true => InputsFrom::KeptWithAllColumns,
            false => InputsFrom::FilesWithAllColumns,
        };
        loop {
            let opened = catch(|| Self::open_from(run, from, progress));
            match opened.as_ref().err().and_then(|error| from.after(error, run)) {
                Some(next) => from = next,
                None => return opened,
            }
            progress.memory_freed();
        }
    }

    /// Makes something of them. Where the memory does not suffice for that, they are opened again in a way that takes less.
    pub fn used<T>(self, run: InspectedRun<'_>, progress: Progress<'_>, make: impl Fn(Self) -> Result<T>) -> Result<T> {
        let mut from = self.from;
        let mut made = catch(|| make(self));
        loop {
            let failed = made.as_ref().err().filter(|error| error.code() == ErrorCode::MemoryLimit);
            match failed.and_then(|error| from.after(error, run)) {
                Some(next) => from = next,
                None => return made,
            }
            progress.memory_freed();
            made = catch(|| make(Self::open_from(run, from, progress)?));
        }
    }

    /// Whether columns that no rule reads are there, too.
    pub(super) fn has_all_columns(&self) -> bool {
        self.from.has_all_columns()
    }

    fn open_from(run: InspectedRun<'_>, from: InputsFrom, progress: Progress<'_>) -> Result<Self> {
        let budget = MemoryBudget::share(run.memory, INPUTS_SHARE);
        match (from, run.at_hand) {
            (InputsFrom::KeptWithAllColumns | InputsFrom::Kept, Some(records)) => {
                let held = budget.hold(records.bytes())?;
                Self::from_records(records.clone(), from, budget, held, run, progress)
            }
            _ => {
                let inputs = inputs_of_run(run.job, run.run)?;
                let named_files = run.run.job.spec.as_ref().map(|spec| spec.files.clone()).unwrap_or_default();
                let job = Job { all_columns: from.has_all_columns(), inputs, named_files, ..run.job.clone() };
                // The run has said already what is doubtful about the rules.
                let records = AskedRecords::open(&job, &budget, progress.silent())?;
                Self::from_records(records, from, budget, Held::default(), run, progress)
            }
        }
    }

    fn from_records(
        records: AskedRecords,
        from: InputsFrom,
        budget: MemoryBudget,
        held: Held,
        run: InspectedRun<'_>,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let AskedRecords { dataset, rules, .. } = &records;
        let cancel = progress.cancel().within(&budget);
        let tables = dataset.shown_tables(rules, from.has_all_columns(), progress.silent(), cancel)?;
        let columns = columns_of(&tables, rules);
        let (counts, secret) = match run.secret {
            Some(is_secret) => (count_columns(&tables, progress.cancel()), secret_hash(&tables, is_secret)?),
            None => (Vec::new(), 0),
        };
        Ok(Self { records, budget, columns, counts, secret, from, _held: held })
    }
}

/// The inputs of a job, which must have the records that its run has read.
fn inputs_of_run(job: &Job, run: &RunRecord) -> Result<Vec<Input>> {
    if job.inputs.len() != run.inputs.len() {
        return Err(Error::data(format!(
            "the run had {} inputs, and {} are given",
            run.inputs.len(),
            job.inputs.len()
        )));
    }
    let inputs = job.inputs.iter().zip(&run.inputs);
    Ok(inputs.map(|(input, read)| input.clone().expecting(Some(read.content()))).collect())
}

/// Refuses records at hand that are not those that the run has read.
fn check_at_hand(records: &AskedRecords, run: InspectedRun<'_>, progress: Progress<'_>) -> Result<()> {
    let AskedRecords { job, dataset, rules, .. } = records;
    let job = Job { inputs: inputs_of_run(job, run.run)?, ..job.clone() };
    let budget = MemoryBudget::share(run.memory, INPUTS_SHARE);
    dataset.check_expected(&job, rules, progress.silent(), progress.cancel().within(&budget))
}

/// One number for all values of the columns that are to stay secret. It cannot be known without these values.
fn secret_hash(tables: &[Table], is_secret: SecretColumns<'_>) -> Result<u128> {
    let of_table = |table: &Table| {
        let fields = table.schema.fields().iter().enumerate();
        let places: Vec<usize> = fields.filter(|(_, field)| is_secret(field.name())).map(|(place, _)| place).collect();
        Ok(content_hash(&table.with_columns(&places)?))
    };
    let hashes = tables.iter().map(of_table).collect::<Result<Vec<u128>>>()?;
    Ok(hashes.into_iter().fold(0, |all, hash| all.rotate_left(1) ^ hash))
}
