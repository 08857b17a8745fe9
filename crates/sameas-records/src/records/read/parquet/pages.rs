//! How large the pages of a column are and how long its texts can get, known before anything is decoded.
//!
//! A page of a few bytes may stand for millions of long texts: packed, as places in a dictionary, or as prefixes of the
//! text before. Rows are therefore decoded as many at a time as surely fit.

use std::sync::Arc;

use ::parquet::basic::{Encoding, Type as PhysicalType};
use ::parquet::column::page::{Page, PageReader};
use ::parquet::column::reader::{ColumnReader, get_column_reader};
use ::parquet::data_type::ByteArray;
use ::parquet::file::metadata::ColumnChunkMetaData;
use ::parquet::file::reader::Length;
use ::parquet::file::serialized_reader::SerializedPageReader;

use super::delta::{longest_of_lengths, longest_of_prefixes};
use super::file::SharedFile;
use super::shape::PAGE_HEAD;
use super::thrift::{STRUCT, Walk};

/// Bytes in which the head of a page is looked for first, and at most: it may hold the least and the greatest value.
const HEAD: [usize; 3] = [1 << 10, 1 << 16, 1 << 24];

/// What pages of a column chunk say about themselves.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ChunkSizes {
    /// Values of all pages, nulls included.
    pub(super) values: u64,
    /// The largest page and the dictionary, unpacked, together.
    pub(super) page_bytes: usize,
    /// What a value takes at most, where values take different amounts by their encoding, or on average of a page.
    pub(super) value_bytes: usize,
    dictionary: Option<PageHead>,
    uses_dictionary: bool,
    has_deltas: bool,
}

/// The head of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct PageHead {
    unpacked: usize,
    packed: usize,
    values: usize,
    encoding: i64,
    is_dictionary: bool,
    /// Whether any part of it names an encoding with deltas: a broken head may have several.
    has_deltas: bool,
    /// Bytes of the head itself.
    length: usize,
}

/// Of Parquet's encodings those that expand.
const DICTIONARY_CODES: [i64; 2] = [2, 8];
const DELTA_LENGTHS: i64 = 6;
const DELTA_PREFIXES: i64 = 7;

impl PageHead {
    /// Whether it says nothing at all, as zeros do.
    fn is_empty(&self) -> bool {
        Self { length: 0, ..*self } == Self::default()
    }
}

impl ChunkSizes {
    /// Walks over the heads of all pages of a chunk.
    pub(super) fn read(file: &SharedFile, chunk: &ColumnChunkMetaData) -> Result<Self, String> {
        let (start, length) = range(chunk).ok_or("a column lies before the beginning of the file")?;
        let end = start.checked_add(length).filter(|end| *end <= file.len()).ok_or("a column ends after the file")?;
        let (mut sizes, mut at, mut largest) = (Self::default(), start, 0);
        while at < end {
            let head = read_head(file, at, end).and_then(|head| {
                let next = at.checked_add((head.length + head.packed) as u64).filter(|next| *next <= end);
                next.map(|next| (head, next)).ok_or("a page ends after its column".to_owned())
            });
            // Other data may follow the values that the column says it has; the decoder reads on if it looks like a page.
            let is_complete = sizes.values as i64 >= chunk.num_values();
            match head {
                Err(_) if is_complete => break,
                Ok((head, _)) if is_complete && head.is_empty() => break,
                head => {
                    let (head, next) = head?;
                    sizes.add(head, &mut largest)?;
                    at = next;
                }
            }
        }
        sizes.page_bytes = largest + sizes.dictionary.map_or(0, |head| head.unpacked);
        Ok(sizes)
    }

    fn add(&mut self, head: PageHead, largest: &mut usize) -> Result<(), String> {
        if head.is_dictionary {
            if head.values > head.unpacked {
                return Err("a dictionary has more values than bytes".to_owned());
            }
            self.dictionary = Some(head);
            return Ok(());
        }
        *largest = (*largest).max(head.unpacked);
        self.values += head.values as u64;
        self.uses_dictionary |= DICTIONARY_CODES.contains(&head.encoding);
        self.has_deltas |= head.has_deltas;
        self.value_bytes = self.value_bytes.max(head.unpacked / head.values.max(1));
        Ok(())
    }

    /// Looks into the pages for the longest text, where a batch of `rows` values could take more than `most` bytes.
    pub(super) fn find_longest(
        &mut self,
        file: &SharedFile,
        chunk: &ColumnChunkMetaData,
        rows: usize,
        most: usize,
    ) -> Result<(), String> {
        let dictionary = self.dictionary.filter(|_| self.uses_dictionary).map_or(0, |head| head.unpacked);
        let is_text = chunk.column_type() == PhysicalType::BYTE_ARRAY;
        if !is_text {
            self.value_bytes =
                self.value_bytes.max(self.dictionary.map_or(0, |head| head.unpacked / head.values.max(1)));
        }
        // Values of fixed length have deltas too, and the decoder trusts the numbers before them.
        if self.has_deltas || is_text && dictionary.saturating_mul(rows) > most {
            let mut pages =
                SerializedPageReader::new(Arc::new(file.clone()), chunk, rows, None).map_err(|e| e.to_string())?;
            while let Some(page) = pages.get_next_page().map_err(|e| e.to_string())? {
                let longest = longest_of(&page, chunk).ok_or("the lengths of texts are broken")?;
                self.value_bytes = self.value_bytes.max(longest);
                if !self.has_deltas {
                    break;
                }
            }
        } else if is_text {
            self.value_bytes = self.value_bytes.max(dictionary);
        }
        Ok(())
    }
}

/// Records that are counted at a time.
const COUNTED: usize = 1 << 10;

impl ChunkSizes {
    /// What all values take at most.
    pub(super) fn most_bytes(&self) -> usize {
        (self.values as usize).saturating_mul(self.value_bytes)
    }

    /// What all texts take, counted where they lie: a dictionary holds each of them once. Texts made of others are not
    /// counted but bounded.
    pub(super) fn text_bytes(&self, file: &SharedFile, chunk: &ColumnChunkMetaData) -> Result<usize, String> {
        let pages =
            SerializedPageReader::new(Arc::new(file.clone()), chunk, COUNTED, None).map_err(|e| e.to_string())?;
        let ColumnReader::ByteArrayColumnReader(mut reader) =
            get_column_reader(chunk.column_descr_ptr(), Box::new(pages))
        else {
            return Ok(self.most_bytes());
        };
        if self.has_deltas {
            return Ok(self.most_bytes());
        }
        let (mut bytes, mut texts, mut levels) = (0, Vec::new(), (Vec::new(), Vec::new()));
        loop {
            texts.clear();
            levels.0.clear();
            levels.1.clear();
            let read = reader.read_records(COUNTED, Some(&mut levels.0), Some(&mut levels.1), &mut texts);
            bytes += texts.iter().map(ByteArray::len).sum::<usize>();
            if read.map_err(|error| error.to_string())?.0 == 0 {
                return Ok(bytes);
            }
        }
    }
}

/// Where a chunk begins, and its bytes.
fn range(chunk: &ColumnChunkMetaData) -> Option<(u64, u64)> {
    let start = chunk.dictionary_page_offset().unwrap_or_else(|| chunk.data_page_offset());
    Some((u64::try_from(start).ok()?, u64::try_from(chunk.compressed_size()).ok()?))
}

fn read_head(file: &SharedFile, at: u64, end: u64) -> Result<PageHead, String> {
    for most in HEAD {
        let most = most.min((end - at) as usize);
        let bytes = file.bytes_at(at, most).map_err(|error| error.to_string())?;
        if let Some(head) = page_head(&bytes) {
            return Ok(head);
        }
        if most as u64 == end - at {
            break;
        }
    }
    Err("the head of a page is broken".to_owned())
}

/// The numbers of the fields are those of Parquet's `PageHeader` and of its parts for each kind of page.
fn page_head(bytes: &[u8]) -> Option<PageHead> {
    PAGE_HEAD.walk(&mut Walk::new(bytes), STRUCT)?;
    let (mut walk, mut last, mut head) = (Walk::new(bytes), 0, PageHead::default());
    while let Some((number, kind)) = walk.field(&mut last)? {
        match number {
            2 => head.unpacked = size(walk.zigzag()?)?,
            3 => head.packed = size(walk.zigzag()?)?,
            5 | 7 | 8 => {
                head.is_dictionary = number == 7;
                let encoding_at = if number == 8 { 4 } else { 2 };
                let mut inner = 0;
                while let Some((field, kind)) = walk.field(&mut inner)? {
                    match field {
                        1 => head.values = size(walk.zigzag()?)?,
                        at if at == encoding_at => {
                            head.encoding = walk.zigzag()?;
                            head.has_deltas |= [DELTA_LENGTHS, DELTA_PREFIXES].contains(&head.encoding);
                        }
                        _ => walk.skip_field(kind)?,
                    }
                }
            }
            _ => walk.skip_field(kind)?,
        }
    }
    head.length = walk.at();
    Some(head)
}

fn size(number: i64) -> Option<usize> {
    u32::try_from(number).ok().filter(|size| *size <= i32::MAX as u32).map(|size| size as usize)
}

/// The longest text of a dictionary or of a page with deltas; nothing is known of others.
fn longest_of(page: &Page, chunk: &ColumnChunkMetaData) -> Option<usize> {
    let descriptor = chunk.column_descr();
    let longest = |encoding: i64, texts: &[u8], values: u32| match encoding {
        DELTA_LENGTHS => longest_of_lengths(texts, values as usize),
        DELTA_PREFIXES => longest_of_prefixes(texts, values as usize),
        _ => Some(0),
    };
    match page {
        Page::DictionaryPage { .. } if chunk.column_type() != PhysicalType::BYTE_ARRAY => Some(0),
        Page::DictionaryPage { buf, .. } => longest_of_plain(buf),
        Page::DataPage { buf, num_values, encoding, def_level_encoding, rep_level_encoding, .. } => {
            let rest = after_levels(buf, descriptor.max_rep_level(), *rep_level_encoding, *num_values)?;
            let texts = after_levels(rest, descriptor.max_def_level(), *def_level_encoding, *num_values)?;
            longest(*encoding as i64, texts, *num_values)
        }
        Page::DataPageV2 { buf, num_values, encoding, def_levels_byte_len, rep_levels_byte_len, .. } => {
            let at = (*def_levels_byte_len as usize).checked_add(*rep_levels_byte_len as usize)?;
            longest(*encoding as i64, buf.get(at..)?, *num_values)
        }
    }
}

/// What comes after the levels of a page: they have their length before them, or as many bits as their number needs.
fn after_levels(bytes: &[u8], highest: i16, encoding: Encoding, values: u32) -> Option<&[u8]> {
    if highest == 0 {
        return Some(bytes);
    }
    if encoding == Encoding::RLE {
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        return rest.get(u32::from_le_bytes(*length) as usize..);
    }
    let bits = (i16::BITS - highest.leading_zeros()) as usize;
    bytes.get((values as usize * bits).div_ceil(8)..)
}

/// Texts one after the other, each with its length before it.
fn longest_of_plain(mut bytes: &[u8]) -> Option<usize> {
    let mut longest = 0;
    while let Some((length, rest)) = bytes.split_first_chunk::<4>() {
        let length = u32::from_le_bytes(*length) as usize;
        longest = longest.max(length);
        bytes = rest.get(length..)?;
    }
    Some(longest)
}
