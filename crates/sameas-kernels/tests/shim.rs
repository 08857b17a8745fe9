//! The shim finds what a GPU would not forgive, and gives what a kernel may use.
#![cfg(feature = "host")]

use sameas_kernels::host;

#[repr(C)]
struct Trial {
    out: u64,
    n: u64,
}

unsafe extern "C" {
    fn sameas_host_trials();
}

/// Runs a kernel of `host/trials.cpp` with room for one number per thread.
fn trial(name: &str, grid: u32, block: u32, shared: u32, seed: u64) -> Result<Vec<u32>, String> {
    // SAFETY: does nothing; that it is named makes the linker keep the kernels that are defined with it.
    unsafe { sameas_host_trials() };
    let mut out = vec![0_u32; (grid * block).max(2) as usize];
    let args = Trial { out: out.as_mut_ptr() as u64, n: u64::from(shared) };
    // SAFETY: the kernels of the trials take a `Trial` and write one number per thread.
    unsafe { host::launch(name, grid, block, shared, seed, (&raw const args).cast())? };
    Ok(out)
}

fn error(name: &str, block: u32) -> String {
    let error = trial(name, 3, block, 64, 1).expect_err(name);
    assert!(error.contains(&format!("kernel `{name}`")), "{error}");
    error
}

fn reversed(grid: u32, block: u32) -> Vec<u32> {
    (0..grid).flat_map(|_| (1..=block).rev()).collect()
}

#[test]
fn barriers_order_what_threads_share() {
    for (seed, block) in [1, 31, 32, 33, 256, 1024].into_iter().enumerate() {
        assert_eq!(trial("trial_reverse", 5, block, 4 * block, seed as u64), Ok(reversed(5, block)));
    }
}

#[test]
fn a_missing_barrier_shows() {
    for seed in 0..20 {
        assert_ne!(trial("trial_no_barrier", 1, 64, 256, seed), Ok(reversed(1, 64)), "seed {seed}");
    }
}

#[test]
fn a_divergent_barrier_is_an_error() {
    let error = error("trial_divergent", 64);
    assert!(error.contains("divergent barrier") && error.contains("host/trials.cpp:"), "{error}");
}

#[test]
fn a_barrier_that_a_thread_never_reaches_is_an_error() {
    let error = error("trial_left_barrier", 64);
    assert!(error.contains("deadlock: 1 of 64 threads returned, 63 wait for all at __syncthreads"), "{error}");
}

#[test]
fn a_mask_must_name_the_lanes_that_arrive() {
    let missing = error("trial_missing_lane", 32);
    assert!(missing.contains("waits at __ballot_sync") && missing.contains("for lanes 0x00000020"), "{missing}");
    let outside = error("trial_not_in_mask", 32);
    assert!(outside.contains("mask, 0x0000ffff, without the lane itself"), "{outside}");
    let beyond = error("trial_missing_lane", 20);
    assert!(beyond.contains("names lanes the block does not have: 0xfff00000"), "{beyond}");
}

#[test]
fn a_shuffle_stays_in_the_warp() {
    let error = error("trial_shuffle_out_of_range", 32);
    assert!(error.contains("__shfl_sync") && error.contains("of lane 31 is out of range: 32, width 32"), "{error}");
}

#[test]
fn dynamic_shared_memory_has_an_end() {
    assert!(error("trial_past_shared", 1).contains("wrote past its dynamic shared memory"));
}

#[test]
fn a_launch_has_the_limits_of_a_gpu() {
    assert!(error("trial_bounded", 65).contains("1 to 64 threads"));
    assert_eq!(trial("trial_bounded", 1, 64, 0, 0), Ok(vec![1; 64]));
    assert!(trial("trial_reverse", 0, 32, 128, 0).is_err());
    assert!(trial("trial_reverse", 1, 1025, 8192, 0).is_err());
    assert!(trial("trial_reverse", 1, 32, 300 << 10, 0).is_err());
    assert!(trial("trial_unknown", 1, 32, 0, 0).is_err_and(|e| e.contains("no kernel `trial_unknown`")));
}

#[test]
fn atomics_let_others_in_between() {
    let out = trial("trial_lost_additions", 1, 1024, 0, 3).expect("runs");
    assert_eq!(out[1], 1024);
    assert!(out[0] < 1024, "every addition survived");
}

#[test]
fn the_order_follows_the_seed() {
    let order = |seed| trial("trial_lost_additions", 1, 512, 0, seed).expect("runs");
    assert_eq!(order(1), order(1));
    assert!((0..10).any(|seed| order(seed) != order(seed + 10)));
}

/// What `trial_warp` computes, from the definitions of the intrinsics.
fn warp_sum(me: u32) -> u32 {
    let mut sum = 0_u32;
    for by in [16, 8, 4, 2, 1] {
        sum += if me + by < 32 { (me + by) * by } else { me * by };
        sum += if me % 16 >= by { me - by } else { me };
    }
    sum += (me ^ 3) + (me + 5) % 32;
    sum += (0..32).filter(|other| other / 3 == me / 3).count() as u32;
    sum = sum.wrapping_add((0..32).filter(|lane| lane % 3 == 0).map(|lane| 1 << lane).sum());
    sum.wrapping_add(if me < 8 { 1 + 4 } else { 0 })
}

#[test]
fn lanes_exchange_values() {
    let expected: Vec<u32> = (0..2 * 96).map(|thread| warp_sum(thread % 32)).collect();
    for seed in 0..10 {
        assert_eq!(trial("trial_warp", 2, 96, 0, seed).as_ref(), Ok(&expected));
    }
}

#[test]
fn arithmetic_has_the_corners_of_cuda() {
    let expected = [32, 63, 0, 41, 0x8000_0001, 0x1e6a_2c48, 0x7722_5500, 3, 0x8000_0000, 7, 64, 5];
    assert_eq!(trial("trial_arithmetic", 1, 12, 0, 0).expect("runs"), expected);
}
