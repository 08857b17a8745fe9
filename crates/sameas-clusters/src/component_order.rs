//! The rows of components one component after the other, so that each is a piece of every list over rows.

/// The rows of components, each component by its first row and ascending within it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ComponentOrder {
    pub(crate) rows: Vec<u32>,
    /// Where each component begins, and the number of rows.
    pub(crate) starts: Vec<u32>,
}

/// The place of a row that is in none of the components.
pub(crate) const NOWHERE: u32 = u32::MAX;

impl ComponentOrder {
    /// The components of at least two rows, by the first row of each row's component.
    pub(crate) fn new(roots: &[u32]) -> Self {
        // First the sizes of components, at their first rows, then the place of their next row.
        let mut next = vec![0_u32; roots.len()];
        roots.iter().for_each(|root| next[*root as usize] += 1);
        let (mut starts, mut total) = (vec![0], 0);
        for place in &mut next {
            let size = std::mem::replace(place, NOWHERE);
            if size >= 2 {
                *place = total;
                total += size;
                starts.push(total);
            }
        }
        let mut rows = vec![0; total as usize];
        for (row, root) in roots.iter().enumerate() {
            let place = &mut next[*root as usize];
            if *place != NOWHERE {
                rows[*place as usize] = row as u32;
                *place += 1;
            }
        }
        Self { rows, starts }
    }

    /// How many components there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The rows of a component.
    pub(crate) fn component(&self, at: usize) -> &[u32] {
        &self.rows[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Some of the components.
    pub(crate) fn only(mut self, wanted: &[bool]) -> Self {
        let (mut starts, mut end) = (vec![0], 0);
        for (at, _) in wanted.iter().enumerate().filter(|(_, is_wanted)| **is_wanted) {
            let place = self.starts[at] as usize..self.starts[at + 1] as usize;
            let rows = place.len();
            self.rows.copy_within(place, end);
            end += rows;
            starts.push(end as u32);
        }
        self.rows.truncate(end);
        self.rows.shrink_to_fit();
        Self { rows: self.rows, starts }
    }

    /// The place of each of `rows` rows.
    pub(crate) fn places(&self, rows: usize) -> Vec<u32> {
        let mut places = vec![NOWHERE; rows];
        self.rows.iter().enumerate().for_each(|(place, row)| places[*row as usize] = place as u32);
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_components_are_together() {
        let order = ComponentOrder::new(&[0, 1, 0, 3, 1, 0, 6, 3]);
        assert_eq!(order, ComponentOrder { rows: vec![0, 2, 5, 1, 4, 3, 7], starts: vec![0, 3, 5, 7] });
        assert_eq!((order.len(), order.component(1)), (3, &[1, 4][..]));
        let some = order.only(&[true, false, true]);
        assert_eq!(some, ComponentOrder { rows: vec![0, 2, 5, 3, 7], starts: vec![0, 3, 5] });
        assert_eq!(some.places(8), [0, NOWHERE, 1, 3, NOWHERE, 2, NOWHERE, 4]);
        assert_eq!(ComponentOrder::new(&[]).len(), 0);
        assert_eq!(ComponentOrder::new(&[0, 1]).rows, [0_u32; 0]);
    }
}
