//! One number for the content of a table: equal for equal columns, however their rows are cut into batches, however their texts
//! lie in memory, and whatever kind of file they came from.

use arrow_array::cast::AsArray;
use arrow_array::iterator::ArrayIter;
use arrow_array::types::UInt16Type;
use arrow_array::{Array, ArrayAccessor, ArrayRef};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::DataType;
use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3;

use super::block_column::views_of;
use super::table::Table;

/// Bytes of short texts that are hashed together.
const TOGETHER: usize = 4 << 10;

/// The 128-bit XXH3 hash of the names, types and values of all columns.
pub fn content_hash(table: &Table) -> u128 {
    let columns: Vec<u128> =
        (0..table.schema.fields().len()).into_par_iter().map(|at| column_hash(table, at)).collect();
    hash_of_columns(columns)
}

/// The hash of a table whose columns have these hashes.
pub fn hash_of_columns(columns: impl IntoIterator<Item = u128>) -> u128 {
    let mut all = Xxh3::new();
    columns.into_iter().for_each(|column| all.update(&column.to_le_bytes()));
    all.digest128()
}

/// The hash of the name, the type and the values of a column.
pub fn column_hash(table: &Table, at: usize) -> u128 {
    let (field, mut column) = (table.schema.field(at), ColumnHash::default());
    column.values.update(format!("{:?}{}", field.name(), field.data_type()).as_bytes());
    table.batches.iter().for_each(|batch| column.add(batch.column(at)));
    column.digest()
}

/// Values, lengths and places of nulls are hashed apart, so that each is one stream whatever the batches are.
#[derive(Default)]
struct ColumnHash {
    values: Xxh3,
    lengths: Xxh3,
    nulls: Xxh3,
    rows: u64,
    elements: Option<Box<ColumnHash>>,
}

impl ColumnHash {
    fn add(&mut self, array: &ArrayRef) {
        match array.data_type() {
            DataType::Utf8View => self.add_given(array.as_string_view()),
            DataType::Dictionary(key, _) if **key == DataType::UInt16 => {
                let dictionary = array.as_dictionary::<UInt16Type>();
                let (places, texts) = (dictionary.keys().values(), dictionary.values().as_string::<i32>());
                let text = |row: usize| texts.is_valid(places[row].into()).then(|| texts.value(places[row].into()));
                self.add_texts((0..array.len()).map(text));
            }
            DataType::Dictionary(..) => self.add_given(views_of(array.as_dictionary())),
            _ => self.add_plain(array),
        }
    }

    /// Texts of the caller, which are not copied; hashed as plain ones are.
    fn add_given<'t>(&mut self, texts: impl ArrayAccessor<Item = &'t str>) {
        self.add_texts(ArrayIter::new(texts));
    }

    fn add_texts<'t>(&mut self, texts: impl Iterator<Item = Option<&'t str>>) {
        let (mut lengths, mut bytes) = (Vec::new(), Vec::with_capacity(2 * TOGETHER));
        for text in texts {
            if text.is_none() {
                self.nulls.update(&self.rows.to_le_bytes());
            }
            self.rows += 1;
            let text = text.unwrap_or_default();
            lengths.push(text.len() as i32);
            if text.len() + bytes.len() > TOGETHER {
                self.values.update(&bytes);
                bytes.clear();
            }
            if text.len() > TOGETHER {
                self.values.update(text.as_bytes());
            } else {
                bytes.extend_from_slice(text.as_bytes());
            }
        }
        self.values.update(&bytes);
        self.lengths.update(bytemuck::cast_slice(&lengths));
    }

    fn add_plain(&mut self, array: &ArrayRef) {
        self.add_nulls(array.as_ref());
        self.rows += array.len() as u64;
        match array.data_type() {
            DataType::Utf8 => self.add_text(array),
            DataType::List(_) => self.add_lists(array),
            DataType::Boolean => {
                let values: Vec<u8> = array.as_boolean().iter().map(|value| u8::from(value == Some(true))).collect();
                self.values.update(&values);
            }
            kind if kind.primitive_width().is_some() => self.add_numbers(array),
            _ => self.add_shown(array),
        }
    }

    fn add_nulls(&mut self, array: &dyn Array) {
        if let Some(nulls) = array.nulls().filter(|nulls| nulls.null_count() > 0) {
            let null = nulls.iter().enumerate().filter(|(_, valid)| !valid);
            let places: Vec<u8> = null.flat_map(|(row, _)| (self.rows + row as u64).to_le_bytes()).collect();
            self.nulls.update(&places);
        }
    }

    fn add_text(&mut self, array: &ArrayRef) {
        let text = array.as_string::<i32>();
        let (offsets, bytes) = (text.value_offsets(), text.value_data());
        self.add_lengths(offsets);
        self.values.update(&bytes[offsets[0] as usize..offsets[offsets.len() - 1] as usize]);
    }

    fn add_lengths(&mut self, offsets: &[i32]) {
        let lengths: Vec<i32> = offsets.windows(2).map(|pair| pair[1] - pair[0]).collect();
        self.lengths.update(bytemuck::cast_slice(&lengths));
    }

    fn add_lists(&mut self, array: &ArrayRef) {
        let lists = array.as_list::<i32>();
        let offsets = lists.value_offsets();
        self.add_lengths(offsets);
        let (start, end) = (offsets[0] as usize, offsets[offsets.len() - 1] as usize);
        self.elements.get_or_insert_default().add(&lists.values().slice(start, end - start));
    }

    /// What stands in the place of a null is not part of the content.
    fn add_numbers(&mut self, array: &ArrayRef) {
        let (data, width) = (array.to_data(), array.data_type().primitive_width().unwrap_or(1));
        let bytes = &data.buffers()[0].as_slice()[data.offset() * width..(data.offset() + data.len()) * width];
        match array.nulls().filter(|nulls| nulls.null_count() > 0) {
            None => self.values.update(bytes),
            Some(nulls) => {
                let mut bytes = bytes.to_vec();
                let null = bytes.chunks_exact_mut(width).zip(nulls.iter()).filter(|(_, valid)| !valid);
                null.for_each(|(value, _)| value.fill(0));
                self.values.update(&bytes);
            }
        }
    }

    /// What is rarer, by its text.
    fn add_shown(&mut self, array: &ArrayRef) {
        let Ok(shown) = ArrayFormatter::try_new(array.as_ref(), &FormatOptions::default()) else { return };
        for row in 0..array.len() {
            self.values.update(format!("{}\n", shown.value(row)).as_bytes());
        }
    }

    fn digest(&self) -> u128 {
        let elements = self.elements.as_ref().map_or(0, |elements| elements.digest());
        let parts = [self.values.digest128(), self.lengths.digest128(), self.nulls.digest128(), elements];
        let mut all = Xxh3::new();
        parts.iter().for_each(|part| all.update(&part.to_le_bytes()));
        all.update(&self.rows.to_le_bytes());
        all.digest128()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::types::Int64Type;
    use arrow_array::{
        BooleanArray, DictionaryArray, Int64Array, ListArray, RecordBatch, StringArray, StringViewArray, UInt32Array,
    };
    use arrow_schema::{Field, Schema};

    use super::*;
    use crate::records::RowOrigin;

    fn table(columns: Vec<ArrayRef>, cuts: &[usize]) -> Table {
        let fields: Vec<Field> = columns
            .iter()
            .enumerate()
            .map(|(at, c)| Field::new(format!("c{at}"), c.data_type().clone(), true))
            .collect();
        let schema = Arc::new(Schema::new(fields));
        let whole = RecordBatch::try_new(schema.clone(), columns).unwrap();
        let ends = cuts.iter().copied().chain([whole.num_rows()]);
        let starts = [0].into_iter().chain(cuts.iter().copied());
        let batches = starts.zip(ends).map(|(from, to)| whole.slice(from, to - from)).collect();
        Table { name: "t".into(), schema, batches, files: Vec::new(), origin: RowOrigin::default() }
    }

    fn columns() -> Vec<ArrayRef> {
        let lists = [Some(vec![Some(1), None]), None, Some(vec![]), Some(vec![Some(3)])];
        vec![
            Arc::new(Int64Array::from(vec![Some(1), None, Some(3), Some(4)])),
            Arc::new(StringArray::from(vec![Some("a"), Some("bc"), None, Some("d")])),
            Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(lists)),
            Arc::new(BooleanArray::from(vec![Some(true), None, Some(false), None])),
        ]
    }

    #[test]
    fn batches_do_not_matter() {
        let whole = content_hash(&table(columns(), &[]));
        for cuts in [vec![1], vec![2], vec![1, 3], vec![0, 1, 2, 3], vec![4]] {
            assert_eq!(content_hash(&table(columns(), &cuts)), whole, "{cuts:?}");
        }
    }

    #[test]
    fn layouts_of_texts_do_not_matter() {
        let long = "x".repeat(TOGETHER + 1);
        let texts = [Some("a"), None, Some(&long), Some("bc"), None, Some("a"), Some(&long[1..])];
        let all: Vec<Option<&str>> = texts.iter().copied().cycle().take(900).collect();
        let plain: ArrayRef = Arc::new(StringArray::from(all.clone()));
        let hash = |array: ArrayRef| {
            let mut made = table(vec![array], &[3, 400]);
            made.schema = Arc::new(Schema::new(vec![Field::new("c0", DataType::Utf8, true)]));
            content_hash(&made)
        };
        let views = StringViewArray::from(all.clone());
        let keys = UInt32Array::from_iter((0..900).map(|row| all[row as usize].map(|_| row)));
        let keyed = DictionaryArray::try_new(keys, Arc::new(views.clone())).unwrap();
        let places: Vec<u16> = (0..900).map(|row| row % 7).collect();
        let repeated = DictionaryArray::try_new(places.into(), Arc::new(StringArray::from(texts.to_vec()))).unwrap();
        let expected = hash(plain);
        assert_eq!([hash(Arc::new(views)), hash(Arc::new(keyed)), hash(Arc::new(repeated))], [expected; 3]);
    }

    #[test]
    fn every_value_matters() {
        let one = |array: ArrayRef| content_hash(&table(vec![array], &[]));
        let text = |values: &[Option<&str>]| one(Arc::new(StringArray::from(values.to_vec())));
        let numbers = |values: &[Option<i64>]| one(Arc::new(Int64Array::from(values.to_vec())));
        assert_ne!(text(&[Some("a"), Some("bc")]), text(&[Some("ab"), Some("c")]));
        assert_ne!(text(&[Some(""), None]), text(&[None, Some("")]));
        assert_ne!(numbers(&[Some(0), None]), numbers(&[None, Some(0)]));
        assert_ne!(numbers(&[Some(1)]), numbers(&[Some(2)]));
        assert_ne!(numbers(&[]), numbers(&[None]));
        let hashes: Vec<u128> = columns().into_iter().map(one).collect();
        assert_eq!(hashes.iter().collect::<std::collections::HashSet<_>>().len(), hashes.len());
    }
}
