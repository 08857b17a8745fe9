//! Where tuples come from: arrays, or a function of the record number.

use std::ops::Range;

/// One record of a join: its key and what stands for the record, in the engine its row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Tuple<K> {
    /// The join key.
    pub key: K,
    /// What tiles carry.
    pub payload: u32,
}

/// A side of a join. It is read twice in each round, in ranges, by several threads, and must answer the same each time.
pub trait Source<K>: Sync {
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

impl<K: Copy + Sync> Source<K> for Tuples<'_, K> {
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

/// Tuples computed from the record number, so that no copy of the keys is needed; `None` is a null key and takes no
/// part.
#[derive(Clone, Copy, Debug)]
pub struct Indexed<F> {
    /// Number of records.
    pub len: usize,
    /// Key and payload of a record; a pure function.
    pub tuple: F,
}

impl<K, F: Fn(usize) -> Option<(K, u32)> + Sync> Source<K> for Indexed<F> {
    fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    fn each(&self, range: Range<usize>, mut take: impl FnMut(K, u32)) {
        for at in range {
            if let Some((key, payload)) = (self.tuple)(at) {
                take(key, payload);
            }
        }
    }
}
