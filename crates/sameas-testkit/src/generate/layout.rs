//! The order of the rows: which entity each row of the output is a record of. Pure functions of the seed, no memory.

use super::Options;
use super::permutation::Permutation;
use crate::rng::mix;

/// A row of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The person, publication or CD it describes.
    pub entity: u64,
    /// Which dirty copy it is; `None` for the original.
    pub copy: Option<u64>,
}

/// The rows of one or two inputs.
#[derive(Clone, Debug)]
pub struct Layout {
    seed: u64,
    inputs: [u64; 2],
    /// The number of records that are copies of another.
    pub copies: u64,
    /// The number of entities, each in at least one record.
    pub entities: u64,
    order: [Permutation; 2],
    copied: Permutation,
    clusters: Permutation,
    ids: Permutation,
}

impl Layout {
    /// The layout for these options.
    pub fn new(options: &Options) -> Self {
        let Options { records, two_inputs, seed, .. } = *options;
        let right = if two_inputs { records / 2 } else { 0 };
        let left = records - right;
        let dirty = if two_inputs { right } else { records };
        // The first record of all is never a copy.
        let copies = ((dirty as f64 * options.duplicates).round() as u64).min(dirty.min(records.saturating_sub(1)));
        let entities = records - copies;
        Layout {
            seed,
            inputs: [left, right],
            copies,
            entities,
            order: [Permutation::new(left, mix(seed ^ 0xa1)), Permutation::new(right, mix(seed ^ 0xa2))],
            copied: Permutation::new(left, mix(seed ^ 0xb0)),
            clusters: Permutation::new(entities, mix(seed ^ 0xc0)),
            ids: Permutation::new(records, mix(seed ^ 0xd0)),
        }
    }

    /// The number of rows of an input: 0 is the only or the left one, 1 the right one.
    pub fn rows(&self, input: usize) -> u64 {
        self.inputs[input]
    }

    /// What the row at `row` of an input describes. Rows are shuffled, so that a copy is not near its original.
    pub fn slot(&self, input: usize, row: u64) -> Slot {
        let place = self.order[input].apply(row);
        let (left, right) = (self.inputs[0], self.inputs[1]);
        if right == 0 {
            // Originals first, then copies of originals drawn at random: some are copied several times.
            let original = Slot { entity: place, copy: None };
            let copy = || Slot { entity: mix(self.seed ^ mix(place)) % self.entities, copy: Some(place) };
            return if place < self.entities { original } else { copy() };
        }
        match input {
            0 => Slot { entity: place, copy: None },
            // Copies of different left records first, then entities that the left input does not know.
            _ if place < self.copies => Slot { entity: self.copied.apply(place), copy: Some(place) },
            _ => Slot { entity: left + place - self.copies, copy: None },
        }
    }

    /// The number in a record's id, which shows neither row nor entity.
    pub fn id(&self, input: usize, row: u64) -> u64 {
        self.ids.apply(if input == 0 { row } else { self.inputs[0] + row })
    }

    /// The number in a cluster's name, which does not show the entity.
    pub fn cluster(&self, entity: u64) -> u64 {
        self.clusters.apply(entity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn slots(records: u64, duplicates: f64, two_inputs: bool) -> (Layout, Vec<Vec<Slot>>) {
        let layout = Layout::new(&Options { records, duplicates, two_inputs, ..Options::default() });
        let slots = (0..2).map(|input| (0..layout.rows(input)).map(|row| layout.slot(input, row)).collect()).collect();
        (layout, slots)
    }

    #[test]
    fn every_entity_has_one_original() {
        for (records, duplicates) in [(0, 0.5), (1, 0.5), (2, 1.0), (1000, 0.3), (1000, 0.0)] {
            let (layout, slots) = slots(records, duplicates, false);
            let mut originals: Vec<u64> = slots[0].iter().filter(|s| s.copy.is_none()).map(|s| s.entity).collect();
            originals.sort_unstable();
            assert_eq!(originals, (0..layout.entities).collect::<Vec<_>>());
            assert!(slots[0].iter().all(|slot| slot.entity < layout.entities));
        }
    }

    #[test]
    fn two_inputs_share_an_entity_at_most_once() {
        let (layout, slots) = slots(1001, 0.4, true);
        assert_eq!((layout.rows(0), layout.rows(1), layout.copies), (501, 500, 200));
        for input in &slots {
            let mut seen = BTreeMap::new();
            input.iter().for_each(|slot| *seen.entry(slot.entity).or_insert(0) += 1);
            assert!(seen.values().all(|count| *count == 1));
        }
        assert!(slots[0].iter().all(|slot| slot.copy.is_none()));
        let known = slots[1].iter().filter(|slot| slot.entity < 501).count();
        assert_eq!(known, 200);
    }
}
