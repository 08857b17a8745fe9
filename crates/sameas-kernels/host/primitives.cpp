// The device-wide primitives on the host. They are as strict about their arguments as a GPU is unforgiving: temporary
// memory must be there and is overwritten, inputs and outputs must not overlap.
#include "../kernels/primitives.h"

#include <cstring>
#include <vector>

// CUDA's code for an argument that cannot be.
static constexpr int INVALID_VALUE = 1;

// The temporary memory that a call wants; CUB's need depends on n and so does this.
static size_t needed(uint64_t n) { return 256 + static_cast<size_t>(n); }

// Answers the question for the size, or checks the memory given and fills it, so that a caller who keeps something
// there finds out. Returns whether the call is to do its work.
static bool begin(void* temp, size_t* temp_bytes, uint64_t n, int& status) {
    status = 0;
    if (temp == nullptr) {
        *temp_bytes = needed(n);
        return false;
    }
    if (*temp_bytes < needed(n)) status = INVALID_VALUE;
    else std::memset(temp, 0xa5, *temp_bytes);
    return status == 0;
}

template <class A, class B> static bool overlap(const A* a, const B* b, uint64_t n) {
    auto low = reinterpret_cast<uintptr_t>(a), other = reinterpret_cast<uintptr_t>(b);
    return low < other + n * sizeof(B) && other < low + n * sizeof(A);
}

// A radix sort, one byte at a time from the lowest: each pass is stable, so their sequence is.
template <class Key>
static int sort_pairs(void* temp, size_t* temp_bytes, const Key* keys_in, Key* keys_out, const uint32_t* values_in,
                      uint32_t* values_out, uint64_t n, int begin_bit, int end_bit) {
    int status;
    if (!begin(temp, temp_bytes, n, status)) return status;
    if (begin_bit < 0 || end_bit > static_cast<int>(8 * sizeof(Key)) || begin_bit > end_bit) return INVALID_VALUE;
    if (overlap(keys_in, keys_out, n) || overlap(values_in, values_out, n)) return INVALID_VALUE;
    struct Pair {
        Key key;
        uint32_t value;
    };
    std::vector<Pair> pairs(n), sorted(n);
    for (uint64_t i = 0; i < n; ++i) pairs[i] = {keys_in[i], values_in[i]};
    for (int bit = begin_bit; bit < end_bit; bit += 8) {
        Key digits = (Key{1} << (end_bit - bit < 8 ? end_bit - bit : 8)) - 1;
        uint64_t starts[257] = {};
        for (const Pair& pair : pairs) ++starts[(pair.key >> bit & digits) + 1];
        for (int digit = 0; digit < 256; ++digit) starts[digit + 1] += starts[digit];
        for (const Pair& pair : pairs) sorted[starts[pair.key >> bit & digits]++] = pair;
        pairs.swap(sorted);
    }
    for (uint64_t i = 0; i < n; ++i) {
        keys_out[i] = pairs[i].key;
        values_out[i] = pairs[i].value;
    }
    return 0;
}

template <class In, class Out>
static int exclusive_sum(void* temp, size_t* temp_bytes, const In* in, Out* out, uint64_t n) {
    int status;
    if (!begin(temp, temp_bytes, n, status)) return status;
    if (overlap(in, out, n)) return INVALID_VALUE;
    Out sum = 0;
    for (uint64_t i = 0; i < n; ++i) {
        out[i] = sum;
        sum += in[i];
    }
    return 0;
}

PRIMITIVE(sort_pairs_u32)(void* temp, size_t* temp_bytes, const uint32_t* keys_in, uint32_t* keys_out,
                          const uint32_t* values_in, uint32_t* values_out, uint64_t n, int begin_bit, int end_bit,
                          void*) {
    return sort_pairs(temp, temp_bytes, keys_in, keys_out, values_in, values_out, n, begin_bit, end_bit);
}

PRIMITIVE(sort_pairs_u64)(void* temp, size_t* temp_bytes, const uint64_t* keys_in, uint64_t* keys_out,
                          const uint32_t* values_in, uint32_t* values_out, uint64_t n, int begin_bit, int end_bit,
                          void*) {
    return sort_pairs(temp, temp_bytes, keys_in, keys_out, values_in, values_out, n, begin_bit, end_bit);
}

PRIMITIVE(exclusive_sum_u32)(void* temp, size_t* temp_bytes, const uint32_t* in, uint32_t* out, uint64_t n, void*) {
    return exclusive_sum(temp, temp_bytes, in, out, n);
}

PRIMITIVE(exclusive_sum_u64)(void* temp, size_t* temp_bytes, const uint64_t* in, uint64_t* out, uint64_t n, void*) {
    return exclusive_sum(temp, temp_bytes, in, out, n);
}

PRIMITIVE(exclusive_sum_u32_to_u64)(void* temp, size_t* temp_bytes, const uint32_t* in, uint64_t* out, uint64_t n,
                                    void*) {
    return exclusive_sum(temp, temp_bytes, in, out, n);
}

PRIMITIVE(select_flagged_u32)(void* temp, size_t* temp_bytes, const uint32_t* in, const uint8_t* flags, uint32_t* out,
                              uint32_t* count_out, uint64_t n, void*) {
    int status;
    if (!begin(temp, temp_bytes, n, status)) return status;
    if (overlap(in, out, n) || overlap(flags, out, n)) return INVALID_VALUE;
    uint32_t count = 0;
    for (uint64_t i = 0; i < n; ++i) {
        if (flags[i] != 0) out[count++] = in[i];
    }
    *count_out = count;
    return 0;
}
