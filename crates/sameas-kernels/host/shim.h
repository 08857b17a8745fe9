// CUDA for the host: the same kernel source, each CUDA thread a fiber of the calling thread.
//
// Threads of a block run in a random order drawn from a seed, one at a time, from one rendezvous to the next; blocks
// run one after the other in random order. What a kernel takes for granted without a barrier therefore fails here
// soon. It is stricter than the hardware where CUDA leaves the outcome undefined: that is an error with a reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __constant__ static const
#define __align__(bytes) alignas(bytes)
// One block runs at a time on a thread of the host, so what the block shares is what the thread owns.
#define __shared__ static thread_local

struct uint3 {
    unsigned x, y, z;
};
struct alignas(8) uint2 {
    unsigned x, y;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(16) ulonglong2 {
    unsigned long long x, y;
};
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
inline ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) { return {x, y}; }

// Not C++'s `thread_local`, which would call a function at every use.
extern __thread uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace shim {

// A kernel known by its name. Kernels are static objects that enter themselves into a list when the program starts.
struct Kernel {
    Kernel(const char* name, void (*call)(const void*), size_t bytes, unsigned threads);
    const char* name;
    void (*call)(const void* args);
    size_t bytes;
    unsigned threads;
    const Kernel* next;
};
constexpr unsigned most_threads(unsigned threads = 1024) { return threads; }

enum class Op { SyncWarp, Shuffle, ShuffleUp, ShuffleDown, ShuffleXor, Ballot, Any, All, MatchAny };

// Where in the source a thread waits.
struct Site {
    const char* file;
    int line;
};

// Waits for all threads of the block.
void block_barrier(Site site);
// Waits for the lanes of a mask to call the same operation and returns this lane's result.
uint64_t warp_rendezvous(Op op, unsigned mask, uint64_t value, unsigned operand, unsigned width, Site site);
// Lets other threads run, as they may on a GPU between any two instructions.
void step_aside();
// Where the block's dynamic shared memory starts.
unsigned char* dynamic_shared();

// Atomics until the thread steps aside; drawn again each time.
extern __thread unsigned patience;

}  // namespace shim

inline unsigned char* shared_bytes() { return shim::dynamic_shared(); }

#include "arithmetic.h"
#include "intrinsics.h"
