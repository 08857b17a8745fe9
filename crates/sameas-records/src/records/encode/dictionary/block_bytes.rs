//! The values of a block as bytes: a match for each block, and none for each value.

use arrow_array::ArrayAccessor;

use crate::expr::Vector;
use crate::numbering::{SeenPart, SplitValue, SplitValues};
use crate::records::block_column::{BlockValues, views_of};
use crate::records::encode::bytes::{Numbers, bytes_at};

/// Texts that are touched together before they are compared, so that their cache misses overlap.
const TOGETHER: usize = 16;

/// Hashes the values of a block.
pub fn split(block: &BlockValues, numbers: Numbers, parts: usize) -> SplitValues {
    match block {
        // By far the most frequent type, without checking the type of each value.
        BlockValues::Plain(Vector::Text(texts)) => split_texts(texts, parts),
        BlockValues::Plain(values) => SplitValues::new(values.len(), parts, |place| bytes_at(values, place, numbers)),
        BlockValues::Views(views) => split_texts(views, parts),
        BlockValues::Keyed(dictionary) => split_texts(views_of(dictionary), parts),
    }
}

fn split_texts<'t>(texts: impl ArrayAccessor<Item = &'t str> + Copy, parts: usize) -> SplitValues {
    SplitValues::new(texts.len(), parts, |place| (!texts.is_null(place)).then(|| texts.value(place).as_bytes()))
}

/// Adds some values of a block to their part; none of them is null.
pub fn add(part: &mut SeenPart, values: &[SplitValue], block: &BlockValues, numbers: Numbers) {
    match block {
        BlockValues::Plain(Vector::Text(texts)) => {
            let (bytes, offsets) = (texts.value_data(), texts.value_offsets());
            for some in values.chunks(TOGETHER) {
                let first = |value: &SplitValue| bytes.get(offsets[value.place as usize] as usize).copied();
                std::hint::black_box(some.iter().filter_map(first).fold(0, |all, byte| all ^ byte));
                part.add(some, |place| Some(texts.value(place).as_bytes()));
            }
        }
        BlockValues::Plain(block) => part.add(values, |place| bytes_at(block, place, numbers)),
        BlockValues::Views(views) => part.add(values, |place| Some(views.value(place).as_bytes())),
        BlockValues::Keyed(dictionary) => {
            let texts = views_of(dictionary);
            part.add(values, |place| Some(texts.value(place).as_bytes()));
        }
    }
}
