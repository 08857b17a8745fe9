//! The union-find on the device against a plain one, and that the list of kernels is whole.
#![cfg(feature = "host")]

use sameas_kernels::layout::components::{ComponentsFlatten, ComponentsJoin};
use sameas_kernels::{DevicePtr, host, kernel};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((((z ^ (z >> 31)) >> 32) * u64::from(bound)) >> 32) as u32
    }
}

/// The first row of each row's cluster, by relabelling until nothing changes.
fn plain(rows: u32, left: &[u32], right: &[u32]) -> Vec<u32> {
    let mut label: Vec<u32> = (0..rows).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (&l, &r) in left.iter().zip(right) {
            let low = label[l as usize].min(label[r as usize]);
            changed |= label[l as usize] != low || label[r as usize] != low;
            label[l as usize] = low;
            label[r as usize] = low;
        }
    }
    label
}

fn on_device(rows: u32, left: &[u32], right: &[u32], grid: u32, block: u32, seed: u64) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..rows).collect();
    // SAFETY: the arguments are those of the kernels; `parent` has a number for every row that a pair names.
    unsafe {
        let pointer = |values: *const u32| DevicePtr::new(values as u64);
        let (parent, pairs) = (pointer(parent.as_mut_ptr()), left.len() as u64);
        let join = ComponentsJoin { parent, left: pointer(left.as_ptr()), right: pointer(right.as_ptr()), pairs };
        let flatten = ComponentsFlatten { parent, rows: u64::from(rows) };
        let (join_pairs, flatten_all) = (kernel::COMPONENTS_JOIN_PAIRS.name(), kernel::COMPONENTS_FLATTEN.name());
        host::launch(join_pairs, grid, block, 0, seed, (&raw const join).cast()).expect("joins");
        host::launch(flatten_all, grid, block, 0, seed, (&raw const flatten).cast()).expect("flattens");
    }
    parent
}

#[test]
fn components_are_those_of_a_plain_union_find() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let rows = 1 + random.below(800);
        let pairs = random.below(2 * rows);
        let left: Vec<u32> = (0..pairs).map(|_| random.below(rows)).collect();
        let right: Vec<u32> = (0..pairs).map(|_| random.below(rows)).collect();
        let (grid, block) = (1 + random.below(4), 1 + random.below(256));
        assert_eq!(on_device(rows, &left, &right, grid, block, seed), plain(rows, &left, &right), "seed {seed}");
    }
}

#[test]
fn a_long_chain_in_reverse_is_one_cluster() {
    let rows = 5_000_u32;
    let left: Vec<u32> = (1..rows).rev().collect();
    let right: Vec<u32> = left.iter().map(|row| row - 1).collect();
    assert_eq!(on_device(rows, &left, &right, 7, 128, 9), vec![0; rows as usize]);
}

#[test]
fn the_kernels_are_those_that_are_linked_with_arguments_of_their_size() {
    let linked = host::kernels();
    assert!(linked.iter().map(|(name, bytes)| (name.as_str(), *bytes)).eq(kernel::ALL.iter().copied()), "{linked:?}");
}
