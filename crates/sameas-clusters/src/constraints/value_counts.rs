//! How many records of each value a cluster has: a few values beside each other, more of them in a tree.

use std::collections::BTreeMap;

/// Most clusters have so few values.
const FEW: usize = 3;

/// Values with their numbers of records.
#[derive(Clone, Debug)]
pub(super) enum ValueCounts {
    /// Values with their counts, ascending: the first ones of this number.
    Few(u32, [[u32; 2]; FEW]),
    Many(BTreeMap<u32, u32>),
}

impl Default for ValueCounts {
    fn default() -> Self {
        Self::Few(0, [[0; 2]; FEW])
    }
}

impl ValueCounts {
    /// Bytes for each value of each cluster, at most, beside what is there for each record.
    pub(super) const BYTES_OF_VALUE: usize = 24;

    /// What one record has.
    pub(super) fn of_record(value: Option<u32>) -> Self {
        value.map_or_else(Self::default, |value| Self::Few(1, [[value, 1], [0; 2], [0; 2]]))
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Few(len, _) => *len as usize,
            Self::Many(counts) => counts.len(),
        }
    }

    /// The records of a value.
    pub(super) fn records(&self, value: u32) -> u32 {
        match self {
            Self::Few(len, counts) => {
                let known = counts[..*len as usize].iter().find(|known| known[0] == value);
                known.map_or(0, |[_, records]| *records)
            }
            Self::Many(counts) => counts.get(&value).copied().unwrap_or(0),
        }
    }

    /// The first value of which this is true, with its number of records.
    pub(super) fn find(&self, mut is_wanted: impl FnMut(u32, u32) -> bool) -> Option<u32> {
        match self {
            Self::Few(len, counts) => {
                let mut counts = counts[..*len as usize].iter();
                counts.find(|[value, records]| is_wanted(*value, *records)).map(|[value, _]| *value)
            }
            Self::Many(counts) => {
                counts.iter().find(|(value, records)| is_wanted(**value, **records)).map(|(value, _)| *value)
            }
        }
    }

    /// The records of two together, where both have few values: more of them are moved and not copied.
    pub(super) fn with_few(&self, others: &Self) -> Option<Self> {
        let (Self::Few(..), Self::Few(..)) = (self, others) else { return None };
        let mut all = self.clone();
        all.add_all(others);
        Some(all)
    }

    /// Adds the records of others.
    pub(super) fn add_all(&mut self, others: &Self) {
        others.find(|value, records| {
            self.add(value, records);
            false
        });
    }

    fn add(&mut self, value: u32, records: u32) {
        match self {
            Self::Few(len, counts) => {
                let place = counts[..*len as usize].partition_point(|known| known[0] < value);
                if place < *len as usize && counts[place][0] == value {
                    counts[place][1] += records;
                } else if (*len as usize) < FEW {
                    counts.copy_within(place..*len as usize, place + 1);
                    counts[place] = [value, records];
                    *len += 1;
                } else {
                    let all = counts.iter().copied().chain([[value, records]]).map(|[value, records]| (value, records));
                    *self = Self::Many(all.collect());
                }
            }
            Self::Many(counts) => *counts.entry(value).or_default() += records,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_and_many_are_counted_alike() {
        let (mut counts, mut expected) = (ValueCounts::default(), BTreeMap::new());
        for value in [7, 3, 7, 9, 3, 1, 8, 0, 9, 7] {
            counts.add_all(&ValueCounts::of_record(Some(value)));
            counts.add_all(&ValueCounts::of_record(None));
            *expected.entry(value).or_insert(0) += 1;
            assert_eq!(counts.len(), expected.len());
            let mut all = BTreeMap::new();
            assert_eq!(counts.find(|value, records| all.insert(value, records).is_some()), None);
            assert_eq!(all, expected);
            assert!((0..10).all(|value| counts.records(value) == expected.get(&value).copied().unwrap_or(0)));
            assert_eq!(counts.find(|value, _| value > 2), expected.keys().find(|value| **value > 2).copied());
        }
        assert!(matches!(counts, ValueCounts::Many(_)));
    }
}
