//! The primitives of the host against the standard library.
#![cfg(feature = "host")]

use sameas_kernels::SortPairs;
use sameas_kernels::host::PRIMITIVES;
use std::ffi::c_void;
use std::ptr::null_mut;

/// Learns the size of the temporary memory, then works: what every caller does.
fn with_temp(call: impl Fn(*mut c_void, *mut usize) -> i32) -> i32 {
    let mut bytes = 0;
    assert_eq!(call(null_mut(), &mut bytes), 0);
    let mut temp = vec![0_u8; bytes];
    call(temp.as_mut_ptr().cast(), &mut bytes)
}

/// Numbers that repeat and use all bits.
fn numbers(n: u64) -> Vec<u64> {
    (0..n).map(|i| (i * i + 7).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (i % 3 * 20)).collect()
}

/// Keys with their places, sorted by some bits.
fn sorted<K: Copy + Default>(sort: SortPairs<K>, keys: &[K], (begin, end): (i32, i32)) -> Vec<(K, u32)> {
    let values: Vec<u32> = (0..keys.len() as u32).collect();
    let (mut keys_out, mut values_out) = (vec![K::default(); keys.len()], vec![0; keys.len()]);
    let (to_keys, to_values) = (keys_out.as_mut_ptr(), values_out.as_mut_ptr());
    let n = keys.len() as u64;
    // SAFETY: all buffers have as many elements and the temporary memory is as the primitive has named.
    let status = with_temp(|temp, bytes| unsafe {
        sort(temp, bytes, keys.as_ptr(), to_keys, values.as_ptr(), to_values, n, begin, end, null_mut())
    });
    assert_eq!(status, 0);
    keys_out.into_iter().zip(values_out).collect()
}

#[test]
fn pairs_are_sorted_stably_by_a_range_of_bits() {
    let keys = numbers(3_000);
    for (begin, end) in [(0, 64), (3, 17), (40, 41), (60, 64), (5, 5)] {
        let bits = |key: u64| (u128::from(key) & ((1_u128 << end) - 1)) >> begin;
        let mut expected: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
        expected.sort_by_key(|(key, _)| bits(*key));
        assert_eq!(sorted(PRIMITIVES.sort_pairs_u64, &keys, (begin, end)), expected, "bits {begin}..{end}");
    }
}

#[test]
fn pairs_of_small_keys_are_sorted() {
    let keys: Vec<u32> = numbers(1_000).iter().map(|&n| n as u32).collect();
    let mut expected: Vec<(u32, u32)> = keys.iter().copied().zip(0..).collect();
    expected.sort_unstable();
    assert_eq!(sorted(PRIMITIVES.sort_pairs_u32, &keys, (0, 32)), expected);
}

#[test]
fn sums_are_exclusive_and_wide() {
    let values = [u32::MAX, 1, 0, u32::MAX, 5];
    let (mut narrow, mut wide, mut widest) = ([9_u32; 5], [9_u64; 5], [9_u64; 5]);
    let (to_narrow, to_wide, to_widest) = (narrow.as_mut_ptr(), wide.as_mut_ptr(), widest.as_mut_ptr());
    let large = values.map(|value| u64::from(value) << 20);
    // SAFETY: all buffers have five elements and the temporary memory is as the primitive has named.
    let statuses = unsafe {
        [
            with_temp(|t, b| (PRIMITIVES.exclusive_sum_u32)(t, b, values.as_ptr(), to_narrow, 5, null_mut())),
            with_temp(|t, b| (PRIMITIVES.exclusive_sum_u32_to_u64)(t, b, values.as_ptr(), to_wide, 5, null_mut())),
            with_temp(|t, b| (PRIMITIVES.exclusive_sum_u64)(t, b, large.as_ptr(), to_widest, 5, null_mut())),
        ]
    };
    assert_eq!(statuses, [0; 3]);
    assert_eq!(narrow, [0, u32::MAX, 0, 0, u32::MAX]);
    assert_eq!(wide, [0, 0xffff_ffff, 1 << 32, 1 << 32, 0x1_ffff_ffff]);
    assert_eq!(widest, wide.map(|sum| sum << 20));
}

#[test]
fn flagged_values_are_kept_in_order() {
    let (values, flags) = ([5, 6, 7, 8, 9], [0_u8, 1, 0, 255, 1]);
    let (mut out, mut count) = ([0_u32; 5], 0_u32);
    let (to, to_count) = (out.as_mut_ptr(), &raw mut count);
    // SAFETY: all buffers have five elements and the temporary memory is as the primitive has named.
    let status = with_temp(|temp, bytes| unsafe {
        (PRIMITIVES.select_flagged_u32)(temp, bytes, values.as_ptr(), flags.as_ptr(), to, to_count, 5, null_mut())
    });
    assert_eq!((status, count, out), (0, 3, [6, 8, 9, 0, 0]));
}

#[test]
fn overlapping_buffers_and_too_little_memory_are_refused() {
    let mut values = [1_u32, 2, 3];
    let at = values.as_mut_ptr();
    // SAFETY: the calls read and write nothing but the temporary memory before they refuse.
    unsafe {
        assert_ne!(with_temp(|temp, bytes| (PRIMITIVES.exclusive_sum_u32)(temp, bytes, at, at, 3, null_mut())), 0);
        let (mut temp, mut bytes) = ([0_u8; 1], 1);
        let to = [0_u32; 3].as_mut_ptr();
        assert_ne!((PRIMITIVES.exclusive_sum_u32)(temp.as_mut_ptr().cast(), &mut bytes, at, to, 3, null_mut()), 0);
    }
}
