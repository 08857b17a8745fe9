// The device-wide primitives by CUB, for a static library that the program is linked with. They run in the context that
// is current on the calling thread, on the caller's stream, in the caller's temporary memory: nothing here allocates,
// waits or touches the default stream. Counts are 64 bits wide, so that one code serves every size.
#include "primitives.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/std/functional>

// An error is the caller's to report; the runtime would otherwise keep it and hand it to the next call as well.
static int status_of(cudaError_t error) {
    if (error != cudaSuccess) cudaGetLastError();
    return static_cast<int>(error);
}

static cudaStream_t stream_of(void* stream) { return static_cast<cudaStream_t>(stream); }

PRIMITIVE(sort_pairs_u32)(void* temp, size_t* temp_bytes, const uint32_t* keys_in, uint32_t* keys_out,
                          const uint32_t* values_in, uint32_t* values_out, uint64_t n, int begin_bit, int end_bit,
                          void* stream) {
    return status_of(cub::DeviceRadixSort::SortPairs(temp, *temp_bytes, keys_in, keys_out, values_in, values_out, n,
                                                     begin_bit, end_bit, stream_of(stream)));
}

PRIMITIVE(sort_pairs_u64)(void* temp, size_t* temp_bytes, const uint64_t* keys_in, uint64_t* keys_out,
                          const uint32_t* values_in, uint32_t* values_out, uint64_t n, int begin_bit, int end_bit,
                          void* stream) {
    return status_of(cub::DeviceRadixSort::SortPairs(temp, *temp_bytes, keys_in, keys_out, values_in, values_out, n,
                                                     begin_bit, end_bit, stream_of(stream)));
}

// The sum has the type of its start, not of the values.
template <class In, class Out>
static int exclusive_sum(void* temp, size_t* temp_bytes, const In* in, Out* out, uint64_t n, void* stream) {
    return status_of(cub::DeviceScan::ExclusiveScan(temp, *temp_bytes, in, out, cuda::std::plus<>{}, Out{0}, n,
                                                    stream_of(stream)));
}

PRIMITIVE(exclusive_sum_u32)(void* temp, size_t* temp_bytes, const uint32_t* in, uint32_t* out, uint64_t n,
                             void* stream) {
    return exclusive_sum(temp, temp_bytes, in, out, n, stream);
}

PRIMITIVE(exclusive_sum_u64)(void* temp, size_t* temp_bytes, const uint64_t* in, uint64_t* out, uint64_t n,
                             void* stream) {
    return exclusive_sum(temp, temp_bytes, in, out, n, stream);
}

PRIMITIVE(exclusive_sum_u32_to_u64)(void* temp, size_t* temp_bytes, const uint32_t* in, uint64_t* out, uint64_t n,
                                    void* stream) {
    return exclusive_sum(temp, temp_bytes, in, out, n, stream);
}

PRIMITIVE(select_flagged_u32)(void* temp, size_t* temp_bytes, const uint32_t* in, const uint8_t* flags, uint32_t* out,
                              uint32_t* count_out, uint64_t n, void* stream) {
    return status_of(cub::DeviceSelect::Flagged(temp, *temp_bytes, in, flags, out, count_out,
                                                static_cast<int64_t>(n), stream_of(stream)));
}
