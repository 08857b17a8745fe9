//! A profile: what a person needs to know of the inputs before writing rules. What each column holds, and which keys would
//! join the records, with the exact number of candidates of each.
//!
//! Columns are encoded one at a time (`column_values`). What they hold is counted over their distinct values
//! (`text_tally`), and what they look like (`key_templates`) suggests keys, which are computed of distinct values too
//! (`single_key`).
//! The most promising keys are combined (`key_finder`, `combine`).
//!
//! Keys are expressions compiled from the text that is shown, so that what is counted is what a rule does. At most
//! twelve keys, not enough alone and not hopeless, are kept with the code of every record and combined two at a time;
//! no two are tried that would have far too many candidates even if nothing connected them. Memory is the records, one
//! encoded column, and the codes of the keys to combine; all counted.

mod characters;
mod column_values;
mod combine;
mod dates;
mod key_finder;
mod key_templates;
mod own_numbers;
mod pair_count;
mod partners;
mod report;
mod single_key;
mod text_format;
mod text_tally;
mod verdict;

use std::collections::{HashMap, HashSet};

use arrow_schema::Schema;
use column_values::{ColumnValues, most_frequent};
use key_finder::{KeyFinder, TriedColumn};
use key_templates::{column_look, templates};
use own_numbers::number_own_records;
use partners::{ValueSketch, partners};
pub use report::{ColumnLook, ColumnProfile, ColumnType, FormatCount, GarbledText, InputProfile, JoinKey, KeySearch};
pub use report::{KeyVerdict, LargestGroup, PatternCount, Profile, SharedBy, SharedValues};
pub use report::{TextFormat, TextProfile, ValueCount};
use text_tally::TextTally;

use crate::cancel::Cancel;
use crate::dataset::{Dataset, WholeInput};
use crate::error::{Error, Result};
use crate::expr::{Type, type_of};
use crate::job::Job;
use crate::memory::MemoryBudget;
use crate::observer::{Progress, Stage};
use crate::records::Table;
use crate::rules::{LinkType, input_columns};

/// Values that are listed as the most frequent ones.
const FREQUENT: usize = 5;

/// Reads the inputs of a job and describes them, on the threads of the current pool. Rules and ids do not matter.
pub fn profile(job: &Job, memory: usize, progress: Progress<'_>) -> Result<Profile> {
    check_inputs(job.inputs.len())?;
    let budget = MemoryBudget::new(memory);
    let inputs = WholeInput::read(job, &budget, progress)?;
    Ok(describe(job.link_type, inputs, progress, progress.cancel().within(&budget)))
}

/// Describes the records of a dataset, which are not read again.
pub fn profile_among(records: &Dataset, memory: usize, progress: Progress<'_>) -> Result<Profile> {
    check_inputs(records.inputs().len())?;
    records.within(memory, |budget| {
        let cancel = progress.cancel().within(budget);
        let inputs = records.whole_inputs(progress, cancel)?;
        Ok(describe(records.layout().link_type(), inputs, progress, cancel))
    })
}

/// Refuses more inputs than keys have sides.
fn check_inputs(inputs: usize) -> Result<()> {
    if (1..=2).contains(&inputs) {
        return Ok(());
    }
    Err(Error::usage(format!("a profile has one input or two, and {inputs} were given"))
        .with_help("profile two inputs at a time"))
}

fn describe(link_type: LinkType, inputs: Vec<WholeInput>, progress: Progress<'_>, cancel: Cancel<'_>) -> Profile {
    let with_source = link_type != LinkType::DedupeOnly;
    let columns = [0, inputs.len() - 1].map(|at| input_columns(&inputs[at].schema, with_source));
    let inputs: Vec<ProfiledInput> = inputs.into_iter().map(ProfiledInput::new).collect();
    let rows: Vec<u64> = inputs.iter().map(|input| input.table.rows() as u64).collect();
    let steps = inputs.iter().map(|input| input.table.schema.fields().len() as u64).sum();
    progress.begin(&Stage::Profiling, Some(steps));
    let finder = KeyFinder::new(link_type, columns, &rows, cancel);
    let mut profiler = Profiler { inputs, finder, cancel, progress };
    let shared_values = profiler.columns();
    profiler.finder.combine(progress);
    let Profiler { inputs, finder, .. } = profiler;
    let nominal_pairs = finder.nominal_pairs();
    let (keys, search) = finder.finish();
    let inputs = inputs.into_iter().map(ProfiledInput::finish).collect();
    Profile { link_type, inputs, shared_values, nominal_pairs, keys, search }
}

/// An input while it is described.
struct ProfiledInput {
    name: String,
    /// The columns that rules can use.
    table: Table,
    /// What is known of all columns.
    columns: Vec<ColumnProfile>,
    /// The place of each column of the table among these.
    places: Vec<usize>,
    /// The columns of the table by their names in lower case.
    by_name: HashMap<String, Vec<usize>>,
}

impl ProfiledInput {
    fn new(input: WholeInput) -> Self {
        let WholeInput { given_name: name, schema, table } = input;
        let (fields, places) = (schema.fields(), places_of(&table, &schema));
        let unknown = |name: &String| ColumnProfile {
            name: name.clone(),
            column_type: ColumnType::Unusable,
            look: ColumnLook::Other,
            nulls: 0,
            distinct: 0,
            can_be_id: false,
            frequent: Vec::new(),
            text: None,
        };
        let columns = fields.iter().map(|field| unknown(field.name())).collect();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, field) in table.schema.fields().iter().enumerate() {
            by_name.entry(field.name().to_lowercase()).or_default().push(at);
        }
        Self { name, table, columns, places, by_name }
    }

    /// The column of the table with this name; else the only one that differs from it in case alone.
    fn column(&self, name: &str) -> Option<usize> {
        let (fields, alike) = (self.table.schema.fields(), self.by_name.get(&name.to_lowercase())?);
        let same = alike.iter().find(|at| fields[**at].name() == name);
        same.or_else(|| alike.first().filter(|_| alike.len() == 1)).copied()
    }

    fn finish(self) -> InputProfile {
        let rows = self.table.rows() as u64;
        InputProfile { name: self.name, rows, columns: self.columns }
    }
}

/// The places of the columns of a table in the schema that they are from.
fn places_of(table: &Table, schema: &Schema) -> Vec<usize> {
    let (read, fields) = (table.schema.fields(), schema.fields());
    let read: HashSet<&str> = read.iter().map(|field| field.name().as_str()).collect();
    (0..fields.len()).filter(|at| read.contains(fields[*at].name().as_str())).collect()
}

/// Describes one column after the other.
struct Profiler<'a> {
    inputs: Vec<ProfiledInput>,
    finder: KeyFinder<'a>,
    cancel: Cancel<'a>,
    progress: Progress<'a>,
}

/// What is known of a column of one input while its values are at hand.
struct DescribedColumn {
    texts: Option<TextTally>,
    look: ColumnLook,
}

/// A column of an input: both by number.
type ColumnPlace = (usize, usize);

impl Profiler<'_> {
    /// All columns: those of the first input with their partners in the second, then what is left of both. Gives the
    /// partners that were found by their values.
    fn columns(&mut self) -> Vec<SharedValues> {
        let mut is_partner = vec![false; self.inputs.get(1).map_or(0, |input| input.places.len())];
        let mut left = Vec::new();
        for column in 0..self.inputs[0].places.len() {
            match self.partner(column).filter(|partner| !is_partner[*partner]) {
                Some(partner) => {
                    is_partner[partner] = true;
                    self.column(&[(0, column), (1, partner)]);
                }
                None => left.extend(self.column(&[(0, column)])),
            }
        }
        let others: Vec<usize> = (0..is_partner.len()).filter(|column| !is_partner[*column]).collect();
        let right: Vec<ValueSketch> = others.into_iter().filter_map(|column| self.column(&[(1, column)])).collect();
        let found = partners(&left, &right);
        for (_, [l, r]) in &found {
            self.column(&[(0, *l), (1, *r)]);
        }
        found.into_iter().map(|(shared, _)| shared).collect()
    }

    fn partner(&self, column: usize) -> Option<usize> {
        self.inputs.get(1)?.column(self.inputs[0].table.schema.field(column).name())
    }

    /// A column, in one input or in both. Keys are looked for where all inputs have it; where not, its sketch may tell
    /// which column of the other input belongs to it.
    fn column(&mut self, places: &[ColumnPlace]) -> Option<ValueSketch> {
        let (values, described): (Vec<_>, Vec<_>) = places.iter().map(|place| self.describe(*place)).unzip();
        let mut folded = None;
        if places.len() == self.inputs.len() {
            let names = [0, places.len() - 1].map(|at| self.name(places[at]).to_owned());
            let names = names.each_ref().map(String::as_str);
            let templates = templates(&described, values[0].domain.ty);
            let are_own_numbers = number_own_records(&values);
            folded = self.finder.try_column(&TriedColumn { names, values: &values, templates, are_own_numbers });
        }
        let (place, look) = (places[0], described[0].look);
        let alone = places.len() < self.inputs.len();
        let sketch = alone.then(|| ValueSketch::new(self.name(place), place.1, look, &values[0])).flatten();
        // With two inputs the number would be that of both together.
        let folded = folded.filter(|_| places.len() == 1);
        for ((place, values), described) in places.iter().zip(&values).zip(described) {
            self.keep(*place, values, described, folded);
        }
        self.progress.advance(places.len() as u64);
        sketch
    }

    fn name(&self, (input, column): ColumnPlace) -> &str {
        self.inputs[input].table.schema.field(column).name()
    }

    fn describe(&self, (input, column): ColumnPlace) -> (ColumnValues, DescribedColumn) {
        let table = &self.inputs[input].table;
        let field = table.schema.field(column);
        let ty = type_of(field.data_type()).unwrap_or(Type::Null);
        let values = ColumnValues::new(table, column, ty, self.cancel);
        let texts = (ty == Type::Text).then(|| TextTally::count(&values, self.cancel));
        let look = column_look(field.name(), &values, texts.as_ref());
        (values, DescribedColumn { texts, look })
    }

    fn keep(
        &mut self,
        (input, column): ColumnPlace,
        values: &ColumnValues,
        described: DescribedColumn,
        folded: Option<u64>,
    ) {
        let input = &mut self.inputs[input];
        let (rows, present, distinct) = (values.rows(), values.present(), values.distinct() as u64);
        let frequent = most_frequent(&values.counts, FREQUENT);
        let frequent = frequent
            .into_iter()
            .map(|code| ValueCount { value: values.value(code), records: u64::from(values.counts[code as usize]) });
        let profile = &mut input.columns[input.places[column]];
        (profile.column_type, profile.look) = (ColumnType::from_type(values.domain.ty), described.look);
        (profile.nulls, profile.distinct) = (rows - present, distinct);
        profile.can_be_id = distinct == rows && rows > 0;
        profile.frequent = frequent.collect();
        profile.text =
            described.texts.filter(|_| present > 0).map(|texts| TextProfile { folded, ..texts.profile(values) });
    }
}
