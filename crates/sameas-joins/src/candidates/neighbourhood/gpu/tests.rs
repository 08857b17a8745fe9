//! The windows on an emulated device against nested loops over all pairs.

use proptest::prelude::*;
use sameas_kernels::layout::verify::{DifferenceCheck, number_kind};

use super::*;
use crate::candidates::Rows;
use crate::candidates::device_pairs::DevicePairs;
use crate::candidates::device_path::SharedPath;
use crate::candidates::neighbourhood::SortedNumbers;
use crate::candidates::neighbourhood::tests::{Column, Holds, column, difference, nested, number, rows};
use crate::candidates::work_division::DeviceShare;
use crate::device::{Buffer, DeviceOptions};
use crate::device_values::number::{comparison_code, exact, whole_bound};
use crate::expr::Num;
use crate::rules::Comparison;

/// A column on a device whose codes are its rows, in a turned order, so that codes and rows differ.
struct ColumnOnDevice {
    rows: Rows,
    codes: Buffer<u32>,
    numbers: Buffer<u64>,
    kinds: Buffer<u8>,
}

impl ColumnOnDevice {
    fn new(gpu: &Gpu, column: &Column) -> Self {
        let turned: Vec<u32> = (0..column.len() as u32).rev().collect();
        let number = |code: &u32| match column[column.len() - 1 - *code as usize] {
            Some(Num::Int(value)) => (value as u64, number_kind::WHOLE),
            Some(Num::Float(value)) => (value.to_bits(), number_kind::FLOAT),
            _ => (0, number_kind::NOT_A_NUMBER),
        };
        let (numbers, kinds): (Vec<u64>, Vec<u8>) = (0..column.len() as u32).map(|code| number(&code)).unzip();
        let mut rows = rows(column);
        rows.sort_unstable();
        let (codes, numbers) = (gpu.upload(&turned).unwrap(), gpu.upload(&numbers).unwrap());
        Self { rows: rows.into(), codes, numbers, kinds: gpu.upload(&kinds).unwrap() }
    }

    fn numbers(&self) -> DeviceNumbers<'_> {
        let (codes, numbers, kinds) = (self.codes.at(), self.numbers.at(), self.kinds.at());
        DeviceNumbers { rows: &self.rows, all_rows: self.codes.len(), codes, numbers, kinds }
    }
}

/// A condition as the kernels read it.
fn check_of(comparison: Comparison, width: Num, left: &ColumnOnDevice, right: &ColumnOnDevice) -> DifferenceCheck {
    let (whole, whole_bound) = whole_bound(comparison, width);
    DifferenceCheck {
        left_numbers: left.numbers.at(),
        left_kinds: left.kinds.at(),
        right_numbers: right.numbers.at(),
        right_kinds: right.kinds.at(),
        threshold: exact(width).unwrap(),
        whole_bound,
        comparison: comparison_code(comparison),
        whole,
        unused: 0,
    }
}

/// What a path hands out, in order, and its rounds.
fn written(gpu: &Gpu, most: usize, path: &mut dyn DevicePath) -> (Vec<(u32, u32)>, usize) {
    let (output, mut rounds) = (DevicePairs::new(gpu, most), 0);
    while path.next_round().unwrap() {
        rounds += 1;
        let middle = path.tasks() / 3;
        for tasks in [0..middle, middle..path.tasks()] {
            path.launch(tasks.clone(), DeviceSink::Write, &output.writing()).unwrap();
            path.launch(tasks, DeviceSink::Count, &output.counting()).unwrap();
        }
    }
    (output.read(), rounds)
}

/// What is joined, and with what memory besides the output.
struct Case<'c> {
    left: &'c Column,
    right: &'c Column,
    comparison: Comparison,
    width: Num,
    memory: usize,
}

const PLENTY: usize = 8 << 20;

impl Case<'_> {
    fn holds(&self, a: Num, b: Num) -> bool {
        difference(a, b).is_some_and(|d| self.comparison.holds(d, self.width))
    }

    /// One side with itself, two sides, and two sides in a triangle: the windows of the device where kernels know the
    /// numbers, else those of the host. The rounds of each.
    fn check(&self, by_host: bool) -> Vec<usize> {
        let holds: &Holds<'_> = &|a, b| self.holds(a, b);
        let (left, right) = (self.left, self.right);
        let shapes = [
            (None, Shape::Triangle, nested(left, left, |l, r| l < r, holds)),
            (Some(right), Shape::Rectangle, nested(left, right, |_, _| true, holds)),
            (Some(right), Shape::Triangle, nested(left, right, |l, r| l < r, holds)),
        ];
        let check = |(right, shape, expected): (Option<&Column>, Shape, Vec<(u32, u32)>)| {
            let gpu =
                Gpu::emulated(self.memory + DevicePairs::places(expected.len()) * size_of::<u64>(), left.len() as u64);
            let sizes = TaskSizes::alone(&gpu);
            let mut path = if by_host {
                self.of_host(&gpu, right, shape, &sizes)
            } else {
                self.searched(&gpu, right, shape, &sizes)
            };
            let (pairs, rounds) = written(&gpu, expected.len(), &mut path);
            assert_eq!(pairs, expected);
            rounds
        };
        shapes.into_iter().map(check).collect()
    }

    fn searched(&self, gpu: &Gpu, right: Option<&Column>, shape: Shape, sizes: &TaskSizes) -> GpuNeighbourhood {
        let (l, r) = (ColumnOnDevice::new(gpu, self.left), right.map(|right| ColumnOnDevice::new(gpu, right)));
        let condition = check_of(self.comparison, self.width, &l, r.as_ref().unwrap_or(&l));
        let right = r.as_ref().map(ColumnOnDevice::numbers);
        GpuNeighbourhood::new(gpu, &l.numbers(), right.as_ref(), shape, condition, sizes).unwrap()
    }

    fn of_host(&self, gpu: &Gpu, right: Option<&Column>, shape: Shape, sizes: &TaskSizes) -> GpuNeighbourhood {
        let sorted = |column: &Column| SortedNumbers::new(&rows(column), |row| column[row as usize]);
        let windows = Neighbourhood::new(sorted(self.left), right.map(sorted), shape, |a, b| self.holds(a, b));
        GpuNeighbourhood::of_host(gpu, &windows, sizes).unwrap()
    }
}

fn without_decimals(column: Column) -> Column {
    column.into_iter().map(|number| number.filter(|number| !matches!(number, Num::Wide(_)))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn windows_of_a_device_hold_what_nested_loops_find(
        left in column(), right in column(), width in number(), strict: bool,
    ) {
        let comparison = if strict { Comparison::Less } else { Comparison::LessEqual };
        let case = Case { left: &left, right: &right, comparison, width, memory: PLENTY };
        case.check(true);
        if exact(width).is_some() && !matches!(width, Num::Wide(_)) {
            let (left, right) = (without_decimals(left.clone()), without_decimals(right.clone()));
            Case { left: &left, right: &right, ..case }.check(false);
        }
    }
}

/// Rows without a pattern.
fn column_of(len: usize, number: impl Fn(u64) -> Option<Num>) -> Column {
    let mix = |at: usize| (at as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
    (0..len).map(|at| number(mix(at))).collect()
}

#[test]
fn a_band_that_holds_everything() {
    let far = column_of(700, |x| Some(if x % 2 == 0 { Num::Int(x as i64 % 50) } else { Num::Float(x as f64) }));
    Case { left: &far, right: &far, comparison: Comparison::Less, width: Num::Float(1e300), memory: PLENTY }
        .check(false);
}

#[test]
fn one_number_in_all_rows() {
    for len in [1, 31, 33, 65, 1200] {
        let equal = vec![Some(Num::Int(4)); len];
        for width in [Num::Int(0), Num::Int(-1)] {
            let memory = 2 * PLENTY;
            Case { left: &equal, right: &equal, comparison: Comparison::LessEqual, width, memory }.check(false);
        }
    }
}

#[test]
fn ranks() {
    let ranks = column_of(3000, |x| Some(Num::Int(x as i64 & 0xFFFF_FFFF)));
    let wide = Num::Int(20 << 20);
    Case { left: &ranks, right: &ranks, comparison: Comparison::LessEqual, width: wide, memory: PLENTY }.check(false);
}

#[test]
fn little_memory_takes_several_rounds() {
    let numbers = column_of(2500, |x| (x % 13 != 0).then_some(Num::Int(x as i64 % 16_000)));
    let memory = 2500 * 200;
    let case = Case { left: &numbers, right: &numbers, comparison: Comparison::LessEqual, width: Num::Int(2), memory };
    assert!(case.check(false).iter().all(|rounds| *rounds > 1));
    assert!(case.check(true).iter().all(|rounds| *rounds > 1));
}

#[test]
fn unequal_devices_have_the_same_rounds() {
    let numbers = column_of(5000, |x| Some(Num::Int(x as i64 % 40_000)));
    let case = Case { left: &numbers, right: &numbers, comparison: Comparison::Less, width: Num::Int(3), memory: 0 };
    let expected = nested(&numbers, &numbers, |l, r| l < r, &|a, b| case.holds(a, b));
    let places = DevicePairs::places(expected.len()) * size_of::<u64>();
    let gpus = [4 << 20, 40 << 20].map(|memory| Gpu::emulated(memory + places, memory as u64));
    let mut pairs = Vec::new();
    let shares = DeviceShare::divide(&[&gpus[0], &gpus[1]], &DeviceOptions::default());
    for (gpu, share) in gpus.iter().zip(shares) {
        let path = case.searched(gpu, None, Shape::Triangle, share.sizes());
        pairs.extend(written(gpu, expected.len(), &mut SharedPath::new(path, share)).0);
    }
    pairs.sort_unstable();
    assert_eq!(pairs, expected);
}
