//! Composite keys: the codes of several columns packed into one integer per record.

use std::borrow::Cow;
use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use rayon::prelude::*;

use sameas_kernels::DevicePtr;
use sameas_kernels::layout::equi_join::EquiJoinPart;

use super::gpu::DeviceSide;
use super::key::Key;
use super::source::KeySource;
use crate::candidates::Rows;
use crate::device::{Buffer, Gpu};
use crate::device_values::DeviceCodes;
use crate::error::Result;
use crate::records::encode::NULL;

/// One equality of a composite key: codes of the left and the right records in one domain of `values` values.
#[derive(Clone, Debug)]
pub struct KeyPart<'a> {
    /// Codes by left row.
    pub left: Cow<'a, [u32]>,
    /// Codes by right row.
    pub right: Cow<'a, [u32]>,
    /// Number of distinct values.
    pub values: usize,
    /// Two nulls are equal.
    pub null_safe: bool,
}

impl KeyPart<'_> {
    /// Bits that hold every value and one more for null.
    fn bits(&self) -> u32 {
        usize::BITS - self.values.leading_zeros()
    }
}

/// Parts that fit one integer of 64 bits, and how many bits they take.
///
/// Each part has bits of its own, so that keys are equal exactly where all parts are. Columns with too many values for
/// their bits to fit are first folded, two into one, by numbering the pairs that occur.
pub fn fit(mut parts: Vec<KeyPart<'_>>) -> (Vec<KeyPart<'_>>, u32) {
    loop {
        let bits = parts.iter().map(KeyPart::bits).sum();
        if bits <= u64::BITS {
            return (parts, bits);
        }
        parts.sort_by_key(KeyPart::bits);
        // Two parts at least, since a part has at most 32 bits.
        if let (Some(a), Some(b)) = (parts.pop(), parts.pop()) {
            parts.push(folded(&a, &b));
        }
    }
}

/// One part for two: a number for each pair of codes that occurs on the left side; others have no partner.
fn folded(a: &KeyPart<'_>, b: &KeyPart<'_>) -> KeyPart<'static> {
    let pair = |x: u32, y: u32| {
        let null = |part: &KeyPart<'_>, code: u32| code == NULL && !part.null_safe;
        (!null(a, x) && !null(b, y)).then_some(u64::from(x) << 32 | u64::from(y))
    };
    let mut known: HashMap<u64, u32, FixedState> = HashMap::default();
    let mut number = |(x, y): (&u32, &u32)| match pair(*x, *y) {
        None => NULL,
        Some(key) => {
            let next = known.len() as u32;
            *known.entry(key).or_insert(next)
        }
    };
    let left: Vec<u32> = a.left.iter().zip(&*b.left).map(&mut number).collect();
    let find = |(x, y): (&u32, &u32)| pair(*x, *y).and_then(|key| known.get(&key).copied()).unwrap_or(NULL);
    let right = a.right.iter().zip(&*b.right).map(find).collect::<Vec<u32>>();
    KeyPart { left: left.into(), right: right.into(), values: known.len(), null_safe: false }
}

/// The keys of one side.
#[derive(Debug)]
pub struct Keys<'a> {
    rows: Rows,
    parts: Vec<KeyColumn<'a>>,
    /// Bits of all parts together.
    bits: u32,
}

#[derive(Debug)]
struct KeyColumn<'a> {
    codes: Cow<'a, [u32]>,
    shift: u32,
    /// What stands for null, if a null takes part.
    null: Option<u32>,
}

impl<'a> Keys<'a> {
    /// The keys of the left and of the right rows.
    pub fn new(parts: Vec<KeyPart<'a>>, left: Rows, right: Rows) -> [Self; 2] {
        let mut sides = [left, right].map(|rows| Self { rows, parts: Vec::new(), bits: 0 });
        let mut shift = 0;
        for part in parts {
            let (bits, null) = (part.bits(), part.null_safe.then_some(part.values as u32));
            // A part without values has no bits: its nulls are 0, which would be shifted too far after 64 full bits.
            let place = shift.min(u64::BITS - 1);
            sides[0].parts.push(KeyColumn { codes: part.left, shift: place, null });
            sides[1].parts.push(KeyColumn { codes: part.right, shift: place, null });
            shift += bits;
        }
        sides.iter_mut().for_each(|side| side.bits = shift);
        sides
    }

    #[inline(always)]
    fn key(&self, row: u32) -> Option<u64> {
        let mut key = 0;
        for part in &self.parts {
            let code = match part.codes[row as usize] {
                NULL => part.null?,
                code => code,
            };
            key |= u64::from(code) << part.shift;
        }
        Some(key)
    }
}

/// Rows that one core divides at a time.
const DIVIDED: usize = 1 << 16;

impl Keys<'_> {
    /// The rows of keys by some bits of their hash, behind those that were `spent` before.
    pub fn groups(&self, spent: u32, bits: u32) -> Vec<Rows> {
        let of_rows = |begin: usize| {
            let mut groups = vec![Vec::new(); 1 << bits];
            KeySource::<u64>::each(self, begin..self.rows.len().min(begin + DIVIDED), |key, row| {
                groups[(Key::hash(key) << spent >> (u64::BITS - bits)) as usize].push(row);
            });
            groups
        };
        let begins = (0..self.rows.len().div_ceil(DIVIDED)).into_par_iter().map(|at| at * DIVIDED);
        let divided: Vec<Vec<Vec<u32>>> = begins.map(of_rows).collect();
        let group = |at: usize| divided.iter().map(|groups| &groups[at][..]).collect::<Vec<&[u32]>>().concat();
        (0..1 << bits).into_par_iter().map(|at| Rows::from(group(at))).collect()
    }

    /// The keys on a device, where `codes` brings those of a column.
    pub fn on_device(&self, gpu: &Gpu, codes: impl Fn(&[u32]) -> Result<DeviceCodes>) -> Result<DeviceSide> {
        let mut columns = Vec::new();
        let mut parts = Vec::new();
        // Rows ascend and differ, so that as many rows as there are codes are all of them, in order.
        let mut all = false;
        for part in &self.parts {
            let codes = codes(&part.codes)?;
            all = codes.count() == self.rows.len();
            let codes = match codes {
                DeviceCodes::There(at, _) => at,
                DeviceCodes::Copied(codes) => {
                    columns.push(codes);
                    columns.last().map_or(DevicePtr::NULL, Buffer::at)
                }
            };
            let (null_safe, null_code) = (u32::from(part.null.is_some()), part.null.unwrap_or(NULL));
            parts.push(EquiJoinPart { codes, shift: part.shift, null_safe, null_code, unused: 0 });
        }
        let rows = if all { None } else { Some(gpu.upload(&self.rows)?) };
        DeviceSide::new(gpu, &parts, self.bits, rows, self.rows.len(), columns)
    }
}

impl KeySource<u64> for Keys<'_> {
    fn len(&self) -> usize {
        self.rows.len()
    }

    #[inline(always)]
    fn each(&self, range: Range<usize>, mut take: impl FnMut(u64, u32)) {
        for &row in &self.rows[range] {
            if let Some(key) = self.key(row) {
                take(key, row);
            }
        }
    }
}

impl KeySource<u32> for Keys<'_> {
    fn len(&self) -> usize {
        self.rows.len()
    }

    /// Called only where all parts fit 32 bits.
    #[inline(always)]
    fn each(&self, range: Range<usize>, mut take: impl FnMut(u32, u32)) {
        KeySource::<u64>::each(self, range, |key, row| take(key as u32, row));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn keys(parts: Vec<KeyPart<'_>>, rows: u32) -> [Vec<Option<u64>>; 2] {
        let all: Rows = (0..rows).collect();
        Keys::new(parts, all.clone(), all).map(|side| (0..rows).map(|row| side.key(row)).collect())
    }

    fn part(left: Vec<u32>, right: Vec<u32>, values: usize, null_safe: bool) -> KeyPart<'static> {
        KeyPart { left: left.into(), right: right.into(), values, null_safe }
    }

    #[test]
    fn keys_are_equal_where_all_parts_are() {
        let parts = || {
            vec![
                part(vec![0, 1, NULL, 1], vec![1, 0, NULL, 1], 2, false),
                part(vec![7, NULL, 3, 0], vec![0, 7, 3, NULL], 8, true),
            ]
        };
        let [left, right] = keys(parts(), 4);
        assert_eq!((left[2], right[2]), (None, None), "a null takes no part");
        assert_eq!((left[0], left[1], left[3]), (right[1], right[3], right[0]));
        assert_ne!(left[0], left[3]);
    }

    #[test]
    fn parts_too_wide_for_an_integer_are_folded() {
        let wide = u32::MAX as usize - 1;
        let parts = vec![
            part(vec![9, 5, 5, NULL], vec![5, 9, 5, 1], wide, false),
            part(vec![1, 2, 3, 1], vec![2, 1, 9, 1], wide, false),
            part(vec![4, 4, 4, 4], vec![4, 4, 4, 4], wide, false),
        ];
        let (parts, bits) = fit(parts);
        assert!(bits <= 64);
        let [left, right] = keys(parts, 4);
        assert_eq!((left[0], left[1]), (right[1], right[0]));
        assert_eq!((left[3], right[2]), (None, None));
        assert_ne!(left[2], left[1]);
    }
    /// Sizes of dictionaries at the edges of a number of bits.
    const SIZES: [usize; 11] = [0, 1, 2, 3, 4, 8, 1 << 16, (1 << 16) + 1, (1 << 31) - 1, 1 << 31, u32::MAX as usize];

    /// A code of a dictionary, the first and the last ones above all, or null.
    fn code(values: usize) -> impl Strategy<Value = u32> {
        let place = move |(at, back): (u32, bool)| if back { (values as u32).wrapping_sub(1 + at) } else { at };
        let inside = move |code: u32| if (code as usize) < values { code } else { NULL };
        prop_oneof![1 => Just(NULL), 4 => (0u32..3, any::<bool>()).prop_map(place).prop_map(inside)]
    }

    fn random_part() -> impl Strategy<Value = KeyPart<'static>> {
        (prop::sample::select(&SIZES[..]), any::<bool>()).prop_flat_map(|(values, null_safe)| {
            let side = || prop::collection::vec(code(values), 12);
            (side(), side()).prop_map(move |(left, right)| part(left, right, values, null_safe))
        })
    }

    /// Whether all parts of two rows are equal, by definition.
    fn equal(parts: &[KeyPart<'_>], l: usize, r: usize) -> bool {
        parts.iter().all(|part| part.left[l] == part.right[r] && (part.left[l] != NULL || part.null_safe))
    }

    fn check(parts: &[KeyPart<'_>]) {
        let (fitting, bits) = fit(parts.to_vec());
        assert!(bits <= u64::BITS);
        let [left, right] = keys(fitting, 12);
        for (l, key) in left.iter().enumerate() {
            assert!(key.is_none_or(|key| u128::from(key) < 1 << bits));
            for (r, other) in right.iter().enumerate() {
                assert_eq!(key.is_some() && key == other, equal(parts, l, r), "rows {l} and {r} of {parts:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn keys_agree_with_the_definition(parts in prop::collection::vec(random_part(), 1..6)) {
            check(&parts);
        }

        #[test]
        fn folded_parts_stand_for_both(a in random_part(), b in random_part()) {
            let one = folded(&a, &b);
            let both = [a, b];
            for l in 0..12 {
                for r in 0..12 {
                    prop_assert_eq!(one.left[l] != NULL && one.left[l] == one.right[r], equal(&both, l, r));
                }
            }
        }
    }

    #[test]
    fn a_null_has_a_number_of_its_own_in_dictionaries_of_every_size() {
        for bits in 0..31 {
            let values = 1usize << bits;
            let last = values as u32 - 1;
            let side = || [vec![NULL, 0, last], vec![NULL; 9]].concat();
            check(&[part(side(), side(), values, true), part(side(), side(), values, true)]);
            assert_eq!(part(side(), side(), values, true).bits(), bits + 1);
        }
    }

    #[test]
    fn a_part_without_values_may_follow_64_full_bits() {
        let full = || part((0..12).collect(), (0..12).collect(), u32::MAX as usize, false);
        let empty = |null_safe| part(vec![NULL; 12], vec![NULL; 12], 0, null_safe);
        for null_safe in [true, false] {
            let parts = vec![full(), full(), empty(null_safe)];
            assert_eq!(fit(parts.clone()).1, u64::BITS);
            check(&parts);
        }
    }
}
