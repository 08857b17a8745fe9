//! Blocks without quotes, which most are: fields lie between delimiters and line breaks, and one quick scan finds both.
//!
//! Blocks with a quote or a lone CR, and blocks in which a record has too few or too many fields, are left to the
//! decoder. So what this reads, it reads as the decoder does: an empty line is not a record, an empty field is null.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer};
use arrow_schema::ArrowError;
use memchr::{memchr, memchr_iter, memchr2_iter};

/// The records of a block, by the places of their fields.
pub(super) struct PlainBlock<'b> {
    bytes: &'b [u8],
    /// Fields of a record.
    fields: usize,
    records: usize,
    /// For each record where its first field begins, and where each of its fields ends.
    places: Vec<u32>,
}

impl<'b> PlainBlock<'b> {
    /// A block of records with that many fields, if it is plain; it has about that many lines.
    pub(super) fn new(bytes: &'b [u8], delimiter: u8, fields: usize, lines: usize) -> Option<Self> {
        let has_lone_cr = || memchr_iter(b'\r', bytes).any(|at| bytes.get(at + 1) != Some(&b'\n'));
        if u32::try_from(bytes.len()).is_err() || memchr(b'"', bytes).is_some() || has_lone_cr() {
            return None;
        }
        // Each field takes a byte at least, so no more places are reserved than there are bytes and lines.
        let most = (lines + 1).saturating_mul(fields + 1).min(bytes.len() + lines + 2);
        let mut block = Self { bytes, fields, records: 0, places: Vec::with_capacity(most) };
        let mut line = 0;
        block.places.push(0);
        for at in memchr2_iter(delimiter, b'\n', bytes) {
            if bytes[at] == delimiter {
                block.places.push(at as u32);
            } else {
                block.end_line(line, at)?;
                line = at + 1;
            }
        }
        block.end_line(line, bytes.len())?;
        block.places.pop();
        Some(block)
    }

    /// Ends the line that begins at `line`, and begins the next one. Nothing if its fields are not as many as all have.
    fn end_line(&mut self, line: usize, at: usize) -> Option<()> {
        let end = at - usize::from(at > line && self.bytes[at - 1] == b'\r');
        if end == line {
            // Not a record: its beginning is forgotten.
            self.places.pop();
        } else {
            self.places.push(end as u32);
            self.records += 1;
        }
        let is_whole = self.places.len() == self.records * (self.fields + 1);
        self.places.push(at as u32 + 1);
        is_whole.then_some(())
    }

    /// Number of records.
    pub(super) fn rows(&self) -> usize {
        self.records
    }

    /// The fields of a column in some of the records.
    pub(super) fn column(&self, column: usize, rows: Range<usize>) -> Result<ArrayRef, ArrowError> {
        let stride = self.fields + 1;
        let ranges = || {
            self.places[rows.start * stride..rows.end * stride].chunks_exact(stride).map(|record| {
                let start = record[column] as usize + usize::from(column > 0);
                start..record[column + 1] as usize
            })
        };
        let count = rows.len();
        let mut texts = Vec::with_capacity(ranges().map(|range| range.len()).sum());
        let mut offsets = Vec::with_capacity(count + 1);
        let mut has_empty = false;
        offsets.push(0);
        for range in ranges() {
            has_empty |= range.is_empty();
            texts.extend_from_slice(&self.bytes[range]);
            // A block has fewer than 2^31 bytes, or a record would be longer than records may be.
            offsets.push(texts.len() as i32);
        }
        let is_full = |row: usize| offsets[row] < offsets[row + 1];
        let nulls = has_empty.then(|| NullBuffer::new(BooleanBuffer::collect_bool(count, is_full)));
        let texts = StringArray::try_new(OffsetBuffer::new(offsets.into()), Buffer::from(texts), nulls)?;
        Ok(Arc::new(texts))
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;
    use arrow_csv::ReaderBuilder;
    use arrow_schema::{DataType, Field, Fields, Schema};
    use proptest::prelude::*;

    use super::*;

    type Rows = Vec<Vec<Option<String>>>;

    fn texts(column: &ArrayRef) -> Vec<Option<String>> {
        column.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect()
    }

    /// The columns of a block, each as its rows.
    fn plain(bytes: &str, fields: usize) -> Option<Rows> {
        let lines = bytes.matches('\n').count();
        let block = PlainBlock::new(bytes.as_bytes(), b',', fields, lines)?;
        let half = block.rows() / 2;
        let column = |at: usize| {
            let [first, second] = [0..half, half..block.rows()].map(|rows| texts(&block.column(at, rows).unwrap()));
            [first, second].concat()
        };
        Some((0..fields).map(column).collect())
    }

    /// The same by the decoder; nothing where it fails.
    fn decoded(bytes: &str, fields: usize) -> Option<Rows> {
        let schema: Fields = (0..fields).map(|at| Field::new(format!("{at}"), DataType::Utf8, true)).collect();
        let reader = ReaderBuilder::new(Arc::new(Schema::new(schema))).with_header(false).build(bytes.as_bytes());
        let batches = reader.unwrap().collect::<Result<Vec<_>, _>>().ok()?;
        let column = |at: usize| batches.iter().flat_map(|batch| texts(batch.column(at))).collect();
        Some((0..fields).map(column).collect())
    }

    proptest! {
        #[test]
        fn plain_blocks_are_read_as_by_the_decoder(
            records in proptest::collection::vec(
                ("([a\u{e9} ]{0,3},){1,2}[a\u{e9}]{0,2}|[a,]{0,4}", prop_oneof!["\n", "\r\n", "\n\n", "\r\n\r\n"]), 0..12),
            last in "[ab,]{0,3}",
            fields in 1_usize..4,
        ) {
            let text: String = records.iter().map(|(record, end)| format!("{record}{end}")).collect();
            let text = text + &last;
            prop_assert_eq!(plain(&text, fields), decoded(&text, fields));
        }
    }

    #[test]
    fn other_blocks_are_left_to_the_decoder() {
        for text in ["a,b\n\"c\",d\n", "a,b\rc,d\n", "a,b\nc\n", "a,b\nc,d,e\n", "a,b,c,d,e\n", "a,b\nc,d\r"] {
            assert_eq!(plain(text, 2), None, "{text:?}");
        }
        assert_eq!(plain("", 2), Some(vec![vec![], vec![]]));
        let rows = vec![vec![Some("\u{feff}a".to_owned()), None], vec![Some("b".to_owned()), Some("c".to_owned())]];
        assert_eq!(plain("\u{feff}a,b\r\n\r\n\n,c", 2), Some(rows));
    }
}
