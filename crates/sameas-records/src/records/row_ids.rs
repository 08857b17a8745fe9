//! The user's ids of the rows, and the inputs the rows come from.

use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, StringArray, UInt32Array};
use arrow_cast::cast;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, DataType, Field};
use arrow_select::concat::concat;
use arrow_select::interleave::interleave;
use arrow_select::take::take;

use super::id_search::find_id;
use crate::error::{Error, Result};
use crate::numbering::CloseIntegers;

/// Ids up to this many bytes are copied into one array, which is quicker to gather from; larger ones stay in the
/// chunks they were read in, to save memory.
const ONE_CHUNK_BYTES: usize = 64 << 20;

/// Bytes of a name of an input and an id that is expected.
const TYPICAL_NAME: usize = 24;

/// The ids of some rows, in row order, and where the rows come from.
#[derive(Clone, Debug)]
pub struct RowIds {
    chunks: Vec<ArrayRef>,
    /// First row of each chunk, and the number of rows.
    starts: Vec<usize>,
    sources: Option<NamedInputs>,
}

/// Names of the inputs, and the first row of each.
#[derive(Clone, Debug)]
struct NamedInputs {
    names: Vec<String>,
    starts: Vec<usize>,
}

impl RowIds {
    /// The ids of a table, as one column in chunks of one type: text, numbers, truth values or dates.
    pub fn new(chunks: &[ArrayRef]) -> Result<Self> {
        let chunks = chunks.iter().map(plain).collect::<Result<Vec<_>>>()?;
        if chunks.windows(2).any(|two| two[0].data_type() != two[1].data_type()) {
            return Err(Error::internal("chunks of ids differ in type"));
        }
        let bytes: usize = chunks.iter().map(bytes_of).sum();
        let refs: Vec<&dyn Array> = chunks.iter().map(AsRef::as_ref).collect();
        match chunks.len() {
            0 => Ok(Self::of_chunks(vec![Arc::new(StringArray::new_null(0))], None)),
            2.. if bytes <= ONE_CHUNK_BYTES => {
                Ok(Self::of_chunks(vec![concat(&refs).map_err(|error| broken(&error))?], None))
            }
            _ => Ok(Self::of_chunks(chunks, None)),
        }
    }

    /// Memory they take.
    pub fn bytes(&self) -> usize {
        self.chunks.iter().map(bytes_of).sum()
    }

    /// Whether these are the same values in memory.
    pub fn is_shared(&self, other: &Self) -> bool {
        let mut chunks = self.chunks.iter().zip(&other.chunks);
        self.chunks.len() == other.chunks.len() && chunks.all(|(own, of)| Arc::ptr_eq(own, of))
    }

    /// The columns with one type: as they are if their types are equal, otherwise all as text.
    pub fn unify(columns: &[Self]) -> Result<Vec<Self>> {
        if columns.windows(2).all(|two| two[0].data_type() == two[1].data_type()) {
            return Ok(columns.to_vec());
        }
        let long = columns.iter().any(|ids| *ids.data_type() == DataType::LargeUtf8);
        let text = if long { DataType::LargeUtf8 } else { DataType::Utf8 };
        columns.iter().map(|ids| ids.to_type(&text)).collect()
    }

    /// The rows of several inputs one after the other, with one type of ids and the names of the inputs.
    pub fn join(inputs: &[Self], names: &[String]) -> Result<Self> {
        let inputs = Self::unify(inputs)?;
        let starts = inputs.iter().scan(0, |rows, ids| {
            let start = *rows;
            *rows += ids.len();
            Some(start)
        });
        let sources = NamedInputs { names: names.to_vec(), starts: starts.collect() };
        Ok(Self::of_chunks(inputs.into_iter().flat_map(|ids| ids.chunks).collect(), Some(sources)))
    }

    /// Number of rows.
    #[inline]
    pub fn len(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Type of the ids.
    pub fn data_type(&self) -> &DataType {
        self.chunks[0].data_type()
    }

    /// The id of a row as text.
    #[inline]
    pub fn text(&self, row: usize) -> String {
        let (chunk, at) = self.place(row);
        arrow_cast::display::array_value_to_string(&self.chunks[chunk], at).unwrap_or_default()
    }

    /// The first row whose id is [written](Self::text) like this.
    pub fn find(&self, text: &str) -> Option<usize> {
        find_id(&self.chunks, text)
    }

    /// The ids of these rows of one input only.
    pub fn keep(&self, rows: &[u32]) -> Result<Self> {
        let chunk = match self.chunks.as_slice() {
            [chunk] => take(chunk, &UInt32Array::from(rows.to_vec()), None).map_err(|error| broken(&error))?,
            _ => self.interleaved(rows.iter().copied())?,
        };
        Ok(Self::of_chunks(vec![chunk], None))
    }

    /// Whether ids have the names of their inputs beside them.
    pub fn has_sources(&self) -> bool {
        self.sources.is_some()
    }

    /// The field of a column that [`RowIds::gather`] makes.
    pub fn field(&self, name: &str) -> Field {
        let nullable = self.chunks.iter().any(|chunk| chunk.null_count() > 0);
        let data_type = self.data_type().clone();
        if self.by_reference() {
            dictionary_field(name, data_type, nullable)
        } else {
            Field::new(name, data_type, nullable)
        }
    }

    /// The ids of these rows. Texts are referred to, as a dictionary: in one chunk they are not copied, in several chunks
    /// each of them once.
    pub fn gather(&self, rows: &UInt32Array) -> Result<ArrayRef> {
        match self.chunks.as_slice() {
            [chunk] if self.by_reference() => references(rows.clone(), Arc::clone(chunk)),
            [chunk] => take(chunk, rows, None).map_err(|error| broken(&error)),
            _ if self.by_reference() => {
                let rows = rows.values().iter().map(|row| *row as usize);
                let distinct = CloseIntegers::new(rows.clone());
                let keys = UInt32Array::from_iter_values(rows.map(|row| distinct.number(row)));
                references(keys, self.interleaved(distinct.ascending().map(|row| row as u32))?)
            }
            _ => self.interleaved(rows.values().iter().copied()),
        }
    }

    /// The ids of these rows, which are in several chunks.
    fn interleaved(&self, rows: impl Iterator<Item = u32>) -> Result<ArrayRef> {
        let chunks: Vec<&dyn Array> = self.chunks.iter().map(AsRef::as_ref).collect();
        let places: Vec<_> = rows.map(|row| self.place(row as usize)).collect();
        interleave(&chunks, &places).map_err(|error| broken(&error))
    }

    /// The ids of consecutive rows, as [`RowIds::gather`] gives them.
    pub(crate) fn gather_range(&self, rows: Range<usize>) -> Result<ArrayRef> {
        if self.chunks.len() == 1 {
            return self.gather(&UInt32Array::from_iter_values(rows.map(|row| row as u32)));
        }
        let slice = |(chunk, start): (&ArrayRef, &usize)| {
            let (from, to) = (rows.start.max(*start), rows.end.min(start + chunk.len()));
            (from < to).then(|| chunk.slice(from - start, to - from))
        };
        let slices: Vec<ArrayRef> = self.chunks.iter().zip(&self.starts).filter_map(slice).collect();
        let slices: Vec<&dyn Array> = slices.iter().map(AsRef::as_ref).collect();
        let ids = match slices.as_slice() {
            [] => self.chunks[0].slice(0, 0),
            slices => concat(slices).map_err(|error| broken(&error))?,
        };
        match self.by_reference() {
            true => references(UInt32Array::from_iter_values(0..ids.len() as u32), ids),
            false => Ok(ids),
        }
    }

    /// The name of the input of each of these rows.
    pub fn gather_sources(&self, rows: &UInt32Array) -> Result<ArrayRef> {
        let sources = self.sources()?;
        let keys = rows.values().iter().map(|&row| sources.input_of_row(row as usize) as u32);
        dictionary(keys.collect::<Vec<_>>().into(), &sources.names)
    }

    /// `<source_dataset>:<unique_id>` of each of these rows.
    pub fn gather_names(&self, rows: &UInt32Array) -> Result<ArrayRef> {
        let sources = self.sources()?;
        let ids = self.gather(rows)?;
        let text = ArrayFormatter::try_new(ids.as_ref(), &FormatOptions::new()).map_err(|error| broken(&error))?;
        let mut names = StringBuilder::with_capacity(rows.len(), rows.len() * TYPICAL_NAME);
        for (at, row) in rows.values().iter().enumerate() {
            // Writing into the builder begins a value, which the empty text ends.
            let written = write!(names, "{}:{}", sources.names[sources.input_of_row(*row as usize)], text.value(at));
            written.map_err(|_| Error::internal("an id cannot be written"))?;
            names.append_value("");
        }
        Ok(Arc::new(names.finish()))
    }

    fn of_chunks(chunks: Vec<ArrayRef>, sources: Option<NamedInputs>) -> Self {
        let mut starts = vec![0];
        starts.extend(chunks.iter().scan(0, |rows, chunk| {
            *rows += chunk.len();
            Some(*rows)
        }));
        Self { chunks, starts, sources }
    }

    fn to_type(&self, data_type: &DataType) -> Result<Self> {
        let chunks: std::result::Result<_, _> = self.chunks.iter().map(|chunk| cast(chunk, data_type)).collect();
        Ok(Self::of_chunks(chunks.map_err(|error| broken(&error))?, self.sources.clone()))
    }

    fn by_reference(&self) -> bool {
        matches!(self.data_type(), DataType::Utf8 | DataType::LargeUtf8)
    }

    /// Chunk of a row, and its place there.
    fn place(&self, row: usize) -> (usize, usize) {
        let chunk = self.starts.partition_point(|&start| start <= row) - 1;
        (chunk, row - self.starts[chunk])
    }

    fn sources(&self) -> Result<&NamedInputs> {
        self.sources.as_ref().ok_or_else(|| Error::internal("the inputs have no names"))
    }
}

impl NamedInputs {
    fn input_of_row(&self, row: usize) -> usize {
        self.starts.partition_point(|&start| start <= row) - 1
    }
}

/// Columns written by reference have this type.
pub fn dictionary_field(name: &str, values: DataType, nullable: bool) -> Field {
    Field::new_dictionary(name, DataType::UInt32, values, nullable)
}

/// The `names` at `keys`, as a column.
pub fn dictionary(keys: UInt32Array, names: &[String]) -> Result<ArrayRef> {
    references(keys, Arc::new(StringArray::from_iter_values(names)))
}

/// The `texts` at `keys`, as a column.
fn references(keys: UInt32Array, texts: ArrayRef) -> Result<ArrayRef> {
    Ok(Arc::new(DictionaryArray::<UInt32Type>::try_new(keys, texts).map_err(|error| broken(&error))?))
}

/// A row or a rule that does not exist: the callers are wrong, not the user.
pub fn broken(error: &ArrowError) -> Error {
    Error::internal(format!("cannot make an output column: {error}"))
}

/// Views and dictionaries as plain text: every writer knows it.
fn plain(chunk: &ArrayRef) -> Result<ArrayRef> {
    let to = match chunk.data_type() {
        DataType::Utf8View => DataType::LargeUtf8,
        DataType::Dictionary(_, values) => values.as_ref().clone(),
        _ => return Ok(Arc::clone(chunk)),
    };
    cast(chunk, &to).map_err(|error| broken(&error))
}

/// What a chunk takes of its memory, which it may share with others.
fn bytes_of(chunk: &ArrayRef) -> usize {
    chunk.to_data().get_slice_memory_size().unwrap_or_else(|_| chunk.get_array_memory_size())
}

#[cfg(test)]
mod tests {
    use arrow_array::{BooleanArray, Date32Array, Decimal128Array, Float32Array, Float64Array, Int8Array, Int32Array};
    use arrow_array::{Int64Array, LargeStringArray, UInt8Array, UInt64Array};

    use super::*;

    fn text_of(column: &ArrayRef) -> Vec<String> {
        let text = ArrayFormatter::try_new(column.as_ref(), &FormatOptions::new()).unwrap();
        (0..column.len()).map(|i| text.value(i).to_string()).collect()
    }

    #[test]
    fn chunks_are_gathered_like_one() {
        let (a, b): (ArrayRef, ArrayRef) =
            (Arc::new(Int64Array::from(vec![7, 8])), Arc::new(Int64Array::from(vec![9])));
        let rows = UInt32Array::from(vec![2, 0, 1]);
        let chunked = RowIds::of_chunks(vec![a.clone(), b.clone()], None);
        for ids in [RowIds::new(&[a, b]).unwrap(), chunked] {
            assert_eq!(text_of(&ids.gather(&rows).unwrap()), ["9", "7", "8"]);
            assert_eq!(text_of(&ids.gather_range(0..3).unwrap()), ["7", "8", "9"]);
            assert_eq!(text_of(&ids.gather_range(1..3).unwrap()), ["8", "9"]);
            assert_eq!(text_of(&ids.gather_range(2..2).unwrap()), [""; 0]);
        }
    }

    #[test]
    fn ids_of_some_rows_are_in_their_order() {
        let [a, b]: [ArrayRef; 2] =
            [Arc::new(StringArray::from(vec!["a", "b", "c"])), Arc::new(StringArray::from(vec!["d", "e"]))];
        for ids in [RowIds::new(&[a.clone(), b.clone()]).unwrap(), RowIds::of_chunks(vec![a, b], None)] {
            let some = ids.keep(&[1, 3]).unwrap();
            assert_eq!((some.len(), some.text(0), some.text(1)), (2, "b".to_owned(), "d".to_owned()));
            assert_eq!((some.find("d"), some.find("a")), (Some(1), None));
            assert!(ids.keep(&[]).unwrap().is_empty());
        }
    }

    #[test]
    fn different_types_become_text_and_inputs_keep_their_names() {
        let dates = RowIds::new(&[Arc::new(Date32Array::from(vec![0, 1])) as ArrayRef]).unwrap();
        let numbers = RowIds::new(&[Arc::new(Int32Array::from(vec![5])) as ArrayRef]).unwrap();
        let none = RowIds::new(&[]).unwrap();
        let names = ["a", "empty", "b"].map(str::to_owned);
        let both = RowIds::join(&[dates, none, numbers], &names).unwrap();
        let rows = UInt32Array::from(vec![0, 1, 2]);
        assert_eq!(both.data_type(), &DataType::Utf8);
        assert_eq!(text_of(&both.gather(&rows).unwrap()), ["1970-01-01", "1970-01-02", "5"]);
        assert_eq!(text_of(&both.gather_names(&rows).unwrap()), ["a:1970-01-01", "a:1970-01-02", "b:5"]);
        assert_eq!(text_of(&both.gather_sources(&rows).unwrap()), ["a", "a", "b"]);
    }

    #[test]
    fn equal_types_stay_and_no_rows_are_fine() {
        let numbers = RowIds::new(&[Arc::new(Int32Array::from(vec![5])) as ArrayRef]).unwrap();
        for ids in RowIds::unify(&[numbers.clone(), numbers]).unwrap() {
            assert_eq!(ids.data_type(), &DataType::Int32);
        }
        assert!(RowIds::new(&[]).unwrap().is_empty());
    }

    /// Texts that are not ids, or are written as no id is.
    const OTHERS: [&str; 14] = [
        "",
        " 1",
        "+1",
        "01",
        "-0",
        "1.0",
        "1.00",
        "1e0",
        "256",
        "9223372036854775808",
        "null",
        "True",
        "1970-1-2",
        "é",
    ];

    /// Looks for each id and for other texts, and compares with a look at every id as it is written.
    fn check_find(ids: &RowIds) {
        let written: Vec<String> = (0..ids.len()).map(|row| ids.text(row)).collect();
        for text in written.iter().map(String::as_str).chain(OTHERS) {
            let first = written.iter().position(|other| other == text);
            assert_eq!(ids.find(text), first, "{text:?} among {}", ids.data_type());
        }
    }

    #[test]
    fn an_id_is_found_as_it_is_written() {
        let chunks: [ArrayRef; 12] = [
            Arc::new(StringArray::from(vec![Some("1"), Some("01"), None, Some(""), Some("+1"), Some("é"), Some("1")])),
            Arc::new(LargeStringArray::from(vec![Some("a"), Some(""), None, Some("ab"), Some("1.0")])),
            Arc::new(Int8Array::from(vec![Some(-128), Some(0), None, Some(1), Some(127), Some(1)])),
            Arc::new(Int32Array::from(vec![Some(0), Some(-1), Some(1), Some(256)])),
            Arc::new(Int64Array::from(vec![Some(i64::MIN), None, Some(i64::MAX), Some(1), Some(-1)])),
            Arc::new(UInt8Array::from(vec![255, 0, 1])),
            Arc::new(UInt64Array::from(vec![Some(u64::MAX), Some(1 << 63), None, Some(1)])),
            Arc::new(Float32Array::from(vec![Some(1.0), Some(0.1), None, Some(-0.0), Some(1e30)])),
            Arc::new(Float64Array::from(vec![Some(0.5), Some(1.0), Some(1e300), None, Some(0.0), Some(-0.0)])),
            Arc::new(Date32Array::from(vec![Some(0), Some(1), None, Some(-719_162)])),
            Arc::new(BooleanArray::from(vec![Some(false), None, Some(true), Some(true)])),
            Arc::new(Decimal128Array::from(vec![Some(100), None, Some(1)]).with_precision_and_scale(9, 2).unwrap()),
        ];
        for chunk in chunks {
            let (rows, half) = (chunk.len(), chunk.len() / 2);
            check_find(&RowIds::new(&[Arc::clone(&chunk)]).unwrap());
            // In several chunks, one of them empty; an id that repeats is found where it comes first.
            let parts =
                vec![chunk.slice(half, rows - half), chunk.slice(0, 0), chunk.slice(0, half), Arc::clone(&chunk)];
            check_find(&RowIds::of_chunks(parts, None));
        }
        check_find(&RowIds::new(&[]).unwrap());
    }

    #[test]
    fn the_first_of_many_rows_is_found() {
        let rows = 100_000;
        let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values((0..rows).map(|row| row % 70_000)));
        let texts: ArrayRef =
            Arc::new(StringArray::from_iter_values((0..rows).map(|row| format!("p{}", row % 70_000))));
        let [numbers, texts] = [numbers, texts].map(|ids| RowIds::new(&[ids]).unwrap());
        for row in [0, 1, 29_999, 30_000, 69_999] {
            assert_eq!(numbers.find(&row.to_string()), Some(row));
            assert_eq!(texts.find(&format!("p{row}")), Some(row));
        }
        assert_eq!((numbers.find("70000"), texts.find("p70000")), (None, None));
    }

    #[test]
    fn a_row_that_does_not_exist_is_an_error_for_text() {
        let ids = RowIds::new(&[Arc::new(StringArray::from(vec!["a"])) as ArrayRef]).unwrap();
        assert!(ids.gather(&UInt32Array::from(vec![1])).is_err());
    }
}
