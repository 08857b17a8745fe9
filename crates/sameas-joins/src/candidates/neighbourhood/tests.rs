//! The windows against nested loops over all pairs.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::expr::Decimal;
use arrow_buffer::i256;

/// The absolute difference as the verifier computes it.
pub(super) fn difference(a: Num, b: Num) -> Option<Num> {
    match (a, b) {
        (Num::Int(a), Num::Int(b)) => a.checked_sub(b)?.checked_abs().map(Num::Int),
        (Num::Float(_), _) | (_, Num::Float(_)) => Num::from_f64((a.to_f64() - b.to_f64()).abs()),
        (a, b) => a.distance(b),
    }
}

#[derive(Default)]
struct Pairs {
    found: Vec<(u32, u32)>,
    most: u64,
}

impl Sink for Pairs {
    fn tile(&mut self, Tile { left, right, pairing }: Tile<'_>) {
        assert!(!left.is_empty() && !right.is_empty());
        let is_one = pairing == Pairing::Ascending;
        assert!(!is_one || left == right && left.is_sorted_by(|a, b| a < b));
        let area = if is_one { left.len() * (left.len() - 1) / 2 } else { left.len() * right.len() };
        self.most = self.most.max(area as u64);
        for (at, &l) in left.iter().enumerate() {
            match pairing {
                Pairing::All => self.found.extend(right.iter().map(|r| (l, *r))),
                Pairing::Ascending => self.found.extend(right[at + 1..].iter().map(|r| (l, *r))),
                Pairing::Sorted => self.found.extend(right.iter().map(|r| (l.min(*r), l.max(*r)))),
                Pairing::Before => self.found.extend(right.iter().filter(|r| l < **r).map(|r| (l, *r))),
            }
        }
    }
}

pub(super) type Column = Vec<Option<Num>>;

pub(super) fn rows(column: &Column) -> Vec<u32> {
    // Not in order, and not all: filters leave rows out.
    (0..column.len() as u32).filter(|row| row % 7 != 5).rev().collect()
}

pub(super) fn sorted(column: &Column) -> SortedNumbers {
    SortedNumbers::new(&rows(column), |row| column[row as usize])
}

fn all_pairs(neighbourhood: &Neighbourhood) -> Pairs {
    let mut pairs = Pairs::default();
    (0..neighbourhood.tasks()).for_each(|task| neighbourhood.run(task, &mut pairs));
    pairs.found.sort_unstable();
    pairs
}

pub(super) fn nested(
    left: &Column,
    right: &Column,
    wanted: impl Fn(u32, u32) -> bool,
    holds: &Holds<'_>,
) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for l in rows(left) {
        for r in rows(right) {
            if let (Some(a), Some(b), true) = (left[l as usize], right[r as usize], wanted(l, r)) {
                found.extend(holds(a, b).then_some((l, r)));
            }
        }
    }
    found.sort_unstable();
    found
}

pub(super) type Holds<'a> = dyn Fn(Num, Num) -> bool + Sync + 'a;

/// One side with itself, two sides, and two sides in a triangle, in tasks of few pairs.
fn check(left: &Column, right: &Column, task: u64, holds: &Holds<'_>) {
    let make = |right: Option<&Column>, shape: Shape| {
        let mut made = Neighbourhood::new(sorted(left), right.map(sorted), shape, holds);
        made.task = task;
        made
    };
    let compare = |made: &Neighbourhood, expected: &[(u32, u32)]| {
        let pairs = all_pairs(made);
        assert_eq!(pairs.found, expected);
        assert!(pairs.most <= task, "a tile of {} pairs", pairs.most);
        assert!(if made.is_exact() {
            made.pairs() == expected.len() as u64
        } else {
            made.pairs() >= expected.len() as u64
        });
        assert!(made.tasks() as u64 <= made.pairs() / task + (KINDS * KINDS) as u64);
    };
    compare(&make(None, Shape::Triangle), &nested(left, left, |l, r| l < r, holds));
    compare(&make(Some(right), Shape::Rectangle), &nested(left, right, |_, _| true, holds));
    compare(&make(Some(right), Shape::Triangle), &nested(left, right, |l, r| l < r, holds));
}

const BIG: i64 = 1 << 53;

/// Numbers that collide, and those where rounding, overflow and signs matter.
pub(super) fn number() -> impl Strategy<Value = Num> {
    let ints = [0, 1, -1, BIG, -BIG, BIG << 3, i64::MAX, i64::MIN, i64::MAX - 2047, 1 << 62];
    let floats = [0.0, -0.0, 0.5, 1e-320, 9.0e15, -9.0e15, 7.2e16, 9.2e18, -9.3e18, 1e300, f64::MAX, f64::MIN];
    prop_oneof![
        3 => (-6..6_i64).prop_map(Num::Int),
        3 => (-12..12_i64).prop_map(|half| Num::Float(half as f64 / 2.0)),
        2 => (proptest::sample::select(ints.to_vec()), -4..4_i64).prop_map(|(a, b)| Num::Int(a.saturating_add(b))),
        2 => (-8..8_i64).prop_map(|ulp| Num::Float((BIG + 2 * ulp) as f64)),
        1 => proptest::sample::select(floats.to_vec()).prop_map(Num::Float),
        2 => (-40..40_i64, 0..3_i16).prop_map(|(digits, scale)| decimal(digits.into(), scale)),
        2 => (-4..4_i128).prop_map(|away| decimal(i128::from(u64::MAX) + away, 0)),
        1 => (any::<i128>(), -128..128_i16).prop_map(|(digits, scale)| decimal(digits, scale)),
        1 => any::<i64>().prop_map(Num::Int),
        1 => any::<f64>().prop_filter_map("finite", Num::from_f64),
    ]
}

fn decimal(digits: i128, scale: i16) -> Num {
    Num::Wide(Decimal::new(i256::from_i128(digits), scale))
}

/// Columns of one kind, of several, of one value in most rows.
pub(super) fn column() -> impl Strategy<Value = Column> {
    let any_number = || vec(proptest::option::weighted(0.9, number()), 0..60);
    let small = vec(proptest::option::weighted(0.95, (0..9_i64).prop_map(Num::Int)), 0..60);
    let heavy = (number(), any_number()).prop_map(|(heavy, column)| {
        let often = |(at, number)| if at % 3 == 0 { number } else { Some(heavy) };
        column.into_iter().enumerate().map(often).collect()
    });
    prop_oneof![any_number(), small, heavy]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn windows_hold_what_nested_loops_find(
        left in column(), right in column(), width in number(), strict: bool,
        task in proptest::sample::select(vec![1_u64, 2, 3, 7, 64, 1 << 20]),
    ) {
        let holds = |a: Num, b: Num| difference(a, b).is_some_and(|d| if strict { d < width } else { d <= width });
        check(&left, &right, task, &holds);
    }
}

#[test]
fn integers_beyond_all_floats_keep_to_their_kind() {
    let numbers = [Num::Int(BIG + 1), Num::Int(BIG + 2), Num::Float((BIG + 2) as f64), Num::Int(BIG + 3)];
    let column: Column = numbers.map(Some).to_vec();
    let within_one = |a: Num, b: Num| difference(a, b).is_some_and(|d| d <= Num::Int(1));
    check(&column, &column, 2, &within_one);
    let made = Neighbourhood::new(sorted(&column), None, Shape::Triangle, within_one);
    // 2^53 + 1 and 2^53 + 3 as floats are 2^53 and 2^53 + 4: two away from the float between them.
    assert_eq!(all_pairs(&made).found, [(0, 1), (1, 2), (1, 3)]);
}

#[test]
fn a_difference_that_overflows_is_never_near() {
    let column: Column = [Num::Int(i64::MIN), Num::Int(i64::MAX), Num::Int(0), Num::Float(-1e308), Num::Float(1.7e308)]
        .map(Some)
        .to_vec();
    let anything = |a: Num, b: Num| difference(a, b).is_some_and(|d| d <= Num::Float(f64::MAX));
    check(&column, &column, 1, &anything);
}

#[test]
fn a_heavy_number_is_cut_into_tasks_of_equal_size() {
    let column: Column = vec![Some(Num::Int(4)); 4000];
    let made = Neighbourhood::new(sorted(&column), None, Shape::Triangle, |a, b| a == b);
    let rows = rows(&column).len() as u64;
    assert_eq!(made.pairs(), rows * (rows - 1) / 2);
    assert_eq!(made.tasks() as u64, made.pairs().div_ceil(TASK));
    let pairs = all_pairs(&made);
    assert!(pairs.found.windows(2).all(|two| two[0] < two[1]) && pairs.found.len() as u64 == made.pairs());
}
