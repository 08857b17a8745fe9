// What a kernel may use: CUDA itself, or with SAMEAS_HOST the shim that runs the same source on the host.
//
// KERNEL(name, Args) { ... args.field ... } defines a kernel that takes one struct of arguments by value. A third
// argument KERNEL_BOUNDS(threads, blocks) bounds the threads of a block, and its registers so that a multiprocessor can run
// this many blocks.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

// CUDA's 64-bit atomics take `unsigned long long`, which uint64_t is not everywhere.
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
using i32 = int;
using i64 = long long;
static_assert(sizeof(u16) == 2 && sizeof(u32) == 4 && sizeof(u64) == 8, "the layouts are shared with Rust");

#ifdef SAMEAS_HOST

#include "../host/shim.h"

#define KERNEL_BOUNDS(threads, blocks) (threads)
#define KERNEL(name, Args, ...)                                                                                        \
    static void name(const Args& args);                                                                                \
    static shim::Kernel kernel_##name(#name, [](const void* args) { name(*static_cast<const Args*>(args)); },          \
                                      sizeof(Args), shim::most_threads(__VA_ARGS__));                                  \
    static void name([[maybe_unused]] const Args& args)

#else

#define KERNEL_BOUNDS(threads, blocks) __launch_bounds__(threads, blocks)
#define KERNEL(name, Args, ...) extern "C" __global__ void __VA_ARGS__ name(const __grid_constant__ Args args)

// The dynamic shared memory of the block, aligned to 16 bytes.
__device__ __forceinline__ unsigned char* shared_bytes() {
    extern __shared__ __align__(16) unsigned char sameas_shared[];
    return sameas_shared;
}

#endif

// Loops: all rounds one after the other in the code, or never more than one. What is evaluated for one candidate in
// thousands is better short than fast: what does not fit the instruction cache is waited for.
#ifdef SAMEAS_HOST
#define UNROLL
#define ROLLED
#else
#define UNROLL _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")
#endif

// A function of the device, inlined.
#define DEVICE __device__ __forceinline__

// A function of the device that is called: one copy of what is long, and registers of its own.
#ifdef SAMEAS_HOST
#define DEVICE_CALL __device__ __attribute__((noinline))
#else
#define DEVICE_CALL __device__ __noinline__
#endif

// The mask of all lanes of a warp.
constexpr u32 FULL = 0xffffffffu;

// The thread's place in its warp.
DEVICE u32 lane() { return threadIdx.x & 31u; }

// The lanes of the warp before this one.
DEVICE u32 lanes_below() { return (1u << lane()) - 1; }

// The warp's place in its block.
DEVICE u32 warp_in_block() { return threadIdx.x >> 5; }

// The thread's place among all threads of the launch, and their number: where a grid-stride loop starts and steps.
DEVICE u64 thread_in_grid() { return static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x; }
DEVICE u64 threads_in_grid() { return static_cast<u64>(gridDim.x) * blockDim.x; }

// The sum over the lanes of a warp, which all call it.
DEVICE u64 warp_sum(u64 value) {
    for (i32 step = 16; step > 0; step /= 2) value += __shfl_xor_sync(FULL, value, step);
    return value;
}
