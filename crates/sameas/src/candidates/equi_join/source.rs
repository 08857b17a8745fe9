//! Where tuples come from.

use std::ops::Range;

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

impl<K: Key> Tuple<K> {
    /// A tuple.
    #[inline(always)]
    pub fn new(key: K, payload: u32) -> Self {
        const { assert!(size_of::<Self>() == size_of::<K>() + size_of::<u32>() + size_of::<K::Rest>()) };
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
