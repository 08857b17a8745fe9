//! Items listed by number: those with one number lie side by side, in their order.

/// Items by number.
#[derive(Debug)]
pub struct ByNumber<T> {
    /// Where the items of each number begin, and how many there are in all.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Default> ByNumber<T> {
    /// Items, each with its number, which is less than `numbers`. They are gone through twice.
    pub fn new(items: impl Iterator<Item = (usize, T)> + Clone, numbers: usize) -> Self {
        let mut starts = vec![0_u32; numbers + 1];
        items.clone().for_each(|(number, _)| starts[number + 1] += 1);
        (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
        let (mut next, mut ordered) = (starts.clone(), vec![T::default(); starts[numbers] as usize]);
        for (number, item) in items {
            let place = &mut next[number];
            ordered[*place as usize] = item;
            *place += 1;
        }
        Self { starts, items: ordered }
    }

    /// The items with a number.
    #[inline]
    pub fn list(&self, number: usize) -> &[T] {
        &self.items[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// Where the items of each number begin, and how many there are in all; and the items.
    pub fn into_parts(self) -> (Vec<u32>, Vec<T>) {
        (self.starts, self.items)
    }

    /// Memory they take.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.starts[..]) + size_of_val(&self.items[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_a_number_keep_their_order() {
        let listed = ByNumber::new([(2, 'a'), (0, 'b'), (2, 'c'), (3, 'd'), (0, 'e')].into_iter(), 4);
        assert_eq!([0, 1, 2, 3].map(|number| listed.list(number)), [&['b', 'e'][..], &[], &['a', 'c'], &['d']]);
        assert_eq!((listed.bytes(), listed.into_parts().0), (40, vec![0, 2, 2, 4, 5]));
    }
}
