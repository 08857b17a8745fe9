// Kernels that test the shim itself: each makes one mistake that it must find, or uses what it must give. Linked only
// where `sameas_host_trials` is called.
#include "../kernels/platform.h"

extern "C" void sameas_host_trials() {}

struct Trial {
    u32* out;
    u64 n;
};

// Reverses the block's numbers through shared memory; correct.
KERNEL(trial_reverse, Trial) {
    u32* held = reinterpret_cast<u32*>(shared_bytes());
    held[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    args.out[thread_in_grid()] = held[blockDim.x - 1 - threadIdx.x];
}

// The same without the barrier: reads what a neighbour may not have written.
KERNEL(trial_no_barrier, Trial) {
    u32* held = reinterpret_cast<u32*>(shared_bytes());
    held[threadIdx.x] = threadIdx.x + 1;
    args.out[thread_in_grid()] = held[blockDim.x - 1 - threadIdx.x];
}

KERNEL(trial_divergent, Trial) {
    if (threadIdx.x % 2 == 0) {
        __syncthreads();
    } else {
        args.out[threadIdx.x] = 1;
        __syncthreads();
    }
}

KERNEL(trial_left_barrier, Trial) {
    if (threadIdx.x == 7) return;
    __syncthreads();
}

KERNEL(trial_missing_lane, Trial) {
    if (lane() == 5) return;
    args.out[threadIdx.x] = __ballot_sync(FULL, 1);
}

KERNEL(trial_not_in_mask, Trial) { args.out[threadIdx.x] = __ballot_sync(0x0000ffffu, 1); }

KERNEL(trial_shuffle_out_of_range, Trial) { args.out[threadIdx.x] = __shfl_sync(FULL, lane(), lane() + 1); }

KERNEL(trial_past_shared, Trial) { shared_bytes()[args.n + threadIdx.x] = 1; }

KERNEL(trial_bounded, Trial, KERNEL_BOUNDS(64, 1)) { args.out[threadIdx.x] = 1; }

// Adds without an atomic, letting others in between: loses additions.
KERNEL(trial_lost_additions, Trial) {
    u32 before = args.out[0];
    atomicAdd(args.out + 1, 1u);
    args.out[0] = before + 1;
}

// Everything lanes can do together; each lane folds what it got into one number per thread.
KERNEL(trial_warp, Trial, KERNEL_BOUNDS(1024, 1)) {
    u32 me = lane(), sum = 0;
    for (u32 by = 16; by > 0; by /= 2) sum += __shfl_down_sync(FULL, me * by, by) + __shfl_up_sync(FULL, me, by, 16);
    u64 wide = __shfl_xor_sync(FULL, static_cast<u64>(me) << 33, 3);
    sum += static_cast<u32>(wide >> 33) + __shfl_sync(FULL, me, (me + 5) % 32);
    sum += __popc(__match_any_sync(FULL, me / 3)) + __ballot_sync(FULL, me % 3 == 0);
    if (me < 8) {
        __syncwarp(0xffu);
        sum += __any_sync(0xffu, me == 7) + 2 * __all_sync(0xffu, me < 7) + 4 * __all_sync(0xffu, me < 8);
    }
    args.out[thread_in_grid()] = sum;
}

// Arithmetic whose definition has corners, one result per thread.
KERNEL(trial_arithmetic, Trial) {
    const u32 results[] = {static_cast<u32>(__clz(0)), static_cast<u32>(__clzll(1)),
                           static_cast<u32>(__ffs(0)), static_cast<u32>(__ffsll(1ll << 40)),
                           __brev(0x80000001u),        __brev(0x12345678u),
                           __byte_perm(0x33221100u, 0x77665544u, 0x7250u), __funnelshift_l(0x80000000u, 1u, 33),
                           __funnelshift_r(1u, 3u, 1),  __funnelshift_r(7u, 9u, 32),
                           static_cast<u32>(__popcll(~0ull)), min(3u, 2u) + max(3u, 2u)};
    if (threadIdx.x < sizeof results / sizeof *results) args.out[threadIdx.x] = results[threadIdx.x];
}
