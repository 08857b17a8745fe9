//! Columns of texts that are known by reference: one dictionary page, and pages of places in it.
//!
//! The parquet crate would look the text of every row up in a hash table to make its dictionary. Here rows refer to texts
//! already, so that places are counted and no text is compared or hashed.

use arrow_array::types::UInt32Type;
use arrow_array::{Array, DictionaryArray, GenericStringArray, OffsetSizeTrait, cast::AsArray};
use arrow_schema::DataType;
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, PageType};
use parquet::column::page::{CompressedPage, Page, PageWriteSpec, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, OffsetIndexBuilder, PageEncodingStats};
use parquet::file::statistics::{Statistics, ValueStatistics};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::hybrid;
use crate::numbering::CloseIntegers;

/// Rows of a page.
const PAGE_ROWS: usize = 1 << 16;

/// Longer texts are no bounds of a column: readers gain little from them.
const LONGEST_BOUND: usize = 64;

/// A column of a row group as it lies in the file, and what the file says about it.
pub struct ReferenceChunk {
    /// Its pages, the dictionary first.
    pub bytes: Bytes,
    /// What the file says about them.
    pub close: ColumnCloseResult,
}

/// The column of a row group; nothing for columns that are not texts by reference, that have nulls, or whose distinct
/// texts are more than `most` bytes.
pub fn encode(column: &dyn Array, descriptor: &ColumnDescPtr, most: usize) -> Result<Option<ReferenceChunk>> {
    let Some(column) = column.as_dictionary_opt::<UInt32Type>() else { return Ok(None) };
    if column.null_count() > 0 || column.is_empty() || descriptor.max_def_level() > 0 {
        return Ok(None);
    }
    match column.values().data_type() {
        DataType::Utf8 => encode_texts(column, column.values().as_string::<i32>(), descriptor, most),
        DataType::LargeUtf8 => encode_texts(column, column.values().as_string::<i64>(), descriptor, most),
        _ => Ok(None),
    }
}

fn encode_texts<O: OffsetSizeTrait>(
    column: &DictionaryArray<UInt32Type>,
    texts: &GenericStringArray<O>,
    descriptor: &ColumnDescPtr,
    most: usize,
) -> Result<Option<ReferenceChunk>> {
    let rows = column.keys().values();
    let places = CloseIntegers::new(rows.iter().map(|row| *row as usize));
    let Some(dictionary) = DistinctTexts::collect(texts, &places, most) else { return Ok(None) };
    let mut chunk = ChunkWriter::new();
    chunk.write_dictionary(&dictionary)?;
    // Not every reader knows values of no bits.
    let width = (u32::BITS - (dictionary.len - 1).leading_zeros()).max(1);
    for rows in rows.chunks(PAGE_ROWS) {
        let text_bytes = rows.iter().map(|row| texts.value_length(*row as usize).as_usize() as i64).sum();
        let mut data = vec![width as u8];
        let places: Vec<u32> = rows.iter().map(|row| places.number(*row as usize)).collect();
        hybrid::append(&places, width, &mut data);
        chunk.write_places(&data, rows.len(), text_bytes)?;
    }
    chunk.close(descriptor, rows.len(), dictionary.statistics()).map(Some)
}

/// The distinct texts of a column, in the order of their rows.
struct DistinctTexts<'a> {
    /// Each with its length before it.
    plain: Vec<u8>,
    len: u32,
    least: &'a str,
    greatest: &'a str,
}

impl<'a> DistinctTexts<'a> {
    fn collect<O: OffsetSizeTrait>(
        texts: &'a GenericStringArray<O>,
        rows: &CloseIntegers,
        most: usize,
    ) -> Option<Self> {
        let first = texts.value(rows.ascending().next()?);
        let mut made = Self { plain: Vec::new(), len: rows.count() as u32, least: first, greatest: first };
        for row in rows.ascending() {
            let text = texts.value(row);
            made.plain.extend_from_slice(&(text.len() as u32).to_le_bytes());
            made.plain.extend_from_slice(text.as_bytes());
            made.least = made.least.min(text);
            made.greatest = made.greatest.max(text);
            if made.plain.len() > most {
                return None;
            }
        }
        Some(made)
    }

    fn statistics(&self) -> Statistics {
        let has_bounds = self.least.len().max(self.greatest.len()) <= LONGEST_BOUND;
        let bound = |text: &str| has_bounds.then(|| ByteArray::from(text));
        ValueStatistics::new(bound(self.least), bound(self.greatest), None, Some(0), false).into()
    }
}

/// Writes pages one after the other, and counts what the file says about them.
struct ChunkWriter {
    out: TrackedWrite<Vec<u8>>,
    /// Compresses pages.
    snappy: snap::raw::Encoder,
    pages: OffsetIndexBuilder,
    first_page: Option<u64>,
    count: i32,
    uncompressed: usize,
    text_bytes: i64,
}

impl ChunkWriter {
    fn new() -> Self {
        Self {
            out: TrackedWrite::new(Vec::new()),
            snappy: snap::raw::Encoder::new(),
            pages: OffsetIndexBuilder::new(),
            first_page: None,
            count: 0,
            uncompressed: 0,
            text_bytes: 0,
        }
    }

    fn write(&mut self, data: &[u8], page: impl FnOnce(Bytes) -> Page) -> Result<PageWriteSpec> {
        let compressed = self.snappy.compress_vec(data).map_err(|error| ParquetError::External(Box::new(error)))?;
        let page = CompressedPage::new(page(compressed.into()), data.len());
        let spec = SerializedPageWriter::new(&mut self.out).write_page(page)?;
        self.uncompressed += spec.uncompressed_size;
        Ok(spec)
    }

    fn write_dictionary(&mut self, dictionary: &DistinctTexts<'_>) -> Result<()> {
        let num_values = dictionary.len;
        let page = |buf| Page::DictionaryPage { buf, num_values, encoding: Encoding::PLAIN, is_sorted: false };
        self.write(&dictionary.plain, page).map(drop)
    }

    fn write_places(&mut self, data: &[u8], rows: usize, text_bytes: i64) -> Result<()> {
        let page = |buf| Page::DataPage {
            buf,
            num_values: rows as u32,
            encoding: Encoding::RLE_DICTIONARY,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let spec = self.write(data, page)?;
        self.first_page.get_or_insert(spec.offset);
        self.count += 1;
        self.text_bytes += text_bytes;
        self.pages.append_row_count(rows as i64);
        self.pages.append_offset_and_size(spec.offset as i64, spec.compressed_size as i32);
        self.pages.append_unencoded_byte_array_data_bytes(Some(text_bytes));
        Ok(())
    }

    fn close(self, descriptor: &ColumnDescPtr, rows: usize, statistics: Statistics) -> Result<ReferenceChunk> {
        let bytes = self.out.into_inner()?;
        let stats = |page_type, encoding, count| PageEncodingStats { page_type, encoding, count };
        let metadata = ColumnChunkMetaData::builder(descriptor.clone())
            .set_compression(Compression::SNAPPY)
            .set_encodings(vec![Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY])
            .set_page_encoding_stats(vec![
                stats(PageType::DICTIONARY_PAGE, Encoding::PLAIN, 1),
                stats(PageType::DATA_PAGE, Encoding::RLE_DICTIONARY, self.count),
            ])
            .set_total_compressed_size(bytes.len() as i64)
            .set_total_uncompressed_size(self.uncompressed as i64)
            .set_num_values(rows as i64)
            .set_dictionary_page_offset(Some(0))
            .set_data_page_offset(self.first_page.unwrap_or_default() as i64)
            .set_statistics(statistics)
            .set_unencoded_byte_array_data_bytes(Some(self.text_bytes))
            .build()?;
        let close = ColumnCloseResult {
            bytes_written: bytes.len() as u64,
            rows_written: rows as u64,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: Some(self.pages.build()),
        };
        Ok(ReferenceChunk { bytes: bytes.into(), close })
    }
}
