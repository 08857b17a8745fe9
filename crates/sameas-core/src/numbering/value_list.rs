//! Values one after the other in one buffer: millions of them do not need millions of allocations.

use rayon::prelude::*;

/// Values by number, as bytes.
#[derive(Clone, Debug, Default)]
pub struct ValueList {
    /// All values, without anything between them.
    pub bytes: Vec<u8>,
    /// Where each ends.
    pub ends: Vec<usize>,
}

impl ValueList {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// Bytes that they take.
    pub fn size(&self) -> usize {
        self.bytes.len() + size_of_val(&self.ends[..])
    }

    /// One of them.
    #[inline]
    pub fn value(&self, number: u32) -> &[u8] {
        up_to_end(&self.bytes, &self.ends, number as usize)
    }

    /// All of them, on all threads.
    pub fn par_values(&self) -> impl ParallelIterator<Item = &[u8]> {
        (0..self.count()).into_par_iter().map(move |at| up_to_end(&self.bytes, &self.ends, at))
    }

    /// Adds one, and gives its number.
    #[inline]
    pub fn push(&mut self, value: &[u8]) -> u32 {
        self.bytes.extend_from_slice(value);
        self.end_value()
    }

    /// Ends a value whose bytes were added, and gives its number.
    #[inline]
    pub fn end_value(&mut self) -> u32 {
        self.ends.push(self.bytes.len());
        (self.count() - 1) as u32
    }

    /// The values of lists one after the other. Each list is freed when it is copied, and the only one is not copied.
    pub fn joined(mut lists: Vec<Self>) -> Self {
        if lists.len() == 1 {
            return lists.remove(0);
        }
        let mut all_bytes = vec![0; lists.iter().map(|list| list.bytes.len()).sum()];
        let mut all_ends = vec![0; lists.iter().map(Self::count).sum()];
        let (mut bytes, mut ends, mut base) = (&mut all_bytes[..], &mut all_ends[..], 0);
        let mut copies = Vec::with_capacity(lists.len());
        for list in lists {
            let (own_bytes, other_bytes) = bytes.split_at_mut(list.bytes.len());
            let (own_ends, other_ends) = ends.split_at_mut(list.count());
            (bytes, ends) = (other_bytes, other_ends);
            let first = base;
            base += own_bytes.len();
            copies.push((list, own_bytes, own_ends, first));
        }
        copies.into_par_iter().for_each(|(list, bytes, ends, base)| {
            bytes.copy_from_slice(&list.bytes);
            ends.iter_mut().zip(&list.ends).for_each(|(end, own)| *end = base + own);
        });
        Self { bytes: all_bytes, ends: all_ends }
    }

    /// Frees what was reserved in excess.
    pub fn shrink_to_fit(&mut self) {
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// One of some lists that lie one after the other, each up to its end.
#[inline]
pub fn up_to_end<'a, T>(all: &'a [T], ends: &[usize], at: usize) -> &'a [T] {
    let start = if at == 0 { 0 } else { ends[at - 1] };
    &all[start..ends[at]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_their_numbers() {
        let mut list = ValueList::default();
        assert_eq!(["é", "", "bc"].map(|text| list.push(text.as_bytes())), [0, 1, 2]);
        list.shrink_to_fit();
        let joined = ValueList::joined(vec![list.clone(), ValueList::default(), list.clone()]);
        assert_eq!((&joined.bytes[..], &joined.ends[..]), ("ébcébc".as_bytes(), &[2, 2, 4, 6, 6, 8][..]));
        assert_eq!(list.par_values().collect::<Vec<_>>(), ["é", "", "bc"].map(str::as_bytes));
        assert_eq!((list.value(2), list.count(), list.size()), (&b"bc"[..], 3, 4 + 3 * size_of::<usize>()));
    }
}
