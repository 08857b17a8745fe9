//! A source whose columns are known and whose records are not read yet.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{Fields, Schema, SchemaRef};

use super::batches::{MemoryPart, ReaderPart, schema_difference};
use super::blocks::BLOCK_BYTES;
use super::column_types::ColumnTypes;
use super::in_groups::in_groups;
use super::part::{PartBatches, PartReading, SourcePart};
use super::reading::Reading;
use super::unify::Unified;
use super::wanted::WantedColumns;
use crate::error::{Error, Result};
use crate::expr::repetition;
use crate::memory::MemoryBudget;
use crate::records::null_texts::NullTexts;
use crate::records::read_options::TextOptions;
use crate::records::table::{RowOrigin, Table};

/// A source whose columns are known and whose records are not read yet: what
/// [`Source::open`](crate::records::Source::open) gives.
pub struct OpenSource {
    pub(super) name: String,
    pub(super) schema: SchemaRef,
    pub(super) parts: Vec<OpenPart>,
    pub(super) block_bytes: usize,
    pub(super) nulls: NullTexts,
    /// How its text files are read; nothing where it has no files.
    pub(super) text: Option<TextOptions>,
    /// In which types its columns are read.
    pub(super) types: ColumnTypes,
}

impl OpenSource {
    /// A source with these parts. `name` is what `source_dataset` says of its records, and must be the same each time.
    pub fn new(name: &str, parts: Vec<Box<dyn SourcePart>>) -> Result<Self> {
        let opened = Self::of_parts(name, parts)?;
        if opened.schema.fields().is_empty() {
            return Err(Error::data(format!("`{name}` has no columns")));
        }
        Ok(opened)
    }

    /// A source of batches in memory, all of which have this schema.
    pub fn of_batches(name: &str, schema: SchemaRef, batches: Vec<RecordBatch>) -> Result<Self> {
        if let Some(what) = batches.iter().find_map(|batch| schema_difference(batch, &schema)) {
            return Err(Error::data(format!("`{name}`: {what}")));
        }
        Self::new(name, vec![Box::new(MemoryPart { label: name.to_owned(), schema, batches })])
    }

    /// A source of batches that come one after the other: `open` is given places in `schema`, and makes a reader of these
    /// columns, in the order given. It is called when the records are read.
    pub fn of_reader(
        name: &str,
        schema: SchemaRef,
        open: impl FnOnce(&[usize]) -> Result<Box<dyn RecordBatchReader + Send>> + Send + 'static,
    ) -> Result<Self> {
        Self::new(name, vec![Box::new(ReaderPart { label: name.to_owned(), schema, open: Box::new(open) })])
    }

    /// The same as [`Self::new`], where there may be no column.
    pub(super) fn of_parts(name: &str, parts: Vec<Box<dyn SourcePart>>) -> Result<Self> {
        let parts: Vec<OpenPart> = parts.into_iter().map(OpenPart::new).collect();
        let schema = Arc::new(Schema::new(unified(&parts)?));
        let (block_bytes, nulls, types) = (BLOCK_BYTES, NullTexts::default(), ColumnTypes::default());
        Ok(Self { name: name.to_owned(), schema, parts, block_bytes, nulls, text: None, types })
    }

    /// The same, read from files in this way: messages can then say on which line a row is.
    pub(super) fn with_text(self, text: TextOptions) -> Self {
        Self { text: Some(text), ..self }
    }

    /// The same, where these texts stand for a missing value, and text is read in blocks of this size.
    pub(in crate::records) fn with_reading(self, nulls: NullTexts, block_bytes: usize) -> Self {
        Self { nulls, block_bytes, ..self }
    }

    /// The same, where texts of batches in memory stay where they are: see [`Table`].
    #[must_use]
    #[doc(hidden)]
    pub fn with_given_types(self) -> Self {
        Self { types: ColumnTypes::GivenTexts, ..self }
    }

    /// The same, where columns have their own types, and not those of rules: nested ones can be read too.
    #[doc(hidden)]
    pub fn with_kept_types(mut self) -> Result<Self> {
        for part in &mut self.parts {
            part.fields = part.given.fields().iter().map(|field| ColumnTypes::Kept.field(field)).collect();
        }
        let schema = Arc::new(Schema::new(unified(&self.parts)?));
        Ok(Self { schema, types: ColumnTypes::Kept, ..self })
    }

    /// What `source_dataset` says of the records: the name of the first file without its endings, `stdin`, or the name of other
    /// sources.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All columns, with the types in which rules see them.
    ///
    /// Nested objects (`Struct`) and binary data are listed too, but cannot be read.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Whether its columns have names: those of plain text have none.
    #[doc(hidden)]
    pub fn has_column_names(&self) -> bool {
        self.parts.iter().any(|part| part.part.has_column_names())
    }

    /// Reads the columns at these places of the schema, each at most once; the table has them in the order given.
    ///
    /// Uses the threads of the current pool, and tells `progress`, from any of them, how many more rows are read.
    #[doc(hidden)]
    pub fn read(self, columns: &[usize], progress: &(dyn Fn(u64) + Sync)) -> Result<Table> {
        self.read_within(&MemoryBudget::unlimited(), columns, progress)
    }

    /// As [`Self::read`], until the rows no longer fit the memory.
    #[doc(hidden)]
    pub fn read_within(
        self,
        budget: &MemoryBudget,
        columns: &[usize],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Table> {
        for &column in columns {
            self.check_usable(column)?;
        }
        let schema = self.schema_of(columns);
        let reading = Reading::new(self.parts.len(), self.block_bytes, budget, progress);
        let labels: Vec<String> = self.parts.iter().map(|part| part.label.clone()).collect();
        let (nulls, types) = (&self.nulls, self.types);
        let parts = in_groups(self.parts, |part| part.read(&schema, nulls, &reading, types))?;
        let rows = parts.iter().map(|part| part.0.iter().map(RecordBatch::num_rows).sum());
        let files = labels.into_iter().zip(rows).collect();
        let batches = parts.into_iter().flat_map(|part| part.0).collect();
        Ok(Table { name: self.name, schema, batches, files, origin: RowOrigin::new(self.text) })
    }

    /// The columns at these places.
    pub(super) fn schema_of(&self, columns: &[usize]) -> SchemaRef {
        let fields: Fields = columns.iter().map(|&column| self.schema.fields()[column].clone()).collect();
        Arc::new(Schema::new(fields))
    }

    pub(super) fn check_usable(&self, column: usize) -> Result<()> {
        let field = self.schema.field(column);
        if let Some(places) = repetition(field) {
            let error = Error::data(format!("the name of column `{}` is repeated: {places} have it", field.name()));
            return Err(error.with_help("give them different names in the first line of the file"));
        }
        let Some(what) = self.types.unusable(field.data_type()) else { return Ok(()) };
        let culprit = self.parts.iter().find(|part| {
            part.fields.find(field.name()).is_some_and(|(_, own)| self.types.unusable(own.data_type()).is_some())
        });
        let label = culprit.map_or("", |part| part.label.as_str());
        let why = if self.types == ColumnTypes::Kept { "which are not taken over" } else { "which rules cannot use" };
        Err(Error::data(format!("{label}: column `{}` holds {what}, {why}", field.name())))
    }
}

impl std::fmt::Debug for OpenSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "OpenSource {{ name: {:?}, parts: {} }}", self.name, self.parts.len())
    }
}

/// A part with its columns.
pub(super) struct OpenPart {
    label: String,
    /// The columns as the part has them.
    given: SchemaRef,
    /// The same as the engine sees them.
    fields: Fields,
    pub(super) part: Box<dyn SourcePart>,
}

impl OpenPart {
    pub(super) fn new(part: Box<dyn SourcePart>) -> Self {
        let (label, given) = (part.label().to_owned(), part.schema());
        Self {
            label,
            fields: given.fields().iter().map(|field| ColumnTypes::OfRules.field(field)).collect(),
            given,
            part,
        }
    }

    /// Where the part has each column of a table.
    fn wanted(&self, schema: &SchemaRef, nulls: &NullTexts) -> WantedColumns {
        let own: HashMap<&str, usize> =
            self.fields.iter().enumerate().map(|(place, field)| (field.name().as_str(), place)).collect();
        let places = schema.fields().iter().map(|field| own.get(field.name().as_str()).copied()).collect();
        WantedColumns { schema: schema.clone(), places, nulls: nulls.clone(), types: ColumnTypes::OfRules }
    }

    pub(super) fn read(
        self,
        schema: &SchemaRef,
        nulls: &NullTexts,
        reading: &Reading<'_>,
        types: ColumnTypes,
    ) -> Result<PartBatches> {
        let types_read = if types == ColumnTypes::GivenTexts { ColumnTypes::OfRules } else { types };
        let wanted = WantedColumns { types: types_read, ..self.wanted(schema, nulls) };
        self.part.read(&PartReading::new(&self.label, self.given, wanted, reading, types))
    }
}

/// The columns of all parts.
pub(super) fn unified(parts: &[OpenPart]) -> Result<Fields> {
    let (first, others) = parts.split_first().ok_or_else(|| Error::data("a source without parts has no records"))?;
    let mut unified = Unified::new(&first.label, &first.fields)?;
    for part in others {
        unified.add(&part.label, &part.fields, !part.part.may_lack_columns())?;
    }
    Ok(unified.finish())
}
