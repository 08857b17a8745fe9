// Device-wide primitives that a kernel cannot be: sorts, sums and selections over whole buffers. The CUDA build takes
// them from CUB, the host build writes them out; both have these signatures under a prefix of their own, so that one
// program can hold both.
//
// With `temp` null a call only says in `temp_bytes` how much temporary memory it needs. Otherwise it works on `stream`
// without waiting for it. It returns zero, or the error code of CUDA. Inputs and outputs must not overlap.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef SAMEAS_HOST
#define PRIMITIVE(name) extern "C" int sameas_host_##name
#else
#define PRIMITIVE(name) extern "C" int sameas_cuda_##name
#endif

// Sort stably by the bits [begin_bit, end_bit) of the keys.
PRIMITIVE(sort_pairs_u32)(void* temp, size_t* temp_bytes, const uint32_t* keys_in, uint32_t* keys_out,
                          const uint32_t* values_in, uint32_t* values_out, uint64_t n, int begin_bit, int end_bit,
                          void* stream);
PRIMITIVE(sort_pairs_u64)(void* temp, size_t* temp_bytes, const uint64_t* keys_in, uint64_t* keys_out,
                          const uint32_t* values_in, uint32_t* values_out, uint64_t n, int begin_bit, int end_bit,
                          void* stream);

// out[i] = in[0] + ... + in[i - 1].
PRIMITIVE(exclusive_sum_u32)(void* temp, size_t* temp_bytes, const uint32_t* in, uint32_t* out, uint64_t n,
                             void* stream);
PRIMITIVE(exclusive_sum_u64)(void* temp, size_t* temp_bytes, const uint64_t* in, uint64_t* out, uint64_t n,
                             void* stream);
PRIMITIVE(exclusive_sum_u32_to_u64)(void* temp, size_t* temp_bytes, const uint32_t* in, uint64_t* out, uint64_t n,
                                    void* stream);

// Keeps in[i] where flags[i] is not zero, in order, and writes their number.
PRIMITIVE(select_flagged_u32)(void* temp, size_t* temp_bytes, const uint32_t* in, const uint8_t* flags, uint32_t* out,
                              uint32_t* count_out, uint64_t n, void* stream);
