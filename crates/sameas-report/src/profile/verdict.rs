//! What to think of a key, and which of two is better.

use std::cmp::Ordering;

use super::pair_count::KeyCount;
use super::report::{JoinKey, KeyVerdict};

/// Candidates per record of a good key: they take less time than reading the records.
const GOOD: f64 = 10.0;

/// Candidates per record that a job of some size still takes: a hundred million for a million records.
const LOOSE: f64 = 100.0;

/// The share of the records that a key must have.
const LEAST_SHARE: f64 = 0.05;

/// What a key of two columns is worth beside one of one column.
const OF_TWO_COLUMNS: f64 = 0.8;

/// What to think of a key of `rows` records.
pub fn verdict<G: Copy + Ord>(count: &KeyCount<G>, rows: u64) -> KeyVerdict {
    let per_record = ratio(count.candidates, rows);
    let of_largest = count.largest.as_ref().map_or(0, |largest| largest.2);
    match () {
        () if count.candidates == 0 => KeyVerdict::NoCandidates,
        () if ratio(count.records, rows) < LEAST_SHARE => KeyVerdict::MostlyMissing,
        () if per_record <= GOOD => KeyVerdict::Good,
        () if 2 * of_largest >= count.candidates => KeyVerdict::OneValue,
        () if per_record <= LOOSE => KeyVerdict::Loose,
        () => KeyVerdict::TooManyCandidates,
    }
}

/// The order of keys of `rows` records: good ones first, then those of many records with few candidates each.
pub fn better_first(a: &JoinKey, b: &JoinKey, rows: u64) -> Ordering {
    let class = |key: &JoinKey| match key.verdict {
        KeyVerdict::Good => 0,
        KeyVerdict::Loose => 1,
        _ => 2,
    };
    // A mistake in either column breaks a key of two: those of one find more, where they are good.
    let of_columns = |key: &JoinKey| if key.columns.len() > 1 { OF_TWO_COLUMNS } else { 1.0 };
    let merit = |key: &JoinKey| of_columns(key) * ratio(key.records, rows) / (1.0 + ratio(key.candidates, rows) / GOOD);
    let order = class(a).cmp(&class(b)).then_with(|| merit(b).total_cmp(&merit(a)));
    order.then_with(|| a.condition.cmp(&b.condition))
}

/// Whether a key is worth combining with others: not good alone already, and not hopeless.
pub fn is_combinable(count: &KeyCount<u32>, rows: u64) -> bool {
    ratio(count.candidates, rows) > ENOUGH_ALONE && ratio(count.records, rows) >= SHARE_TO_COMBINE && count.distinct > 1
}

/// Candidates per record of a key that needs no other beside it.
const ENOUGH_ALONE: f64 = 3.0;

/// The share of records that a key to combine must have.
const SHARE_TO_COMBINE: f64 = 0.2;

/// Which keys to combine are promising: the lower, the better.
pub fn cost_to_combine(count: &KeyCount<u32>, rows: u64) -> f64 {
    ratio(count.candidates, rows) / ratio(count.records, rows).powi(2)
}

/// Whether two keys together would have far too many candidates, even if nothing connects them; what connects columns,
/// as a city and its postcode, only makes it more.
pub fn is_hopeless(candidates: [u64; 2], rows: u64, nominal_pairs: u64) -> bool {
    let expected = candidates[0] as f64 * ratio(candidates[1], nominal_pairs);
    expected > LOOSE * rows as f64
}

/// A part of a whole.
fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(candidates: u64, records: u64, largest: u64) -> KeyCount<u32> {
        KeyCount { candidates, records, distinct: 7, largest: (largest > 0).then_some((0, 2, largest)) }
    }

    #[test]
    fn verdicts() {
        let cases = [
            (count(0, 1000, 0), KeyVerdict::NoCandidates),
            (count(30, 10, 3), KeyVerdict::MostlyMissing),
            (count(10_000, 1000, 9_000), KeyVerdict::Good),
            (count(20_000, 1000, 9_000), KeyVerdict::Loose),
            (count(20_000, 1000, 10_000), KeyVerdict::OneValue),
            (count(200_000, 1000, 10_000), KeyVerdict::TooManyCandidates),
        ];
        for (count, expected) in cases {
            assert_eq!(verdict(&count, 1000), expected, "{count:?}");
        }
    }
}
