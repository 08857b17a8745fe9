//! Records as bytes: what is looked up while tables are read, and the ids that come back when all are read.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StringArray};
use arrow_buffer::{Buffer, OffsetBuffer};
use arrow_schema::DataType;

use crate::error::{Error, Result};
use crate::ids::{ids_of_keys, keys_of_ids};
use crate::numbering::ValueList;

/// Bytes of the number of a source before an id.
const SOURCE_BYTES: usize = size_of::<u32>();

/// The sources of the records of a block, by number.
pub(super) enum NumberedSources {
    /// Sources have no names.
    Nameless,
    /// All records are of one source.
    One(u32),
    /// Each record has one.
    Each(Vec<u32>),
}

/// The records of a block: texts where these say all, or else the number of the source, if sources have names, and the id.
pub(super) enum RecordKeys {
    Texts(StringArray),
    Written(ValueList),
}

impl RecordKeys {
    /// Of ids of a type that ids can have, none of which is missing.
    pub fn new(ids: &ArrayRef, sources: &NumberedSources) -> Result<Self> {
        if *ids.data_type() != DataType::Utf8 {
            let keys = keys_of_ids(ids)?;
            return Ok(Self::written(keys.iter().map(|key| key.to_le_bytes()), sources));
        }
        let texts = ids.as_string::<i32>();
        match sources {
            NumberedSources::Nameless => Ok(Self::Texts(texts.clone())),
            _ => Ok(Self::written((0..texts.len()).map(|row| texts.value(row)), sources)),
        }
    }

    fn written(ids: impl Iterator<Item = impl AsRef<[u8]>>, sources: &NumberedSources) -> Self {
        let mut list = ValueList::default();
        for (row, id) in ids.enumerate() {
            let source = match sources {
                NumberedSources::Nameless => None,
                NumberedSources::One(source) => Some(*source),
                NumberedSources::Each(sources) => Some(sources[row]),
            };
            if let Some(source) = source {
                list.bytes.extend_from_slice(&source.to_le_bytes());
            }
            list.push(id.as_ref());
        }
        Self::Written(list)
    }

    /// The bytes of each record.
    pub fn values(&self) -> Vec<&[u8]> {
        match self {
            Self::Texts(texts) => (0..texts.len()).map(|row| texts.value(row).as_bytes()).collect(),
            Self::Written(list) => (0..list.count() as u32).map(|number| list.value(number)).collect(),
        }
    }
}

/// The ids of a type that these records have, and the numbers of their sources, if sources have names.
pub(super) fn ids_and_sources(
    records: ValueList,
    data_type: &DataType,
    has_sources: bool,
) -> Result<(ArrayRef, Vec<u32>)> {
    if *data_type == DataType::Utf8 && !has_sources {
        return Ok((texts_of(records)?, Vec::new()));
    }
    let before = if has_sources { SOURCE_BYTES } else { 0 };
    let values = || (0..records.count() as u32).map(|number| records.value(number));
    let sources = if has_sources { values().map(leading_number).collect() } else { Vec::new() };
    let ids = match data_type {
        DataType::Utf8 => {
            let mut list = ValueList::default();
            values().for_each(|value| {
                list.push(&value[before..]);
            });
            texts_of(list)?
        }
        _ => {
            let key = |value: &[u8]| value[before..].try_into().map_or(0, u64::from_le_bytes);
            ids_of_keys(&values().map(key).collect::<Vec<u64>>(), data_type)?
        }
    };
    Ok((ids, sources))
}

fn leading_number(value: &[u8]) -> u32 {
    value.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// Texts as an array, whose bytes are not copied.
fn texts_of(list: ValueList) -> Result<ArrayRef> {
    let ends = list.ends.iter().map(|end| i32::try_from(*end));
    let offsets = std::iter::once(Ok(0)).chain(ends).collect::<std::result::Result<Vec<i32>, _>>();
    let offsets = offsets.map_err(|_| Error::resource("the ids of the records are too long together"))?;
    let texts = StringArray::try_new(OffsetBuffer::new(offsets.into()), Buffer::from(list.bytes), None);
    Ok(Arc::new(texts.map_err(|error| Error::internal(format!("ids are no texts: {error}")))?))
}

#[cfg(test)]
mod tests {
    use arrow_array::{Date32Array, Int32Array};

    use super::*;

    fn listed(keys: &RecordKeys) -> ValueList {
        let mut list = ValueList::default();
        keys.values().into_iter().for_each(|value| {
            list.push(value);
        });
        list
    }

    #[test]
    fn ids_and_sources_come_back() {
        let ids: [ArrayRef; 3] = [
            Arc::new(StringArray::from(vec!["é", "", "x10"])),
            Arc::new(Int32Array::from(vec![-7, 0, 12])),
            Arc::new(Date32Array::from(vec![3, -3, 0])),
        ];
        for ids in ids {
            for (numbered, expected) in [
                (NumberedSources::Nameless, vec![]),
                (NumberedSources::One(70_000), vec![70_000; 3]),
                (NumberedSources::Each(vec![2, 0, 1]), vec![2, 0, 1]),
            ] {
                let keys = RecordKeys::new(&ids, &numbered).unwrap();
                let (back, sources) = ids_and_sources(listed(&keys), ids.data_type(), !expected.is_empty()).unwrap();
                assert_eq!((&back, sources), (&ids, expected));
            }
        }
    }
}
