// The intrinsics by which CUDA threads meet: barriers, shuffles, votes and atomics. Included by shim.h.
#pragma once

#include <cstring>

// Default arguments are evaluated where the function is called, so errors name the kernel's line.
#define SHIM_SITE shim::Site site = {__builtin_FILE(), __builtin_LINE()}

inline void __syncthreads(SHIM_SITE) { shim::block_barrier(site); }

inline void __syncwarp(unsigned mask = 0xffffffffu, SHIM_SITE) {
    shim::warp_rendezvous(shim::Op::SyncWarp, mask, 0, 0, 32, site);
}

namespace shim {

template <class T> T shuffle(Op op, unsigned mask, T value, unsigned operand, int width, Site site) {
    static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8), "CUDA shuffles words of 4 or 8 bytes");
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    bits = warp_rendezvous(op, mask, bits, operand, static_cast<unsigned>(width), site);
    std::memcpy(&value, &bits, sizeof(T));
    return value;
}

}  // namespace shim

template <class T> T __shfl_sync(unsigned mask, T value, int from, int width = 32, SHIM_SITE) {
    return shim::shuffle(shim::Op::Shuffle, mask, value, static_cast<unsigned>(from), width, site);
}
template <class T> T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32, SHIM_SITE) {
    return shim::shuffle(shim::Op::ShuffleUp, mask, value, by, width, site);
}
template <class T> T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32, SHIM_SITE) {
    return shim::shuffle(shim::Op::ShuffleDown, mask, value, by, width, site);
}
template <class T> T __shfl_xor_sync(unsigned mask, T value, int with, int width = 32, SHIM_SITE) {
    return shim::shuffle(shim::Op::ShuffleXor, mask, value, static_cast<unsigned>(with), width, site);
}

inline unsigned __ballot_sync(unsigned mask, int vote, SHIM_SITE) {
    return static_cast<unsigned>(shim::warp_rendezvous(shim::Op::Ballot, mask, vote != 0, 0, 32, site));
}
inline int __any_sync(unsigned mask, int vote, SHIM_SITE) {
    return static_cast<int>(shim::warp_rendezvous(shim::Op::Any, mask, vote != 0, 0, 32, site));
}
inline int __all_sync(unsigned mask, int vote, SHIM_SITE) {
    return static_cast<int>(shim::warp_rendezvous(shim::Op::All, mask, vote != 0, 0, 32, site));
}
template <class T> unsigned __match_any_sync(unsigned mask, T value, SHIM_SITE) {
    static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8), "CUDA matches words of 4 or 8 bytes");
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return static_cast<unsigned>(shim::warp_rendezvous(shim::Op::MatchAny, mask, bits, 0, 32, site));
}

// One fiber runs at a time, so all see what was written.
inline void __threadfence() {}

namespace shim {

// One fiber runs at a time, so a plain change is atomic. Before it others get their turn now and then, so that what
// was read before the atomic may have changed. The second argument converts, as in CUDA; the address must fit exactly.
template <class T> struct Same {
    using Type = T;
};
template <class T, class Change> T atomically(T* at, Change change) {
    static_assert(std::is_same_v<T, unsigned> || std::is_same_v<T, int> || std::is_same_v<T, unsigned long long>,
                  "CUDA's atomics take int, unsigned and unsigned long long");
    if (--patience == 0) step_aside();
    T before = *at;
    *at = change(before);
    return before;
}

}  // namespace shim

#define SHIM_ATOMIC(name, changed)                                                                                     \
    template <class T> T name(T* at, typename shim::Same<T>::Type value) {                                             \
        return shim::atomically(at, [=]([[maybe_unused]] T old) { return static_cast<T>(changed); });                  \
    }
SHIM_ATOMIC(atomicAdd, old + value)
SHIM_ATOMIC(atomicMin, value < old ? value : old)
SHIM_ATOMIC(atomicMax, old < value ? value : old)
SHIM_ATOMIC(atomicOr, old | value)
SHIM_ATOMIC(atomicAnd, old& value)
SHIM_ATOMIC(atomicExch, value)
#undef SHIM_ATOMIC

template <class T> T atomicCAS(T* at, typename shim::Same<T>::Type expected, typename shim::Same<T>::Type value) {
    return shim::atomically(at, [=](T old) { return old == expected ? value : old; });
}
