//! What is read of the records of each input for entities, and what the entries do with it.

use std::collections::BTreeSet;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, UInt32Array, new_null_array};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};

use super::{Cancel, Error, Result, broken};
use crate::expr::array_type;
use crate::record_stream::{InputBatch, InputSchemas, StreamedInput};
use crate::records::{KeptColumns, record_values};
use crate::rules::{Column, InputColumns};
use crate::rules::{
    EntityEntry, EntityExpressions, EntityInput, EntityRules, RecordValue, Report, Take, input_columns,
};
use crate::survivorship::{EntryWork, filled_columns, result_type, without_nan};

/// What entities are made of.
pub struct EntityPlan {
    /// The values of a record, then its number; the number of columns that it has filled before that, if it is needed.
    pub schema: SchemaRef,
    slots: Vec<Slot>,
    /// Whether columns that have a value are counted.
    counts_filled: bool,
    /// What is read of each input.
    pub read: Vec<Vec<usize>>,
    /// The columns of each input that are counted.
    counted: Vec<Vec<String>>,
    names: Vec<String>,
    expressions: Vec<EntityExpressions>,
    /// The columns of other inputs that the expressions of each input read.
    of_others: Vec<Fields>,
    /// The entries that are for some column.
    pub entries: Vec<EntryWork>,
    /// The preferred sources of each.
    pub ranks: Vec<Vec<u32>>,
    /// The columns of the result.
    pub outputs: Vec<OutputColumn>,
}

/// A column of the result.
#[derive(Clone, Debug)]
pub struct OutputColumn {
    /// Its name.
    pub name: String,
    /// How it is taken.
    pub take: Take,
    /// Its entry, and its place among the columns of that.
    pub entry: (usize, usize),
    /// Its type.
    pub data_type: DataType,
}

/// A value of records.
#[derive(Clone, Debug, PartialEq)]
struct Slot {
    values: Vec<RecordValue>,
    data_type: DataType,
    /// Whether NaN is missing.
    drops_nan: bool,
}

impl EntityPlan {
    /// For entities by some rules; `is_whole` where whole records are wanted as they are.
    pub fn new(rules: &EntityRules, schemas: &InputSchemas<'_>, is_whole: bool) -> Result<Self> {
        let mut plan = Self::empty(rules, schemas);
        let mut report = Report::default();
        for entry in &rules.entries {
            plan.add_entry(entry, rules, schemas, is_whole)?;
        }
        for column in &rules.columns {
            let entry = &rules.entries[column.entry];
            let slot = plan.slot(&column.values, schemas, &rules.inputs, !is_whole, DataType::Utf8)?;
            let data_type = plan.slots[slot].data_type.clone();
            let columns = &mut plan.entries[column.entry].columns;
            columns.push(slot);
            let place = (column.entry, columns.len() - 1);
            match result_type(entry.take, &data_type) {
                Some(data_type) => {
                    let (name, take) = (column.name.clone(), entry.take);
                    plan.outputs.push(OutputColumn { name, take, entry: place, data_type });
                }
                None => add_mistake(entry, &column.name, &data_type, &mut report),
            }
        }
        report.into_result()?;
        for (entry, column) in (0..1).cycle().zip(rules.chosen_by.iter().flatten()) {
            let slot = plan.slot(&column.values, schemas, &rules.inputs, true, DataType::Utf8)?;
            plan.entries[entry].chosen_by.get_or_insert_default().push(slot);
        }
        plan.counts_filled = plan.entries.iter().any(|entry| entry.filled.is_some());
        let filled = plan.slots.len();
        plan.entries.iter_mut().for_each(|entry| entry.filled = entry.filled.map(|_| filled));
        plan.finish(schemas)
    }

    fn empty(rules: &EntityRules, schemas: &InputSchemas<'_>) -> Self {
        let counted = |(at, input): (usize, &StreamedInput<'_>)| {
            let names = schemas.kept[at].fields().iter().map(|field| field.name().clone());
            names.filter(|name| input.id != Some(name.as_str())).collect()
        };
        Self {
            schema: Arc::new(Schema::empty()),
            slots: Vec::new(),
            counts_filled: false,
            read: Vec::new(),
            counted: schemas.inputs.iter().enumerate().map(counted).collect(),
            names: schemas.inputs.iter().map(|input| input.name.to_owned()).collect(),
            expressions: rules.inputs.clone(),
            of_others: Vec::new(),
            entries: Vec::new(),
            ranks: Vec::new(),
            outputs: Vec::new(),
        }
    }

    fn add_entry(
        &mut self,
        entry: &EntityEntry,
        rules: &EntityRules,
        schemas: &InputSchemas<'_>,
        is_whole: bool,
    ) -> Result<()> {
        let by = entry.by.as_ref().map(|by| self.slot(by, schemas, &rules.inputs, true, DataType::Utf8));
        let condition = entry.condition.as_ref();
        let condition = condition.map(|of| self.slot(of, schemas, &rules.inputs, true, DataType::Boolean));
        let counts_all =
            entry.take == Take::MostComplete && if is_whole { rules.chosen_by.is_none() } else { !entry.is_group };
        self.entries.push(EntryWork {
            take: entry.take,
            is_group: entry.is_group,
            columns: Vec::new(),
            chosen_by: is_whole.then(|| rules.chosen_by.as_ref().map(|_| Vec::new())).flatten(),
            by: by.transpose()?,
            condition: condition.transpose()?,
            filled: counts_all.then_some(0),
        });
        self.ranks.push(entry.ranks.clone());
        Ok(())
    }

    /// The place of a value among those of records; `absent` is its type where no input has it.
    fn slot(
        &mut self,
        values: &[RecordValue],
        schemas: &InputSchemas<'_>,
        expressions: &[EntityExpressions],
        drops_nan: bool,
        absent: DataType,
    ) -> Result<usize> {
        let (mut labels, mut tables) = (Vec::new(), Vec::new());
        for (at, value) in values.iter().enumerate() {
            let data_type = match value {
                RecordValue::Missing => continue,
                RecordValue::Column(name) => {
                    schemas.kept[at].field_with_name(name).map_err(|error| broken(&error))?.data_type().clone()
                }
                RecordValue::Computed(place) => array_type(expressions[at].values[*place].ty),
            };
            labels.push(schemas.inputs[at].name);
            tables.push(Arc::new(Schema::new(vec![Field::new("value", data_type, true)])));
        }
        let unified = KeptColumns::of_all(&labels, &tables)?;
        let data_type = unified.fields().first().map_or(absent, |field| field.data_type().clone());
        let slot = Slot { values: values.to_vec(), data_type, drops_nan };
        if let Some(known) = self.slots.iter().position(|known| *known == slot) {
            return Ok(known);
        }
        self.slots.push(slot);
        Ok(self.slots.len() - 1)
    }

    /// With the columns that are read, and those of rows.
    fn finish(mut self, schemas: &InputSchemas<'_>) -> Result<Self> {
        for input in 0..schemas.inputs.len() {
            let names = self.names_read(input);
            let fields = schemas.kept[input].fields().iter().enumerate();
            self.read.push(fields.filter(|(_, field)| names.contains(field.name())).map(|(at, _)| at).collect());
            let absent = names.iter().filter(|name| schemas.kept[input].field_with_name(name).is_err());
            let of_other = |name: &String| schemas.kept.iter().find_map(|schema| schema.fields().find(name));
            self.of_others.push(absent.filter_map(of_other).map(|(_, field)| field.clone()).collect());
        }
        let field = |(at, slot): (usize, &Slot)| Field::new(at.to_string(), slot.data_type.clone(), true);
        let mut fields: Vec<Field> = self.slots.iter().enumerate().map(field).collect();
        if self.counts_filled {
            fields.push(Field::new("filled", DataType::UInt32, true));
        }
        fields.push(Field::new("record", DataType::UInt32, true));
        self.schema = Arc::new(Schema::new(fields.into_iter().collect::<Fields>()));
        Ok(self)
    }

    fn names_read(&self, input: usize) -> BTreeSet<String> {
        let mut names: BTreeSet<String> = BTreeSet::new();
        for slot in &self.slots {
            if let RecordValue::Column(name) = &slot.values[input] {
                names.insert(name.clone());
            }
        }
        let EntityExpressions { derived, values } = &self.expressions[input];
        let expressions = derived.iter().map(|derived| &derived.expr).chain(values);
        expressions.for_each(|expr| expr.each_column(&mut |_, name| _ = names.insert(name.to_owned())));
        if self.counts_filled {
            names.extend(self.counted[input].iter().cloned());
        }
        names
    }

    /// Whether some entry asks what pairs weigh.
    pub fn needs_weights(&self) -> bool {
        self.entries.iter().any(|entry| entry.take == Take::Strongest && !entry.columns.is_empty())
    }

    /// The values of some records.
    pub fn rows(&self, of: &InputBatch, cancel: Cancel<'_>) -> Result<RecordBatch> {
        cancel.check();
        let InputBatch { input, first, batch } = of;
        let EntityExpressions { derived, values } = &self.expressions[*input];
        let with_others = with_missing(batch, &self.of_others[*input])?;
        let computed = record_values(&self.names[*input], derived, values, &with_others, cancel)?;
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(self.schema.fields().len());
        for (slot, field) in self.slots.iter().zip(self.schema.fields()) {
            let column = match &slot.values[*input] {
                RecordValue::Missing => new_null_array(&slot.data_type, batch.num_rows()),
                RecordValue::Column(name) => KeptColumns::column(column_of(batch, name)?, field)?,
                RecordValue::Computed(place) => KeptColumns::column(&computed[*place], field)?,
            };
            columns.push(if slot.drops_nan { without_nan(&column) } else { column });
        }
        if self.counts_filled {
            let counted = self.counted[*input].iter().map(|name| column_of(batch, name).cloned());
            columns.push(Arc::new(filled_columns(&counted.collect::<Result<Vec<_>>>()?, batch.num_rows())));
        }
        columns.push(Arc::new(UInt32Array::from_iter_values(*first..*first + batch.num_rows() as u32)));
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        RecordBatch::try_new_with_options(self.schema.clone(), columns, &options).map_err(|error| broken(&error))
    }
}

/// The batch with these columns, too, in which all values are missing.
fn with_missing(batch: &RecordBatch, columns: &Fields) -> Result<RecordBatch> {
    let fields = batch.schema_ref().fields().iter().chain(columns).cloned();
    let missing = columns.iter().map(|field| new_null_array(field.data_type(), batch.num_rows()));
    let arrays = batch.columns().iter().cloned().chain(missing).collect();
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    let nullable = fields.map(|field| field.as_ref().clone().with_nullable(true));
    let schema = Arc::new(Schema::new(nullable.collect::<Fields>()));
    RecordBatch::try_new_with_options(schema, arrays, &options).map_err(|error| broken(&error))
}

fn column_of<'b>(batch: &'b RecordBatch, name: &str) -> Result<&'b ArrayRef> {
    batch.column_by_name(name).ok_or_else(|| Error::internal(format!("column `{name}` was not read")))
}

/// Says that values of this type cannot be taken so.
fn add_mistake(entry: &EntityEntry, column: &str, data_type: &DataType, report: &mut Report) {
    let held = match data_type {
        DataType::Utf8 => "text".to_owned(),
        DataType::Boolean => "true and false".to_owned(),
        other => format!("values of type {other}"),
    };
    let name = entry.take.name();
    let (what, help) = match entry.take {
        Take::Longest => ("texts or lists", format!("take something else, such as `most_frequent`, for `{column}`")),
        _ => ("numbers", format!("read it as a number: `value = \"cast({column} as double)\"`")),
    };
    entry.add_mistake(format!("`{name}` needs {what}, and column `{column}` holds {held}"), help, report);
}

/// The columns of inputs as rules see them.
pub fn rule_columns(schemas: &InputSchemas<'_>) -> Vec<Vec<Column>> {
    schemas.of_rules.iter().map(|schema| input_columns(schema, true)).collect()
}

/// The inputs as rules see them.
pub fn rule_inputs<'a>(schemas: &InputSchemas<'a>, columns: &'a [Vec<Column>]) -> Vec<EntityInput<'a>> {
    let input = |(input, columns): (&StreamedInput<'a>, &'a Vec<Column>)| EntityInput {
        columns: InputColumns { name: input.name, columns },
        id: input.id,
    };
    schemas.inputs.iter().zip(columns).map(input).collect()
}
