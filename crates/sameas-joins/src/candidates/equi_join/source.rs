//! Where tuples come from.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use super::key::Key;

/// One record of a join: its key and what stands for the record, in the engine its row.
///
/// Tuples are moved as plain bytes, so all their bytes are initialised: the rest of the last word is a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Tuple<K: Key> {
    /// The join key.
    pub key: K,
    /// What tiles carry.
    pub payload: u32,
    rest: K::Rest,
}

// SAFETY: fields that are plain, in the order of C, and nothing between or after them, as is checked for both keys.
unsafe impl<K: Key> Pod for Tuple<K> {}
// SAFETY: a tuple of zeros is a tuple, as its fields may be zero.
unsafe impl<K: Key> Zeroable for Tuple<K> {}
const _: () = assert!(size_of::<Tuple<u32>>() == 4 + 4 && size_of::<Tuple<u64>>() == 8 + 4 + 4);

impl<K: Key> Tuple<K> {
    /// A tuple.
    #[inline(always)]
    pub fn new(key: K, payload: u32) -> Self {
        Self { key, payload, rest: K::Rest::default() }
    }
}

/// A side of a join. It is read twice in each round, in ranges, by several threads, and must answer the same each time.
pub trait KeySource<K>: Sync {
    /// Number of records, those without a key included.
    fn len(&self) -> usize;

    /// True where there is no record.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Hands the tuples of a range of records to `take`, in order; a record without a key is left out.
    fn each(&self, range: Range<usize>, take: impl FnMut(K, u32));
}

/// Tuples in two arrays: every record has a key.
#[derive(Clone, Copy, Debug)]
pub struct Tuples<'a, K> {
    /// Keys by record.
    pub keys: &'a [K],
    /// Payloads by record; ascending for a self-join.
    pub payloads: &'a [u32],
}

impl<K: Copy + Sync> KeySource<K> for Tuples<'_, K> {
    fn len(&self) -> usize {
        self.keys.len()
    }

    #[inline(always)]
    fn each(&self, range: Range<usize>, mut take: impl FnMut(K, u32)) {
        for (key, payload) in self.keys[range.clone()].iter().zip(&self.payloads[range]) {
            take(*key, *payload);
        }
    }
}
