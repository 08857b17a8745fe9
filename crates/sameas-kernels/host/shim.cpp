// The door to the shim: kernels by name, and the launch that Rust calls.
#include "shim.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "machine.h"

__thread uint3 threadIdx, blockIdx, blockDim, gridDim;

// Defined with the kernels; see all.cu.
extern "C" const int sameas_host_kernels;

namespace shim {

__thread unsigned patience = 1;

// Initialised before any kernel enters itself, being a constant.
static const Kernel* kernels = nullptr;

Kernel::Kernel(const char* name, void (*call)(const void*), size_t bytes, unsigned threads)
    : name(name), call(call), bytes(bytes), threads(threads), next(kernels) {
    kernels = this;
}

static const Kernel* find(const char* name) {
    const Kernel* kernel = sameas_host_kernels ? kernels : nullptr;
    while (kernel != nullptr && std::string(kernel->name) != name) kernel = kernel->next;
    return kernel;
}

// The limits of CUDA; shared memory as of the device with the most.
static std::string refused(const Launch& launch) {
    unsigned most = std::min(launch.kernel->threads, 1024u);
    if (launch.grid == 0 || launch.grid > 0x7fffffffu) return "a grid has 1 to 2^31 - 1 blocks";
    if (launch.block == 0 || launch.block > most) {
        return "a block of this kernel has 1 to " + std::to_string(most) + " threads";
    }
    if (launch.shared > 227u << 10) return "a block has at most 227 KiB of shared memory";
    if (launch.kernel->bytes > 4096) return "the arguments of a kernel have at most 4 KiB";
    return "";
}

static std::string run(const char* name, unsigned grid, unsigned block, unsigned shared, uint64_t seed,
                       const void* args) {
    static thread_local std::unique_ptr<Machine> machine;
    Launch launch{find(name), grid, block, shared, args};
    if (launch.kernel == nullptr) return "there is no kernel `" + std::string(name) + "`";
    std::string reason = refused(launch);
    if (!reason.empty()) return "kernel `" + std::string(name) + "`: " + reason;
    if (!machine) machine = std::make_unique<Machine>();
    return machine->run(launch, seed);
}

}  // namespace shim

// Runs a kernel to its end. Zero, or one with the reason in `error`, a string that is cut to its capacity.
extern "C" int sameas_host_launch(const char* name, unsigned grid, unsigned block, unsigned shared, uint64_t seed,
                                  const void* args, char* error, size_t capacity) {
    std::string reason = shim::run(name, grid, block, shared, seed, args);
    std::snprintf(error, capacity, "%s", reason.c_str());
    return reason.empty() ? 0 : 1;
}

// The name of the kernel at a place of the list and the size of its arguments, or null past its end.
extern "C" const char* sameas_host_kernel(size_t index, size_t* args_bytes) {
    const shim::Kernel* kernel = sameas_host_kernels ? shim::kernels : nullptr;
    while (kernel != nullptr && index-- > 0) kernel = kernel->next;
    if (kernel == nullptr) return nullptr;
    *args_bytes = kernel->bytes;
    return kernel->name;
}
