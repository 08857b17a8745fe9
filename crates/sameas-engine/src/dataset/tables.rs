//! The tables of a dataset: kept or not, and read again where they are not.
//!
//! Whatever was read is known by the hashes of its columns, before it is dropped. So what is read again is known to be the same.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::records::{Table, column_hash};

/// What becomes of the tables of a dataset when its records are encoded. Whoever needs them again reads them again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// They are dropped, column by column, while they are encoded.
    Nothing,
    /// They stay if they take at most half of the memory limit together with ids and with what is encoded.
    IfRoom,
    /// They stay, and all columns are read, so that no rule has to wait for one.
    Always,
}

/// Columns by input.
pub type ColumnsByInput = [BTreeSet<String>];

/// The tables of inputs, as far as they are kept.
pub struct InputTables {
    keep: Keep,
    kept: Mutex<Option<Arc<Vec<Table>>>>,
    /// By input and column, of all that were read.
    hashes: Mutex<Vec<BTreeMap<String, u128>>>,
}

impl InputTables {
    /// Tables that were read of this many inputs, or none yet.
    pub fn new(keep: Keep, inputs: usize, tables: Option<Vec<Table>>) -> Self {
        let hashes = Mutex::new(vec![BTreeMap::new(); inputs]);
        Self { keep, kept: Mutex::new(tables.map(Arc::new)), hashes }
    }

    /// What becomes of them.
    pub fn keep(&self) -> Keep {
        self.keep
    }

    /// Those that are kept.
    pub fn kept(&self) -> Option<Arc<Vec<Table>>> {
        self.lock().clone()
    }

    /// The tables with these columns, and perhaps others; `read` reads what is not there. If nothing is to be kept, they are taken
    /// away.
    pub fn having(
        &self,
        columns: &ColumnsByInput,
        read: &dyn Fn(&ColumnsByInput) -> Result<Vec<Table>>,
    ) -> Result<Arc<Vec<Table>>> {
        let kept = if self.keep == Keep::Nothing { self.take() } else { self.kept() };
        let missing = missing_columns(columns, kept.as_ref().map(|tables| &tables[..]));
        match kept {
            Some(kept) if missing.iter().all(BTreeSet::is_empty) => Ok(kept),
            kept => self.grown(kept.as_ref(), read, &missing),
        }
    }

    /// The tables with more columns, which are read.
    fn grown(
        &self,
        kept: Option<&Arc<Vec<Table>>>,
        read: &dyn Fn(&ColumnsByInput) -> Result<Vec<Table>>,
        missing: &ColumnsByInput,
    ) -> Result<Arc<Vec<Table>>> {
        // By what is known of these columns others are known to be of the same records.
        kept.iter().for_each(|tables| self.remember(tables));
        let read = read(missing)?;
        self.check(&read)?;
        let tables = match kept {
            Some(kept) => kept.iter().zip(&read).map(|(kept, read)| joined(kept, read)).collect::<Result<_>>()?,
            None => read,
        };
        let tables = Arc::new(tables);
        self.put(kept, &tables);
        Ok(tables)
    }

    /// Keeps tables with more columns than those that were kept, unless others have done so meanwhile.
    fn put(&self, before: Option<&Arc<Vec<Table>>>, tables: &Arc<Vec<Table>>) {
        let mut now = self.lock();
        let is_unchanged = match (&*now, before) {
            (Some(now), Some(before)) => self.keep != Keep::Nothing && Arc::ptr_eq(now, before),
            (None, None) => self.keep == Keep::Always,
            _ => false,
        };
        if is_unchanged {
            *now = Some(Arc::clone(tables));
        }
    }

    /// The tables, which are no longer kept.
    pub fn take(&self) -> Option<Arc<Vec<Table>>> {
        self.kept().iter().for_each(|tables| self.remember(tables));
        self.lock().take()
    }

    /// The hashes of some columns of an input, in this order; nothing where one was never read.
    pub fn hashes(&self, input: usize, columns: &[&str]) -> Option<Vec<u128>> {
        let is_asked = |of: usize, column: &str| of == input && columns.contains(&column);
        self.kept().iter().for_each(|tables| self.remember_some(tables, &is_asked));
        let known = self.known();
        columns.iter().map(|column| known[input].get(*column).copied()).collect()
    }

    /// Whether one of some columns of an input was read before.
    pub fn knows_any(&self, input: usize, columns: &BTreeSet<String>) -> bool {
        let known = self.known();
        columns.iter().any(|column| known[input].contains_key(column))
    }

    /// A column of an input that was read, by which the input is known again: the one that is asked for, if that was.
    pub fn known_column(&self, input: usize, asked: Option<&str>) -> Option<String> {
        let known = self.known();
        let asked = asked.filter(|column| known[input].contains_key(*column)).map(str::to_owned);
        asked.or_else(|| known[input].keys().next().cloned())
    }

    /// Hashes the columns of tables that were not hashed before.
    fn remember(&self, tables: &[Table]) {
        self.remember_some(tables, &|_, _| true);
    }

    /// The same for the columns of inputs that are asked for.
    fn remember_some(&self, tables: &[Table], is_asked: &dyn Fn(usize, &str) -> bool) {
        let known = self.known().clone();
        let is_new = |input: usize, column: &str| is_asked(input, column) && !known[input].contains_key(column);
        let hashes = hashes_of(tables, &is_new);
        let mut known = self.known();
        hashes.into_iter().for_each(|(input, column, hash)| _ = known[input].insert(column, hash));
    }

    /// Refuses tables with columns that are not what they were, and remembers those that were not read before.
    fn check(&self, tables: &[Table]) -> Result<()> {
        let hashes = hashes_of(tables, &|_, _| true);
        let mut known = self.known();
        for (input, column, hash) in hashes {
            if *known[input].entry(column).or_insert(hash) != hash {
                return Err(changed(&tables[input].name));
            }
        }
        Ok(())
    }

    /// By input, the hashes of columns that were read.
    fn known(&self) -> MutexGuard<'_, Vec<BTreeMap<String, u128>>> {
        self.hashes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// No work is done under the lock, so another thread's panic leaves nothing to repair.
    fn lock(&self) -> MutexGuard<'_, Option<Arc<Vec<Table>>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The hashes of some columns, with their inputs and names.
fn hashes_of(tables: &[Table], is_wanted: &dyn Fn(usize, &str) -> bool) -> Vec<(usize, String, u128)> {
    let mut columns: Vec<(usize, usize)> = Vec::new();
    for (input, table) in tables.iter().enumerate() {
        let fields = table.schema.fields().iter().enumerate();
        columns.extend(fields.filter(|(_, field)| is_wanted(input, field.name())).map(|(at, _)| (input, at)));
    }
    let hash = |(input, at): (usize, usize)| {
        let table = &tables[input];
        (input, table.schema.field(at).name().clone(), column_hash(table, at))
    };
    columns.into_par_iter().map(hash).collect()
}

/// The columns that tables lack; all of them where there are no tables.
fn missing_columns(columns: &ColumnsByInput, tables: Option<&[Table]>) -> Vec<BTreeSet<String>> {
    let of_input = |(input, columns): (usize, &BTreeSet<String>)| match tables {
        Some(tables) => columns.difference(&names_of(&tables[input])).cloned().collect(),
        None => columns.clone(),
    };
    columns.iter().enumerate().map(of_input).collect()
}

/// A table with the columns of another one besides; what both have is that of the first.
fn joined(table: &Table, other: &Table) -> Result<Table> {
    let new: BTreeSet<String> = names_of(other).difference(&names_of(table)).cloned().collect();
    if new.is_empty() { Ok(table.clone()) } else { table.beside(&other.only(&new)?) }
}

fn names_of(table: &Table) -> BTreeSet<String> {
    table.schema.fields().iter().map(|field| field.name().clone()).collect()
}

/// Records that are not those that were read before.
pub fn changed(input: &str) -> Error {
    Error::data(format!("the records of `{input}` are not those that were read before"))
        .with_help("bring back the files as they were, or begin again with those that are there")
}
